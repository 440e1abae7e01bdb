"""Which characters of an open PDF page are bold."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import pypdfium2.raw as raw

from deref.parse.pdf_pdfium import address, quick
from deref.parse.pdf_runs import Run

_object_at = quick(raw.FPDFText_GetTextObject, ctypes.c_void_p)
_font = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(
    ctypes.cast(raw.FPDFTextObj_GetFont, ctypes.c_void_p).value or 0
)


class Fonts:
    """The fonts of one open page, each asked once whether it is bold."""

    def __init__(self, textpage: Any) -> None:
        self._textpage = textpage
        self._at = address(textpage)
        self._bold: dict[int, bool] = {}

    def bold(self, char: int) -> bool:
        """Tell whether a pdfium character is set in a bold font: by the name of the font, else by its weight."""
        font = _font(_object_at(self._at, char)) or 0
        found = self._bold.get(font)
        if found is None:
            found = self._bold[font] = _is_bold(self._textpage, char)
        return found

    def all_bold(self, run: Run, text: str) -> bool:
        """Tell whether every word of a run begins bold."""
        if not self.bold(run.char):
            return False
        part = text[run.start : run.end]
        return all(self.bold(run.char + m.start()) for m in _WORD.finditer(part))


_WORD = re.compile(r"\S+")


def _is_bold(textpage: Any, char: int) -> bool:
    name = ctypes.create_string_buffer(160)
    raw.FPDFText_GetFontInfo(textpage, char, name, 160, ctypes.c_int())
    called = name.value.decode("utf-8", "replace")
    if _BOLD.search(called):
        return True
    return bool(raw.FPDFText_GetFontWeight(textpage, char) >= 600 and not _LIGHT.search(called))


_BOLD = re.compile(
    r"bold|black|heavy|cmb|[-,]bd\b|(?<![a-z])B(?:d|ld)$|medi(?:um)?(?:$|ital|obl)", re.IGNORECASE
)
_LIGHT = re.compile(r"regu|roman|book|light", re.IGNORECASE)
