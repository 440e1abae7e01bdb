"""Answers on gold questions: is the fact in the quotes, and is "not found" said where nothing is to be found?

An answerable row is *right* when its expected strings stand in the quotes of the answer, *refused* when the answer is
`not_found` although the shelf holds it, else *missed*; `by_reference` tells whether the quotes that arrived by reference
are enough. An unanswerable row is right when it is *refused*, else it was *answered*. An external or dangling row is
right when a pointer is *named* with that status, else *missed*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deref.evaluate.gold import GoldRow
from deref.values import Answer, Arrived, Completeness, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVerdict:
    """What came of one gold row: `outcome` is right, missed, refused, named or answered.

    `kind` is the slice that the row says it belongs to; `completeness` that of the answer.
    """

    id: str
    kind: str
    outcome: str
    right: bool
    by_reference: bool
    completeness: str


def judge(row: GoldRow, answer: Answer) -> AnswerVerdict:
    """Return the verdict on one answer."""
    status = str(row.dimensions.get("status", "answerable"))
    quotes = [c.quote for c in answer.citations]
    followed = [c.quote for c in answer.citations if c.arrived is Arrived.REFERENCE]
    refused = answer.completeness is Completeness.NOT_FOUND
    if status == "unanswerable":
        right, outcome = refused, "refused" if refused else "answered"
    elif status in ("external", "dangling"):
        every = [*answer.pending, *answer.external]
        right = any(r.status is Status(status) for r in every)
        outcome = "named" if right else "missed"
    else:
        right = row.met_by(["\n".join(quotes), *quotes])
        outcome = "right" if right else ("refused" if refused else "missed")
    return AnswerVerdict(
        id=row.id,
        kind=str(row.dimensions.get("kind", row.dimensions.get("topic", ""))) or status,
        outcome=outcome,
        right=right,
        by_reference=row.met_by(["\n".join(followed), *followed]),
        completeness=answer.completeness.value,
    )


def evaluate_answers(ask: Callable[[str], Answer], gold: Sequence[GoldRow]) -> list[AnswerVerdict]:
    """Return the verdict on each row, in order."""
    return [judge(row, ask(row.query)) for row in gold]
