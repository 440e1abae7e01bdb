"""Journeys: what brought a passage in, moved it and put it out, told from the events."""

from __future__ import annotations

from deref.trace.events import Degraded, Event, Retried, StageRan
from deref.trace.journeys import journey


def ran(stage: str, before: str, after: str) -> StageRan:
    return StageRan(stage=stage, before=tuple(before), after=tuple(after), seconds=0.0, why=f"why {stage}")


def told(chunk: str, *events: Event) -> list[str]:
    return [step.told() for step in journey(chunk, events)]


RUN = (
    ran("legs", "", "abcd"), Degraded(what="x"), ran("boost", "abcd", "cabd"), ran("cut", "cabd", "cab"), ran("hop", "cab", "cabd"),
)  # fmt: skip


def test_a_passage_comes_in_moves_and_says_why() -> None:
    assert told("c", *RUN) == ["legs: in at 3, why legs", "boost: 3 → 1, why boost"]


def test_one_that_others_pass_was_not_moved_for_that_reason() -> None:
    assert told("a", *RUN) == ["legs: in at 1, why legs", "boost: 1 → 2, others go before it"]


def test_one_that_goes_out_and_comes_back_by_reference_tells_both() -> None:
    assert told("d", *RUN) == [
        "legs: in at 4, why legs", "cut: out from 4, why cut", "hop: in at 4, why hop",
    ]  # fmt: skip


def test_one_that_makes_room_does_not_go_for_the_reason_of_those_that_come() -> None:
    assert told("d", ran("legs", "", "abcd"), ran("hop", "abcd", "axb")) == [
        "legs: in at 4, why legs", "hop: out from 4, there is no room for it behind the others",
    ]  # fmt: skip


def test_a_place_that_changed_because_others_left_is_no_move() -> None:
    assert told("b", ran("legs", "", "ab"), ran("cut", "ab", "b")) == ["legs: in at 2, why legs"]


def test_an_attempt_that_was_not_kept_did_nothing() -> None:
    again = ran("again: legs", "", "b")
    dropped = (
        ran("legs", "", "ab"),
        again,
        Retried(question="q", kept="first", why="no"),
        ran("retry", "ab", "ab"),
    )
    assert told("b", *dropped) == ["legs: in at 2, why legs"]
    kept = (
        ran("legs", "", "a"),
        again,
        Retried(question="q", kept="second", why="better"),
        ran("retry", "a", "b"),
    )
    assert told("b", *kept) == ["again: legs: in at 1, why again: legs", "retry: in at 1, better"]
