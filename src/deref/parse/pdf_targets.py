"""Pages and points → lines: where links, named destinations and bookmarks lead.

A point means the row whose baseline is the first at or below it, in the column it lies in; no point means the first
row of the page. A bookmark means the row that says its title when one on that page does (numbers, case and
punctuation apart), the nearest to the point; when none says it, the bookmark marks nothing, for a heading that is not
there would be made up.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from deref.parse.pdf_destinations import Aim, Bookmark
from deref.parse.pdf_frame import Frame
from deref.parse.pdf_links import PageLink
from deref.parse.pdf_made import annotation
from deref.parse.pdf_rows import Gap, Row
from deref.values import Mark, MarkKind, NativeLink

_OTHER_COLUMN = 60.0
_LONGEST_HEADING = 3
_NEAR = 3
_LONGEST_NUMBER = 14


class PlacedLines:
    """Where the lines in the flow stand, page by page. Filled in page order."""

    def __init__(self) -> None:
        self.frames: list[Frame | None] = []
        self.first: list[int] = []
        self.of_row: list[Mapping[int, int]] = []
        self.base = array("f")
        self.left = array("f")
        self.right = array("f")
        self.texts: list[str] = []
        self.gaps: dict[int, Sequence[Gap]] = {}
        self._known: dict[Aim, int] = {}
        self._down: dict[int, list[tuple[float, int]]] = {}

    def add(self, frame: Frame | None, rows: Sequence[Row], lines: Mapping[int, int], first: int) -> None:
        """Add the next page: its rows in the flow, the line of each row by row number, and its first line."""
        self.frames.append(frame)
        self.first.append(first)
        self.of_row.append(lines)
        self.base.extend([row.base for row in rows])
        self.left.extend([row.x0 for row in rows])
        self.right.extend([row.x1 for row in rows])
        self.gaps.update((n, row.gaps) for n, row in enumerate(rows, start=len(self.texts)) if row.gaps)
        self.texts += [row.text for row in rows]

    def lines_of(self, page: int) -> range:
        """Return the lines of a 0-based page."""
        end = self.first[page + 1] if page + 1 < len(self.first) else len(self.texts)
        return range(self.first[page], end)

    def line_at(self, aim: Aim) -> int | None:
        """Return the line that a destination means, None when no line stands there or on the next page."""
        if not 0 <= aim.page < len(self.first):
            return None
        found = self._known.get(aim)
        if found is None:
            found = self._known[aim] = self._line_at(aim)
        return found if found >= 0 else None

    def _line_at(self, aim: Aim) -> int:
        lines = self.lines_of(aim.page)
        frame = self.frames[aim.page]
        if not lines:
            return -1
        if frame is None or aim.y is None:
            return lines[0]
        x, y = frame.place(aim.x if aim.x is not None else frame.left, aim.y)
        if aim.page not in self._down:
            self._down[aim.page] = sorted((self.base[n], n) for n in lines)
        down = self._down[aim.page]
        best, least = -1, 0.0
        for base, n in down[bisect_left(down, (y - 1, 0)) :]:
            cost = base - y
            if best >= 0 and cost >= least:
                break
            if aim.x is not None and x > 1 and (self.right[n] < x or self.left[n] > x + 0.35 * frame.width):
                cost += _OTHER_COLUMN
            if best < 0 or cost < least:
                best, least = n, cost
        if best >= 0:
            return best
        following = aim.page + 1
        return (
            self.first[following] if following < len(self.first) and self.lines_of(following) else lines[-1]
        )


def native_links(pages: Sequence[Sequence[PageLink]], placed: PlacedLines) -> Iterator[NativeLink]:
    """Yield the links whose text is in the flow, led to their lines, in the order of the file."""
    for page, links in enumerate(pages):
        lines = placed.of_row[page]
        for link in links:
            first, last = lines.get(link.first), lines.get(link.last)
            if first is None or last is None:
                continue
            target = placed.line_at(link.aim) if link.aim else None
            uri = (
                link.uri
                if link.aim is None
                else (None if target is not None else f"#page={link.aim.page + 1}")
            )
            if target is None and uri is None:
                continue
            yield annotation(first, link.start, last, link.end, target, uri)


def anchors_of(names: Iterable[tuple[str, Aim]], placed: PlacedLines) -> dict[str, int]:
    """Return the line of each named destination that leads to one."""
    lines = ((name, placed.line_at(aim)) for name, aim in names)
    return {name: line for name, line in lines if line is not None}


def heading_marks(bookmarks: Sequence[Bookmark], placed: PlacedLines) -> Iterator[Mark]:
    """Yield a heading mark for each bookmark whose title stands on the page it leads to."""
    for mark in bookmarks:
        page = mark.aim.page
        if not 0 <= page < len(placed.first):
            continue
        lines = placed.lines_of(page)
        near = placed.line_at(mark.aim)
        near = lines.start if near is None else near
        number = _NUMBERED.match(mark.title)
        title, bare = _fold(mark.title), _fold(mark.title[number.end() :] if number else mark.title)
        label = number["label"].strip(".") if number else None
        window = range(max(lines.start, near - _NEAR), min(lines.stop, near + _NEAR + 1))
        span = _find(title, bare, label, placed.texts, window, near) or _find(
            title, bare, label, placed.texts, lines, near
        )
        if span is not None:
            start, end, said = span
            yield Mark(
                kind=MarkKind.HEADING, start=start, end=end, level=mark.level, from_outline=True, label=None if said else label
            )  # fmt: skip
        elif (row := _beginning(mark.title, title, bare, placed, window)) is not None:
            words = mark.title[number.end() :] if number and row[1] else mark.title
            yield Mark(
                kind=MarkKind.HEADING, start=row[0], end=row[0] + 1, level=mark.level, from_outline=True, title=words or mark.title
            )  # fmt: skip


_NUMBERED = re.compile(
    r"^(?:(?:chapter|appendix|part|section|annex|article)\s+)?(?P<label>[\d.]+|[A-Z]|[IVXLC]+)(?:[\s:.–—-]+|$)",
    re.IGNORECASE,
)
_NOT_ALNUM = re.compile(r"[\W_]+")


def _fold(text: str) -> str:
    return _NOT_ALNUM.sub("", text.casefold())


def _beginning(
    shown: str, title: str, bare: str, placed: PlacedLines, lines: range
) -> tuple[int, bool] | None:
    """Return the row, of those near, that says the title before a gap or begins with the one letter that it is.

    And whether it says the number of the title too. None when none does.
    """
    for n in lines:
        text = placed.texts[n]
        if len(shown) == 1 and shown.isalpha() and text.startswith(f"{shown} "):
            return n, False
        for gap in placed.gaps.get(n, ()):
            said = _fold(text[: gap.at])
            if _says(said, title, bare, title) is not None:
                return n, title != bare and said.endswith(title)
    return None


def _find(
    title: str, bare: str, label: str | None, texts: Sequence[str], lines: range, near: int
) -> tuple[int, int, bool] | None:
    """Return the lines (start, end) that say the title, the nearest to line `near`, and whether its number comes first, in a row with the words.

    None when none say it.
    """
    if not title:
        return None
    best: tuple[bool, int, int, int, bool] | None = None
    behind = f"{bare}{_fold(label)}" if label else title
    for n in lines:
        said = ""
        for end in range(n + 1, min(n + _LONGEST_HEADING, lines.stop) + 1):
            said += _fold(texts[end - 1])
            extra = _says(said, title, bare, behind)
            if extra is not None:
                key = (
                    extra > 0,
                    abs(n - near),
                    n,
                    end,
                    said.endswith(title) and not (label and _fold(texts[n]) == _fold(label)),
                )
                best = key if best is None else min(best, key)
                break
            if len(said) > len(title) + _LONGEST_NUMBER or said[-4:] not in title:
                break
    return best[2:] if best else None


def _says(said: str, title: str, bare: str, behind: str) -> int | None:
    """Return how much more than the title the rows say, None when they do not say it."""
    extra = len(said) - len(title)
    if said == title:
        return 0
    if 0 < extra <= _LONGEST_NUMBER and said.endswith(title):
        return extra
    if len(bare) > 3 and said in (bare, behind):
        return 1
    return None
