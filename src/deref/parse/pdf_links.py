"""Links, named destinations and the outline of a PDF, as the file has them: places as page and point.

Link annotations are read while their page is open, for the characters under a rectangle need it. A destination is
kept as a page and a point in user space, and becomes a line when all pages have been read.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from deref.parse.pdf_rows import Row
from deref.parse.pdf_runs import Frame, Run, address, char_middle, quick

_GOTO, _REMOTE, _URI, _LAUNCH = 1, 2, 3, 4
_DEEPEST = 32
_MOST_BOOKMARKS = 50_000
_MOST_NAMES = (
    4_000  # pdfium counts through the tree for each: beyond this it costs more than reading the text
)

_next_link = quick(raw.FPDFLink_Enumerate, ctypes.c_int)
_link_destination = quick(raw.FPDFLink_GetDest, ctypes.c_void_p)
_destination_page = quick(raw.FPDFDest_GetDestPageIndex, ctypes.c_int)
_destination_point = quick(raw.FPDFDest_GetLocationInPage, ctypes.c_int)
_link_quads = quick(raw.FPDFLink_CountQuadPoints, ctypes.c_int)
_link_rectangle = quick(raw.FPDFLink_GetAnnotRect, ctypes.c_int)

_has = (ctypes.c_int * 3)()
_values = (ctypes.c_float * 4)()
_point_at = tuple(ctypes.c_void_p(ctypes.addressof(n) + 4 * i) for n in (_has, _values) for i in range(3))
_box_at = ctypes.c_void_p(ctypes.addressof(_values))


class Aim(NamedTuple):
    """Where a link or bookmark goes: a 0-based page and a point in user space, each number None when not given."""

    page: int
    x: float | None
    y: float | None


class PageLink(NamedTuple):
    """A link annotation: from character `start` of row `first` to character `end` of row `last` of its page."""

    first: int
    start: int
    last: int
    end: int
    aim: Aim | None
    uri: str | None


class Bookmark(NamedTuple):
    """An entry of the outline; `level` 1 is the top."""

    title: str
    level: int
    aim: Aim


def page_links(document: Any, page: Any, textpage: Any, frame: Frame, rows: Sequence[Row]) -> list[PageLink]:
    """Return the links of an open page that lie on text and lead somewhere, in the order of the file."""
    position, link = ctypes.c_int(0), ctypes.c_void_p()
    position_at, link_at = ctypes.byref(position), ctypes.byref(link)
    opened, whole = address(page), address(document)
    found: list[PageLink] = []
    at = None
    down: list[tuple[float, int]] = []
    while _next_link(opened, position_at, link_at):
        aim, uri = _leads(document, whole, link)
        if aim is None and uri is None:
            continue
        if at is None:
            at = address(textpage)
            down = sorted((_middle(row), n) for n, row in enumerate(rows))
        under = _under([_placed(frame, *r) for r in _rectangles(link)], at, frame, rows, down)
        if under:
            found.append(PageLink(*under, aim, uri))
    return found


def _leads(document: Any, whole: ctypes.c_void_p, link: ctypes.c_void_p) -> tuple[Aim | None, str | None]:
    destination = _link_destination(whole, link)
    if destination:
        return _aim(whole, ctypes.c_void_p(destination)), None
    action = raw.FPDFLink_GetAction(ctypes.cast(link, raw.FPDF_LINK))
    return _action_leads(document, action) if action else (None, None)


def _action_leads(document: Any, action: Any) -> tuple[Aim | None, str | None]:
    kind = raw.FPDFAction_GetType(action)
    if kind == _GOTO:
        destination = raw.FPDFAction_GetDest(document, action)
        return (_aim(address(document), address(destination)) if destination else None), None
    if kind == _URI:
        return None, _bytes(lambda b, n: raw.FPDFAction_GetURIPath(document, action, b, n)) or None
    if kind in (_REMOTE, _LAUNCH):
        path = _bytes(lambda b, n: raw.FPDFAction_GetFilePath(action, b, n))
        destination = raw.FPDFAction_GetDest(document, action) if kind == _REMOTE and path else None
        page = raw.FPDFDest_GetDestPageIndex(document, destination) if destination else -1
        return None, (f"{path}#page={page + 1}" if page >= 0 else path) or None
    return None, None


def _bytes(read: Any) -> str:
    length = read(None, 0)
    if length <= 1:
        return ""
    buffer = ctypes.create_string_buffer(length)
    read(buffer, length)
    return buffer.raw[:length].rstrip(b"\0").decode("utf-8", "replace")


def _aim(document: ctypes.c_void_p, at: ctypes.c_void_p) -> Aim | None:
    """Return where the destination at an address leads, None when it is no page of the file."""
    page = _destination_page(document, at)
    if page < 0:
        return None
    if _destination_point(at, *_point_at):
        has_x, has_y, _ = _has
        return Aim(page, _values[0] if has_x else None, _values[1] if has_y else None)
    count = ctypes.c_ulong()
    numbers = (ctypes.c_float * 4)()
    view = raw.FPDFDest_GetView(ctypes.cast(at, raw.FPDF_DEST), count, numbers)
    if view in (raw.PDFDEST_VIEW_FITH, raw.PDFDEST_VIEW_FITBH) and count.value:
        return Aim(page, None, numbers[0])
    if view == raw.PDFDEST_VIEW_FITR and count.value == 4:
        return Aim(page, numbers[0], numbers[3])
    return Aim(page, None, None)


def _rectangles(link: ctypes.c_void_p) -> list[tuple[float, float, float, float]]:
    """Return (left, bottom, right, top) of each part of a link, in user space."""
    quads = _link_quads(link)
    out = []
    quad = raw.FS_QUADPOINTSF()
    for n in range(quads if quads > 1 else 0):
        if raw.FPDFLink_GetQuadPoints(ctypes.cast(link, raw.FPDF_LINK), n, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            out.append((min(xs), min(ys), max(xs), max(ys)))
    if out or not _link_rectangle(link, _box_at):
        return out
    left, top, right, bottom = _values
    return [(left, min(bottom, top), right, max(bottom, top))]


def _placed(
    frame: Frame, left: float, bottom: float, right: float, top: float
) -> tuple[float, float, float, float]:
    one, two = frame.place(left, top), frame.place(right, bottom)
    return min(one[0], two[0]), min(one[1], two[1]), max(one[0], two[0]), max(one[1], two[1])


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
        for middle, n in down[bisect_left(down, (top, 0)) :]:
            if middle > bottom:
                break
            row = rows[n]
            if row.x0 < x1 and row.x1 > x0:
                extent = _characters(at, frame, row, x0, x1)
                if extent:
                    parts.append((n, *extent))
    if not parts:
        return None
    parts.sort()
    return parts[0][0], parts[0][1], parts[-1][0], parts[-1][2]


def _characters(at: ctypes.c_void_p, frame: Frame, row: Row, x0: float, x1: float) -> tuple[int, int] | None:
    """Return the characters of a row whose middle lies between x0 and x1, white space at both ends left out."""
    start, end = len(row.text), 0
    for offset, run in row.pieces:
        if run.x1 <= x0 or run.x0 >= x1:
            continue
        length = run.end - run.start
        first = 0 if run.x0 >= x0 - 1 else _left_of(at, frame, run, x0)
        last = length if run.x1 <= x1 + 1 else _left_of(at, frame, run, x1)
        if first < last:
            start, end = min(start, offset + first), max(end, offset + last)
    start, end = max(start, 0), min(end, len(row.text))
    part = row.text[start:end]
    start += len(part) - len(part.lstrip())
    end = start + len(part.strip())
    return (start, end) if start < end else None


def _left_of(at: ctypes.c_void_p, frame: Frame, run: Run, x: float) -> int:
    """Return how many characters of a run have their middle left of x, searched from where an even spread puts it."""
    length = run.end - run.start
    guess = min(max(int((x - run.x0) / (run.x1 - run.x0) * length), 0), length - 1)
    low, high, step = 0, length, 2
    if char_middle(at, run.char + guess, frame) < x:
        low = guess + 1
        while low + step < high and char_middle(at, run.char + low + step, frame) < x:
            low, step = low + step + 1, 2 * step
        high = min(high, low + step)
    else:
        high = guess
        while high - step > low and char_middle(at, run.char + high - step, frame) >= x:
            high, step = high - step, 2 * step
        low = max(low, high - step)
    while low < high:
        middle = (low + high) // 2
        if char_middle(at, run.char + middle, frame) < x:
            low = middle + 1
        else:
            high = middle
    return low


def outline(document: Any) -> list[Bookmark]:
    """Return the bookmarks that lead to a page, in order; a loop in the tree is cut."""
    found: list[Bookmark] = []
    whole = address(document)
    seen: set[int] = set()
    for title, level, mark in _bookmarks(document, None, 1, seen):
        destination = raw.FPDFBookmark_GetDest(document, mark)
        aim = _aim(whole, address(destination)) if destination else None
        if aim is None:
            action = raw.FPDFBookmark_GetAction(mark)
            aim = _action_leads(document, action)[0] if action else None
        if aim is not None and title:
            found.append(Bookmark(title, level, aim))
    return found


def _bookmarks(document: Any, parent: Any, level: int, seen: set[int]) -> Iterator[tuple[str, int, Any]]:
    mark = raw.FPDFBookmark_GetFirstChild(document, parent)
    while mark and level <= _DEEPEST and len(seen) < _MOST_BOOKMARKS:
        key = address(mark).value or 0
        if key in seen:
            return
        seen.add(key)
        current = mark
        yield " ".join(wide(lambda b, n, m=current: raw.FPDFBookmark_GetTitle(m, b, n)).split()), level, mark
        yield from _bookmarks(document, mark, level + 1, seen)
        mark = raw.FPDFBookmark_GetNextSibling(document, mark)


def wide(read: Any) -> str:
    """Return a UTF-16 string that pdfium writes into a buffer of the length it first asks for."""
    length = read(None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    read(buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")


def named_destinations(document: Any) -> Iterator[tuple[str, Aim]]:
    """Yield the names that links can aim at, and where they lead; none of a file with too many to read cheaply."""
    length = ctypes.c_long()
    whole = address(document)
    buffer = ctypes.create_string_buffer(1024)
    count = raw.FPDF_CountNamedDests(document)
    for n in range(count if count <= _MOST_NAMES else 0):
        length.value = 1024
        destination = raw.FPDF_GetNamedDest(document, n, buffer, length)
        if destination and length.value > 2:
            aim = _aim(whole, address(destination))
            if aim:
                yield buffer.raw[: length.value - 2].decode("utf-16-le", "replace"), aim
