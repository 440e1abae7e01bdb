"""The place that a question names goes before what tells less of the question, in order of the text; nothing else moves."""

from __future__ import annotations

from dataclasses import replace

from deref.retrieve.place import OF_EACH, place
from deref.values import EVERYTHING, AskedPlace, Candidates, Query, Scope, Span, Target
from unit.retrieve.small_shelf import candidate, chunks_of, ids

STAGE = place(chunks_of)
FOUND = Candidates((candidate("ferry1"), candidate("bridge4"), candidate("bridge0")))


def asked(
    doc: str,
    start: int,
    end: int,
    focus: tuple[int, ...] = (),
    scope: Scope = EVERYTHING,
    text: str = "What toll do carts pay under Section 2?",
) -> Query:
    lines = Span(doc=doc, start=start, end=end)
    target = Target(
        lines=lines,
        kind="section",
        label="2",
        title="",
        focus=tuple(Span(doc=doc, start=n, end=n + 1) for n in focus),
    )
    return Query(
        text=text,
        scope=scope,
        places=(AskedPlace(said="Section 2", targets=(target,)),),
    )


def test_alone_a_passage_that_was_found_goes_first_and_keeps_how_it_was_found() -> None:
    after = STAGE.run(replace(asked("bridge", 4, 5), alone=True), FOUND)
    assert ids(after) == ["bridge4", "ferry1", "bridge0"]
    assert after.items[0] == FOUND.items[1]


def test_alone_a_passage_that_no_leg_found_comes_in_first() -> None:
    after = STAGE.run(replace(asked("ferry", 2, 3), alone=True), FOUND)
    assert ids(after) == ["ferry2", "ferry1", "bridge4", "bridge0"]
    assert [a.by for a in after.items[0].arrivals] == ["place"]
    assert not after.items[0].hopped


def test_alone_of_a_long_place_the_passages_that_tell_most_come_in_order_of_the_text() -> None:
    after = STAGE.run(replace(asked("bridge", 0, 5), alone=True), Candidates())
    assert ids(after) == ["bridge1", "bridge2", "bridge4"]
    assert len(after) == OF_EACH


def test_in_passing_one_passage_stands_before_what_tells_less_of_the_rest() -> None:
    assert ids(STAGE.run(asked("bridge", 2, 3), FOUND)) == ["bridge2", "ferry1", "bridge4", "bridge0"]
    assert ids(STAGE.run(asked("ferry", 2, 3), FOUND)) == ["ferry1", "bridge4", "bridge0", "ferry2"]


def test_in_passing_it_is_the_fourth_at_the_latest() -> None:
    pool = Candidates(tuple(candidate(f"bridge{n}") for n in (1, 2, 4, 3, 0)))
    assert ids(STAGE.run(asked("ferry", 2, 3), pool))[3] == "ferry2"


def test_in_passing_a_place_that_is_at_hand_stays_where_it_is() -> None:
    assert STAGE.run(asked("bridge", 4, 5), FOUND) is FOUND


def test_what_a_selector_picks_is_what_goes_first() -> None:
    query = replace(asked("bridge", 0, 5, focus=(3,), text="Section 2"), alone=True)
    assert ids(STAGE.run(query, FOUND))[:1] == ["bridge3"]


def test_a_place_that_the_caller_may_not_see_changes_nothing() -> None:
    query = asked("bridge", 4, 5, scope=Scope(documents=frozenset({"ferry"})))
    assert STAGE.run(query, FOUND) is FOUND


def test_a_place_that_stands_first_already_changes_nothing() -> None:
    found = Candidates((candidate("bridge4"), candidate("ferry1")))
    assert STAGE.run(asked("bridge", 4, 5), found) is found


def test_a_place_that_is_not_known_changes_nothing() -> None:
    query = Query(
        text="What does Section 9 say?", places=(AskedPlace(said="Section 9", targets=(), why="No."),)
    )
    assert STAGE.run(query, FOUND) is FOUND
