"""Figures of judgements: shares and what they are taken over, means of what answers cost.

    fact                of answerable rows that expect strings, those whose answer has them
    operative           of those with the fact that stand behind a pointer, those that cite the text pointed at
    by_reference        of answerable rows behind a pointer, those whose fact arrived by following one
    to_the_point        of all citations of answerable rows, those with the fact or with the pointer at it
    verbatim            of all citations, those whose quote is the very text of the cited lines
    named               of external and dangling rows, those where a pointer is said to be so
    refusal_precision   of all answers that refuse, those to unanswerable rows
    refusal_recall      of unanswerable rows, those whose answer refuses
    conditions          of rows of kind "condition", those whose answer states a condition

A share of nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from deref.evaluate.answers.judge import Judgement

PLACES = 4
SHARES = (
    "fact", "operative", "by_reference", "to_the_point", "verbatim", "named", "refusal_precision", "refusal_recall",
    "conditions",
)  # fmt: skip
COSTS = ("read", "evidence", "answer", "passes", "followed", "ms")


def counts(rows: Sequence[Judgement]) -> dict[str, tuple[int, int]]:
    """Return for each share how many of how many it is."""
    answerable = [j for j in rows if j.status == "answerable" and j.row.expected]
    behind = [j for j in answerable if j.points]
    refusals, none = [j for j in rows if j.refused], [j for j in rows if j.status == "unanswerable"]
    leaving = [j for j in rows if j.status in ("external", "dangling")]
    conditional = [j for j in answerable if j.row.dimensions.get("kind") == "condition"]
    return {
        "fact": _of(answerable, lambda j: j.fact),
        "operative": _of([j for j in behind if j.fact], lambda j: j.operative),
        "by_reference": _of(behind, lambda j: j.by_reference),
        "to_the_point": (sum(j.to_the_point for j in answerable), sum(j.citations for j in answerable)),
        "verbatim": (sum(j.verbatim for j in rows), sum(j.citations for j in rows)),
        "named": _of(leaving, lambda j: j.right),
        "refusal_precision": _of(refusals, lambda j: j.status == "unanswerable"),
        "refusal_recall": _of(none, lambda j: j.refused),
        "conditions": _of(conditional, lambda j: j.conditions > 0),
    }


def _of(rows: Sequence[Judgement], test: Callable[[Judgement], bool]) -> tuple[int, int]:
    return sum(test(j) for j in rows), len(rows)


def summary(rows: Sequence[Judgement]) -> dict[str, float]:
    """Return the shares that are there, then the mean costs; ms is a median."""
    shares = {name: part / whole for name, (part, whole) in counts(rows).items() if whole}
    costs = {name: sum(getattr(j.cost, name) for j in rows) / max(len(rows), 1) for name in COSTS[:-1]}
    costs["ms"] = median([j.cost.ms for j in rows] or [0.0])
    return {name: round(value, PLACES) for name, value in {**shares, **costs}.items()}


def slices(rows: Sequence[Judgement]) -> dict[str, list[Judgement]]:
    """Return the rows by what the gold says of them ("kind=two_hop"), each part that is not all of them.

    Those behind a pointer alone come first, then the rest in order.
    """
    found: dict[str, list[Judgement]] = {}
    for judged in rows:
        for key, value in judged.row.dimensions.items():
            if isinstance(value, (bool, str, int)):
                said = str(value).lower() if isinstance(value, bool) else str(value)
                found.setdefault(f"{key}={said}", []).append(judged)
    parts = sorted(found.items(), key=lambda part: (not part[0].startswith("pointer_only="), part[0]))
    return {
        label: some
        for label, some in sorted(parts, key=lambda part: part[0] != "pointer_only=true")
        if len(some) < len(rows)
    }
