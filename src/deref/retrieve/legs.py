"""Legs: each ranks passages for a question. `first_stage` runs them, reads what they ranked, and fuses it.

The dense leg has two forms. *Whole*: every chunk in scope has its vector, and the nearest are searched among all.
*Lazy*: some have not; then the top of BM25 is embedded on demand, joined with the nearest among the vectors that
are there, and the union is ranked by cosine. A partial dense list is never fused as if it were whole.

The legs run side by side, each but the first in a thread: the index that is searched by words and the model that embeds
the question both work outside the interpreter lock. What they found is fused in the order of the legs, so the answer is that of
legs run one by one. They give ids; the passages of all of them are read at once, which takes little longer than to read
those of one.

A leg that fails is reported (`Degraded`) and the others serve; when they find nothing, the first error is raised: an
error never turns into an empty result. What was ranked and is gone when it is read (the shelf changes) is ranked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from deref.errors import DerefError
from deref.ports import Embedder, Progress, Ranking, Vectors
from deref.retrieve.fuse import fuse
from deref.retrieve.stage import Stage
from deref.trace.events import Degraded
from deref.trace.sinks import Sink
from deref.values import Candidates, Chunk, Hit, Query, Scope

if TYPE_CHECKING:
    from deref.values.filters import Filter


class Ranked(NamedTuple):
    """What a leg found, best first, and those of the passages that it has read already, by id."""

    ranking: Ranking
    read: Mapping[str, Chunk] = {}


Leg = Callable[[Query], Ranked]
RankLexical = Callable[[str, int, Scope, "Filter | None"], Ranking]
RankDense = Callable[[Vectors, int, Scope, "Filter | None"], Ranking]
PassagesOf = Callable[[Sequence[str], Scope], Mapping[str, Chunk]]
VectorsOf = Callable[[Sequence[Chunk], Embedder], Vectors]

_ATTEMPTS = 3
"""How often it is ranked anew when the shelf has changed before the passages are read; then those that went are left out."""


def lexical_leg(rank: RankLexical, *, pool: int) -> Leg:
    """Return the BM25 leg: the best `pool` chunks."""
    return lambda query: Ranked(rank(query.text, pool, query.scope, query.filter))


def dense_leg(
    *,
    embedder: Embedder,
    lexical: RankLexical,
    nearest: RankDense,
    passages: PassagesOf,
    vectors: VectorsOf,
    progress: Callable[[Scope, Filter | None], Progress],
    pool: int,
    lazy: int,
) -> Leg:
    """Return the dense leg, whole when every chunk in scope has its vector (of the documents that the filter leaves), else lazy over BM25's top `lazy`."""

    def run(query: Query) -> Ranked:
        asked = embedder.query(query.text)
        state = progress(query.scope, query.filter)
        if state.embedded >= state.chunks:
            return Ranked(nearest(asked, pool, query.scope, query.filter))
        union = dict(lexical(query.text, lazy, query.scope, query.filter))
        if state.embedded:
            union |= dict(nearest(asked, lazy, query.scope, query.filter))
        read = passages(list(union), query.scope)
        if not read:
            return Ranked(())
        chunks = [read[one] for one in union if one in read]
        scores = vectors(chunks, embedder) @ asked
        order = sorted(range(len(chunks)), key=lambda n: (-float(scores[n]), chunks[n].id))
        return Ranked([(chunks[n].id, float(scores[n])) for n in order[:pool]], read)

    return run


def first_stage(legs: Mapping[str, Leg], *, passages: PassagesOf, emit: Sink) -> Stage:
    """Return the stage that runs the legs and fuses their hits. It replaces whatever it is given."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        for _ in range(_ATTEMPTS):
            found = _ranked(legs, query, emit)
            hits = _hits(found, query, passages)
            if all(len(hits[name]) == len(ranked.ranking) for name, ranked in found.items()):
                break
        fused = fuse(hits)
        return fused if len(fused) or len(candidates) else candidates

    return Stage("legs", run, "found by words or by meaning")


def _ranked(legs: Mapping[str, Leg], query: Query, emit: Sink) -> dict[str, Ranked]:
    """Run the legs side by side. Raises the error of the first that failed when the others find nothing."""
    found: dict[str, Ranked] = {}
    failed: list[DerefError] = []
    with ThreadPoolExecutor(max(len(legs) - 1, 1)) as threads:
        first, *others = legs
        asked: dict[str, Callable[[], Ranked]] = {first: partial(legs[first], query)}
        asked |= {name: threads.submit(legs[name], query).result for name in others}
        for name, ranked in asked.items():
            try:
                found[name] = ranked()
            except DerefError as error:
                failed.append(error)
                emit(Degraded(what=f"the {name} leg failed and was left out: {error}"))
    if failed and not any(ranked.ranking for ranked in found.values()):
        raise failed[0]
    return found


def _hits(found: Mapping[str, Ranked], query: Query, passages: PassagesOf) -> dict[str, list[Hit]]:
    """Return the hits of each leg whose passages are there, reading those that no leg has read."""
    read: dict[str, Chunk] = {}
    for ranked in found.values():
        read |= ranked.read
    wanted = dict.fromkeys(one for ranked in found.values() for one, _ in ranked.ranking if one not in read)
    if wanted:
        read |= passages(list(wanted), query.scope)
    return {
        name: [Hit(chunk=read[one], score=score) for one, score in ranked.ranking if one in read]
        for name, ranked in found.items()
    }
