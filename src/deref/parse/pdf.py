"""PDF → lines in reading order, marks, native links.

1. Open the bytes; what cannot be opened is encrypted or damaged, and the message says which and what to do.
2. Page by page: runs (`pdf_runs`) → rows (`pdf_rows`) → reading order (`pdf_order`), and the links on them
   (`pdf_links`). A page that cannot be read, or has no usable text, is a Problem with its number.
3. Over all pages: page numbers that are printed and that the file does not keep (`printed_pages`); running heads and feet are taken out of the flow (`running_heads`); they keep their row number.
4. Page by page again: tables (`pdf_tables`), starts of blocks (`pdf_blocks`), lines.
5. Links, named destinations and the outline are led to lines (`pdf_targets`).
"""

from __future__ import annotations

import ctypes
import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from typing import Any

import pypdfium2.raw as raw

from deref.errors import DamagedFile
from deref.parse.pdf_blocks import block_starts
from deref.parse.pdf_destinations import Destinations
from deref.parse.pdf_fonts import Fonts
from deref.parse.pdf_frame import Frame
from deref.parse.pdf_links import PageLink, page_links
from deref.parse.pdf_made import line, rounded_box
from deref.parse.pdf_margins import without_line_numbers
from deref.parse.pdf_order import in_reading_order
from deref.parse.pdf_pdfium import LOCK, opened, wide
from deref.parse.pdf_raised import raised_numbers
from deref.parse.pdf_rows import Row, rows_of
from deref.parse.pdf_runs import read_page
from deref.parse.pdf_tables import tables_of
from deref.parse.pdf_targets import PlacedLines, anchors_of, heading_marks, native_links
from deref.parse.printed_pages import printed_pages
from deref.parse.running_heads import EdgeRows, PageRow, running_rows
from deref.values import Box, Line, Mark, MarkKind, Parsed, Problem

_EDGE = 5  # rows of a page looked at from each edge, and one more to see how far off the text is
_ASCENT, _DESCENT = 0.7, 0.2  # in font sizes
_FEW = 40  # a page with fewer characters and a picture over half of it is a scan with a stamp
_NO_TEXT = "no usable text layer; the page is an image or its fonts have no character map: run OCR on it"
_BLANK = "no usable text layer: the page is blank"
_GARBAGE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0b\x0c\x0e-\x1f]")
_MOST_DAMAGED = 1000  # pages in a row
_FEW_THINGS, _MOST_THINGS = 5, 50
_THIN = 3.0  # points
_CONTROL = bytes(range(32))
_JUNK_TITLE = re.compile(
    r"^\W*$|^(?:microsoft (?:word|powerpoint|excel)|untitled|document ?\d*$|title$|no ?title|slide 1$|"
    r"powerpoint presentation|\(?(?:anonymous|unspecified)\)?$|print(?:ing)? )|^[a-z]:\\|"
    r"\.(?:docx?|dvi|tex|indd|qxd|pdf|rtf|odt|ps|eps|fm|pptx?|xlsx?|html?|txt)$",
    re.IGNORECASE,
)


class _Page:
    """What is kept of a page once it is closed. `problem` is set instead of rows when it could not be used."""

    __slots__ = ("frame", "links", "problem", "raised", "rows")

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.links: list[PageLink] = []
        self.raised: list[tuple[int, int, int]] = []
        self.frame: Frame | None = None
        self.problem: str | None = None


def parse_pdf(data: bytes, *, doc: str, name: str, password: str | None = None) -> Parsed:
    """Parse a PDF. `doc` is the document id that the lines carry, `name` is for messages.

    Raises EncryptedFile without the right password, DamagedFile for what is cut short or no PDF.
    """
    with _no_cycle_search(), opened(data, name, password) as document:
        with LOCK:
            count = raw.FPDF_GetPageCount(document)
            if count < 1:
                raise DamagedFile(f"{name}: the PDF has no pages; fetch or export it again")
            destinations = Destinations(document)
        pages = _read_all(document, destinations, count)
        if all(page.frame is None for page in pages):
            raise DamagedFile(f"{name}: none of its {count} pages can be read; fetch or export it again")
        with LOCK:
            # Now that every page was open, pdfium finds the number of a page at once.
            marks = destinations.outline()
            names = list(destinations.names())
            labels = _page_labels(document, len(pages))
            title = wide(partial(raw.FPDF_GetMetaText, document, b"Title")).strip("\0 \t\r\n")
        problems = tuple(Problem(what=p.problem, page=n + 1) for n, p in enumerate(pages) if p.problem)
        labels = labels or printed_pages([_head_and_foot(page.rows) for page in pages])
        placed = PlacedLines()
        lines, found = _lines(pages, doc, placed)
        headings = heading_marks(marks, placed)
        return Parsed(
            format="pdf",
            lines=tuple(lines),
            marks=tuple(sorted([*found, *headings], key=lambda m: (m.start, -m.end))),
            links=tuple(native_links([page.links for page in pages], placed)),
            anchors=anchors_of(names, placed),
            title=None if _JUNK_TITLE.search(title) else " ".join(title.split()),
            pages=count,
            page_labels=labels,
            problems=problems,
            raised=tuple(
                (line, start, end)
                for n, page in enumerate(pages)
                for row, start, end in page.raised
                if (line := placed.of_row[n].get(row)) is not None
            ),
        )


@contextmanager
def _no_cycle_search() -> Iterator[None]:
    # The many small values made here hold no cycles; looking for some among them takes a tenth of the time.
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _read_all(document: Any, destinations: Destinations, count: int) -> list[_Page]:
    """Return the pages, up to so many in a row that cannot be read that the file only claims to have the rest."""
    pages: list[_Page] = []
    damaged = 0
    for n in range(count):
        pages.append(_read(document, destinations, n))
        damaged = damaged + 1 if pages[-1].frame is None else 0
        if damaged == _MOST_DAMAGED and n + 1 < count:
            pages[
                -1
            ].problem = (
                f"this page and the {count - n - 1:,} behind it are damaged; fetch or export the file again"
            )
            break
    return pages


def _read(document: Any, destinations: Destinations, n: int) -> _Page:
    kept = _Page()
    with LOCK:
        page = raw.FPDF_LoadPage(document, n)
        if not page:
            kept.problem = "the page is damaged and cannot be read; fetch or export the file again"
            return kept
        textpage = raw.FPDFText_LoadPage(page)
        try:
            if textpage:
                _fill(kept, destinations, page, textpage)
            else:
                kept.problem = "the text of the page is damaged and cannot be read; run OCR on it"
        finally:
            raw.FPDFText_ClosePage(textpage)
            raw.FPDF_ClosePage(page)
    return kept


def _fill(kept: _Page, destinations: Destinations, page: Any, textpage: Any) -> None:
    text, runs, frame, raised = read_page(page, textpage)
    kept.frame = frame
    solid = len(text) - text.count(" ") - text.count("\r\n") * 2
    if solid < _FEW and (solid == 0 or _is_picture(page, frame)):
        kept.problem = _BLANK if solid == 0 and _is_blank(page) else _NO_TEXT
    if solid and _is_garbage(text, solid):
        kept.problem = _NO_TEXT
        return
    rows = in_reading_order(rows_of(text, without_line_numbers(text, runs)), text)
    fonts = Fonts(textpage)
    for row in rows:
        row.bold = fonts.bold(row.runs[0].char) and all(fonts.all_bold(run, text) for run in row.runs)
    kept.links = page_links(destinations, page, textpage, frame, rows)
    kept.raised = list(raised_numbers(rows, text, raised))
    for row in rows:
        row.runs = []
        row.pieces = ()
    kept.rows = rows


def _is_garbage(text: str, solid: int) -> bool:
    plain = len(text.encode("ascii", "ignore").translate(None, _CONTROL)) - text.count(" ")
    return 2 * plain < solid and 2 * len(_GARBAGE.findall(text)) > solid


def _is_picture(page: Any, frame: Frame) -> bool:
    """Tell whether one picture covers half of the page or more."""
    half = 0.5 * frame.width * frame.height
    things = islice(_things(page), _MOST_THINGS)
    return any(kind == raw.FPDF_PAGEOBJ_IMAGE and width * height > half for kind, width, height in things)


def _is_blank(page: Any) -> bool:
    """Tell whether nothing is drawn on a page but a few thin lines."""
    return raw.FPDFPage_CountObjects(page) <= _FEW_THINGS and all(
        kind == raw.FPDF_PAGEOBJ_PATH and min(width, height) < _THIN for kind, width, height in _things(page)
    )


def _things(page: Any) -> Iterator[tuple[int, float, float]]:
    """Yield kind, width and height of what is drawn on a page."""
    edges = [ctypes.c_float() for _ in range(4)]
    for n in range(raw.FPDFPage_CountObjects(page)):
        thing = raw.FPDFPage_GetObject(page, n)
        if raw.FPDFPageObj_GetBounds(thing, *edges):
            left, bottom, right, top = (edge.value for edge in edges)
            yield raw.FPDFPageObj_GetType(thing), right - left, top - bottom


def _page_labels(document: Any, count: int) -> tuple[str, ...]:
    def label(n: int) -> str:
        return wide(partial(raw.FPDF_GetPageLabel, document, n))

    if not label(0) and not label(count - 1):
        return ()
    return tuple(label(n) for n in range(count))


def _head_and_foot(rows: Sequence[Row]) -> list[str]:
    """Return the texts of the two rows at each edge of a page."""
    down = sorted([(row.base, n) for n, row in enumerate(rows) if row.turn == 0])
    return [rows[n].text for _, n in dict.fromkeys((*down[:2], *down[-2:]))]


def _running(pages: Sequence[_Page]) -> set[tuple[int, int]]:
    upright: list[EdgeRows] = []
    turned: list[EdgeRows] = []
    for page in pages:
        rows = page.rows
        height = page.frame.height if page.frame else 0.0
        down = sorted([(row.base, n) for n, row in enumerate(rows) if row.turn == 0])
        upright.append(EdgeRows(_edge(rows, down[:_EDGE], 0.0), _edge(rows, down[: -_EDGE - 1 : -1], height)))
        notes = [(n, PageRow(r.text, round(r.x0 / 4), True)) for n, r in enumerate(rows) if r.turn]
        turned.append(EdgeRows(notes, ()))
    return {*running_rows(upright), *running_rows(turned)}


def _edge(rows: Sequence[Row], down: Sequence[tuple[float, int]], origin: float) -> list[tuple[int, PageRow]]:
    out: list[tuple[int, PageRow]] = []
    for i, (base, n) in enumerate(down[: _EDGE - 1]):
        row = rows[n]
        apart = i + 1 == len(down) or abs(down[i + 1][0] - base) > 1.8 * max(
            row.size, rows[down[i + 1][1]].size
        )
        out.append((n, PageRow(row.text, int((base - origin) / 4), apart, len(row.gaps) + 1)))
    return out


def _lines(pages: list[_Page], doc: str, placed: PlacedLines) -> tuple[list[Line], list[Mark]]:
    running = _running(pages)
    lines: list[Line] = []
    marks: list[Mark] = []
    before: Row | None = None
    for n, page in enumerate(pages):
        numbered = [(r + 1, row) for r, row in enumerate(page.rows) if (n, r) not in running]
        rows = [row for _, row in numbered]
        at = len(lines)
        placed.add(page.frame, rows, {r - 1: at + i for i, (r, _) in enumerate(numbered)}, at)
        tabular = [False] * len(rows)
        for table in tables_of(rows):
            tabular[table.start : table.end] = [True] * (table.end - table.start)
            marks.append(Mark(kind=MarkKind.TABLE, start=at + table.start, end=at + table.end))
            marks += [
                Mark(kind=MarkKind.ROW, start=at + r, end=at + r + 1, label="header" if r < table.start + table.header else None)
                for r in range(table.start, table.end)
            ]  # fmt: skip
        starts = block_starts(rows, before, tabular)
        for (r, row), start in zip(numbered, starts, strict=True):
            if row.bold:
                marks.append(Mark(kind=MarkKind.BOLD, start=len(lines), end=len(lines) + 1))
            at_n, size = len(lines), _points(row.size)
            lines.append(line(doc, at_n, n + 1, r, row.text, _box(row, page.frame), size, start))
        before = rows[-1] if rows else before
        page.rows = []
    return lines, marks


@lru_cache(maxsize=1024)
def _points(size: float) -> float:
    return round(size, 2)


def _box(row: Row, frame: Frame | None) -> Box | None:
    if frame is None:
        return None
    if row.turn:
        return frame.shown(row.x0, row.top, row.x1, row.bottom)
    # The boxes of glyphs are tight: a row without ascenders or descenders would look cut.
    top, bottom = row.base - _ASCENT * row.size, row.base + _DESCENT * row.size
    if row.top < top:
        top = row.top
    if row.bottom > bottom:
        bottom = row.bottom
    if frame.turn == frame.rotation:
        return rounded_box(row.x0, top, row.x1, bottom)
    return frame.shown(row.x0, top, row.x1, bottom)
