"""The only place that picks adapters: Settings → Engine.

An engine is one open library with its models. Every verb of Deref is a method here; the command line, the Python
verbs and later the server call nothing else. A folder or file that is asked about is indexed first when it is new or
changed, into a library of its own in the user's data directory: nothing is written beside the documents.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from deref import __version__
from deref.adapters import chosen_embedder, nearness, read_folder, run_started
from deref.answer import ExtractiveWriter
from deref.answer.sufficiency import bears_on
from deref.errors import NoSuchSource
from deref.loop import Doors
from deref.loop import ask as run_loop
from deref.models.remembering import Remembering
from deref.ports import Clock, Embedder, Progress, Shelf, Step, Store, Vectors, Writer, unheard
from deref.references.documents import spoken_names
from deref.references.mentions import find_names, with_mentions
from deref.references.resolve import Resolver
from deref.references.rows import row
from deref.retrieve import Recipe, parse_question, run_recipe
from deref.retrieve.recipe import recipe, with_sentences
from deref.retrieve.within import best_within
from deref.settings import Settings, user_settings
from deref.trace.events import Degraded, Event, FileRead
from deref.trace.sinks import Sink, nowhere
from deref.values import (
    EVERYTHING,
    Answer,
    Candidates,
    Chunk,
    Document,
    Finding,
    Query,
    Reference,
    Resolution,
    Scope,
    Span,
    Target,
)

if TYPE_CHECKING:
    from deref.references.graph import PlaceGraph


class Engine:
    """One open library. Close it, or use it as a context manager. Not for use from several threads at once."""

    def __init__(
        self,
        *,
        store: Store,
        settings: Settings,
        embedder: Callable[[], Embedder] | None,
        clock: Clock = time.time,
        writer: Writer | None = None,
    ) -> None:
        """Take the adapters. `embedder` is called when a vector is first needed; None is BM25 alone."""
        self.store = store
        self.settings = settings
        self._open_embedder = embedder
        self._embedder: Remembering | None = None
        self._clock = clock
        self._names: tuple[Scope, tuple[str, ...]] | None = None
        self._resolvers: dict[tuple[Scope, bool], Resolver] = {}
        self.writer: Writer = writer or ExtractiveWriter(
            lambda d, s: self.references_in(d, s, EVERYTHING), self._similarity if embedder else None
        )

    def __enter__(self) -> Self:
        """Return the engine itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the library."""
        self.close()

    def close(self) -> None:
        """Let go of the library."""
        self.store.close()

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
                return settled.files
        report = read_folder(root, self.store, self.settings, emit=emit, password=password, force=force)
        if any(row.outcome not in ("unchanged", "failed") for row in report):
            self._forget()
        return report

    def _forget(self) -> None:
        """Drop what was kept of the shelf: it has changed."""
        self._names = None
        self._resolvers.clear()

    def embed(self, *, emit: Sink = nowhere, seconds: float | None = None) -> Progress:
        """Compute missing vectors until all are there or `seconds` have passed; return how far they are.

        Raises ModelError, and LibraryBusy when they cannot be kept.
        """
        from deref.ingest import embed_missing

        embedder = self.embedder
        if embedder is not None:
            embed_missing(self.store, embedder, emit, seconds=seconds)
        return self.progress()

    def progress(self, scope: Scope = EVERYTHING) -> Progress:
        """Return how many chunks have their vector."""
        return self.store.progress(scope)

    @property
    def embedder(self) -> Remembering | None:
        """The embedder, opened when first asked for; None when it is switched off."""
        if self._embedder is None and self._open_embedder is not None:
            self._embedder = Remembering(self._open_embedder())
        return self._embedder

    # Reading

    def read(self, doc: str, scope: Scope = EVERYTHING) -> Document:
        """Return a document by id.

        Raises NoSuchSource when there is none for this caller.
        """
        document = self.find_document(doc, scope)
        if document is None:
            raise NoSuchSource(f"no document {doc} on this shelf; `deref status` lists what is there")
        return document

    def find_document(self, doc: str, scope: Scope = EVERYTHING) -> Document | None:
        """Return a document by id, or None."""
        return self.shelf(scope).document(doc)

    def shelf(self, scope: Scope = EVERYTHING) -> Shelf:
        """Return the registry as this caller may see it."""
        return self.store.shelf(scope)

    def document_named(self, name: str, scope: Scope = EVERYTHING) -> Document:
        """Return the document with this name, or the only one whose name ends with it.

        Raises NoSuchSource when none or several fit.
        """
        cards = self.shelf(scope).cards()
        fits = [c for c in cards if c.name == name] or [c for c in cards if c.name.endswith("/" + name)]
        if len(fits) != 1:
            known = ", ".join(c.name for c in cards[:8])
            what = "several documents end in" if fits else "no document is called"
            raise NoSuchSource(f"{what} {name!r}; give the whole name, e.g. one of: {known}")
        return self.read(fits[0].id, scope)

    def names(self, scope: Scope = EVERYTHING) -> tuple[str, ...]:
        """Return the names by which running text may call the documents."""
        if self._names is None or self._names[0] != scope:
            cards = self.shelf(scope).cards()
            self._names = (scope, tuple(spoken_names(cards)))
        return self._names[1]

    # References

    def references_in(self, document: Document, lines: Span, scope: Scope = EVERYTHING) -> list[Reference]:
        """Return the references that begin in these lines, mentions of the shelf's documents by name included."""
        stored = self.store.references(document.id, scope)
        first = bisect_left(stored, lines.start, key=lambda r: r.at.line)
        last = bisect_left(stored, lines.end, key=lambda r: r.at.line)
        named = find_names(document.lines[lines.start : lines.end], self.names(scope), home=document)
        return with_mentions(stored[first:last], named)

    def references_of(self, document: Document, scope: Scope = EVERYTHING) -> list[Reference]:
        """Return all references of a document, in order."""
        named = find_names(document, self.names(scope))
        return with_mentions(self.store.references(document.id, scope), named)

    def resolve(self, reference: Reference, scope: Scope = EVERYTHING, *, links: bool = True) -> Resolution:
        """Return what becomes of a reference. `links` says whether native links may be followed.

        Raises NoSuchSource when the document that it is written in is not there for this caller.
        """
        key = (scope, links)
        if key not in self._resolvers:
            self._resolvers = {key: Resolver(self.shelf(scope), links=links)}
        return self._resolvers[key](reference, self.read(reference.at.doc, scope))

    def row(self, resolution: Resolution, scope: Scope = EVERYTHING) -> dict[str, Any]:
        """Return a resolution as a flat JSON-ready row: see `references.rows.row`."""
        return row(resolution, lambda doc: self.find_document(doc, scope))

    def references(
        self,
        names: Sequence[str] = (),
        scope: Scope = EVERYTHING,
        *,
        links: bool = True,
        step: Step = unheard,
    ) -> Iterator[Resolution]:
        """Yield the resolution of every reference of the named documents (all when none is named), by name and place.

        `step` hears how many of how many documents are done. Raises NoSuchSource for a name that fits none, or several.
        """
        for document in self._documents(names, scope, step):
            for reference in self.references_of(document, scope):
                yield self.resolve(reference, scope, links=links)

    def _documents(self, names: Sequence[str], scope: Scope, step: Step) -> Iterator[Document]:
        wanted = names or [c.id for c in self.shelf(scope).cards()]
        for done, one in enumerate(wanted):
            document = self.document_named(one, scope) if names else self.read(one, scope)
            step(done, len(wanted), document.name)
            yield document

    def check(
        self,
        names: Sequence[str] = (),
        scope: Scope = EVERYTHING,
        *,
        rules: Sequence[str] = (),
        step: Step = unheard,
    ) -> Iterator[Finding]:
        """Yield what the checker finds in the named documents (all when none is named), by name and place.

        `rules` names the rules of `references.check_rules` that are asked for, all when empty; `step` as in `references`.
        Raises UsageError for a rule that is none, NoSuchSource for a name that fits no document, or several.
        """
        from deref.references.check import Checker, rules_named

        checker = Checker(self.shelf(scope), lambda d: self.references_of(d, scope), rules_named(rules))
        for document in self._documents(names, scope, step):
            yield from checker(document)

    def changes(
        self,
        since_ns: int,
        names: Sequence[str] = (),
        scope: Scope = EVERYTHING,
        *,
        links: bool = True,
        step: Step = unheard,
    ) -> Iterator[dict[str, Any]]:
        """Yield, as rows of `references.changes.change_row`, the references whose resolution is not what it was.

        `since_ns` is in nanoseconds since the epoch; `step` hears how many of how many documents are done. Raises
        UsageError for a time of which the documents are not known, NoSuchSource for a name that no document had or has.
        """
        from deref.references.changes import State, changes_between

        past, shelf = self.store.past(since_ns, scope), self.shelf(scope)
        then = State(past, past.references, links=links)
        now = State(shelf, lambda doc: self.store.references(doc, scope), links=links)
        yield from changes_between(then, now, names=names, step=step)

    def graph(self, scope: Scope = EVERYTHING, *, links: bool = True, step: Step = unheard) -> PlaceGraph:
        """Return the graph of all references between all places of the shelf: see `references.graph.reference_graph`.

        `references.graph.document_map` makes the map of documents of it. `step` hears how many of how many documents
        are done, and the name of the next.
        """
        from deref.references.graph import reference_graph
        from deref.references.graph_reading import with_degrees

        graph = reference_graph(self.shelf(scope), self.references((), scope, links=links, step=step))
        with_degrees(graph)
        return graph

    def place_named(self, graph: PlaceGraph, said: str, scope: Scope = EVERYTHING) -> str:
        """Return the node that a person means by "Section 3.5" or "agreement.pdf Section 3.5".

        Raises UsageError, with all of them, when several places are called so, and NoSuchSource when none is.
        """
        from deref.references.named_places import place_named

        return place_named(graph, self.shelf(scope), lambda r: self.resolve(r, scope), said)

    # Questions

    def search(
        self, text: str, *, scope: Scope = EVERYTHING, k: int | None = None, emit: Sink = nowhere
    ) -> Candidates:
        """Return the best `k` candidates for a question (the setting when None), and behind them the followed ones.

        Raises UsageError for a question that is none, and what its legs raise when all of them fail.
        """
        query = parse_question(text, scope=scope, titles=self.settings.retrieve.titles)
        return run_recipe(
            query,
            self._recipe(query, k or self.settings.retrieve.k, emit, hops=True),
            emit=emit,
            clock=self._clock,
        )

    def ask(
        self,
        text: str,
        *,
        scope: Scope = EVERYTHING,
        budget: int | None = None,
        history: tuple[str, ...] = (),
        emit: Sink = nowhere,
    ) -> Answer:
        """Answer a question; `budget` passes after the first (the setting when None).

        Raises UsageError for a question that is none.
        """
        query = parse_question(text, scope=scope, history=history, titles=self.settings.retrieve.titles)
        emit(run_started(query, self.store, self.settings, version=__version__))
        degraded: list[str] = []

        def note(event: Event) -> None:
            if isinstance(event, Degraded):
                degraded.append(event.what)
            emit(event)

        k = self.settings.loop.passages
        doors = Doors(
            retrieve=lambda q: run_recipe(
                q, self._recipe(q, k, note, hops=False), emit=note, clock=self._clock
            ),
            bears=lambda q, found: bears_on(q.text, found),
            writer=self.writer,
            read=lambda doc: self.read(doc, scope),
            resolve=lambda reference: self.resolve(reference, scope),
            best_within=self._best_within,
            emit=note,
            clock=self._clock,
        )
        answer = run_loop(
            query, doors, budget=self.settings.loop.budget if budget is None else budget, passages=k
        )
        unfinished = (
            self.progress(scope).missing(self.settings.models.background) if self._open_embedder else ()
        )
        return replace(answer, problems=(*answer.problems, *degraded, *unfinished))

    def _recipe(self, query: Query, k: int, emit: Sink, *, hops: bool) -> Recipe:
        retrieve = self.settings.retrieve
        return recipe(
            self.store,
            self.embedder,
            document=lambda doc: self.find_document(doc, query.scope),
            resolve=lambda reference: self.resolve(reference, query.scope),
            pointers=(lambda chunk: self._pointers(chunk, query.scope)) if hops and retrieve.hop else None,
            titles=retrieve.titles,
            k=k,
            pool=retrieve.pool,
            lazy=retrieve.lazy,
            max_hops=retrieve.max_hops,
            emit=emit,
        )

    def _pointers(self, chunk: Chunk, scope: Scope) -> Sequence[tuple[Reference, str]]:
        document = self.read(chunk.lines.doc, scope)
        lines = document.lines[chunk.lines.start : chunk.lines.end]
        return with_sentences(self.references_in(document, chunk.lines, scope), lines)

    def _best_within(self, query: Query, target: Target) -> list[Span]:
        embedder = self.embedder
        chunks = self.store.chunks(target.lines.doc, query.scope)

        def similarity(text: str, near: Sequence[Chunk]) -> Vectors:
            assert embedder is not None
            return self.store.vectors(near, embedder) @ embedder.query(text)

        return best_within(query, target, chunks, similarity if embedder is not None else None)

    def _similarity(self, question: str, texts: Sequence[str]) -> list[float]:
        assert self.embedder is not None
        return nearness(self.store, self.embedder, question, texts)


def open_engine(
    folder: Path, *, settings: Settings | None = None, rebuild: bool = False, warm: bool = False
) -> Engine:
    """Open the library in a folder, or make a new one there. `rebuild` drops what is stored first.

    `warm` loads the embedding model beside it at once, for a caller that is going to ask.

    Raises LibraryError, UsageError.
    """
    from deref.store.library import open_library, remove_library

    chosen = settings or user_settings()
    if rebuild:
        remove_library(folder)
    opener, model = chosen_embedder(chosen, warm=warm)
    store = open_library(
        folder,
        fingerprint=chosen.stored_fingerprint,
        model=model,
        history_seconds=chosen.history.days * 86_400.0,
        history_bytes=chosen.history.max_mb * 2**20,
    )
    return Engine(store=store, settings=chosen, embedder=opener)
