"""The door to pdfium: its lock, opening a document, and quick calls.

pdfium is not thread-safe: whatever calls it holds LOCK, a page at a time. Calls that are made for every line go
without conversion of their arguments, which is half the time of a call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from deref.errors import DamagedFile, EncryptedFile

LOCK = RLock()
_HEAD = 1024
_TAIL = 4096


@contextmanager
def opened(data: bytes, name: str, password: str | None) -> Iterator[Any]:
    """Open a PDF and give its handle. `name` is for messages.

    Raises EncryptedFile without the right password, DamagedFile for what is cut short or no PDF.
    """
    if not data:
        raise DamagedFile(f"{name}: the file is empty (zero bytes); fetch or export it again")
    if b"%PDF-" not in data[:_HEAD]:
        raise DamagedFile(f"{name}: the file is not a PDF: it does not begin with %PDF; check its type")
    if b"%%EOF" not in data[-_TAIL:] and b"startxref" not in data[-_TAIL:]:
        raise DamagedFile(f"{name}: the PDF is cut short: its end is missing; fetch or export it again")
    with LOCK:
        try:
            document = pdfium.PdfDocument(data, password=password)
        except pdfium.PdfiumError as error:
            raise _why_not(error, name, password) from error
    try:
        yield document.raw
    finally:
        with LOCK:
            document.close()


def _why_not(error: pdfium.PdfiumError, name: str, password: str | None) -> EncryptedFile | DamagedFile:
    code = getattr(error, "err_code", None)
    if code == raw.FPDF_ERR_PASSWORD:
        if password is None:
            return EncryptedFile(f"{name}: the PDF is encrypted; give its password with --password")
        return EncryptedFile(f"{name}: the password is wrong; give the right one with --password")
    if code == raw.FPDF_ERR_SECURITY:
        return EncryptedFile(
            f"{name}: the PDF is encrypted in a way that cannot be read; save it without encryption"
        )
    return DamagedFile(f"{name}: the PDF is damaged and cannot be opened; fetch or export it again")


def quick(function: Any, result: Any) -> Any:
    """Return the function with neither conversion of its arguments nor release of the interpreter lock.

    Pointers must be passed as c_void_p.
    """
    called: Any = ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)
    called.argtypes = None
    return called


def address(pointer: Any) -> ctypes.c_void_p:
    """Return a ctypes pointer without its type, as the quick calls take it."""
    return ctypes.cast(pointer, ctypes.c_void_p)


def wide(read: Callable[[Any, int], int]) -> str:
    """Return a UTF-16 string that pdfium writes into a buffer of the length it first asks for."""
    length = read(None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    read(buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")
