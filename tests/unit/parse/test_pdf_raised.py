"""Numbers set above the baseline of a row in a PDF."""

from __future__ import annotations

import io

from reportlab.pdfgen.canvas import Canvas

from deref.parse.pdf import parse_pdf


def _raised(*pieces: tuple[str, float, float]) -> list[tuple[str, str]]:
    """Draw pieces (words, size, rise) in a row between two others; return (words before, number) of what is raised."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.drawString(72, 720, "The fees are set each year in May by the harbour master.")
    row = canvas.beginText(72, 700)
    for words, size, rise in pieces:
        row.setFont("Helvetica", size)
        row.setRise(rise)
        row.textOut(words)
    canvas.drawText(row)
    canvas.drawString(72, 680, "Nothing else is due from the owner of a berth in this year.")
    canvas.showPage()
    canvas.save()
    parsed = parse_pdf(buffer.getvalue(), doc="d", name="d.pdf")
    return [(parsed.lines[n].text[:a], parsed.lines[n].text[a:b]) for n, a, b in parsed.raised]


def test_a_small_number_above_the_baseline_is_raised() -> None:
    row = ("See the rules in Appendix C.", 12, 0), ("17", 7, 4), (" All of them are due.", 12, 0)
    assert _raised(*row) == [("See the rules in Appendix C.", "17")]


def test_a_number_on_the_baseline_is_not() -> None:
    assert _raised(("See the rules in Appendix C.", 12, 0), ("17", 7, 0), (" All are due.", 12, 0)) == []


def test_a_small_word_above_the_baseline_is_no_number() -> None:
    assert _raised(("On the 4", 12, 0), ("th", 7, 4), (" of May all are due.", 12, 0)) == []


def test_a_number_below_the_baseline_is_not_raised() -> None:
    assert _raised(("Of H", 12, 0), ("2", 7, -3), ("O nothing is said in the rules.", 12, 0)) == []
