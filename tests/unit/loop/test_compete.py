"""Pointers of passages that were found and not read, beside those that the writer left open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.loop import ask
from deref.loop.ask import MOST_FOLLOWED
from deref.loop.compete import MOST_ADDED, competing
from deref.trace.events import Pursued
from deref.values import Completeness, Passage, Reference, ReferenceKind
from unit.loop.small_world import (
    QUESTION,
    World,
    answer,
    found,
    open_,
    pointer,
    resolved,
    span,
    target,
)

READ, FAR, FARTHER = pointer("A", 0), pointer("B", 4), pointer("C", 6)
EVIDENCE = [Passage(lines=span(0, 1))]


def test_all_pointers_stand_in_one_order_by_their_worth() -> None:
    pointed = [(0.9, FAR), (0.8, READ), (0.6, FARTHER), (0.5, pointer("D", 8))]
    chosen = competing([open_(READ)], pointed, EVIDENCE)
    assert [r.reference for r in chosen] == [FAR, READ, FARTHER]


def test_without_a_pointer_elsewhere_the_order_is_that_of_the_writer() -> None:
    other = pointer("D", 0, 5)
    pointed = [(0.9, other), (0.5, READ)]
    assert competing([open_(READ), open_(other)], pointed, EVIDENCE) == [open_(READ), open_(other)]


def test_a_pointer_in_the_evidence_is_for_the_writer_to_name() -> None:
    assert competing([], [(0.9, READ)], EVIDENCE) == []


@pytest.mark.parametrize(
    "passed",
    [
        replace(FAR, text="A", labels=("A",)),
        replace(FAR, kind=ReferenceKind.LINK),
        replace(FAR, kind=ReferenceKind.BIBLIOGRAPHY),
        replace(FAR, text="this section", kind=ReferenceKind.RELATIVE),
    ],
)
def test_what_leads_nowhere_or_says_the_same_is_passed_over(passed: Reference) -> None:
    assert competing([open_(READ)], [(0.9, passed)], EVIDENCE) == [open_(READ)]


def test_no_more_are_added_than_may_be() -> None:
    pointed = [(0.5, pointer(f"P{n}", n)) for n in range(1, 9)]
    assert len(competing([], pointed, EVIDENCE)) == MOST_ADDED


def test_a_place_pointed_at_from_a_passage_that_was_not_read_joins_the_evidence() -> None:
    world = World(
        [answer(READ), answer(READ, text="read")],
        {"A": resolved(READ, target(2, 3)), "B": resolved(FAR, target(8, 9))},
        candidates=found(0, 4),
        pointed=[(0.9, FAR)],
    )
    given = ask(QUESTION, world.doors, budget=1, passages=1)
    assert [[p.lines for p in shown] for shown in world.writer.shown] == [
        [span(0, 1)],
        [span(0, 1), span(8, 9), span(2, 3)],
    ]
    assert (given.text, given.completeness, given.pending) == ("read", Completeness.COMPLETE, ())


def test_no_more_places_are_followed_and_what_nobody_read_is_not_pending() -> None:
    far, beside = [pointer(f"P{n}", n) for n in range(1, 5)], pointer("Z", 0, 8)
    world = World(
        [answer(READ, beside), answer(READ, beside)],
        {"A": resolved(READ, target(9, 10)), "Z": resolved(beside, target(4, 5))}
        | {r.text: resolved(r, target(n, n + 1)) for n, r in enumerate(far, start=5)},
        pointed=[(0.9, READ), (0.85, beside), *((0.8, r) for r in far)],
    )
    given = ask(QUESTION, world.doors, budget=1, passages=1)
    followed = [e.followed for e in world.events.events if isinstance(e, Pursued)]
    assert followed == [True] * MOST_FOLLOWED + [False]
    assert given.pending == ()


@pytest.mark.parametrize("completeness", [Completeness.COMPLETE, Completeness.PARTIAL])
def test_an_answer_that_leaves_nothing_open_is_not_opened_again(completeness: Completeness) -> None:
    world = World([answer(completeness=completeness)], pointed=[(0.9, FAR)])
    assert ask(QUESTION, world.doors, budget=1, passages=1).completeness is completeness
    assert world.looked_up == []
