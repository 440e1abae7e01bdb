"""Running heads, feet, page numbers and line numbers leave the flow; what only looks like them stays."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from deref.parse.pdf import parse_pdf
from deref.parse.running_heads import EdgeRows, PageRow, running_rows


def edges(pages: Sequence[tuple[Sequence[PageRow], Sequence[PageRow]]]) -> list[EdgeRows]:
    """Give each row its number: 0, 1, … from the top and 99, 98, … from the bottom."""
    return [
        EdgeRows(list(enumerate(top)), [(99 - n, row) for n, row in enumerate(bottom)])
        for top, bottom in pages
    ]


def row(text: str, slot: int = 0, apart: bool = True, cells: int = 1) -> PageRow:
    return PageRow(text, slot, apart, cells)


def test_a_head_on_every_page_is_one() -> None:
    pages = edges([([row("Basin Rules"), row(f"text {'abcde'[n]}", 4, False)], []) for n in range(5)])
    assert running_rows(pages) == {(n, 0) for n in range(5)}


def test_heads_that_change_sides_are_found() -> None:
    heads = ["Basin Rules", "Of Berths"] * 4
    pages = edges([([row(h), row("text" + "abcdefgh"[n], 4, False)], []) for n, h in enumerate(heads)])
    assert running_rows(pages) == {(n, 0) for n in range(8)}


def test_chapter_heads_with_page_numbers_go_whatever_their_words() -> None:
    pages = edges([([row(f"Of {'abcdef'[n]}{'uvwxyz'[n]} {n + 7}")], []) for n in range(6)])
    assert running_rows(pages) == {(n, 0) for n in range(6)}


def test_page_numbers_may_float_and_be_roman() -> None:
    feet = ["i", "ii", "iii", "1", "2", "3", "4"]
    pages = edges([([], [row(f, slot=n)]) for n, f in enumerate(feet)])
    assert {(n, 99) for n in range(3, 7)} <= running_rows(pages)


@pytest.mark.parametrize("foot", [False, True])
def test_numbered_headings_on_pages_in_a_row_stay(foot: bool) -> None:
    titles = ["3 Usage", "4 Fees", "5 Terms", "6 Notes"]
    pages = edges(
        [
            ([row(titles[n - 2] if 2 <= n < 6 else f"text {n:b}x", 4, False)], [row(f"{n + 1}")] * foot)
            for n in range(9)
        ]
    )
    assert running_rows(pages) == {(n, 99) for n in range(9 * foot)}


def test_a_head_that_begins_with_the_page_number_is_one_where_its_words_come_again() -> None:
    heads = ["2 Usage", "3 Usage", "4 Fees", "5 Fees"]
    pages = edges([([row(h), row("text" + "abcd"[n], 4, False)], []) for n, h in enumerate(heads)])
    assert running_rows(pages) == {(n, 0) for n in range(4)}


def test_headings_at_page_tops_that_differ_in_their_number_stay() -> None:
    for word in ("Schedule", "Exhibit", "Article"):
        pages = edges([([row(f"{word} {n + 1}"), row("body" + "abcd"[n], 3)], []) for n in range(4)])
        assert running_rows(pages) == frozenset()


def test_footnotes_numbered_as_their_pages_are_for_a_while_stay() -> None:
    pages = edges(
        [
            ([], [row(f"{n + 1} of this the warden speaks " + "abcd"[n] if n < 4 else "end", 5)])
            for n in range(60)
        ]
    )
    assert not {(n, 99) for n in range(4)} & running_rows(pages)


def test_the_header_of_a_table_over_some_pages_stays() -> None:
    pages = edges(
        [
            ([row("berth length fee", cells=3) if 3 < n < 9 else row("text " + "abcdefghijkl"[n])], [])
            for n in range(12)
        ]
    )
    assert running_rows(pages) == frozenset()


def test_a_short_document_keeps_everything() -> None:
    pages = edges([([row("Basin Rules")], [row(str(n))]) for n in range(2)])
    assert running_rows(pages) == frozenset()


def test_a_title_on_the_first_page_stays_though_it_is_the_head_of_the_others() -> None:
    first = ([row("Basin Rules", slot=9)], [])
    rest = [([row("Basin Rules"), row("body " + "abcd"[n], 4, False)], []) for n in range(4)]
    assert running_rows(edges([first, *rest])) == {(n, 0) for n in range(1, 5)}


def book(numbered: bool) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=letter)
    for page in range(4):
        canvas.setFont("Times-Roman", 9)
        canvas.drawString(72, 760, "Basin Rules")
        canvas.drawCentredString(306, 40, f"Page {page + 1} of 4")
        canvas.setFont("Times-Roman", 11)
        for n in range(30):
            canvas.drawString(
                90,
                720 - 20 * n,
                f"the warden of quay {chr(97 + n % 26)}{chr(97 + page)} keeps the ledger in good order",
            )
            if numbered:
                canvas.drawRightString(60, 720 - 20 * n, str(n + 1))
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_removed_rows_still_count() -> None:
    result = parse_pdf(book(numbered=False), doc="d", name="book.pdf")
    assert len(result.lines) == 120
    assert [line.row for line in result.lines[:2]] == [2, 3]
    assert result.lines[30].page == 2
    assert result.lines[30].row == 2


def test_line_numbers_in_the_margin_leave_the_text() -> None:
    plain = parse_pdf(book(numbered=False), doc="d", name="book.pdf")
    numbered = parse_pdf(book(numbered=True), doc="d", name="book.pdf")
    assert [line.text for line in numbered.lines] == [line.text for line in plain.lines]


def test_the_numbers_of_a_list_are_not_line_numbers() -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=letter)
    for n in range(8):
        canvas.drawString(60, 700 - 30 * n, str(n + 1))
        canvas.drawString(90, 700 - 30 * n, f"quay {chr(97 + n)} is kept by the warden")
    canvas.showPage()
    canvas.save()
    result = parse_pdf(out.getvalue(), doc="d", name="list.pdf")
    assert result.lines[0].text == "1 quay a is kept by the warden"
