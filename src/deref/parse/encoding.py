"""Bytes to text: what the file says of its encoding, and what its bytes can be.

1. A byte order mark decides.
2. NUL bytes mean UTF-16 without a mark, when it decodes to printable text; else the file is binary.
3. Valid UTF-8 is UTF-8, however short: no other encoding looks like it by chance. ISO-2022-JP, which is plain
   ASCII with escapes, is told by its escapes.
4. The charset that the file declares (HTML, XML), when the bytes agree with it.
5. UTF-8 with a few broken bytes: read as UTF-8, the broken ones replaced and counted.
6. Otherwise the encoding in which the text reads most like a language (`encoding_guess`).
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from deref.errors import UnsupportedFile
from deref.parse.encoding_guess import guess_encoding, plausibility
from deref.values import Problem

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What browsers read when a page names the smaller set.
_LARGER = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "big5": "big5hkscs",
}
_NO_CHARSETS = frozenset(["idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"])
"""What Python can decode and no page is written in."""
_META = re.compile(rb"""<meta\b[^>]{0,300}?\bcharset\s*=\s*["']?\s*([A-Za-z0-9_.:\-]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9_.:\-]+)["']""")
_CONTROLS = bytes(set(range(32)) - {9, 10, 11, 12, 13, 26, 27})
_SAMPLE = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """The text of a file, the Python name of its encoding, and what was lost on the way."""

    text: str
    encoding: str
    problems: tuple[Problem, ...] = ()


def declared_charset(data: bytes) -> str | None:
    """Return the charset that HTML or XML declares in its first bytes, as written, or None."""
    match = _XML.match(data[:1024]) or _META.search(data[:4096])
    return match.group(1).decode("ascii") if match else None


def decode(data: bytes, *, name: str, declared: str | None = None) -> Decoded:
    """Return the text of a file, without its byte order mark. Never fails on odd bytes in a text.

    Raises UnsupportedFile when the bytes are no text at all.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _replaced(data[len(mark) :], encoding)
    if b"\x00" in data:
        wide = _utf16(data)
        if wide is None:
            raise UnsupportedFile(
                f"{name}: this is a binary file, not text; convert it to PDF, DOCX, HTML or text"
            )
        return _replaced(data, wide)
    if len(data.translate(None, _CONTROLS)) < len(data) * 0.97:
        raise UnsupportedFile(
            f"{name}: this is a binary file, not text; convert it to PDF, DOCX, HTML or text"
        )
    if b"\x1b$B" in data or b"\x1b$@" in data:
        return _replaced(data, "iso2022_jp_2")
    if (valid := _strict(data, "utf-8")) is not None:
        return Decoded(text=valid, encoding="utf-8")
    said = _python_name(declared)
    if said and said != "utf-8" and (text := _strict(data, said)) is not None:
        return Decoded(text=text, encoding=said)
    if _nearly_utf8(data):
        return _replaced(data, "utf-8")
    if said and said != "utf-8":
        return _replaced(data, said)
    return _replaced(data, guess_encoding(_telling(data)))


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeError:
        return None


def _replaced(data: bytes, encoding: str) -> Decoded:
    text = _strict(data, encoding)
    if text is not None:
        return Decoded(text=text, encoding=encoding)
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    if not lost:
        return Decoded(text=text, encoding=encoding)
    what = f"{lost} character{'s' if lost > 1 else ''} could not be read as {encoding} and stand as \ufffd"
    return Decoded(text=text, encoding=encoding, problems=(Problem(what=what),))


def _python_name(charset: str | None) -> str | None:
    """Return the codec for a declared charset, or None for an unknown one or one that decodes to no text."""
    if charset is None:
        return None
    try:
        found = codecs.lookup(charset)
    except LookupError:
        return None
    # A page that was read as bytes with an ASCII declaration cannot be UTF-16, and base64 is no charset.
    if (
        not found._is_text_encoding
        or found.name in _NO_CHARSETS
        or found.name.startswith(("utf-16", "utf-32"))
    ):
        return None
    return _LARGER.get(found.name, found.name)


def _utf16(data: bytes) -> str | None:
    """Return the byte order of UTF-16 without a mark, or None when the bytes are no such text.

    Spaces, digits and line ends have a NUL for their high byte, so NULs gather on one side of the pairs.
    """
    sample = data[: min(len(data), _SAMPLE) & ~1]
    best: tuple[float, str] | None = None
    for encoding, side in (("utf-16-le", 1), ("utf-16-be", 0)):
        nuls = sample[side::2].count(0)
        text = _strict(sample, encoding) or _strict(sample[:-2], encoding)
        if not text or nuls < 0.6 * sample.count(0) or _printable(text) < 0.97 or plausibility(text) < 0.1:
            continue
        if best is None or nuls > best[0]:
            best = nuls, encoding
    return best[1] if best else None


def _printable(text: str) -> float:
    odd = sum(
        1 for c in text if c not in "\t\n\r\f\v" and unicodedata.category(c) in ("Cc", "Cn", "Co", "Cs")
    )
    return 1 - odd / len(text)


def _nearly_utf8(data: bytes) -> bool:
    """Tell whether the broken bytes are few beside whole multi-byte characters."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    whole = sum(1 for c in text if c > "\x7f" and c != "\ufffd")
    return whole > 2 * broken


def _telling(data: bytes) -> bytes:
    """Return the first rows that are not plain ASCII: the only ones that tell encodings apart."""
    return b"\n".join(row for row in data.splitlines() if not row.isascii())[:_SAMPLE]
