"""Two arms row by row: the rows that came out differently, both ways, by what was asked of them, and differences of means.

*right* is the outcome of every row, *fact* that of answerable ones, *refused* that of unanswerable ones. p is McNemar's,
exact; intervals are of the mean difference, by the paired bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from deref.evaluate.answers.judge import Judgement
from deref.evaluate.retrieval.comparison import Comparison, Difference, Flips, difference, flips_of

_TESTS: Mapping[str, Callable[[Judgement], bool | None]] = {
    "right": lambda j: j.right,
    "fact": lambda j: j.fact if j.status == "answerable" else None,
    "refused": lambda j: j.refused if j.status == "unanswerable" else None,
}
_COSTS: Mapping[str, Callable[[Judgement], float | None]] = {
    "read": lambda j: float(j.cost.read),
    "answer": lambda j: float(j.cost.answer),
}


def compare_arms(arm: str, one: Sequence[Judgement], against: str, other: Sequence[Judgement]) -> Comparison:
    """Return what is different under `arm` (its judgements `one`), seen from `against`. Rows are matched by key."""
    others = {j.key: j for j in other}
    both = [(j, others[j.key]) for j in one if j.key in others]
    flips: dict[str, Flips] = {}
    for name, test in _TESTS.items():
        told = [(a.key, now, was) for a, b in both if (now := test(a)) is not None and (was := test(b)) is not None]  # fmt: skip
        if told:
            flips[name] = flips_of(told)
    differences: dict[str, Difference] = {}
    values: dict[str, Callable[[Judgement], float | None]] = {**_TESTS, **_COSTS}
    for name, value in values.items():
        pairs = [(x, y) for a, b in both if (x := value(a)) is not None and (y := value(b)) is not None]
        found = difference([(float(x), float(y)) for x, y in pairs])
        if found is not None:
            differences[name] = found
    return Comparison(arm=arm, against=against, flips=flips, differences=differences)
