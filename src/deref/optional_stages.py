"""The stages that are only there when the settings, or the scope of the question, ask for them.

Nothing of a stage that is off is loaded: each is imported where it is put together. A stage that is on and cannot work
raises here, before the question is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from deref.errors import UsageError
from deref.ports import Clock, Embedder, LanguageModel, OverviewReader, Reranker, Store
from deref.retrieve.recipe import OnRequest
from deref.retrieve.stage import Recipe, Stage, run_recipe
from deref.settings import ModelSettings, RetrieveSettings, Settings, data_folder
from deref.trace.journeys import AGAIN
from deref.trace.sinks import Sink
from deref.values import EVERYTHING, Chunk, Query, Scope

if TYPE_CHECKING:
    from deref.retrieve.overviews import DocumentPrior
    from deref.store.overviews import OverviewFile


def on_request(
    settings: Settings,
    scope: Scope,
    *,
    store: Store,
    embedder: Embedder | None,
    reranker: Callable[[], Reranker],
    overviews: OverviewReader,
    language_model: Callable[[], LanguageModel],
    emit: Sink,
    clock: Clock,
) -> OnRequest:
    """Return the stages that are asked for. `reranker` and `language_model` are called when one is, `overviews` when they are looked at.

    Raises UsageError for overviews without an embedder, ModelError for a reranker that is not there.
    """
    retrieve = settings.retrieve
    stages = OnRequest()
    if retrieve.overviews != "off":
        stages = _with_overviews(stages, retrieve, store, embedder, overviews, emit)
    if retrieve.rerank != "off":
        stages = stages._replace(rerank=_rerank(retrieve, reranker(), emit))
    if retrieve.retry:
        words = None
        if retrieve.reformulate == "model":
            from deref.retrieve.reformulate import in_other_words

            words = in_other_words(language_model())
        stages = stages._replace(
            retry=partial(
                _retry,
                words=words,
                titles=retrieve.titles,
                store=store,
                embedder=embedder,
                emit=emit,
                clock=clock,
            )
        )
    if scope.prefers:
        from deref.retrieve.prefer import prefer

        stages = stages._replace(prefer=prefer(partial(_documents, store)))
    if retrieve.per_document:
        from deref.retrieve.diversity import diverse

        most = retrieve.per_document
        stages = stages._replace(diversity=lambda named: diverse(most, uncapped=named))
    return stages


def chosen_reranker(settings: Settings) -> Reranker:
    """Return the reranker that the settings name, loaded. Raises ModelError when it is not there."""
    reranker: Reranker
    if settings.retrieve.rerank == "overlap":
        from deref.models.overlap import OverlapReranker

        reranker = OverlapReranker()
    elif settings.retrieve.rerank == "server":
        reranker = _server_reranker(settings.models)
    else:
        reranker = _bundled_reranker(settings.models.threads, data_folder() / "models")
    reranker.load()
    return reranker


@cache
def _bundled_reranker(threads: int, folder: Path) -> Reranker:
    """Return the one of this process: engines of several threads share it."""
    from deref.models.bundled_reranker import BundledReranker

    return BundledReranker(threads=threads, cache=folder)


def _server_reranker(models: ModelSettings) -> Reranker:
    from deref.embedders import key_of
    from deref.models.server_reranker import ServerReranker

    for setting, value in (("reranker_url", models.reranker_url), ("reranker_model", models.reranker_model)):
        if not value:
            raise UsageError(
                f"retrieve.rerank is server, and models.{setting} names none; set models.{setting}"
            )
    return ServerReranker(
        models.reranker_url,
        models.reranker_model,
        key=key_of(models.reranker_key_env, models.reranker_key_file, group="models.reranker_key"),
        timeout_s=models.timeout_s,
        retries=models.retries,
    )


def bring_up_overviews(
    store: Store, embedder: Embedder, settings: Settings, language_model: Callable[[], LanguageModel]
) -> int:
    """Make the overviews beside a library those of its documents; return how many were missing.

    Raises ModelError, LibraryDamaged.
    """
    from deref.index.overview import overview

    if settings.retrieve.overview_text == "model":
        from deref.index.in_words import overview_in_words

        overview = partial(overview_in_words, model=language_model())
    shelf = store.shelf(EVERYTHING)

    def text(doc: str) -> str:
        document = shelf.document(doc)
        return "" if document is None else overview(document)

    file = overview_file(store, embedder.identity, settings)
    return file.bring_up(_documents(store, EVERYTHING), text, embedder)


def overviews_missing(store: Store, settings: Settings) -> bool:
    """Tell whether some document of the library has no overview yet, or has one that is there no more."""
    model = str(store.describe()["embedder"])
    return not overview_file(store, model, settings).complete(_documents(store, EVERYTHING))


def overview_file(store: Store, model: str, settings: Settings) -> OverviewFile:
    """Return the file of overviews beside a library, for an embedder by its identity.

    Overviews that one language model wrote are not those of another, nor those that none wrote.
    """
    from deref.store.overviews import OverviewFile

    if settings.retrieve.overview_text == "model":
        model = f"{model}, {settings.models.language_model}"
    return OverviewFile(Path(str(store.describe()["place"])), home=store.home() or "", model=model)


def _documents(store: Store, scope: Scope) -> Sequence[str]:
    return [card.id for card in store.shelf(scope).cards()]


def _answering(store: Store, query: Query) -> Sequence[str]:
    """Return the documents that may be chosen for a question: those set aside take no place, unless it is asked of them."""
    if query.filter is None:
        return _documents(store, query.scope)
    from deref.values.filters import OfStatus, tests
    from deref.values.standing import DocumentStatus

    asked = {test.status for test in tests(query.filter) if isinstance(test, OfStatus)}
    if asked != {DocumentStatus.ACTIVE}:
        return _documents(store, query.scope)
    aside = store.standings(query.scope)
    return [doc for doc in _documents(store, query.scope) if doc not in aside]


def _with_overviews(
    stages: OnRequest,
    retrieve: RetrieveSettings,
    store: Store,
    embedder: Embedder | None,
    overviews: OverviewReader,
    emit: Sink,
) -> OnRequest:
    from deref.retrieve.overviews import DocumentPrior, boost, restrict

    if embedder is None:
        raise UsageError(
            "retrieve.overviews needs an embedder, and models.embedder is none; choose another, or set it to off"
        )
    prior: DocumentPrior = DocumentPrior(overviews, embedder, partial(_answering, store), emit=emit)
    most = retrieve.overview_documents
    if retrieve.overviews == "restrict":
        return stages._replace(narrow=lambda first: restrict(first, prior, most=most, emit=emit))
    return stages._replace(boost=boost(prior, most=most, margin=retrieve.overview_margin / 100, emit=emit))


def _rerank(retrieve: RetrieveSettings, reranker: Reranker, emit: Sink) -> Stage:
    from deref.retrieve.rerank import rerank

    return rerank(
        reranker,
        per_leg=retrieve.rerank_per_leg,
        min_score=retrieve.rerank_min_score / 100,
        min_keep=retrieve.rerank_min_keep,
        top_k=retrieve.rerank_top_k,
        emit=emit,
    )


def _retry(
    attempt: Recipe,
    *,
    words: Callable[[Query], str | None] | None,
    titles: bool,
    store: Store,
    embedder: Embedder | None,
    emit: Sink,
    clock: Clock,
) -> Stage:
    from deref.answer.sufficiency import surplus
    from deref.errors import UsageError as NoQuestion
    from deref.retrieve.question import parse_question
    from deref.retrieve.retry import COUNTED, rarest_terms, retry

    other_words = words or rarest_terms(
        lambda word, query: len(store.rank_lexical(word, COUNTED, query.scope, query.filter))
    )

    def reformulated(query: Query) -> Query | None:
        text = other_words(query)
        if text is None:
            return None
        try:
            intent = parse_question(text, titles=titles).intent
        except NoQuestion:
            return None
        return replace(query, text=text, intent=intent or query.intent)

    def nearness(query: Query, chunks: Sequence[Chunk]) -> Sequence[float]:
        assert embedder is not None
        return [float(cosine) for cosine in store.vectors(chunks, embedder) @ embedder.query(query.text)]

    return retry(
        lambda query: run_recipe(query, attempt, emit=emit, clock=clock, called=AGAIN),
        evidence=lambda query, found: surplus(query.text, found),
        reformulate=reformulated,
        nearness=nearness if embedder is not None else None,
        emit=emit,
    )
