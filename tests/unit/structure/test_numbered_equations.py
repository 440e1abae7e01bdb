"""Numbered equations of print, and lists of references under a line that no one told for a heading."""

from __future__ import annotations

from reportlab.pdfbase.pdfmetrics import stringWidth

from deref.parse.pdf import parse_pdf
from deref.structure import build_document
from deref.values import Document, ItemKind
from unit.parse.test_pdf_lines import PROSE, Canvas, pdf
from unit.structure.making import printed

TEXT = "The warden of the basin then takes the sum of all the dues of a day,"
_EDGE = 60 + stringWidth(TEXT, "Times-Roman", 10)


def paper(*rows: str) -> Document:
    """One page: a row "formula |(3)" has its number at the right edge, others are prose of the full width."""

    def page(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        for n, row in enumerate(rows):
            body, _, number = row.partition("|")
            y = 760 - 14 * n
            if number:
                canvas.drawString(150, y, body)
                canvas.drawRightString(_EDGE, y, number)
            else:
                canvas.drawString(60 if row == TEXT else 150, y, body)

    return build_document(
        parse_pdf(pdf(page), doc="d", name="d.pdf"), doc="d", name="d.pdf", fingerprint="test"
    )


def labels(document: Document) -> list[str | None]:
    return [i.label for i in document.items if i.kind is ItemKind.EQUATION]


def test_numbers_flush_with_the_edge_count_though_one_of_them_is_lost() -> None:
    document = paper(TEXT, "x = y + 1|(1)", TEXT, TEXT, "z = y, zw|(4)", TEXT, "b > c|(5)", TEXT, TEXT)
    assert labels(document) == ["1", "4", "5"]


def test_a_number_that_does_not_rise_with_the_others_is_none() -> None:
    document = paper(TEXT, "x = 1|(1)", TEXT, "y = 2|(2)", TEXT, "see x = 9|(1)", TEXT, "z = 3|(3)", TEXT)
    assert labels(document) == ["1", "2", "3"]


def test_an_equation_in_pieces_begins_with_its_first_piece() -> None:
    document = paper(TEXT, "x = a", "N - 1", "n = 0|(1)", TEXT, TEXT, TEXT)
    (equation,) = [i for i in document.items if i.kind is ItemKind.EQUATION]
    assert labels(document) == ["1"]
    assert document.lines[equation.lines.start].text.startswith("x = a")


def entries(document: Document) -> list[str | None]:
    return [i.label for i in document.items if i.kind is ItemKind.BIBLIOGRAPHY]


def test_a_line_that_reads_as_the_heading_of_references_counts_where_an_entry_stands_right_behind() -> None:
    rows = (
        "1 Ropes",
        "",
        *PROSE,
        "",
        "References",
        "[1] A. Weaver. On ropes. 1990.",
        "[2] B. Tiller. On knots. 1991.",
    )
    assert entries(printed(*rows)) == ["1", "2"]
    assert entries(printed(*rows[:-2], "are kept by the warden of the basin.")) == []


def test_a_heading_whose_letters_are_set_apart_is_read() -> None:
    rows = (
        "1 Ropes",
        "",
        *PROSE,
        "",
        "B IBLIOGRAPHY",
        "1. A. Weaver, On ropes, 1990.",
        "2. B. Tiller, On knots, 1991.",
    )
    assert entries(printed(*rows)) == ["1", "2"]
