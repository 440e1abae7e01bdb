"""The text of each file of the deal room, read plainly and without Deref: what the gold is checked against."""

from __future__ import annotations

import re
from pathlib import Path

import docx
import pypdfium2
from lxml import html

_HTML_BLOCKS = ("h1", "h2", "h3", "p", "li", "tr", "td", "th", "caption")

SHELF = Path(__file__).resolve().parent / "deal-room"


def texts(folder: Path = SHELF) -> dict[str, str]:
    """Return the text of every file by its name, each run of white space as one space."""
    return {path.name: plain(_READERS[path.suffix](path)) for path in sorted(folder.iterdir())}


def plain(text: str) -> str:
    """Return the text on one line."""
    return re.sub(r"\s+", " ", text).strip()


def _pdf(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def _docx(path: Path) -> str:
    out = []
    for block in docx.Document(str(path)).iter_inner_content():
        if isinstance(block, docx.text.paragraph.Paragraph):
            out.append(block.text)
        else:
            out += [" ".join(cell.text for cell in row.cells) for row in block.rows]
    return "\n".join(out)


def _html(path: Path) -> str:
    body = html.fromstring(path.read_bytes(), parser=html.HTMLParser(encoding="utf-8")).find("body")
    for element in body.iter(*_HTML_BLOCKS):
        element.text, element.tail = f"\n{element.text or ''}", f"\n{element.tail or ''}"
    return "".join(body.itertext())


def _markdown(path: Path) -> str:
    return path.read_text(encoding="utf-8")


_READERS = {".pdf": _pdf, ".docx": _docx, ".html": _html, ".md": _markdown}
