"""The only place that picks adapters: Settings → Engine.

An engine is one open library with its models. Every verb of Deref is a method here; the command line, the Python
verbs and later the server call nothing else. A folder or file that is asked about is indexed first when it is new or
changed, into a library of its own in the user's data directory: nothing is written beside the documents.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from deref import __version__
from deref.adapters import lines_within, nearness, read_folder, run_started
from deref.admission import admitted, cited_aside, mark_of, target_admitted, tell_left_out
from deref.amending import amendments_of
from deref.answer import ExtractiveWriter
from deref.answer.sufficiency import CALIBRATED, bears_on
from deref.dead_ends import dead_ends, untold_places
from deref.embedders import ChosenEmbedder, chosen_embedder
from deref.errors import UsageError
from deref.following import following, handed_on_by, reader_of, worth_of_pointers
from deref.language_models import asks_a_language_model, chosen_language_model
from deref.loop import Doors, Heard
from deref.loop import ask as run_loop
from deref.models.remembering import Remembering
from deref.ports import (
    Clock,
    Embedder,
    LanguageModel,
    OverviewReader,
    Overviews,
    Progress,
    Reranker,
    Resolve,
    Store,
    Writer,
    never,
)
from deref.reading import Reading
from deref.retrieve import Recipe, parse_question, run_recipe
from deref.retrieve.pointing import SOURCES
from deref.retrieve.question import passages_for
from deref.retrieve.recipe import NOTHING_MORE, OnRequest, recipe
from deref.settings import Settings, user_settings
from deref.trace.events import Degraded, Event, FileRead, LeftOut
from deref.trace.sinks import Sink, nowhere
from deref.values import EVERYTHING, Answer, Candidates, Query, Scope

if TYPE_CHECKING:
    from deref.trace.record import Port
    from deref.values.filters import Filter


class Engine(Reading):
    """One open library. Close it, or use it as a context manager. Not for use from several threads at once."""

    def __init__(
        self,
        *,
        store: Store,
        settings: Settings,
        embedder: Callable[[], Embedder] | None,
        clock: Clock = time.time,
        writer: Writer | None = None,
        reranker: Callable[[], Reranker] | None = None,
        overviews: OverviewReader | None = None,
        language_model: Callable[[], LanguageModel] | None = None,
    ) -> None:
        """Take the adapters. `embedder` is called when a vector is first needed; None is BM25 alone.

        `reranker`, `overviews` and `language_model` are for a caller that has them; else they are what the settings name, when they do.
        """
        super().__init__(store)
        self.settings = settings
        self._open_embedder = embedder
        self._embedder: Remembering | None = None
        self._open_reranker = reranker or self._reranker_of_settings
        self._overviews = overviews or self._stored_overviews
        self._open_language_model = language_model or partial(chosen_language_model, settings)
        self._clock = clock
        self._given_writer = writer
        self._given = {"reranker": reranker, "overviews": overviews, "language_model": language_model}
        self._others: dict[str, Engine] = {}

    def __enter__(self) -> Self:
        """Return the engine itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the library."""
        self.close()

    def close(self) -> None:
        """Let go of the library."""
        self.store.close()

    def under(self, settings: Settings) -> Engine:
        """Return this engine as it is asked under other settings, the same one for the same settings; it closes with this one.

        Raises UsageError when they change what is stored.
        """
        if settings.stored_fingerprint != self.settings.stored_fingerprint:
            raise UsageError(
                "the settings of a question cannot change what is stored; leave the group index out"
            )
        name = settings.asked_fingerprint
        if name == self.settings.asked_fingerprint:
            return self
        if name not in self._others:
            given: dict[str, Any] = self._given
            self._others[name] = Engine(
                store=self.store, settings=settings, embedder=self._open_embedder, clock=self._clock,
                writer=self._given_writer, **given,
            )  # fmt: skip
        return self._others[name]

    # Indexing

    def index(
        self, root: Path, *, emit: Sink = nowhere, password: str | None = None, force: bool = False
    ) -> Sequence[FileRead]:
        """Bring the library up to date with a folder or file; return one row for each file, by path.

        Reads only what changed; `force` reads every file, `password` opens encrypted ones. Raises NoSuchSource when the
        path is not there, LibraryMismatch when the library is that of another one, and LibraryBusy.
        """
        from deref.ingest import settled_report
        from deref.parse import SUFFIXES

        if not force and password is None:
            settled = settled_report(root, self.store, suffixes=SUFFIXES, emit=emit)
            if settled is not None:
                self._enrich(emit)
                return settled.files
        report = read_folder(root, self.store, self.settings, emit=emit, password=password, force=force)
        self._enrich(emit)
        return report

    def _enrich(self, emit: Sink) -> None:
        if self.settings.index.enrich != "off":
            from deref.adapters import enrich_missing_passages

            enrich_missing_passages(self.store, self.settings, lambda: self.language_model, emit=emit)

    def embed(self, *, emit: Sink = nowhere, seconds: float | None = None) -> Progress:
        """Compute missing vectors until all are there or `seconds` have passed; return how far they are.

        Raises ModelError, and LibraryBusy when they cannot be kept.
        """
        from deref.ingest import embed_missing

        embedder = self.embedder
        if embedder is not None:
            embed_missing(self.store, embedder, emit, seconds=seconds)
            if self.settings.retrieve.overviews != "off":
                from deref.optional_stages import bring_up_overviews

                bring_up_overviews(self.store, embedder, self.settings, lambda: self.language_model)
        return self.progress()

    def is_behind(self) -> bool:
        """Tell whether `embed` has something to do: passages without a vector, or overviews that are missing."""
        state = self.progress()
        if state.embedded < state.chunks:
            return True
        if self.settings.retrieve.overviews == "off" or self._open_embedder is None:
            return False
        from deref.optional_stages import overviews_missing

        return overviews_missing(self.store, self.settings)

    def progress(self, scope: Scope = EVERYTHING) -> Progress:
        """Return how many chunks have their vector."""
        return self.store.progress(scope)

    @property
    def embedder(self) -> Remembering | None:
        """The embedder, opened when first asked for; None when it is switched off."""
        if self._embedder is None and self._open_embedder is not None:
            self._embedder = Remembering(self._open_embedder())
        return self._embedder

    @cached_property
    def language_model(self) -> LanguageModel:
        """The language model, opened when first asked for. Raises UsageError when the settings name none, ModelError."""
        return self._open_language_model()

    # Questions

    def search(
        self,
        text: str,
        *,
        where: Filter | str | None = None,
        scope: Scope = EVERYTHING,
        k: int | None = None,
        emit: Sink = nowhere,
    ) -> Candidates:
        """Return the best `k` candidates for a question (the setting when None), and behind them the followed ones.

        `where` is a filter (`values.filters`), or one as a line of text (`text.where`): nothing that it does not let
        through is found or followed. Without a test of status in it, only active documents answer: see `admission`.
        Raises UsageError for a question, a filter or a `k` that is none, and what its legs raise when all of them fail.
        """
        if k is not None and k < 1:
            raise UsageError(f"k is {k}; ask for 1 passage or more")
        query = self._query(text, scope, where)
        chosen = self._recipe(query, k or self.settings.retrieve.k, emit, hops=True)
        found = run_recipe(query, chosen, emit=emit, clock=self._clock)
        tell_left_out(query, self.store, emit)
        return found

    def _query(
        self, text: str, scope: Scope, where: Filter | str | None, history: tuple[str, ...] = ()
    ) -> Query:
        retrieve = self.settings.retrieve
        query = parse_question(text, scope=scope, history=history, titles=retrieve.titles)
        query = admitted(query, self.store, where=where, every_status=retrieve.status == "all")
        return self.with_places(query) if retrieve.places else query

    def ask(
        self,
        text: str,
        *,
        where: Filter | str | None = None,
        scope: Scope = EVERYTHING,
        budget: int | None = None,
        passages: int | None = None,
        history: tuple[str, ...] = (),
        called: str | None = None,
        emit: Sink = nowhere,
        trace: IO[str] | None = None,
        heard: Heard | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Answer a question; `budget` passes after the first, which reads `passages` (the settings when None).

        `where` is as in `search`; `history` are the questions before this one, oldest first. `trace` takes the trace: the
        events, and what `deref replay` answers the question from again; `called` is what it calls the library, for who may not know
        in which folder that lies. `heard` and `cancelled` are as in `loop.Doors`.

        Raises UsageError for a question, a filter or a budget that is none, Cancelled.
        """
        if budget is not None and budget < 0:
            raise UsageError(f"budget is {budget}; 0 follows no reference")
        if trace is not None:
            from deref.recording import as_told, ask_recorded

            how: dict[str, Any] = {
                "text": text, "where": where, "scope": scope, "budget": budget, "passages": passages, "history": history,
                "called": called,
            }  # fmt: skip
            told = as_told(self.settings, called)
            asks = asks_a_language_model(self.settings)
            there = {"Embedder": self._open_embedder, "Writer": self._given_writer, "LanguageModel": asks}
            return ask_recorded(
                lambda port, sink: self._twin(port, told).ask(**how, emit=sink, heard=heard, cancelled=cancelled), how, out=trace, settings=self.settings,
                doors=[door for door, port in there.items() if port], home=self.store.home() if called is None else None, emit=emit,
            )  # fmt: skip
        query = self._query(text, scope, where, history)
        emit(run_started(query, called or self.store, self.settings, version=__version__))
        degraded: list[str] = []

        def note(event: Event) -> None:
            if isinstance(event, Degraded | LeftOut):
                degraded.append(event.what)
            emit(event)

        k = passages_for(query.shape, self.settings.loop.passages) if passages is None else passages
        writer, resolve = self._writing(scope, cancelled)
        doors = Doors(
            retrieve=lambda q: run_recipe(
                q, self._recipe(q, max(k, SOURCES), note, hops=False, grown=k), emit=note, clock=self._clock
            ),
            bears=lambda q, found: bears_on(q.text, found, CALIBRATED.get(self.settings.models.embedder, ())),
            writer=writer,
            read=reader_of(self, scope),
            resolve=resolve,
            best_within=partial(lines_within, self.store, self.embedder, partial(self.read, scope=scope)),
            emit=note,
            clock=self._clock,
            admit=lambda q, target: target_admitted(q, target, self.store),
            heard=heard,
            cancelled=cancelled,
            pointed=lambda q, found: worth_of_pointers(self, scope, q, found),
            handed_on=lambda q, passage: handed_on_by(self, scope, q, passage),
            amended=lambda q, docs: amendments_of(self, scope, q, docs),
        )
        answer = run_loop(
            query, doors, budget=self.settings.loop.budget if budget is None else budget, passages=k
        )
        tell_left_out(query, self.store, note)
        degraded += cited_aside(answer, self.store, scope, lambda doc: self.read(doc, scope).name)
        degraded += [*dead_ends(self, scope, answer), *untold_places(query, answer)]
        unfinished = (
            self.progress(scope).missing(self.settings.models.background) if self._open_embedder else ()
        )
        return replace(answer, problems=(*answer.problems, *degraded, *unfinished))

    def _writing(self, scope: Scope, cancelled: Callable[[], bool]) -> tuple[Writer, Resolve]:
        resolve = partial(self.resolve, scope=scope)
        if self._given_writer is not None or self.settings.models.writer == "extractive":
            return self._given_writer or self._quoting(scope), resolve
        from deref.model_writer import written_by_model

        found, read = partial(self.references_in, scope=scope), partial(self.read, scope=scope)
        return written_by_model(self.language_model, found, resolve, read, cancelled)

    def _quoting(self, scope: Scope) -> Writer:
        return ExtractiveWriter(partial(self.references_in, scope=scope), self._open_embedder and self._similarity, self.seen(scope).looks)  # fmt: skip

    def _twin(self, port: Port, settings: Settings) -> Engine:
        """Return an engine that remembers nothing yet, over the ports of this one, each as `port` gives it."""
        opened, writer = self._open_embedder, self._given_writer
        return Engine(
            store=port("Store", self.store),
            settings=settings,
            embedder=None if opened is None else lambda: port("Embedder", opened()),
            clock=port("Clock", self._clock),
            writer=None if writer is None else port("Writer", writer),
            reranker=lambda: port("Reranker", self._reranker),
            overviews=port("OverviewReader", self._overviews),
            language_model=lambda: port("LanguageModel", self.language_model),
        )

    def mark(self, name: str, status: str, *, by: str | None = None, scope: Scope = EVERYTHING) -> None:
        """Keep the status of a document: active, superseded or withdrawn; `by` names what supersedes it.

        Raises UsageError for a status that is none, and for a `by` that is missing, not asked for or the document itself;
        NoSuchSource for a name that fits no document, or several; LibraryBusy.
        """
        document = self.document_named(name, scope)
        successor = None if by is None else self.document_named(by, scope)
        self.store.mark([mark_of(document, status, successor)])

    def _recipe(self, query: Query, k: int, emit: Sink, *, hops: bool, grown: int | None = None) -> Recipe:
        retrieve = self.settings.retrieve
        return recipe(
            self.store,
            self.embedder,
            document=lambda doc: self.find_document(doc, query.scope),
            follow=following(self, retrieve, query.scope, k) if hops else (),
            titles=retrieve.titles,
            places=retrieve.places,
            k=k,
            grown=grown,
            pool=retrieve.pool,
            lazy=retrieve.lazy,
            emit=emit,
            on_request=self._on_request(query.scope, emit),
        )

    def _on_request(self, scope: Scope, emit: Sink) -> OnRequest:
        if not scope.prefers and not self.settings.retrieve.asks_for_more:
            return NOTHING_MORE
        from deref.optional_stages import on_request

        return on_request(
            self.settings, scope, store=self.store, embedder=self.embedder, reranker=lambda: self._reranker,
            overviews=self._overviews, language_model=lambda: self.language_model, emit=emit, clock=self._clock,
        )  # fmt: skip

    @cached_property
    def _reranker(self) -> Reranker:
        return self._open_reranker()

    def _reranker_of_settings(self) -> Reranker:
        from deref.optional_stages import chosen_reranker

        return chosen_reranker(self.settings)

    def _stored_overviews(self) -> Overviews:
        from deref.optional_stages import overview_file

        assert self.embedder is not None
        return overview_file(self.store, self.embedder.identity, self.settings).read()

    def _similarity(self, question: str, texts: Sequence[str]) -> list[float]:
        assert self.embedder is not None
        return nearness(self.store, self.embedder, question, texts)


def open_engine(
    folder: Path,
    *,
    settings: Settings | None = None,
    rebuild: bool = False,
    embedder: ChosenEmbedder | None = None,
) -> Engine:
    """Open the library in a folder, or make a new one there. `rebuild` drops what is stored first, but
    for the marks that people set on documents.

    `embedder` is for a caller that has it already, and else what the settings name.

    Raises LibraryError, UsageError.
    """
    from deref.store.library import open_library
    from deref.store.marks_aside import bring_marks_back, set_marks_aside
    from deref.store.opening import remove_library

    chosen = settings or user_settings()
    opener, model = embedder or chosen_embedder(chosen)
    if rebuild:
        set_marks_aside(folder)
        remove_library(folder)
    store = open_library(
        folder,
        fingerprint=chosen.stored_fingerprint,
        model=model,
        history_seconds=chosen.history.days * 86_400.0,
        history_bytes=chosen.history.max_mb * 2**20,
        database=chosen.library.catalogue,
    )
    bring_marks_back(folder, store)
    return Engine(store=store, settings=chosen, embedder=opener)
