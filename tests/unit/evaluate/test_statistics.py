"""The two tests against values worked out by hand."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.evaluate.statistics import mcnemar, paired_bootstrap


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),  # 2 * 1/2
        (5, 0, 0.0625),  # 2 / 2^5
        (8, 0, 0.0078125),  # 2 / 2^8
        (9, 1, 22 / 1024),  # 2 (1 + 10) / 2^10
        (3, 3, 1.0),
        (20, 10, 2 * sum(comb(30, i) for i in range(11)) / 2**30),
    ],
)
def test_mcnemar_is_the_tail_of_a_fair_coin_twice(gained: int, lost: int, p: float):
    assert mcnemar(gained, lost) == pytest.approx(p)
    assert mcnemar(lost, gained) == mcnemar(gained, lost)


def test_a_thousand_flips_are_no_overflow():
    assert 0 < mcnemar(1500, 500) < 1e-100
    assert mcnemar(1000, 1000) == 1.0


@given(st.integers(0, 40), st.integers(0, 40))
def test_p_is_a_chance_and_falls_as_the_split_grows_uneven(gained: int, lost: int):
    assert 0 < mcnemar(gained, lost) <= 1
    if gained >= lost > 0:
        assert mcnemar(gained + 1, lost - 1) <= mcnemar(gained, lost)


def test_the_interval_of_no_difference_is_nothing():
    assert paired_bootstrap([0.0] * 7, seed=1) == (0.0, 0.0)
    assert paired_bootstrap([0.25] * 7, seed=1) == (0.25, 0.25)
    assert paired_bootstrap([], seed=1) is None


def test_the_interval_of_two_rows_has_the_four_means_that_there_are():
    """Of (0, 1) the means are 0, ½, ½, 1: a quarter of them at each end."""
    assert paired_bootstrap([0.0, 1.0], seed=1) == (0.0, 1.0)


def test_the_interval_is_near_that_of_the_normal_law_for_many_rows():
    """400 rows, a quarter of them +1: mean ¼, standard error √(¼ · ¾ / 400)."""
    low, high = paired_bootstrap([1.0] * 100 + [0.0] * 300, seed=3) or (0, 0)
    error = 1.96 * sqrt(0.25 * 0.75 / 400)
    assert low == pytest.approx(0.25 - error, abs=0.004)
    assert high == pytest.approx(0.25 + error, abs=0.004)


def test_a_seed_gives_the_same_interval_and_the_order_of_rows_does_not_matter_much():
    values = list(np.random.default_rng(0).normal(0.1, 1, 50))
    assert paired_bootstrap(values, seed=5) == paired_bootstrap(values, seed=5)
    assert paired_bootstrap(values, seed=5) != paired_bootstrap(values, seed=6)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=20))
def test_the_interval_lies_within_the_differences(values: list[float]):
    low, high = paired_bootstrap(values, seed=2) or (0, 0)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
