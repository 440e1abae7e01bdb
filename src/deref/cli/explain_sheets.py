"""The pages that an answer cites, with what is cited lit: as pictures where the file is there and unchanged, else as lines.

A picture lies in the page as a data URI and what is lit is drawn over it, by shares of its width and height. Only the part around what is lit
is shown; the whole page can be opened. A line that is lit says which citation it is, or that it holds the pointer to one.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from deref.errors import NoSuchSource, UnreadableFile
from deref.ingest.read import holds
from deref.values import Box, Document

_AROUND_POINTS = 46.0
"""How much of a picture is shown above and below what is lit."""
_AROUND_LINES = 3
_OVERRIDES = (0x202D, 0x202E)
_ODD = {
    n: "\ufffd"
    for n in (*range(32), *range(127, 160), *_OVERRIDES, *range(0xD800, 0xE000))
    if chr(n) not in "\n\t"
}
"""Signs that no page may hold, and those by which a text reads otherwise than it is stored."""


def clean(text: object) -> str:
    """Return text for HTML: escaped, and what no page may hold replaced."""
    return escape(str(text).translate(_ODD))


@dataclass(slots=True, kw_only=True)
class Sheet:
    """A page of a document, and what is lit on it: lines by number, each with the numbers of its citations.

    `cited` are lines that are quoted, `pointing` those that hold a followed pointer; `boxes` are those of both, where known.
    """

    doc: str
    source: str
    page: int
    cited: dict[int, set[int]] = field(default_factory=dict)
    pointing: dict[int, set[int]] = field(default_factory=dict)
    boxes: list[tuple[Box, bool]] = field(default_factory=list)

    @property
    def numbers(self) -> list[int]:
        """The citations that are on this page."""
        return sorted({n for numbers in self.cited.values() for n in numbers})


def sheets(citations: Sequence[Mapping[str, Any]], documents: Mapping[str, Document]) -> list[Sheet]:
    """Return the pages that are cited or point, in the order of the citations. `documents` are by id."""
    by_name = {document.name: document for document in documents.values()}
    found: dict[tuple[str, int], Sheet] = {}

    def light(document: Document, n: int, number: int, *, pointing: bool) -> None:
        line = document.lines[n]
        sheet = found.setdefault(
            (document.id, line.page), Sheet(doc=document.id, source=document.name, page=line.page)
        )
        (sheet.pointing if pointing else sheet.cited).setdefault(n, set()).add(number)
        if line.box is not None and (line.box, pointing) not in sheet.boxes:
            sheet.boxes.append((line.box, pointing))

    for number, citation in enumerate(citations, start=1):
        lines = citation["lines"]
        if (document := documents.get(lines["doc"])) is None:
            continue
        for n in range(lines["start"], min(lines["end"], len(document.lines))):
            light(document, n, number, pointing=False)
        origin = citation["referenced_from"]
        writer = by_name.get(origin["source"]) if origin else None
        if writer is not None and origin["line"] < len(writer.lines):
            light(writer, origin["line"], number, pointing=True)
    return list(found.values())


class Papers:
    """The files of the shelf that a trace is of, as far as they are there and unchanged."""

    def __init__(self, home: Path | None, password: str | None) -> None:
        """Take the folder or file of the shelf, None when it is not known, and the password of encrypted files."""
        self._home = home
        self._password = password
        self._read: dict[str, bytes | str] = {}

    def of(self, sheet: Sheet) -> bytes | str:
        """Return the bytes of the file that a page is of, or in words why they are not to be had."""
        if sheet.doc not in self._read:
            self._read[sheet.doc] = self._bytes(sheet)
        return self._read[sheet.doc]

    def _bytes(self, sheet: Sheet) -> bytes | str:
        if self._home is None:
            return "where the file lies is not known"
        path = self._home / sheet.source if self._home.is_dir() else self._home
        try:
            data = path.read_bytes()
        except OSError:
            return "the file is not there any more"
        return data if holds(data, sheet.doc, sheet.source) else "the file has changed since"

    def picture(self, sheet: Sheet) -> tuple[bytes, float, float] | str:
        """Return a page as PNG with its size in points, or in words why there is none."""
        data = self.of(sheet)
        if isinstance(data, str):
            return data
        from deref.parse.pdf_picture import page_picture

        try:
            return page_picture(data, sheet.page, name=sheet.source, password=self._password)
        except (UnreadableFile, NoSuchSource) as error:
            return str(error)


def figure(sheet: Sheet, document: Document, papers: Papers) -> str:
    """Return a page as a figure."""
    numbers = sheet.numbers
    pointers = sorted({n for found in sheet.pointing.values() for n in found})
    legend = []
    if numbers:
        legend.append(f'<span><span class="key"></span> quoted: {_cites(numbers)}</span>')
    if pointers:
        legend.append(f'<span><span class="key from"></span> points to {_cites(pointers)}</span>')
    shown, note = "", ""
    if document.format == "pdf" and sheet.boxes:
        picture = papers.picture(sheet)
        if isinstance(picture, str):
            note = f"<span>shown as text: {clean(picture)}</span>"
        else:
            shown = _picture(sheet, *picture)
    return (
        f'<figure id="{_anchor(sheet)}">\n<figcaption><b>{clean(sheet.source)}, p. {clean(sheet.page)}</b> {" ".join(legend)} {note}'
        f"</figcaption>\n{shown or _lines(sheet, document)}</figure>\n"
    )


def _anchor(sheet: Sheet) -> str:
    return clean(f"page-{sheet.doc[:12]}-{sheet.page}")


def anchors(found: Sequence[Sheet]) -> dict[int, str]:
    """Return the id of the first page that each citation is on, by its number."""
    return {n: _anchor(sheet) for sheet in reversed(found) for n in sheet.numbers}


def _cites(numbers: Sequence[int]) -> str:
    return " ".join(f'<a class="cite" href="#c{n}">[{n}]</a>' for n in numbers)


def _picture(sheet: Sheet, png: bytes, width: float, height: float) -> str:
    top = max(min(box.top for box, _ in sheet.boxes) - _AROUND_POINTS, 0.0)
    bottom = min(max(box.bottom for box, _ in sheet.boxes) + _AROUND_POINTS, height)
    lit = "".join(
        f'<i{" class=from" if pointing else ""} style="left:{100 * box.x0 / width:.2f}%;top:{100 * box.top / height:.2f}%;'
        f'width:{100 * (box.x1 - box.x0) / width:.2f}%;height:{100 * (box.bottom - box.top) / height:.2f}%"></i>'
        for box, pointing in sorted(sheet.boxes, key=lambda one: one[1])
    )
    label = f"{sheet.source}, page {sheet.page}"
    return (
        f'<div class="window"><div class="view" style="--w:{width:.1f};--h:{height:.1f};--y:{top:.1f};--band:{bottom - top:.1f}">'
        f'<div class="sheet"><img alt="{clean(label)}" src="data:image/png;base64,{base64.b64encode(png).decode()}">{lit}</div>'
        '</div></div>\n<details class="whole"><summary>the whole page</summary></details>\n'
    )


def _lines(sheet: Sheet, document: Document) -> str:
    return f'<ol class="lines">\n{"".join(_rows(sheet, document))}</ol>\n'


def _rows(sheet: Sheet, document: Document) -> Iterator[str]:
    lit = sorted(sheet.cited.keys() | sheet.pointing.keys())
    shown = sorted(
        {
            n
            for at in lit
            for n in range(at - _AROUND_LINES, at + _AROUND_LINES + 1)
            if 0 <= n < len(document.lines) and document.lines[n].page == sheet.page
        }
    )
    for before, n in zip([None, *shown], shown, strict=False):
        if before is not None and n != before + 1:
            yield '<li class="gap"></li>\n'
        line = document.lines[n]
        kinds = ["lit"] * (n in sheet.cited) + ["from"] * (n in sheet.pointing)
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        yield f'<li data-row="{clean(line.row)}"{kind}><span dir="auto">{clean(line.text)}</span></li>\n'
