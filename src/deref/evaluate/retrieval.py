"""Retrieval on gold questions: first that each gold string stands in some passage, then recall@k.

*Coverage*: the share of answerable rows whose expected strings stand in passages of the shelf; below 1 the rest of
the figures mean less, and the rows are named. *recall@k*: the share of answerable rows that the first k passages meet,
for the first stage alone and with the references followed (those passages come on top of k: compare at equal budget).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deref.engine import Engine
from deref.evaluate.gold import GoldRow
from deref.values import EVERYTHING, Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalScore:
    """What was measured over `rows` answerable questions. Shares are 0..1; `uncovered` and `missed` are row ids."""

    rows: int
    coverage: float
    recall_at_5: float
    recall_at_10: float
    recall_at_5_followed: float
    uncovered: tuple[str, ...]
    missed: tuple[str, ...]


def evaluate_retrieval(engine: Engine, gold: Sequence[GoldRow]) -> RetrievalScore:
    """Return coverage and recall of the gold rows that expect something."""
    rows = [row for row in gold if row.expected]
    cards = engine.shelf().cards()
    passages = [c.text for card in cards for c in engine.store.chunks(card.id, EVERYTHING)]
    uncovered = [row.id for row in rows if not row.met_by(passages)]
    hits5 = hits10 = followed5 = 0
    missed = []
    for row in rows:
        found = list(engine.search(row.query, k=10))
        primary = [c for c in found if not c.hopped]
        five = row.met_by(_texts(primary[:5]))
        hits5 += five
        hits10 += row.met_by(_texts(primary[:10]))
        followed5 += row.met_by(_texts([*primary[:5], *(c for c in found if c.hopped)]))
        if not five:
            missed.append(row.id)
    n = max(len(rows), 1)
    return RetrievalScore(
        rows=len(rows),
        coverage=1 - len(uncovered) / n,
        recall_at_5=hits5 / n,
        recall_at_10=hits10 / n,
        recall_at_5_followed=followed5 / n,
        uncovered=tuple(uncovered),
        missed=tuple(missed),
    )


def _texts(candidates: Sequence[Candidate]) -> list[str]:
    return [c.chunk.text for c in candidates]
