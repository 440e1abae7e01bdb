"""A page of a PDF as a picture."""

from __future__ import annotations

import ctypes
import struct
import zlib

import pypdfium2.raw as raw

from deref.errors import NoSuchSource
from deref.parse.pdf_pdfium import LOCK, opened

_LARGEST = 20_000_000  # pixels


def render_page(
    data: bytes, page: int, scale: float, password: str | None = None, *, name: str = "the PDF"
) -> bytes:
    """Return page `page` (1-based) as a PNG, `scale` pixels to a point.

    Raises NoSuchSource for a page that is not there or too large at this scale, EncryptedFile, DamagedFile.
    """
    with opened(data, name, password) as document, LOCK:
        count = raw.FPDF_GetPageCount(document)
        if not 1 <= page <= count:
            raise NoSuchSource(f"{name}: there is no page {page}; it has pages 1 to {count}")
        handle = raw.FPDF_LoadPage(document, page - 1)
        if not handle:
            raise NoSuchSource(f"{name}: page {page} is damaged and cannot be drawn")
        try:
            width = max(1, round(raw.FPDF_GetPageWidthF(handle) * scale))
            height = max(1, round(raw.FPDF_GetPageHeightF(handle) * scale))
            if width * height > _LARGEST:
                raise NoSuchSource(
                    f"{name}: page {page} is too large to draw at scale {scale}; use a smaller one"
                )
            return _png(_pixels(handle, width, height), width, height)
        finally:
            raw.FPDF_ClosePage(handle)


def _pixels(page: object, width: int, height: int) -> bytes:
    """Return rows of RGB bytes, each row led by the zero that PNG calls no filter."""
    bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_BGR, None, 0)
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        stride = raw.FPDFBitmap_GetStride(bitmap)
        drawn = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    return b"".join(b"\0" + drawn[y * stride : y * stride + 3 * width] for y in range(height))


def _png(rows: bytes, width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows, 6))
        + chunk(b"IEND", b"")
    )
