"""The decision after a pass: every completeness, every budget."""

from __future__ import annotations

import itertools

import pytest

from deref.loop import Verdict, decide
from deref.values import Completeness

EVERY = list(itertools.product(Completeness, range(3), range(5), range(4)))


@pytest.mark.parametrize(("completeness", "untried", "passes", "budget"), EVERY)
def test_the_typed_field_and_the_budget_alone_decide(
    completeness: Completeness, untried: int, passes: int, budget: int
) -> None:
    verdict, why = decide(completeness, untried=untried, passes=passes, budget=budget)
    if completeness in (Completeness.COMPLETE, Completeness.NOT_FOUND, Completeness.CONFLICT):
        assert verdict is Verdict.SHIP
    elif completeness is Completeness.REFERENCES_UNRESOLVED and untried and passes < budget:
        assert verdict is Verdict.RESOLVE
    else:
        assert verdict is Verdict.STOP_PARTIAL
    assert len(why.split()) > 3


def test_a_spent_budget_and_exhausted_pointers_are_told_apart() -> None:
    unresolved = Completeness.REFERENCES_UNRESOLVED
    assert "budget of 1 is spent" in decide(unresolved, untried=2, passes=1, budget=1)[1]
    assert "was tried" in decide(unresolved, untried=0, passes=0, budget=3)[1]
