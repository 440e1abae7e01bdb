"""Link annotations of an open page → the characters under them, and where they lead.

A link over two lines is one annotation with two rectangles, or two annotations that lead to one place: both are one
link here.
"""

from __future__ import annotations

import ctypes
import struct
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from deref.parse.pdf_destinations import Aim, Destinations
from deref.parse.pdf_frame import Frame
from deref.parse.pdf_pdfium import address, quick
from deref.parse.pdf_rows import SOFT_HYPHEN, Row
from deref.parse.pdf_runs import chars_left_of

_next_link = quick(raw.FPDFLink_Enumerate, ctypes.c_int)
_link_quads = quick(raw.FPDFLink_CountQuadPoints, ctypes.c_int)
_link_rectangle = quick(raw.FPDFLink_GetAnnotRect, ctypes.c_int)

_box = (ctypes.c_float * 4)()
_box_at = ctypes.c_void_p(ctypes.addressof(_box))
_box_of = struct.Struct("4f").unpack


class PageLink(NamedTuple):
    """A link annotation: from character `start` of row `first` to character `end` of row `last` of its page."""

    first: int
    start: int
    last: int
    end: int
    aim: Aim | None
    uri: str | None


def page_links(
    destinations: Destinations, page: Any, textpage: Any, frame: Frame, rows: Sequence[Row]
) -> list[PageLink]:
    """Return the links of an open page that lie on text and lead somewhere, in the order of the file."""
    position, link = ctypes.c_int(0), ctypes.c_void_p()
    position_at, link_at = ctypes.byref(position), ctypes.byref(link)
    opened = address(page)
    found: list[PageLink] = []
    at = None
    down: list[tuple[float, int]] = []
    while _next_link(opened, position_at, link_at):
        aim, uri = destinations.of_link(link)
        if aim is None and uri is None:
            continue
        if at is None:
            at = address(textpage)
            down = sorted([(_middle(row), n) for n, row in enumerate(rows)])
        under = _under(_boxes(link, frame), at, frame, rows, down)
        if under:
            link_here = PageLink(*under, aim, uri)
            if found and _continues(found[-1], link_here, rows):
                link_here = found.pop()._replace(last=link_here.last, end=link_here.end)
            found.append(link_here)
    return found


def _continues(before: PageLink, link: PageLink, rows: Sequence[Row]) -> bool:
    """Tell whether a link is the rest of the one before: same place, and nothing but a line end or space between."""
    if (before.aim, before.uri) != (link.aim, link.uri):
        return False
    rest = rows[before.last].text[before.end :]
    if link.first == before.last:
        return link.start >= before.end and not rest[: link.start - before.end].strip()
    return link.first == before.last + 1 and link.start == 0 and not rest.strip(SOFT_HYPHEN + " ")


def _boxes(link: ctypes.c_void_p, frame: Frame) -> list[tuple[float, float, float, float]]:
    """Return (x0, top, x1, bottom) of each part of a link, in layout space."""
    if _link_quads(link) > 1:
        parts = _quads(link)
        if parts:
            return [_placed(frame, *part) for part in parts]
    if not _link_rectangle(link, _box_at):
        return []
    return [_placed(frame, *_box_of(_box))]


def _quads(link: ctypes.c_void_p) -> list[tuple[float, float, float, float]]:
    """Return (left, top, right, bottom) of the quadrilaterals of a link, in user space."""
    out = []
    quad = raw.FS_QUADPOINTSF()
    for n in range(_link_quads(link)):
        if raw.FPDFLink_GetQuadPoints(ctypes.cast(link, raw.FPDF_LINK), n, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            out.append((min(xs), max(ys), max(xs), min(ys)))
    return out


def _placed(
    frame: Frame, left: float, top: float, right: float, bottom: float
) -> tuple[float, float, float, float]:
    if frame.turn == 0:
        x0, y0, x1, y1 = left - frame.left, frame.top - top, right - frame.left, frame.top - bottom
    else:
        (x0, y0), (x1, y1) = frame.place(left, top), frame.place(right, bottom)
    if x0 > x1:
        x0, x1 = x1, x0
    return (x0, y0, x1, y1) if y0 <= y1 else (x0, y1, x1, y0)


def _middle(row: Row) -> float:
    return row.base - 0.3 * row.size if row.turn == 0 else (row.top + row.bottom) / 2


def _under(
    boxes: Sequence[tuple[float, float, float, float]],
    at: ctypes.c_void_p,
    frame: Frame,
    rows: Sequence[Row],
    down: Sequence[tuple[float, int]],
) -> tuple[int, int, int, int] | None:
    """Return (first row, character, last row, character) of the text under the boxes, or None.

    `down` are (middle, row number) from the top of the page to its foot.
    """
    parts: list[tuple[int, int, int]] = []
    for x0, top, x1, bottom in boxes:
        here: list[tuple[int, int, int]] = []
        for i in range(bisect_left(down, (top, 0)), len(down)):
            middle, n = down[i]
            if middle > bottom:
                break
            row = rows[n]
            if row.x0 < x1 and row.x1 > x0:
                extent = _characters(at, frame, row, x0, x1)
                if extent:
                    here.append((n, *extent))
        if len(here) > 1:
            clean = [part for part in here if _is_whole_words(rows[part[0]].text, part[1], part[2])]
            here = clean if len(clean) == 1 else here
        parts += here
    if not parts:
        return None
    if len(parts) > 1:
        parts.sort()
    return parts[0][0], parts[0][1], parts[-1][0], parts[-1][2]


def _is_whole_words(text: str, start: int, end: int) -> bool:
    """Tell whether characters start..end begin and end with a word. (Some boxes reach over a line too many.)"""
    cut_before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    cut_after = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return not cut_before and not cut_after


def _characters(at: ctypes.c_void_p, frame: Frame, row: Row, x0: float, x1: float) -> tuple[int, int] | None:
    """Return the characters of a row whose middle lies between x0 and x1, white space at both ends left out."""
    start, end = len(row.text), 0
    for offset, run in row.pieces:
        if run.x1 <= x0 or run.x0 >= x1:
            continue
        length = run.end - run.start
        first = 0 if run.x0 >= x0 - 1 else chars_left_of(at, frame, run, x0)
        last = length if run.x1 <= x1 + 1 else chars_left_of(at, frame, run, x1)
        if first < last:
            start, end = min(start, offset + first), max(end, offset + last)
    start = max(start, 0)
    part = row.text[start:end]
    bare = part.lstrip()
    start += len(part) - len(bare)
    end = start + len(bare.rstrip())
    return (start, end) if start < end else None
