"""Bytes to lines and native links: `parse` tells the format and hands over to the parser for it. Opens no path."""

from __future__ import annotations

from deref.parse.detect import BY_SUFFIX, detect
from deref.values import Parsed

SUFFIXES = frozenset(BY_SUFFIX)
"""File name endings that are taken up from a folder, in small letters, dot included."""

__all__ = ["SUFFIXES", "detect", "parse"]


def parse(
    data: bytes, *, doc: str, name: str, password: str | None = None, max_unpacked: int = 512 * 2**20
) -> Parsed:
    """Parse a file of any format that Deref reads.

    `doc` is the document id that the lines carry, `name` (a path or file name) helps to tell texts apart and stands
    in messages; `max_unpacked` is how many bytes an archive (DOCX) may unpack to.

    Raises UnsupportedFile, DamagedFile, EncryptedFile, OversizedFile.
    """
    form = detect(data, name=name)
    # Each parser brings its library with it, so it is loaded when the first file of its kind comes.
    if form == "pdf":
        from deref.parse.pdf import parse_pdf

        return parse_pdf(data, doc=doc, name=name, password=password)
    if form == "docx":
        from deref.parse.docx import parse_docx

        return parse_docx(data, doc=doc, name=name, max_unpacked=max_unpacked)
    if form == "html":
        from deref.parse.html import parse_html

        return parse_html(data, doc=doc, name=name)
    if form == "markdown":
        from deref.parse.markdown import parse_markdown

        return parse_markdown(data, doc=doc, name=name)
    from deref.parse.text import parse_text

    return parse_text(data, doc=doc, name=name)
