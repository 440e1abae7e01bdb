"""Is a difference more than noise? Paired bootstrap for means, McNemar's exact test for what is met or not.

Bootstrap: the differences of the rows are drawn again, n of n with replacement, `RESAMPLES` times, from a seeded
generator; the interval holds the middle 95 % of their means (Efron and Tibshirani, *An Introduction to the Bootstrap*,
1993, chapter 13). McNemar: of the rows that came out differently, as many as those that were lost or fewer are lost by
chance with the tail of a fair coin; both tails are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

RESAMPLES = 10_000


def paired_bootstrap(differences: Sequence[float], *, seed: int) -> tuple[float, float] | None:
    """Return the ends of the 95 % interval of the mean difference; None when there is no row."""
    n = len(differences)
    if not n:
        return None
    values = np.asarray(differences, dtype=np.float64)
    if not np.any(values):
        return 0.0, 0.0
    # Rows of one difference are alike: how often each difference is drawn is all that counts, and there are few.
    distinct, times = np.unique(values, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(n, times / n, size=RESAMPLES)
    low, high = np.percentile(drawn @ distinct / n, [2.5, 97.5])
    return float(low), float(high)


def mcnemar(gained: int, lost: int) -> float:
    """Return the exact two-sided p of so many rows gained and lost: 1 when nothing came out differently."""
    n = gained + lost
    tail = sum(comb(n, i) for i in range(min(gained, lost) + 1))
    return float(min(1.0, 2 * tail / 2**n))
