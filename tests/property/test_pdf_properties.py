"""What holds for any text drawn into a PDF, and for any rows that may be running heads."""

from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from deref.parse.pdf import parse_pdf
from deref.parse.running_heads import EdgeRows, PageRow, running_rows

words = st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHXYZ", min_size=1, max_size=9)
sentences = st.lists(words, min_size=1, max_size=9).map(" ".join)


def draw(pages: list[list[str]], size: float) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for page in pages:
        canvas.setFont("Times-Roman", size)
        for n, line in enumerate(page):
            canvas.drawString(60, 780 - 2 * size * n, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(sentences, min_size=1, max_size=12), min_size=1, max_size=2),
    st.sampled_from([8.0, 10.0, 12.5]),
)
def test_lines_drawn_down_the_page_come_back_as_they_were(pages: list[list[str]], size: float) -> None:
    result = parse_pdf(draw(pages, size), doc="d", name="any.pdf")
    assert [line.text for line in result.lines] == [line for page in pages for line in page]
    assert [line.n for line in result.lines] == list(range(len(result.lines)))
    assert [line.row for line in result.lines] == [n + 1 for page in pages for n in range(len(page))]
    for mark in result.marks:
        assert 0 <= mark.start < mark.end <= len(result.lines)
    for line in result.lines:
        assert line.box is not None
        assert line.box.x0 <= line.box.x1
        assert line.box.top < line.box.bottom


edge_rows = st.lists(
    st.builds(
        PageRow,
        st.sampled_from(["Basin Rules", "Of Berths 4", "7", "x y", ""]),
        st.integers(0, 2),
        st.booleans(),
        st.integers(1, 4),
    ),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(edge_rows, edge_rows), max_size=8))
def test_only_rows_that_were_given_are_running_heads(
    pages: list[tuple[list[PageRow], list[PageRow]]],
) -> None:
    edges = [EdgeRows(list(enumerate(a)), [(99 - n, row) for n, row in enumerate(b)]) for a, b in pages]
    given_rows = {(p, n) for p, page in enumerate(edges) for edge in page for n, _ in edge}
    found = running_rows(edges)
    assert found <= given_rows
    assert len(pages) >= 3 or not found
