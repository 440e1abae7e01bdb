"""Rerank: a cross-encoder reads question and passage together, and the best passages by its score go first.

1. It gets the *union of the legs*, capped per leg: each candidate that some leg ranks among its first `per_leg`. A cap on
   the fused list would favour what both legs half like over the best of either. What a name reserved is read too; what
   a reference brought in is not, for the text that is pointed at is the one that does not look like the question.
2. What was read is ordered by score, ties as they stood. What was not read follows as it stood.
3. A cut, where one is asked for: scores below `min_score` go, then all but the first `top_k`, and then what was not read;
   the first `min_keep` that were read stay whatever their score. Candidates that only a name or a reference brought in
   are exempt: they stay, behind.

A call of the model that fails is told (`Degraded`), and the order stays as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deref.errors import ModelError
from deref.ports import Reranker
from deref.retrieve.stage import Stage
from deref.trace.events import Degraded
from deref.trace.sinks import Sink
from deref.values import Arrival, Candidate, Candidates, Query

LEGS = ("lexical", "dense")
RERANK = "rerank"
_RESERVED = "title"


def rerank(
    reranker: Reranker,
    *,
    per_leg: int,
    emit: Sink,
    min_score: float = 0.0,
    min_keep: int = 0,
    top_k: int = 0,
    legs: Sequence[str] = LEGS,
) -> Stage:
    """Return the stage; a `min_score` of 0 (scores are 0..1) and a `top_k` of 0 cut nothing."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        chosen = [c for c in candidates if _is_read(c, per_leg, legs)]
        if not chosen:
            return candidates
        try:
            scores = reranker.scores(query.text, [_text(c) for c in chosen])
        except ModelError as error:
            emit(Degraded(what=f"the reranker failed and the order was left as it was: {error}"))
            return candidates
        order = sorted(range(len(chosen)), key=lambda n: -scores[n])
        ranked = [_scored(chosen[n], rank, scores[n]) for rank, n in enumerate(order)]
        ids = {c.chunk.id for c in chosen}
        unread = [c for c in candidates if c.chunk.id not in ids]
        if not (min_score or top_k):
            return Candidates((*ranked, *unread))
        enough = [n for n in range(len(ranked)) if n < min_keep or scores[order[n]] >= min_score]
        kept = {ranked[n].chunk.id for n in (enough[: max(top_k, min_keep)] if top_k else enough)}
        exempt = [c for c in (*ranked, *unread) if c.chunk.id not in kept and _is_exempt(c, legs)]
        return Candidates((*(c for c in ranked if c.chunk.id in kept), *exempt))

    return Stage(RERANK, run, "by how well it answers the question, read together with it")


def _is_read(candidate: Candidate, per_leg: int, legs: Sequence[str]) -> bool:
    return any(a.by == _RESERVED or (a.by in legs and a.rank < per_leg) for a in candidate.arrivals)


def _is_exempt(candidate: Candidate, legs: Sequence[str]) -> bool:
    return candidate.hopped or not any(a.by in legs for a in candidate.arrivals)


def _text(candidate: Candidate) -> str:
    chunk = candidate.chunk
    return f"{chunk.path}\n{chunk.text}" if chunk.path else chunk.text


def _scored(candidate: Candidate, rank: int, score: float) -> Candidate:
    others = tuple(a for a in candidate.arrivals if a.by != RERANK)
    return replace(candidate, arrivals=(*others, Arrival(by=RERANK, rank=rank, score=score)))
