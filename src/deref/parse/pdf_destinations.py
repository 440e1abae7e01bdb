"""Where things lead in an open PDF: destinations, actions, bookmarks, names.

A destination is a page and a point in user space. pdfium hands out the same address for the same destination, and
asking where it leads costs a walk through the page tree, so each address is asked once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from deref.parse.pdf_pdfium import address, quick, wide

_GOTO, _REMOTE, _URI, _LAUNCH = 1, 2, 3, 4
_DEEPEST = 32
_MOST_BOOKMARKS = 50_000
_MOST_NAMES = (
    4_000  # pdfium counts through the tree for each: beyond this it costs more than reading the text
)

_link_action = quick(raw.FPDFLink_GetAction, ctypes.c_void_p)
_action_type = quick(raw.FPDFAction_GetType, ctypes.c_ulong)
_action_destination = quick(raw.FPDFAction_GetDest, ctypes.c_void_p)
_link_destination = quick(raw.FPDFLink_GetDest, ctypes.c_void_p)
_destination_page = quick(raw.FPDFDest_GetDestPageIndex, ctypes.c_int)
_destination_point = quick(raw.FPDFDest_GetLocationInPage, ctypes.c_int)

_has = (ctypes.c_int * 3)()
_values = (ctypes.c_float * 3)()
_point_at = tuple(ctypes.c_void_p(ctypes.addressof(n) + 4 * i) for n in (_has, _values) for i in range(3))


class Aim(NamedTuple):
    """Where a link or bookmark goes: a 0-based page and a point in user space, each number None when not given."""

    page: int
    x: float | None
    y: float | None


class Bookmark(NamedTuple):
    """An entry of the outline; `level` 1 is the top."""

    title: str
    level: int
    aim: Aim


class Destinations:
    """The destinations of one open document."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._at = address(document)
        self._known: dict[int, Aim | None] = {}

    def of_link(self, link: ctypes.c_void_p) -> tuple[Aim | None, str | None]:
        """Return where a link annotation leads in the file, or the URI it leads to; both None when to neither."""
        # Asked for its destination, pdfium gives a page of another file as one of this file: so the action first.
        action = _link_action(link)
        if action:
            here = ctypes.c_void_p(action)
            if _action_type(here) == _GOTO:
                destination = _action_destination(self._at, here)
                return (self._aim(destination) if destination else None), None
            return self._of_action(ctypes.cast(here, raw.FPDF_ACTION))
        destination = _link_destination(self._at, link)
        return (self._aim(destination) if destination else None), None

    def outline(self) -> list[Bookmark]:
        """Return the bookmarks that lead to a page, in order; a loop in the tree is cut."""
        found: list[Bookmark] = []
        for title, level, mark in self._bookmarks(None, 1, set()):
            action = raw.FPDFBookmark_GetAction(mark)
            if action:
                aim = self._of_action(action)[0]
            else:
                destination = raw.FPDFBookmark_GetDest(self._document, mark)
                aim = self._aim(address(destination).value) if destination else None
            if aim is not None and title:
                found.append(Bookmark(title, level, aim))
        return found

    def names(self) -> Iterator[tuple[str, Aim]]:
        """Yield the names that links can aim at, and where they lead; none of a file with too many to read cheaply."""
        length = ctypes.c_long()
        buffer = ctypes.create_string_buffer(1024)
        count = raw.FPDF_CountNamedDests(self._document)
        for n in range(count if count <= _MOST_NAMES else 0):
            length.value = 1024
            destination = raw.FPDF_GetNamedDest(self._document, n, buffer, length)
            if destination and length.value > 2:
                aim = self._aim(address(destination).value)
                if aim:
                    yield buffer.raw[: length.value - 2].decode("utf-16-le", "replace"), aim

    def _of_action(self, action: Any) -> tuple[Aim | None, str | None]:
        kind = raw.FPDFAction_GetType(action)
        if kind == _GOTO:
            destination = raw.FPDFAction_GetDest(self._document, action)
            return (self._aim(address(destination).value) if destination else None), None
        if kind == _URI:
            uri = _bytes(partial(raw.FPDFAction_GetURIPath, self._document, action))
            return None, uri or None
        if kind in (_REMOTE, _LAUNCH):
            path = _bytes(partial(raw.FPDFAction_GetFilePath, action))
            destination = raw.FPDFAction_GetDest(self._document, action) if kind == _REMOTE and path else None
            page = raw.FPDFDest_GetDestPageIndex(self._document, destination) if destination else -1
            return None, (f"{path}#page={page + 1}" if page >= 0 else path) or None
        return None, None

    def _aim(self, destination: int | None) -> Aim | None:
        """Return where the destination at an address leads, None when it is no page of the file."""
        if destination is None:
            return None
        if destination not in self._known:
            self._known[destination] = _aim(self._at, ctypes.c_void_p(destination))
        return self._known[destination]

    def _bookmarks(self, parent: Any, level: int, seen: set[int]) -> Iterator[tuple[str, int, Any]]:
        mark = raw.FPDFBookmark_GetFirstChild(self._document, parent)
        while mark and level <= _DEEPEST and len(seen) < _MOST_BOOKMARKS:
            key = address(mark).value or 0
            if key in seen:
                return
            seen.add(key)
            title = wide(partial(raw.FPDFBookmark_GetTitle, mark))
            yield " ".join(title.split()), level, mark
            yield from self._bookmarks(mark, level + 1, seen)
            mark = raw.FPDFBookmark_GetNextSibling(self._document, mark)


def _aim(document: ctypes.c_void_p, at: ctypes.c_void_p) -> Aim | None:
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


def _bytes(read: Callable[[Any, int], int]) -> str:
    length = read(None, 0)
    if length <= 1:
        return ""
    buffer = ctypes.create_string_buffer(length)
    read(buffer, length)
    return buffer.raw[:length].rstrip(b"\0").decode("utf-8", "replace")
