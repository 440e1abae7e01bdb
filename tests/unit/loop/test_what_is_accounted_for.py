"""What the loop says of pointers at the end: which were followed for nothing that is quoted, and which would be missed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.loop import ask
from deref.loop.pursue import Admitted
from deref.values import Answer, Completeness, Reference, Status
from unit.loop.small_world import (
    QUESTION,
    World,
    answer,
    open_,
    pointer,
    quoted,
    resolved,
    span,
    target,
    unfollowable,
)

A, B, C = pointer("A", 0), pointer("B", 4), pointer("C", 0, 8)


def with_aside(*pending: Reference, aside: Reference) -> Answer:
    return replace(answer(*pending, aside), aside=(open_(aside),))


def test_a_pointer_that_was_followed_and_of_which_nothing_is_quoted_is_told() -> None:
    world = World([answer(A, C), replace(answer(A, C), citations=(quoted(5, 6),))],
                  {"A": resolved(A, target(4, 6)), "C": resolved(C, target(8, 9))})  # fmt: skip
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert [r.reference.text for r in given.unquoted] == ["C"]


def test_of_a_pointer_at_several_places_those_are_told_of_which_nothing_is_quoted() -> None:
    several = resolved(A, target(4, 6), target(8, 9), target(12, 14))
    world = World([answer(A), replace(answer(A), citations=(quoted(5, 6),))], {"A": several})
    (told,) = ask(QUESTION, world.doors, budget=1, passages=4).unquoted
    assert (told.reference, told.targets) == (A, several.targets[1:])


def test_what_could_not_be_followed_is_open_and_was_not_followed() -> None:
    world = World([answer(A), answer(A)], {"A": unfollowable(A, Status.DANGLING)})
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert ([r.reference.text for r in given.pending], given.unquoted) == (["A"], ())


def test_a_pointer_aside_is_followed_like_another() -> None:
    world = World(
        [with_aside(A, aside=C)] * 2, {"A": resolved(A, target(4, 6)), "C": resolved(C, target(8, 9))}
    )
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert [p.lines for p in world.writer.shown[1]] == [span(0, 1), span(4, 6), span(8, 9)]
    assert given.completeness is Completeness.COMPLETE


@pytest.mark.parametrize("status", [Status.DANGLING, Status.AMBIGUOUS, Status.UNRESOLVED])
@pytest.mark.parametrize("budget", [0, 1, 2])
def test_a_pointer_aside_that_leads_nowhere_leaves_the_answer_complete(status: Status, budget: int) -> None:
    world = World([with_aside(aside=C)] * 3, {"C": unfollowable(C, status)})
    given = ask(QUESTION, world.doors, budget=budget, passages=4)
    assert (given.completeness, given.pending, given.aside) == (Completeness.COMPLETE, (), ())


def test_a_pointer_aside_whose_place_may_not_be_read_is_open() -> None:
    world = World([with_aside(aside=C)] * 2, {"C": resolved(C, target(8, 9))})
    doors = world.doors._replace(
        admit=lambda query, there: Admitted((), "the filter does not let it through")
    )
    given = ask(QUESTION, doors, budget=1, passages=4)
    assert given.completeness is Completeness.PARTIAL
    assert [r.reference.text for r in given.pending] == ["C"]


@pytest.mark.parametrize("budget", [0, 1])
def test_a_pointer_aside_off_the_shelf_is_named(budget: int) -> None:
    world = World([with_aside(aside=C)] * 2, {"C": unfollowable(C, Status.EXTERNAL)})
    given = ask(QUESTION, world.doors, budget=budget, passages=4)
    assert [r.reference.text for r in given.external] == ["C"]


def test_a_pointer_beside_one_aside_still_makes_the_answer_partial() -> None:
    missing = {"A": unfollowable(A, Status.DANGLING), "C": unfollowable(C, Status.DANGLING)}
    world = World([with_aside(A, aside=C)] * 2, missing)
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert given.completeness is Completeness.PARTIAL
    assert [r.reference.text for r in given.pending] == ["A"]


@pytest.mark.parametrize("budget", [0, 1])
def test_an_answer_that_leans_on_what_is_off_the_shelf_is_partial_and_names_it(budget: int) -> None:
    for leaning, completeness in (((open_(A),), Completeness.PARTIAL), ((), Completeness.COMPLETE)):
        world = World([replace(answer(A), leaning=leaning)] * 2, {"A": unfollowable(A, Status.EXTERNAL)})
        given = ask(QUESTION, world.doors, budget=budget, passages=4)
        assert (given.completeness, given.leaning, given.pending) == (completeness, (), ())
        assert [r.reference.text for r in given.external] == ["A"]
