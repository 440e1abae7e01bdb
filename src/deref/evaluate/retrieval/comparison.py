"""Two arms row by row: which rows flipped, in both directions, and whether that and the means are more than noise.

A row flips at a depth when its first so many passages meet it under one arm and not under the other; "context" is the whole
of what is handed on. p is McNemar's, exact; intervals are of the mean difference, by the paired bootstrap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deref.evaluate.retrieval.metrics import DEPTHS, PAIR_DEPTHS, measured, met
from deref.evaluate.retrieval.outcome import Outcome
from deref.evaluate.statistics import mcnemar, paired_bootstrap

CONTEXT = "context"
SEED = 20_240_607


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """The rows that one arm meets and the other does not, by key, and the chance of as uneven a split."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def p(self) -> float:
        """McNemar's exact two-sided p."""
        return mcnemar(len(self.gained), len(self.lost))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The mean difference of a metric over `rows`, and its 95 % interval."""

    rows: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`arm` beside `against`: flips by depth ("@5", …, "context"), differences by metric."""

    arm: str
    against: str
    flips: Mapping[str, Flips]
    differences: Mapping[str, Difference]


def depths(outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Return the depths at which rows are told to be met: those of both kinds of row that are there."""
    pairs = {o.final.ranked.pair for o in outcomes}
    return tuple(sorted({*(DEPTHS if False in pairs else ()), *(PAIR_DEPTHS if True in pairs else ())}))


def met_at(outcome: Outcome, depth: str) -> bool:
    """Tell whether a row is met at a depth: "@5", or "context"."""
    return (
        outcome.in_context
        if depth == CONTEXT
        else bool(met(outcome.final.ranked, int(depth.removeprefix("@"))))
    )


def row_metrics(outcome: Outcome) -> dict[str, float]:
    """Return the metrics of the final list of a row, that of the context last."""
    return {**measured(outcome.final.ranked), CONTEXT: float(outcome.in_context)}


def compare_arms(arm: str, one: Sequence[Outcome], against: str, other: Sequence[Outcome]) -> Comparison:
    """Return what is different under `arm` (its outcomes `one`), seen from `against`. Rows are matched by key."""
    others = {o.wanted.key: o for o in other}
    both = [(o, others[o.wanted.key]) for o in one if o.wanted.key in others]
    flips = {}
    for depth in (*(f"@{d}" for d in depths(one)), CONTEXT):
        told = [(a.wanted.key, met_at(a, depth), met_at(b, depth)) for a, b in both]
        flips[depth] = flips_of(told)
    metrics = [(row_metrics(a), row_metrics(b)) for a, b in both]
    names = dict.fromkeys(name for mine, _ in metrics for name in mine)
    differences = {}
    for name in names:
        found = difference([(m[name], o[name]) for m, o in metrics if name in m and name in o])
        if found is not None:
            differences[name] = found
    return Comparison(arm=arm, against=against, flips=flips, differences=differences)


def flips_of(told: Sequence[tuple[str, bool, bool]]) -> Flips:
    """Return the flips of rows, each as (key, whether it is met now, whether it was)."""
    return Flips(
        gained=tuple(key for key, now, was in told if now and not was),
        lost=tuple(key for key, now, was in told if was and not now),
    )


def difference(values: Sequence[tuple[float, float]]) -> Difference | None:
    """Return the mean of first less second with its interval, None when there is no row."""
    deltas = [now - was for now, was in values]
    interval = paired_bootstrap(deltas, seed=SEED)
    if interval is None:
        return None
    return Difference(rows=len(deltas), mean=sum(deltas) / len(deltas), low=interval[0], high=interval[1])
