"""Joining lines: what a reader sees as one text, with the way back to each line."""

from __future__ import annotations

import pytest

from deref.text.clean import fold_spaces, join_lines, verbatim
from deref.values import Line, Point


def lines(*texts: str) -> list[Line]:
    return [Line(doc="d", n=n, page=1, row=n + 1, text=text) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (("the pump", "stops"), "the pump stops"),
        (("a convolu-", "tional net"), "a convolutional net"),
        (("Anglo-", "Saxon"), "Anglo- Saxon"),
        (("pages 3-", "5"), "pages 3- 5"),
        (("soft\u00ad", "Ware"), "softWare"),
        (("so\u00adft ware",), "soft ware"),
        (("cut\ufffe", "off"), "cutoff"),
        (("odd\u00a0space\u2009here",), "odd space here"),
        (("trail  ", "  lead"), "trail lead"),
        (("trail  ", "", "  lead"), "trail  lead"),
        (("学習された", "埋め込み"), "学習された 埋め込み"),
        (("Договор арен-", "ды"), "Договор аренды"),
        (("שלום", "עולם"), "שלום עולם"),
        (("-", "dash alone"), "- dash alone"),
        (("",), ""),
        ((), ""),
    ],
)
def test_lines_read_as_one_text(written: tuple[str, ...], read: str) -> None:
    assert join_lines(lines(*written)).text == read


def test_a_match_over_a_hyphen_points_at_both_lines() -> None:
    source = lines("see the convolu-", "tional layer")
    joined = join_lines(source)
    start = joined.text.index("convolutional")
    point = joined.point(start, start + len("convolutional"))
    assert point == Point(doc="d", line=0, char_start=8, char_end=6, end_line=1)
    assert verbatim(source, point) == "convolu- tional"


def test_a_match_over_three_lines_reads_back_with_its_line_ends_as_spaces() -> None:
    source = lines("under Section  ", "  4.2", "(a) thereof")
    joined = join_lines(source)
    start = joined.text.index("Section")
    point = joined.point(start, joined.text.index(" thereof"))
    assert (point.line, point.last_line) == (0, 2)
    assert verbatim(source, point) == "Section 4.2 (a)"


def test_a_match_in_one_line_names_no_end_line() -> None:
    joined = join_lines(lines("aaa", "bbb"))
    assert joined.point(4, 7) == Point(doc="d", line=1, char_start=0, char_end=3)


def test_a_match_after_a_soft_hyphen_counts_the_characters_of_the_line() -> None:
    joined = join_lines(lines("so\u00adft ware"))
    point = joined.point(joined.text.index("ware"), len(joined.text))
    assert (point.char_start, point.char_end) == (6, 10)


def test_the_end_of_the_text_can_be_located() -> None:
    line, char = join_lines(lines("ab", "cd")).locate(5)
    assert (line.n, char) == (1, 2)


@pytest.mark.parametrize("offset", [-1, 3])
def test_an_offset_outside_the_text_is_an_error(offset: int) -> None:
    with pytest.raises(IndexError, match="outside the joined text"):
        join_lines(lines("ab")).locate(offset)
    with pytest.raises(IndexError):
        join_lines([]).locate(0)


def test_an_empty_range_points_nowhere() -> None:
    with pytest.raises(ValueError, match="empty range"):
        join_lines(lines("ab")).point(1, 1)


def test_folding_spaces_keeps_every_offset() -> None:
    text = "a\u00a0b\u3000c\td\ufffce"
    assert fold_spaces(text) == "a b c d e"
    assert len(fold_spaces(text)) == len(text)
