"""Pages as pictures."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from deref.errors import EncryptedFile, NoSuchSource
from deref.parse.pdf_picture import DOTS_PER_POINT, page_picture


def red_square(width: float = 40, height: float = 20, *, password: str | None = None) -> bytes:
    out = io.BytesIO()
    locked = None if password is None else StandardEncryption(password, canPrint=1)
    canvas = Canvas(out, pagesize=(width, height), encrypt=locked)
    canvas.setFillColorRGB(1, 0, 0)
    canvas.rect(0, height / 2, width / 2, height / 2, stroke=0, fill=1)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_a_page_is_drawn_upright_in_its_colours() -> None:
    drawn = page_picture(red_square(), 1, name="square.pdf")
    image = Image.open(io.BytesIO(drawn.png)).convert("RGB")
    assert (drawn.width, drawn.height) == (40, 20)
    assert image.size == (round(40 * DOTS_PER_POINT), round(20 * DOTS_PER_POINT))
    assert image.getpixel((10, 5)) == (255, 0, 0)
    assert image.getpixel((60, 5)) == (255, 255, 255)
    assert image.getpixel((10, 30)) == (255, 255, 255)


def test_a_page_that_is_not_there_says_which_are() -> None:
    for page in (0, 2):
        with pytest.raises(NoSuchSource, match=r"square\.pdf: there is no page \d; it has pages 1 to 1"):
            page_picture(red_square(), page, name="square.pdf")


def test_a_page_as_large_as_a_wall_fills_no_memory() -> None:
    drawn = page_picture(red_square(14_000, 7_000), 1, name="wall.pdf")
    assert Image.open(io.BytesIO(drawn.png)).size == (2400, 1200)
    assert (drawn.width, drawn.height) == (14_000, 7_000)


def test_a_page_that_is_locked_needs_its_password() -> None:
    data = red_square(password="swordfish")
    with pytest.raises(EncryptedFile):
        page_picture(data, 1, name="square.pdf")
    assert page_picture(data, 1, name="square.pdf", password="swordfish").width == 40
