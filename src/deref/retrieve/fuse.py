"""Reciprocal rank fusion: score(chunk) = Σ over legs of 1 / (60 + rank + 1), no weights.

Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009. Ranks are 0-based here. Ties: the better best rank first, then the chunk id; and the sum is rounded once,
so that the order never depends on the order of the legs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from deref.values import Arrival, Candidate, Candidates, Chunk, Hit

RRF_K = 60


def fuse(legs: Mapping[str, Sequence[Hit]]) -> Candidates:
    """Return the union of the legs in fused order; each candidate keeps an arrival for every leg that found it."""
    chunks: dict[str, Chunk] = {}
    arrivals: dict[str, list[Arrival]] = {}
    for name, hits in legs.items():
        for rank, hit in enumerate(hits):
            chunks.setdefault(hit.chunk.id, hit.chunk)
            arrivals.setdefault(hit.chunk.id, []).append(Arrival(by=name, rank=rank, score=hit.score))

    def key(chunk: str) -> tuple[float, int, str]:
        ranks = [a.rank for a in arrivals[chunk]]
        return (-fsum(1 / (RRF_K + rank + 1) for rank in ranks), min(ranks), chunk)

    order = sorted(chunks, key=key)
    return Candidates(tuple(Candidate(chunk=chunks[c], arrivals=tuple(arrivals[c])) for c in order))
