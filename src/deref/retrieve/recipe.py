"""The recipe of a question: BM25 and vectors, fused; the document and the place it names first; the best kept; what they
point at; each passage in its context.

What is switched off is not in the list: no embedder, no dense leg; no titles, no stage of theirs. The
whole order, with the stages that are only there when they are asked for in brackets:

    [narrow] legs, [boost], reserve titles, [rerank]      the *attempt*, which [retry] may run again for another wording
    [prefer], promote titles, place, [diversity]          what goes first
    [hop], [pack], cut, expand                            what is pointed at, how much is kept, the lines around each passage
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from deref.ports import Embedder, Store
from deref.retrieve.cut import cut
from deref.retrieve.expand import expand
from deref.retrieve.legs import Leg, dense_leg, first_stage, lexical_leg
from deref.retrieve.place import place
from deref.retrieve.stage import Recipe, Stage
from deref.retrieve.title import NamedDocuments, best_extents, promote, reserve
from deref.trace.sinks import Sink
from deref.values import Document, Query

CONTEXT_TOKENS = 120
"""Words that a passage may grow by inside its section before it is read."""


_NAMED = "the question names its document"


class OnRequest(NamedTuple):
    """The stages that are only there when they are asked for; None is absent.

    `narrow` makes a first stage of the legs that searches less; `retry` takes the stages before it; `diversity` takes what
    gives the documents that a question names.
    """

    narrow: Callable[[Stage], Stage] | None = None
    boost: Stage | None = None
    rerank: Stage | None = None
    retry: Callable[[Recipe], Stage] | None = None
    prefer: Stage | None = None
    diversity: Callable[[Callable[[Query], Collection[str]]], Stage] | None = None


NOTHING_MORE = OnRequest()


def recipe(
    store: Store,
    embedder: Embedder | None,
    *,
    document: Callable[[str], Document | None],
    follow: Sequence[Stage],
    titles: bool,
    places: bool,
    k: int,
    grown: int | None = None,
    pool: int,
    lazy: int,
    emit: Sink,
    on_request: OnRequest = NOTHING_MORE,
) -> Recipe:
    """Return the stages that lead to the best `k` passages.

    Of these the first `grown` get the lines around them, all when None. `pool` are the candidates of each leg, `lazy` the BM25 hits embedded on demand; `follow` are the stages that bring in
    what is pointed at, none without it; `document` reads a document by id; `titles` and `places` say whether the document and the section or item that a question names go first.
    """
    legs: dict[str, Leg] = {"lexical": lexical_leg(store.rank_lexical, pool=pool)}
    if embedder is not None:
        legs["dense"] = dense_leg(
            embedder=embedder,
            lexical=store.rank_lexical,
            nearest=store.rank_dense,
            passages=store.passages,
            vectors=store.vectors,
            progress=store.progress,
            pool=pool,
            lazy=lazy,
        )
    first = first_stage(legs, passages=store.passages, emit=emit)
    named = NamedDocuments(store.titles, emit=emit) if titles else None
    attempt: list[Stage | None] = [on_request.narrow(first) if on_request.narrow else first, on_request.boost]
    if named is not None:
        extents = best_extents(
            lexical=store.rank_lexical, passages=store.passages, vectors=store.vectors, embedder=embedder
        )
        attempt.append(reserve(named, extents)._replace(why=_NAMED))
    stages = present(*attempt, on_request.rerank)
    if on_request.retry is not None:
        stages.append(on_request.retry(tuple(stages)))
    stages += present(on_request.prefer, promote(named)._replace(why=_NAMED) if named is not None else None)
    if places:
        stages.append(place(store.chunks))
    if on_request.diversity is not None:
        stages.append(on_request.diversity(lambda query: {t.doc for t in named(query)} if named else ()))
    stages += present(*follow, cut(k))
    return (*stages, expand(document, tokens=CONTEXT_TOKENS, first=grown))


def present(*stages: Stage | None) -> list[Stage]:
    """Return the stages that are there, in order."""
    return [stage for stage in stages if stage is not None]
