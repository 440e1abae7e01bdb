"""Lines of PDFs: reading order, rows of tables, blocks, boxes."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from deref.parse.pdf import parse_pdf
from deref.parse.pdf_rows import rows_of
from deref.parse.pdf_runs import Run
from deref.values import MarkKind, Parsed

Draw = Callable[[Canvas], None]
WIDTH, HEIGHT = letter
PROSE = (
    "The harbour office keeps a ledger of every vessel that",
    "enters the basin, and the ledger is open to inspection",
    "during the hours that are posted on the door. A captain",
    "who wishes to leave before the tide must sign the sheet",
    "in the presence of the warden, who notes the draught and",
    "the cargo. No vessel may leave while a fee is unpaid, but",
    "a bond will be taken where the warden is content with it.",
    "Lamps are lit an hour before dusk and put out at sunrise.",
)


def pdf(*pages: Draw, size: tuple[float, float] = letter, setup: Draw | None = None) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=size)
    if setup:
        setup(canvas)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def parsed(*pages: Draw, **more: Any) -> Parsed:
    return parse_pdf(pdf(*pages, **more), doc="d", name="harbour.pdf")


def texts(result: Parsed) -> list[str]:
    return [line.text for line in result.lines]


def column(
    canvas: Canvas, x: float, top: float, lines: tuple[str, ...], size: float = 9, step: float = 11
) -> None:
    canvas.setFont("Times-Roman", size)
    for n, line in enumerate(lines):
        canvas.drawString(x, HEIGHT - top - n * step, line)


def test_two_columns_are_read_one_after_the_other() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 60, 100, tuple("L " + p for p in PROSE))
        column(canvas, 330, 100, tuple("R " + p for p in PROSE))

    assert texts(parsed(page)) == ["L " + p for p in PROSE] + ["R " + p for p in PROSE]


def test_two_columns_that_are_drawn_line_by_line_across_are_taken_apart() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Times-Bold", 16)
        canvas.drawCentredString(
            WIDTH / 2, HEIGHT - 70, "Rules of the Basin, for Captains and for Wardens alike, in Force"
        )
        for n, line in enumerate(PROSE):
            column(canvas, 60, 100 + 11 * n, ("L " + line,))
            column(canvas, 330, 100 + 11 * n, ("R " + line,))

    assert texts(parsed(page))[1:] == ["L " + p for p in PROSE] + ["R " + p for p in PROSE]


def test_a_title_over_two_columns_comes_first_even_when_it_is_drawn_last() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 60, 120, PROSE)
        column(canvas, 330, 120, PROSE)
        canvas.setFont("Times-Bold", 18)
        canvas.drawString(100, HEIGHT - 80, "Rules of the Basin and of its Outer Harbour")

    result = texts(parsed(page))
    assert result[0].startswith("Rules of the Basin")
    assert result[1:] == [*PROSE, *PROSE]


def test_a_right_column_that_is_drawn_first_is_read_second() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 330, 100, tuple("R " + p for p in PROSE))
        column(canvas, 60, 100, tuple("L " + p for p in PROSE))

    assert texts(parsed(page)) == ["L " + p for p in PROSE] + ["R " + p for p in PROSE]


def test_a_table_across_two_columns_parts_what_is_above_it_from_what_is_below() -> None:
    def page(canvas: Canvas) -> None:
        for n, line in enumerate(PROSE):
            column(canvas, 60, 100 + 11 * n, ("L " + line,))
            column(canvas, 330, 100 + 11 * n, ("R " + line,))
        for r in range(3):
            for c, x in enumerate((80, 200, 320, 440)):
                column(canvas, x, 200 + 12 * r, (f"{r}.{c} m",))
        for n, line in enumerate(PROSE):
            column(canvas, 60, 250 + 11 * n, ("l " + line,))
            column(canvas, 330, 250 + 11 * n, ("r " + line,))

    table = [" ".join(f"{r}.{c} m" for c in range(4)) for r in range(3)]
    above = ["L " + p for p in PROSE] + ["R " + p for p in PROSE]
    below = ["l " + p for p in PROSE] + ["r " + p for p in PROSE]
    assert texts(parsed(page)) == above + table + below


def test_a_head_and_a_foot_that_are_drawn_before_the_text_keep_their_places() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 72, 30, ("Rules of the Basin",))
        column(canvas, 450, 760, ("leaf 9",))
        column(canvas, 72, 100, PROSE)

    assert texts(parsed(page)) == ["Rules of the Basin", *PROSE, "leaf 9"]


def test_cells_drawn_one_by_one_make_one_line_for_each_row() -> None:
    rows = [("berth", "length", "fee"), ("(A)", "12", "4.50"), ("(B)", "18", "6.25"), ("(C)", "31", "9.75")]

    def page(canvas: Canvas) -> None:
        column(canvas, 72, 100, ("Table 1: Fees of the basin.",))
        for r, row in enumerate(rows):
            for x, cell in zip((90, 220, 350), row, strict=True):
                canvas.drawString(x, HEIGHT - 130 - 14 * r, cell)

    result = parsed(page)
    assert texts(result)[1:] == [" ".join(row) for row in rows]
    tables = [m for m in result.marks if m.kind is MarkKind.TABLE]
    assert [(m.start, m.end) for m in tables] == [(1, 5)]
    headers = [m.start for m in result.marks if m.kind is MarkKind.ROW and m.label == "header"]
    assert headers == [1]
    assert all(line.starts_block for line in result.lines[1:])


def test_a_table_that_is_drawn_column_by_column_has_its_rows() -> None:
    columns = [("berth north", "berth south", "berth east"), ("12", "18", "31"), ("4.50", "6.25", "9.75")]

    def page(canvas: Canvas) -> None:
        for x, cells in zip((90, 220, 350), columns, strict=True):
            column(canvas, x, 130, cells, step=14)

    assert texts(parsed(page)) == ["berth north 12 4.50", "berth south 18 6.25", "berth east 31 9.75"]


def test_the_lines_of_a_wrapped_cell_stay_together() -> None:
    def page(canvas: Canvas) -> None:
        for r, tag in enumerate(("Lamp", "Bell", "Rope")):
            top = 100 + 40 * r
            column(canvas, 72, top, (tag,))
            column(canvas, 150, top, (f"to be kept by the {tag.lower()} warden", "and shown on demand"))
            column(canvas, 400, top, ("yes", "by night"))

    result = texts(parsed(page))
    assert result[0] == "Lamp to be kept by the lamp warden"
    assert result.index("and shown on demand") < result.index("by night")
    assert "Bell to be kept by the bell warden" in result


def test_a_short_last_cell_beside_a_wrapped_one_joins_its_row() -> None:
    def page(canvas: Canvas) -> None:
        for r, tag in enumerate(("Lamp", "Bell", "Rope")):
            top = 100 + 40 * r
            column(canvas, 72, top, (tag,))
            column(canvas, 150, top, (f"to be kept by the {tag.lower()} warden", "and shown on demand"))
            column(canvas, 400, top, ("yes",))

    assert texts(parsed(page))[:2] == ["Lamp to be kept by the lamp warden yes", "and shown on demand"]


def test_prose_and_numbered_clauses_are_no_table() -> None:
    def page(canvas: Canvas) -> None:
        for n, line in enumerate(PROSE):
            canvas.setFont("Times-Roman", 9)
            canvas.drawString(72, HEIGHT - 100 - 11 * n, f"{n + 1}.")
            canvas.drawString(100, HEIGHT - 100 - 11 * n, line)

    result = parsed(page)
    assert not [m for m in result.marks if m.kind is MarkKind.TABLE]
    assert texts(result)[0] == "1. " + PROSE[0]


def test_a_contents_list_is_no_table() -> None:
    def page(canvas: Canvas) -> None:
        for n, title in enumerate(("Of berths", "Of lamps", "Of bells", "Of ropes")):
            canvas.drawString(72, HEIGHT - 100 - 16 * n, title)
            canvas.drawRightString(500, HEIGHT - 100 - 16 * n, str(3 + 2 * n))

    result = parsed(page)
    assert not [m for m in result.marks if m.kind is MarkKind.TABLE]
    assert texts(result)[1] == "Of lamps 5"


def test_superscripts_and_subscripts_stay_in_their_line() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(72, 600, "the cost is O(n")
        canvas.setFont("Times-Roman", 7)
        canvas.drawString(72 + canvas.stringWidth("the cost is O(n", "Times-Roman", 10), 604, "2")
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(76 + canvas.stringWidth("the cost is O(n", "Times-Roman", 10), 600, " d) for")
        canvas.drawString(72, 588, "a single pass of the ledger")

    result = texts(parsed(page))
    assert len(result) == 2
    assert result[0].startswith("the cost is O(n2 ")


def test_paragraphs_headings_and_list_items_begin_blocks() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(72, HEIGHT - 80, "2 Of Berths")
        column(canvas, 72, 105, PROSE[:4])
        column(canvas, 72, 160, PROSE[4:6])
        column(canvas, 90, 190, ("• a lamp,", "• a bell, and", "• a rope."))

    result = parsed(page)
    starts = [line.text for line in result.lines if line.starts_block]
    assert starts == ["2 Of Berths", PROSE[0], PROSE[4], "• a lamp,", "• a bell, and", "• a rope."]
    bold = [result.lines[m.start].text for m in result.marks if m.kind is MarkKind.BOLD]
    assert bold == ["2 Of Berths"]


def test_a_first_line_indent_begins_a_paragraph() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 84, 100, PROSE[5:6])
        column(canvas, 72, 111, PROSE[6:])
        column(canvas, 84, 133, PROSE[:1])
        column(canvas, 72, 144, PROSE[1:4])

    starts = [line.text for line in parsed(page).lines if line.starts_block]
    assert starts == [PROSE[5], PROSE[0]]


def test_a_bold_name_that_runs_over_the_line_end_does_not_begin_a_block() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 72, 100, PROSE[:1])
        canvas.setFont("Times-Roman", 9)
        canvas.drawString(72, HEIGHT - 111, "and as the warden sees in the ")
        edge = 72 + canvas.stringWidth("and as the warden sees in the ", "Times-Roman", 9)
        canvas.setFont("Times-Bold", 9)
        canvas.drawString(edge, HEIGHT - 111, "Book of Tides and of")
        canvas.drawString(72, HEIGHT - 122, "Currents")

    assert [line.starts_block for line in parsed(page).lines] == [True, False, False]


def test_a_paragraph_that_goes_on_over_the_page_does_not_begin_again() -> None:
    result = parsed(lambda c: column(c, 72, 100, PROSE[:5]), lambda c: column(c, 72, 100, PROSE[5:]))
    assert result.lines[5].page == 2
    assert not result.lines[5].starts_block


def test_boxes_lie_on_their_text_with_the_origin_top_left() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 20)
        canvas.drawString(100, HEIGHT - 200, "Harbour")

    line = parsed(page).lines[0]
    assert line.box is not None
    assert 98 < line.box.x0 < 104
    assert 183 < line.box.top < 190
    assert 198 < line.box.bottom < 206
    assert line.size_pt == 20


def test_the_size_counts_the_scale_of_the_text_matrix() -> None:
    def page(canvas: Canvas) -> None:
        text = canvas.beginText()
        text.setFont("Helvetica", 1)
        text._code.append("11 0 0 11 90 600 Tm")
        text.textOut("scaled by its matrix")
        canvas.drawText(text)

    assert parsed(page).lines[0].size_pt == 11


def test_a_rotated_page_reads_as_it_is_shown() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.setFont("Helvetica", 12)
        for n, line in enumerate(PROSE[:3]):
            canvas.saveState()
            canvas.translate(100 + 16 * n, 80)
            canvas.rotate(90)
            canvas.drawString(0, 0, line)
            canvas.restoreState()

    result = parsed(page)
    assert texts(result) == list(PROSE[:3])
    box = result.lines[0].box
    assert box is not None
    assert 79 < box.x0 < 83
    assert 88 < box.top < 94


def test_a_table_that_is_turned_on_an_upright_page_keeps_its_rows_and_boxes() -> None:
    def page(canvas: Canvas) -> None:
        canvas.translate(300, 100)
        canvas.rotate(90)
        canvas.setFont("Helvetica", 10)
        for n, line in enumerate(PROSE[:3]):
            canvas.drawString(0, -14 * n, line)

    result = parsed(page)
    assert texts(result) == list(PROSE[:3])
    box = result.lines[0].box
    assert box is not None
    assert box.bottom - box.top > 10 * (box.x1 - box.x0)
    assert 290 < box.x0 < 301
    assert 690 < box.bottom < 693


def test_a_crop_box_moves_the_origin() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setCropBox((50, 50, 500, 700))
        canvas.setFont("Helvetica", 12)
        canvas.drawString(72, 650, "within the box")

    box = parsed(page).lines[0].box
    assert box is not None
    assert 21 < box.x0 < 24
    assert 38 < box.top < 43


def test_rows_are_counted_from_one_on_each_page() -> None:
    result = parsed(lambda c: column(c, 72, 100, PROSE[:3]), lambda c: column(c, 72, 100, PROSE[:2]))
    assert [(line.page, line.row) for line in result.lines] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    assert [line.n for line in result.lines] == [0, 1, 2, 3, 4]


def test_a_hyphen_at_a_line_end_is_kept_as_the_mark_that_text_knows() -> None:
    def page(canvas: Canvas) -> None:
        column(
            canvas,
            72,
            100,
            ("no vessel may leave while the convolu-", "tional fee is not paid in full to him"),
        )

    result = texts(parsed(page))
    assert result[0][:-1].endswith("convolu")
    assert result[0][-1] in "-\ufffe"
    assert result[1].startswith("tional fee")


def test_other_scripts_survive() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 12)
        canvas.drawString(72, 600, "Überfahrt nach Århus, façade, señor")

    assert texts(parsed(page)) == ["Überfahrt nach Århus, façade, señor"]


def test_tiny_line_numbers_go_also_from_a_page_with_few_lines() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 30, 300, tuple(str(n) for n in range(294, 294 + len(PROSE))), size=5)
        column(canvas, 60, 300, PROSE)

    assert texts(parsed(page)) == list(PROSE)


def test_the_numbers_of_a_short_list_stay() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 60, 300, tuple(str(n) for n in range(1, 1 + len(PROSE))))
        column(canvas, 80, 300, PROSE)

    assert "8" in " ".join(texts(parsed(page))).split()


def test_a_run_without_characters_is_spelt_as_nothing() -> None:
    def run(start: int, end: int, x0: float) -> Run:
        return Run(start, end, x0, 10.0, x0 + 20, 20.0, 18.0, 10.0, 0, start)

    (row,) = rows_of("ab", [run(0, 1, 10.0), run(1, 1, 60.0), run(1, 2, 110.0)])
    assert row.text == "a b"
