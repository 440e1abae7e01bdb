"""Metrics against values worked out by hand, and what holds of them for any list."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.evaluate.retrieval.metrics import (
    Ranked,
    means,
    measured,
    met,
    mismatch,
    ndcg,
    pair_reciprocal_rank,
    recall,
    reciprocal_rank,
)


def ranked(
    *needs: tuple[int, ...], every: bool = False, pair: bool = False, possible: int | None = None
) -> Ranked:
    held = {rank for ranks in needs for rank in ranks}
    return Ranked(needs=needs, possible=len(held) if possible is None else possible, every=every, pair=pair)


def test_any_is_met_by_the_first_and_all_by_the_last():
    assert ranked((4, 9), (2,)).rank == 2
    assert ranked((4, 9), (2,), every=True).rank == 4
    assert ranked((4,), (), every=True).rank is None
    assert ranked((4,), ()).rank == 4
    assert ranked((), ()).rank is None
    assert ranked().rank is None


def test_recall_of_strings_is_met_or_not_and_of_a_pair_the_share_found():
    assert [recall(ranked((4,), (2,), every=True), k) for k in (1, 2, 3, 4)] == [0, 0, 0, 1]
    pair = ranked((4,), (2,), every=True, pair=True)
    assert [recall(pair, k) for k in (1, 2, 3, 4)] == [0, 0.5, 0.5, 1]
    assert [met(pair, k) for k in (3, 4)] == [0, 1]
    assert pair_reciprocal_rank(pair) == 0.25
    assert reciprocal_rank(pair) == 0.5


def test_the_ideal_is_that_of_the_gold_and_not_of_what_was_retrieved():
    """Two passages of the shelf hold it, one was retrieved, second: (1 / log2 3) / (1 + 1 / log2 3)."""
    assert ndcg(ranked((2,), possible=2), 10) == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert ndcg(ranked((2,), possible=1), 10) == pytest.approx(0.6309298)
    assert ndcg(ranked((1, 2), possible=2), 10) == 1.0
    assert ndcg(ranked((11,), possible=1), 10) == 0.0
    assert ndcg(ranked((), possible=0), 10) == 0.0


def test_a_passage_that_holds_two_needs_counts_once():
    assert ndcg(ranked((1,), (1,), every=True, possible=1), 10) == 1.0


def test_mismatch_is_the_share_of_other_documents_among_those_that_are_there():
    one = Ranked(needs=((1,),), possible=1, every=False, of_source=(True, False, False))
    assert mismatch(one, 1) == 0
    assert mismatch(one, 2) == 0.5
    assert mismatch(one, 5) == pytest.approx(2 / 3)
    assert mismatch(ranked((1,)), 5) is None
    assert mismatch(Ranked(needs=((),), possible=1, every=False, of_source=()), 5) == 0


def test_only_pairs_have_the_metrics_of_pairs():
    assert "Both@3" in measured(ranked((1,), (2,), every=True, pair=True))
    assert "Both@3" not in measured(ranked((1,)))
    assert "mismatch@1" not in measured(ranked((1,)))


def test_a_mean_is_over_the_rows_that_have_the_metric_and_a_row_without_a_result_is_zero():
    rows = [
        measured(ranked((1,))),
        measured(ranked((), possible=1)),
        measured(ranked((1,), (2,), every=True, pair=True)),
    ]
    found = means(rows)
    assert found["recall@5"] == pytest.approx(2 / 3)
    assert found["MRR"] == pytest.approx(2 / 3)
    assert found["Both@5"] == 1.0
    assert list(found)[:3] == ["recall@5", "recall@10", "recall@20"]
    assert means([]) == {}


RANKS = st.sets(st.integers(1, 30), max_size=6).map(lambda found: tuple(sorted(found)))


@st.composite
def lists(draw: st.DrawFn) -> Ranked:
    needs = tuple(draw(st.lists(RANKS, min_size=1, max_size=4)))
    pair = draw(st.booleans()) and len(needs) == 2
    held = {rank for ranks in needs for rank in ranks}
    flags = draw(st.none() | st.lists(st.booleans(), max_size=30).map(tuple))
    return Ranked(
        needs=needs,
        possible=len(held) + draw(st.integers(0, 4)),
        every=pair or draw(st.booleans()),
        pair=pair,
        of_source=flags,
    )


@given(lists())
def test_every_metric_lies_between_nothing_and_one(one: Ranked):
    for name, value in measured(one).items():
        assert 0 <= value <= 1, name


@given(lists(), st.integers(1, 29))
def test_more_passages_never_find_less(one: Ranked, k: int):
    assert recall(one, k) <= recall(one, k + 1)
    assert met(one, k) <= met(one, k + 1)
    assert met(one, k) <= recall(one, k)


@given(lists())
def test_the_best_order_of_everything_is_ideal(one: Ranked):
    best = Ranked(needs=(tuple(range(1, one.possible + 1)),), possible=one.possible, every=False)
    assert ndcg(best, 10) == pytest.approx(1.0 if one.possible else 0.0)
    assert ndcg(one, 10) <= ndcg(best, 10) + 1e-12


@given(lists(), st.integers(1, 29))
def test_passages_of_one_worth_may_change_places(one: Ranked, at: int):
    """Two neighbours that hold the same needs, or none, of documents that are both right or both wrong."""
    alike = all((at in ranks) == (at + 1 in ranks) for ranks in one.needs)
    flags = one.of_source
    if not alike or (flags is not None and len(flags) > at and flags[at - 1] != flags[at]):
        return
    swapped = {at: at + 1, at + 1: at}
    other = Ranked(
        needs=tuple(tuple(sorted(swapped.get(r, r) for r in ranks)) for ranks in one.needs),
        possible=one.possible,
        every=one.every,
        pair=one.pair,
        of_source=flags,
    )
    assert measured(other) == measured(one)


@given(lists(), st.integers(2, 30))
def test_a_need_that_moves_up_never_costs(one: Ranked, rank: int):
    """Where the passage before holds nothing, what stands at `rank` changes places with it."""
    if not any(rank in ranks for ranks in one.needs) or any(rank - 1 in ranks for ranks in one.needs):
        return
    up = Ranked(
        needs=tuple(tuple(sorted(rank - 1 if r == rank else r for r in ranks)) for ranks in one.needs),
        possible=one.possible,
        every=one.every,
        pair=one.pair,
    )
    for name, value in measured(up).items():
        assert value >= measured(one)[name] - 1e-12, name
