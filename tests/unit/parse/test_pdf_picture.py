"""Pages as pictures."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from deref.errors import NoSuchSource
from deref.parse.pdf_picture import render_page


def red_square() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(40, 20))
    canvas.setFillColorRGB(1, 0, 0)
    canvas.rect(0, 10, 20, 10, stroke=0, fill=1)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_a_page_is_drawn_upright_in_its_colours() -> None:
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(render_page(red_square(), 1, 2.0)))
    assert image.size == (80, 40)
    assert image.getpixel((10, 5)) == (255, 0, 0)
    assert image.getpixel((70, 5)) == (255, 255, 255)
    assert image.getpixel((10, 35)) == (255, 255, 255)


def test_a_page_that_is_not_there_says_which_are() -> None:
    with pytest.raises(NoSuchSource, match="pages 1 to 1"):
        render_page(red_square(), 2, 1.0)


def test_a_picture_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(NoSuchSource, match="smaller"):
        render_page(red_square(), 1, 1000.0)
