"""Metrics of one ranked list against one gold row. Ranks are 1-based; every figure lies in 0..1.

What a row *needs* are its expected strings, or its pair of passages; `Ranked.needs` has the ranks of the passages that
hold each of them, ascending, and `possible` how many passages of the shelf hold any.

    recall@k      any: 1 when one need is held by the first k; all: when each is. A pair: the share of its two passages
    MRR           1 / rank of the first passage that holds a need
    nDCG@k        gain 1 for each passage that holds a need, discounted by log2(rank + 1), over that of the best order
                  of all `possible` passages of the shelf: the ideal is the gold's own, whatever was retrieved
    Both@k        a pair: 1 when the first k hold both passages
    PairMRR       a pair: 1 / rank at which both are there
    mismatch@k    share of the first k passages that are of none of the expected documents; k empty slots count for nothing
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum, log2

DEPTHS = (5, 10, 20)
PAIR_DEPTHS = (3, 5, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One list against one row. `pair` says that the needs are a pair; `of_source` tells of each rank, in order,
    whether its document is an expected one, and is None when the row names none.
    """

    needs: tuple[tuple[int, ...], ...]
    possible: int
    every: bool
    pair: bool = False
    of_source: tuple[bool, ...] | None = None

    @property
    def relevant(self) -> tuple[int, ...]:
        """The ranks of the passages that hold a need."""
        return tuple(sorted({rank for ranks in self.needs for rank in ranks}))

    @property
    def rank(self) -> int | None:
        """The rank at which the row is met: one need, or each when it asks for every one. None when it is not."""
        first = [ranks[0] if ranks else None for ranks in self.needs]
        there = [rank for rank in first if rank is not None]
        if not there or (self.every and len(there) < len(first)):
            return None
        return max(there) if self.every else min(there)


def recall(ranked: Ranked, k: int) -> float:
    """Return recall@k."""
    if ranked.pair:
        return sum(bool(ranks) and ranks[0] <= k for ranks in ranked.needs) / len(ranked.needs)
    return met(ranked, k)


def met(ranked: Ranked, k: int) -> float:
    """Return 1 when the first k meet the row: Both@k of a pair."""
    return float(ranked.rank is not None and ranked.rank <= k)


def reciprocal_rank(ranked: Ranked) -> float:
    """Return 1 / rank of the first passage that holds a need, else 0."""
    relevant = ranked.relevant
    return 1 / relevant[0] if relevant else 0.0


def pair_reciprocal_rank(ranked: Ranked) -> float:
    """Return 1 / rank at which the row is met, else 0."""
    return 1 / ranked.rank if ranked.rank is not None else 0.0


def ndcg(ranked: Ranked, k: int) -> float:
    """Return nDCG@k against the best order of every passage of the shelf that holds a need."""
    ideal = fsum(1 / log2(rank + 1) for rank in range(1, min(ranked.possible, k) + 1))
    return fsum(1 / log2(rank + 1) for rank in ranked.relevant if rank <= k) / ideal if ideal else 0.0


def mismatch(ranked: Ranked, k: int) -> float | None:
    """Return the share of the first k passages that are of no expected document; None when the row names none."""
    if ranked.of_source is None:
        return None
    first = ranked.of_source[:k]
    return sum(not right for right in first) / len(first) if first else 0.0


Measure = Callable[[Ranked], float | None]
SINGLE: Mapping[str, Measure] = {
    **{f"recall@{k}": partial(recall, k=k) for k in DEPTHS},
    "nDCG@10": partial(ndcg, k=10),
    "MRR": reciprocal_rank,
    **{f"mismatch@{k}": partial(mismatch, k=k) for k in (1, 5)},
}
"""The metrics of every row, by name, in the order of the table."""
PAIRED: Mapping[str, Measure] = {
    **{f"Both@{k}": partial(met, k=k) for k in PAIR_DEPTHS},
    "PairMRR": pair_reciprocal_rank,
}
"""Those that only pairs have."""


def measured(ranked: Ranked) -> dict[str, float]:
    """Return every metric of a row that it has."""
    every = {**SINGLE, **(PAIRED if ranked.pair else {})}
    return {name: value for name, measure in every.items() if (value := measure(ranked)) is not None}


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each metric over the rows that have it, in the order of the table."""
    names = [name for name in (*SINGLE, *PAIRED) if any(name in row for row in rows)]
    names += [name for row in rows for name in row if name not in names]
    return {
        name: fsum(values) / len(values)
        for name in dict.fromkeys(names)
        if (values := [row[name] for row in rows if name in row])
    }
