"""Spans, points, and the look-ups of a document that give none, one or many."""

from __future__ import annotations

import dataclasses

import deref.values
from deref.values import Box, Document, Item, ItemKind, Line, Point, Region, Section, Span


def span(start: int, end: int) -> Span:
    return Span(doc="d", start=start, end=end)


def section(
    id_: str, label: str | None, start: int, end: int, parent: str | None = None, level: int = 1
) -> Section:
    return Section(id=id_, label=label, title=id_, level=level, lines=span(start, end), parent=parent)


BOX = Box(x0=1, top=2, x1=3, bottom=4)
DOCUMENT = Document(
    id="d", name="d.md", title="D", aliases=(), fingerprint="f", links=(),
    lines=tuple(
        Line(doc="d", n=n, page=1 + n // 4, row=1 + n % 4, text=f"line {n}", box=BOX if n % 2 else None) for n in range(8)
    ),
    sections=(
        section("s0", "A", 1, 6), section("s1", "A.1", 2, 4, "s0", 2), section("s2", "A.1", 4, 6, "s0", 2), section("s3", None, 6, 8),
    ),
    items=(
        Item(id="i0", kind=ItemKind.TABLE, label="3", caption="t", lines=span(2, 3)),
        Item(id="i1", kind=ItemKind.FIGURE, label="3", caption="f", lines=span(3, 4)),
    ),
)  # fmt: skip


def test_a_span_counts_its_lines_and_knows_them() -> None:
    assert len(span(2, 5)) == 3
    assert len(span(5, 2)) == 0
    assert 2 in span(2, 5) and 5 not in span(2, 5)


def test_a_point_ends_on_its_own_line_unless_it_says_otherwise() -> None:
    assert Point(doc="d", line=3, char_start=0, char_end=2).last_line == 3
    assert Point(doc="d", line=3, char_start=0, char_end=2, end_line=4).last_line == 4


def test_a_label_finds_none_one_or_many_and_does_not_mind_case() -> None:
    assert DOCUMENT.sections_labelled("B") == ()
    assert [s.id for s in DOCUMENT.sections_labelled("a")] == ["s0"]
    assert [s.id for s in DOCUMENT.sections_labelled("a.1")] == ["s1", "s2"]


def test_items_are_told_apart_by_kind() -> None:
    assert [i.id for i in DOCUMENT.items_labelled(ItemKind.FIGURE, "3")] == ["i1"]
    assert DOCUMENT.items_labelled(ItemKind.EXHIBIT, "3") == ()


def test_a_line_before_the_first_heading_is_in_no_section() -> None:
    assert DOCUMENT.section_at(0) is None
    assert DOCUMENT.section_path(0) == ()


def test_the_path_runs_from_the_outermost_section_in() -> None:
    assert [s.id for s in DOCUMENT.section_path(5)] == ["s0", "s2"]
    assert [s.id for s in DOCUMENT.section_path(1)] == ["s0"]
    assert [s.id for s in DOCUMENT.section_path(7)] == ["s3"]
    assert DOCUMENT.section_path(8) == ()


def test_text_is_verbatim_and_regions_skip_lines_without_a_box() -> None:
    assert DOCUMENT.text(span(2, 4)) == "line 2\nline 3"
    assert DOCUMENT.regions(span(2, 6)) == (Region(page=1, box=BOX), Region(page=2, box=BOX))


def test_every_noun_is_frozen_has_slots_and_is_exported() -> None:
    nouns = [v for v in vars(deref.values).values() if isinstance(v, type) and dataclasses.is_dataclass(v)]
    assert len(nouns) > 20
    for noun in nouns:
        assert noun.__dataclass_params__.frozen, noun
        assert "__slots__" in vars(noun), noun
        assert noun.__name__ in deref.values.__all__, noun
