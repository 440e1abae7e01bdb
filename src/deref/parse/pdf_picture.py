"""A page of a PDF as a picture, for pages that show where a quote stands.

Drawn as people see the page, with its rotation and its visible box, so a box in points lies in it at the same share of
width and height. Thirty-two colours are enough for text, and make a file a quarter of the size.
"""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from deref.errors import NoSuchSource
from deref.parse.pdf_pdfium import LOCK, opened

DOTS_PER_POINT = 1.7
_MOST_DOTS = 2400
_COLOURS = 32
_WHITE = 0xFFFFFFFF
_BYTES_PER_DOT = 4


class PagePicture(NamedTuple):
    """A page as PNG, and its width and height in points."""

    png: bytes
    width: float
    height: float


def page_picture(data: bytes, page: int, *, name: str, password: str | None = None) -> PagePicture:
    """Return a page, counted from 1, of the bytes of a PDF: 1.7 dots a point, and 2,400 dots at the most. `name` is for messages.

    Raises NoSuchSource for a page that is not there or cannot be drawn, EncryptedFile, DamagedFile.
    """
    from PIL import Image

    with opened(data, name, password) as document, LOCK:
        count = raw.FPDF_GetPageCount(document)
        if not 1 <= page <= count:
            raise NoSuchSource(f"{name}: there is no page {page}; it has pages 1 to {count}")
        handle = raw.FPDF_LoadPage(document, page - 1)
        if not handle:
            raise NoSuchSource(f"{name}: page {page} is damaged and cannot be drawn")
        try:
            width, height = raw.FPDF_GetPageWidthF(handle), raw.FPDF_GetPageHeightF(handle)
            scale = min(DOTS_PER_POINT, _MOST_DOTS / max(width, height, 1.0))
            across, down = max(round(width * scale), 1), max(round(height * scale), 1)
            dots = _drawn(handle, across, down)
        finally:
            raw.FPDF_ClosePage(handle)
    picture = Image.frombytes("RGB", (across, down), dots, "raw", "RGBX", across * _BYTES_PER_DOT, 1)
    out = io.BytesIO()
    picture.quantize(_COLOURS).save(out, "PNG")
    return PagePicture(out.getvalue(), width, height)


def _drawn(page: Any, across: int, down: int) -> bytes:
    """Return the rows of a page, four bytes a dot: red, green, blue, and one that says nothing."""
    dots = bytearray(across * down * _BYTES_PER_DOT)
    buffer = (raw.c_ubyte * len(dots)).from_buffer(dots)
    bitmap = raw.FPDFBitmap_CreateEx(across, down, raw.FPDFBitmap_BGRx, buffer, across * _BYTES_PER_DOT)
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, _WHITE)
        flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, flags)
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    return bytes(dots)
