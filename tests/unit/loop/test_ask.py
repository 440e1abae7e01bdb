"""The loop with a scripted writer: what is followed, what stays open, and that it always ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.errors import Cancelled, ModelError
from deref.loop import ask
from deref.loop.ask import MOST_FOLLOWED
from deref.trace.events import Decided, PassWritten, Pursued, RunFinished
from deref.values import Arrival, Arrived, Candidate, Candidates, Completeness, Passage, Status
from unit.loop.small_world import (
    QUESTION,
    World,
    answer,
    chunk,
    found,
    pointer,
    quoted,
    resolved,
    span,
    target,
    unfollowable,
)

A, B = pointer("A", 0), pointer("B", 4)
TO_B, TO_A = resolved(A, target(4, 6)), resolved(B, target(0, 2))


def test_without_evidence_the_answer_is_not_found_and_no_writer_is_asked() -> None:
    for world in (World([], candidates=Candidates()), World([], bears=False)):
        given = ask(QUESTION, world.doors, budget=1, passages=4)
        assert given.completeness is Completeness.NOT_FOUND
        assert (given.citations, given.pending) == ((), ())
        assert [type(e) for e in world.events.events] == [RunFinished]


def test_an_answer_that_points_nowhere_ships_after_one_pass() -> None:
    world = World([answer(text="done")])
    assert ask(QUESTION, world.doors, budget=3, passages=4) == answer(text="done")
    assert [type(e) for e in world.events.events] == [PassWritten, Decided, RunFinished]


def test_the_first_pass_reads_no_more_candidates_than_it_may() -> None:
    world = World([answer()], candidates=found(0, 2, 4, 6))
    ask(QUESTION, world.doors, budget=0, passages=3)
    assert [p.lines.start for p in world.writer.shown[0]] == [0, 2, 4]


def test_what_a_pointer_names_joins_the_evidence_of_the_next_pass() -> None:
    world = World([answer(A), answer(A, text="read")], {"A": TO_B})
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert [p.lines for p in world.writer.shown[1]] == [span(0, 1), span(4, 6)]
    assert (given.text, given.completeness, given.pending) == ("read", Completeness.COMPLETE, ())


def test_a_cycle_ends_and_no_pointer_is_followed_twice() -> None:
    world = World([answer(A), answer(A, B), answer(A, B), answer(A, B)], {"A": TO_B, "B": TO_A})
    given = ask(QUESTION, world.doors, budget=3, passages=4)
    assert world.looked_up == ["A", "B"]
    assert len(world.writer.shown) == 3
    assert (given.completeness, given.pending) == (Completeness.COMPLETE, ())


def test_one_pointer_named_twice_in_one_answer_is_looked_up_once() -> None:
    world = World([answer(A, A), answer(A, A)], {"A": TO_B})
    ask(QUESTION, world.doors, budget=1, passages=4)
    assert world.looked_up == ["A"]
    assert len(world.writer.shown[1]) == 2


@pytest.mark.parametrize("budget", [0, 1, 2, 3])
def test_the_budget_bounds_the_passes_and_what_is_open_says_where_it_points(budget: int) -> None:
    chain = [pointer(f"P{n}", n) for n in range(6)]
    table = {p.text: resolved(p, target(n + 1, n + 2)) for n, p in enumerate(chain)}
    world = World([answer(*chain[: n + 1]) for n in range(6)], table)
    given = ask(QUESTION, world.doors, budget=budget, passages=4)
    assert len(world.writer.shown) == budget + 1
    assert given.completeness is Completeness.PARTIAL
    (left,) = given.pending
    assert (left.reference.text, left.status) == (f"P{budget}", Status.RESOLVED)
    assert left.targets == (target(budget + 1, budget + 2),)
    assert left.why == f"not followed, the budget is spent: P{budget} is there"
    assert [e.verdict for e in world.events.events if isinstance(e, Decided)] == ["resolve"] * budget + [
        "stop_partial"
    ]


def test_pointers_over_the_most_of_one_pass_are_followed_in_the_next() -> None:
    many = [pointer(f"P{n}", n) for n in range(MOST_FOLLOWED + 1)]
    table = {p.text: resolved(p, target(6 + n, 7 + n)) for n, p in enumerate(many)}
    world = World([answer(*many)] * 3, table)
    given = ask(QUESTION, world.doors, budget=2, passages=4)
    followed = [
        e.resolution.reference.text for e in world.events.events if isinstance(e, Pursued) and e.followed
    ]
    assert followed == [p.text for p in many]
    assert (given.completeness, given.pending) == (Completeness.COMPLETE, ())


def test_pointers_over_the_most_stay_pending_when_the_budget_is_spent() -> None:
    many = [pointer(f"P{n}", n) for n in range(MOST_FOLLOWED + 1)]
    table = {p.text: resolved(p, target(6 + n, 7 + n)) for n, p in enumerate(many)}
    given = ask(QUESTION, World([answer(*many)] * 2, table).doors, budget=1, passages=4)
    assert [p.reference.text for p in given.pending] == [many[-1].text]
    assert given.completeness is Completeness.PARTIAL


@pytest.mark.parametrize("budget", [0, 1])
def test_a_pointer_off_the_shelf_is_named_and_no_longer_pending(budget: int) -> None:
    world = World([answer(A)] * 2, {"A": unfollowable(A, Status.EXTERNAL)})
    given = ask(QUESTION, world.doors, budget=budget, passages=4)
    assert [r.reference.text for r in given.external] == ["A"]
    assert (given.pending, given.completeness) == ((), Completeness.COMPLETE)


@pytest.mark.parametrize("status", [Status.DANGLING, Status.AMBIGUOUS, Status.UNRESOLVED])
def test_a_pointer_that_leads_nowhere_stays_pending_with_its_reason(status: Status) -> None:
    world = World([answer(A)] * 3, {"A": unfollowable(A, status)})
    given = ask(QUESTION, world.doors, budget=2, passages=4)
    (left,) = given.pending
    assert (left.status, left.why) == (status, f"{status.value}: A is not there")
    assert given.completeness is Completeness.PARTIAL
    assert len(world.writer.shown) == 2, "the second pass is the last: nothing untried is left"


def test_a_pointer_inside_its_own_target_is_settled_by_what_is_read_already() -> None:
    world = World([answer(A)] * 2, {"A": resolved(A, target(0, 3))})
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert (given.pending, given.completeness) == ((), Completeness.COMPLETE)


def test_an_answer_that_its_writer_calls_partial_stays_partial() -> None:
    given = ask(QUESTION, World([answer(completeness=Completeness.PARTIAL)]).doors, budget=1, passages=4)
    assert given.completeness is Completeness.PARTIAL


def test_a_pointer_left_by_a_writer_that_stopped_does_not_blame_the_budget() -> None:
    world = World([answer(A, completeness=Completeness.PARTIAL)], {"A": TO_B})
    (left,) = ask(QUESTION, world.doors, budget=3, passages=4).pending
    assert left.why == "not followed, the writer calls its answer partial: A is there"


def test_a_passage_that_only_a_hop_brought_in_keeps_its_mark() -> None:
    arrival = Arrival(by="hop", rank=0, score=0.5, reference=TO_B)
    hopped = Candidate(chunk=chunk(4, 6), arrivals=(arrival,))
    world = World([answer()], candidates=found(0).with_added([hopped]))
    ask(QUESTION, world.doors, budget=0, passages=4)
    primary, followed = world.writer.shown[0]
    assert primary == Passage(lines=span(0, 1))
    assert (followed.arrived, followed.resolution, followed.lines) == (Arrived.REFERENCE, TO_B, span(4, 6))


def test_a_writer_that_fails_is_an_error_and_never_not_found() -> None:
    with pytest.raises(ModelError):
        ask(QUESTION, World([]).doors, budget=1, passages=4)


def test_every_pursuit_is_told_with_its_reason() -> None:
    dangling = unfollowable(B, Status.DANGLING)
    world = World([answer(A, B)] * 2, {"A": TO_B, "B": dangling})
    ask(QUESTION, world.doors, budget=1, passages=4)
    told = [(e.followed, e.why) for e in world.events.events if isinstance(e, Pursued)]
    assert told == [(True, "followed: A is there"), (False, "dangling: B is not there")]


@pytest.mark.parametrize("says", [Completeness.PARTIAL, Completeness.NOT_FOUND, Completeness.CONFLICT])
def test_what_the_writer_makes_of_its_answer_holds_once_no_pointer_is_pending(says: Completeness) -> None:
    second = replace(answer(A), when_settled=says)
    world = World([answer(A), second], {"A": TO_B})
    assert ask(QUESTION, world.doors, budget=1, passages=4).completeness is says


def test_a_place_that_is_quoted_when_the_budget_ends_leaves_what_the_writer_makes_of_it() -> None:
    first = replace(answer(A), when_settled=Completeness.CONFLICT, citations=(quoted(4, 6),))
    world = World([first], {"A": TO_B})
    assert ask(QUESTION, world.doors, budget=0, passages=4).completeness is Completeness.CONFLICT


def test_an_answer_that_cites_what_does_not_stand_there_is_never_shown() -> None:
    forged = replace(answer(text="free [1]"), citations=(replace(quoted(0, 1), quote="The toll is waived."),))
    with pytest.raises(ModelError, match=r"do not stand in the lines it names: \[1\]"):
        ask(QUESTION, World([forged]).doors, budget=1, passages=4)


def test_who_listens_hears_each_pass_by_its_number() -> None:
    heard: list[tuple[int, str]] = []
    world = World([answer(A, text="one"), answer(A, text="two")], {"A": TO_B})
    doors = world.doors._replace(heard=lambda n, piece: heard.append((n, piece)))
    ask(QUESTION, doors, budget=1, passages=4)
    assert heard == [(0, "one"), (1, "two")]


def test_what_is_called_off_ends_and_gives_no_answer() -> None:
    world = World([answer()])
    with pytest.raises(Cancelled):
        ask(QUESTION, world.doors._replace(cancelled=lambda: True), budget=1, passages=4)


def test_a_followed_place_that_hands_over_is_followed_on_in_the_same_pass() -> None:
    resolutions = {"A": TO_B, "B": resolved(B, target(8, 9))}
    world = World([answer(A), answer(A, text="read")], resolutions, handed_on={4: [(1.0, B)]})
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert [p.lines for p in world.writer.shown[1]] == [span(0, 1), span(4, 6), span(8, 9)]
    assert (given.completeness, given.pending) == (Completeness.COMPLETE, ())


def test_of_the_pointers_that_hand_over_those_worth_most_are_followed_each_once() -> None:
    more = [pointer(name, 4, char) for char, name in enumerate("BCDE")]
    resolutions = {"A": TO_B} | {r.text: resolved(r, target(6 + n, 7 + n)) for n, r in enumerate(more)}
    worth = list(zip((0.2, 0.9, 0.1, 0.5), more, strict=True))
    world = World([answer(A), answer(A)], resolutions, handed_on={4: [*worth, (0.9, more[1])]})
    ask(QUESTION, world.doors, budget=1, passages=4)
    assert [p.lines.start for p in world.writer.shown[1]] == [0, 4, 7, 9]
    assert world.looked_up.count("C") == 1


def test_what_is_followed_on_is_not_followed_on_again() -> None:
    resolutions = {"A": TO_B, "B": resolved(B, target(8, 9))}
    on = {4: [(1.0, B)], 8: [(1.0, pointer("C", 8))]}
    world = World([answer(A), answer(A)], resolutions, handed_on=on)
    ask(QUESTION, world.doors, budget=1, passages=4)
    assert "C" not in world.looked_up


def test_pointers_that_lead_off_the_shelf_take_no_place_of_those_that_lead_on() -> None:
    far = [pointer(name, 4, char) for char, name in enumerate("CDE")]
    resolutions = {"A": TO_B, "B": resolved(B, target(8, 9))}
    resolutions |= {r.text: unfollowable(r, Status.EXTERNAL) for r in far}
    on = [*((0.9, r) for r in far), (0.2, B)]
    world = World([answer(A), answer(A)], resolutions, handed_on={4: on})
    ask(QUESTION, world.doors, budget=1, passages=4)
    assert [p.lines.start for p in world.writer.shown[1]] == [0, 4, 8]


def test_what_followed_text_hands_over_to_off_the_shelf_is_named_once() -> None:
    far, again = pointer("C", 4, 1), pointer("C", 5)
    resolutions = {"A": TO_B, "C": unfollowable(far, Status.EXTERNAL)}
    world = World([answer(A), answer(A)], resolutions, handed_on={4: [(0.9, far), (0.5, again)]})
    given = ask(QUESTION, world.doors, budget=1, passages=4)
    assert [r.reference.text for r in given.external] == ["C"]
    assert (given.pending, given.completeness) == ((), Completeness.COMPLETE)


def test_what_points_off_the_shelf_where_nobody_read_it_is_not_named() -> None:
    far = pointer("C", 8)
    resolutions = {"A": TO_B, "C": unfollowable(far, Status.EXTERNAL)}
    world = World([answer(A), answer(A)], resolutions, pointed=[(0.9, A), (0.8, far)])
    assert ask(QUESTION, world.doors, budget=1, passages=4).external == ()
