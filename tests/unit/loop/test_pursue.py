"""Pursuing pointers: each gets a resolution, and each says whether it was followed and why not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.loop.pursue import LONGEST_TARGET, Outcome, Pursuit, pursue
from deref.values import (
    Arrived,
    Document,
    ItemKind,
    Line,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
    Target,
)
from unit.loop.small_world import DOCUMENT, open_, pointer, read, resolved, span, target, unfollowable

A, B, C = pointer("A", 0), pointer("B", 1), pointer("C", 2)


def pursued(*resolutions: Resolution, most: int = 9) -> list[Pursuit]:
    table = {r.reference.text: r for r in resolutions}
    return pursue(
        [open_(r.reference) for r in resolutions],
        resolve=lambda reference: table[reference.text],
        read=read,
        best_within=lambda target, said: [],
        most=most,
    )


def test_a_pointer_that_resolves_is_followed_and_says_from_where() -> None:
    (pursuit,) = pursued(resolved(A, target(4, 6)))
    (passage,) = pursuit.passages
    assert pursuit.outcome is Outcome.FOLLOWED
    assert (passage.lines, passage.arrived, passage.resolution) == (
        span(4, 6), Arrived.REFERENCE, pursuit.resolution,
    )  # fmt: skip
    assert passage.why == "pulled in because d.md, p. 1, line 1 says “A”"


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.RESOLVED])
def test_a_pointer_that_does_not_resolve_is_open_with_its_status_and_reason(status: Status) -> None:
    (pursuit,) = pursued(unfollowable(A, status))
    assert (pursuit.outcome, pursuit.passages) == (Outcome.OPEN, ())
    assert pursuit.why == f"{status.value}: A is not there"


def test_every_target_of_a_list_is_read() -> None:
    (pursuit,) = pursued(resolved(A, target(4, 5), target(7, 9)))
    assert [p.lines for p in pursuit.passages] == [span(4, 5), span(7, 9)]


def test_a_pointer_beside_the_rows_of_a_table_is_followed_though_it_stands_in_it() -> None:
    (pursuit,) = pursued(resolved(A, replace(target(0, 3), kind=ItemKind.TABLE)))
    assert pursuit.outcome is Outcome.FOLLOWED
    assert [p.lines.start for p in pursuit.passages] == [0]


def test_a_pointer_inside_its_own_target_is_not_followed() -> None:
    (pursuit,) = pursued(resolved(A, target(0, 5)))
    assert (pursuit.outcome, pursuit.passages) == (Outcome.READ, ())


def test_a_pointer_inside_its_target_is_followed_when_it_picks_other_lines_of_it() -> None:
    (pursuit,) = pursued(resolved(A, target(0, 5, span(3, 4))))
    assert [p.focus for p in pursuit.passages] == [(span(3, 4),)]


def test_those_over_the_most_wait_and_those_that_lead_nowhere_do_not_count() -> None:
    first, second, third = pursued(
        unfollowable(A, Status.DANGLING), resolved(B, target(4, 5)), resolved(C, target(6, 7)), most=1
    )
    assert (first.outcome, second.outcome, third.outcome) == (Outcome.OPEN, Outcome.FOLLOWED, Outcome.WAITING)
    assert "1 pointers were followed" in third.why


def _long(parts: list[Span]) -> tuple[Pursuit, list[tuple[Target, str]]]:
    lines = [*DOCUMENT.lines[:1]]
    lines += [Line(doc="d", n=n, page=1, row=n + 1, text="word " * 100) for n in range(1, 12)]
    long = Document(
        id="d", name="d.md", title="D", aliases=(), sections=(), items=(), links=(), fingerprint="f", lines=tuple(lines)
    )  # fmt: skip
    asked: list[tuple[Target, str]] = []

    def within(target: Target, said: str) -> list[Span]:
        asked.append((target, said))
        return parts

    def resolve(reference: Reference) -> Resolution:
        return resolved(reference, target(1, 12))

    (pursuit,) = pursue([open_(A)], resolve=resolve, read=lambda doc: long, best_within=within, most=3)
    return pursuit, asked


def test_a_place_too_long_to_read_is_narrowed_to_its_best_parts() -> None:
    pursuit, asked = _long([span(3, 4), span(8, 9)])
    assert LONGEST_TARGET < 1100
    ((place, said),) = asked
    assert place == target(1, 12)
    assert DOCUMENT.lines[0].text in said
    assert [p.lines for p in pursuit.passages] == [span(3, 4), span(8, 9)]


def test_a_long_place_without_best_parts_is_read_whole() -> None:
    pursuit, _ = _long([])
    assert [p.lines for p in pursuit.passages] == [span(1, 12)]


def test_a_footnote_takes_no_place_of_another_pointer() -> None:
    note = replace(B, kind=ReferenceKind.FOOTNOTE)
    first, second = pursued(resolved(A, target(4, 5)), resolved(note, target(6, 7)), most=1)
    assert (first.outcome, second.outcome) == (Outcome.FOLLOWED, Outcome.FOLLOWED)


def test_a_place_around_one_that_was_followed_is_not_followed() -> None:
    narrow, wide = pursued(resolved(B, target(4, 5)), resolved(C, target(3, 9)))
    assert (narrow.outcome, wide.outcome) == (Outcome.FOLLOWED, Outcome.READ)
    assert "inside it" in wide.why


def test_a_place_inside_one_that_was_followed_is_followed_all_the_same() -> None:
    wide, narrow = pursued(resolved(B, target(3, 9)), resolved(C, target(4, 5)))
    assert (wide.outcome, narrow.outcome) == (Outcome.FOLLOWED, Outcome.FOLLOWED)


def test_from_a_caption_alone_it_is_read_on() -> None:
    caption = replace(target(4, 5), kind="table")
    (pursuit,) = pursued(resolved(A, caption))
    assert [p.lines for p in pursuit.passages] == [span(4, 10)]
    (row,) = pursued(resolved(A, replace(target(4, 6, span(5, 6)), kind="table")))
    assert [p.lines for p in row.passages] == [span(4, 6)]
