"""Legs: each turns a question into a ranked list of hits. `first_stage` runs them and fuses what they give.

The dense leg has two forms. *Whole*: every chunk in scope has its vector, and the nearest are searched among all.
*Lazy*: some have not; then the top of BM25 is embedded on demand, joined with the nearest among the vectors that
are there, and the union is ranked by cosine. A partial dense list is never fused as if it were whole.

The legs run side by side, each but the first in a thread: the index that is searched by words and the model that embeds
the question both work outside the interpreter lock. What they found is fused in the order of the legs, so the answer is that of
legs run one by one.

A leg that fails is reported (`Degraded`) and the others serve; when they find nothing, the first error is raised: an
error never turns into an empty result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from deref.errors import DerefError
from deref.ports import Embedder, Progress, Vectors
from deref.retrieve.fuse import fuse
from deref.retrieve.stage import Stage
from deref.trace.events import Degraded
from deref.trace.sinks import Sink
from deref.values import Candidates, Chunk, Hit, Query, Scope

if TYPE_CHECKING:
    from deref.values.filters import Filter

Leg = Callable[[Query], Sequence[Hit]]
Lexical = Callable[[str, int, Scope, "Filter | None"], Sequence[Hit]]
Nearest = Callable[[Vectors, int, Scope, "Filter | None"], Sequence[Hit]]
VectorsOf = Callable[[Sequence[Chunk], Embedder], Vectors]


def lexical_leg(lexical: Lexical, *, pool: int) -> Leg:
    """Return the BM25 leg: the best `pool` chunks."""
    return lambda query: lexical(query.text, pool, query.scope, query.filter)


def dense_leg(
    *,
    embedder: Embedder,
    lexical: Lexical,
    nearest: Nearest,
    vectors: VectorsOf,
    progress: Callable[[Scope, Filter | None], Progress],
    pool: int,
    lazy: int,
) -> Leg:
    """Return the dense leg, whole when every chunk in scope has its vector (of the documents that the filter leaves), else lazy over BM25's top `lazy`."""

    def run(query: Query) -> Sequence[Hit]:
        asked = embedder.query(query.text)
        state = progress(query.scope, query.filter)
        if state.embedded >= state.chunks:
            return nearest(asked, pool, query.scope, query.filter)
        by_words = lexical(query.text, lazy, query.scope, query.filter)
        union: dict[str, Chunk] = {h.chunk.id: h.chunk for h in by_words}
        if state.embedded:
            union |= {h.chunk.id: h.chunk for h in nearest(asked, lazy, query.scope, query.filter)}
        if not union:
            return ()
        chunks = list(union.values())
        scores = vectors(chunks, embedder) @ asked
        order = sorted(range(len(chunks)), key=lambda n: (-float(scores[n]), chunks[n].id))
        return [Hit(chunk=chunks[n], score=float(scores[n])) for n in order[:pool]]

    return run


def first_stage(legs: Mapping[str, Leg], *, emit: Sink) -> Stage:
    """Return the stage that runs the legs and fuses their hits. It replaces whatever it is given."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        found: dict[str, Sequence[Hit]] = {}
        failed: list[DerefError] = []
        with ThreadPoolExecutor(max(len(legs) - 1, 1)) as threads:
            first, *others = legs
            asked: dict[str, Callable[[], Sequence[Hit]]] = {first: partial(legs[first], query)}
            asked |= {name: threads.submit(legs[name], query).result for name in others}
            for name, hits in asked.items():
                try:
                    found[name] = hits()
                except DerefError as error:
                    failed.append(error)
                    emit(Degraded(what=f"the {name} leg failed and was left out: {error}"))
        if failed and not any(found.values()):
            raise failed[0]
        fused = fuse(found)
        return fused if len(fused) or len(candidates) else candidates

    return Stage("legs", run, "found by words or by meaning")
