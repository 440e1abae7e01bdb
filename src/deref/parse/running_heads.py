"""Rows of pages → the rows that are running heads, running feet and page numbers. For PDF and paged plain text.

1. Only rows at an edge count: the first or last few of a page, taken inwards from the edge without a break.
2. Two rows are the same when their text is, numbers apart, and they stand in the same slot of the page.
3. A row is a head or foot when the same row stands on at least three pages, and either on most pages (all, or all odd
   or even ones, between its first and its last) or set apart from the text within. A table header that is repeated on
   some pages stands close to its rows, and so it stays.
4. A row at the edge that begins or ends with a number that rises with the pages, as it does on at least three pages,
   is one too, whatever its words (chapter titles change).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

_LEAST_PAGES = 3
_DEPTH = 5
_MOST = 0.6
_DIGITS = re.compile(r"\d+")
_ROMAN_ALONE = re.compile(r"^[-–—\s]*(?:[ivxlc]+|[IVXLC]+)[-–—\s]*$")
_NUMBER_FIRST = re.compile(r"^\W*(?:page\s+)?(\d{1,5})(?![\d.)]|\S*\d)", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"(?<![\d.])(\d{1,5})(?:\s+of\s+\d+)?\W*$")


class PageRow(NamedTuple):
    """A row as the search for heads sees it.

    `slot` is where it stands, equal for rows in the same place of two pages; `apart` tells whether more than a line's
    space lies between it and the next row further in.
    """

    text: str
    slot: Hashable
    apart: bool


class EdgeRows(NamedTuple):
    """The rows at the two edges of one page, outermost first, each with the row's number in the page (0-based)."""

    top: Sequence[tuple[int, PageRow]]
    bottom: Sequence[tuple[int, PageRow]]


def running_rows(pages: Sequence[EdgeRows]) -> frozenset[tuple[int, int]]:
    """Return (page, row), both 0-based, of the rows that are running heads, feet or page numbers."""
    found: set[tuple[int, int]] = set()
    for edge in (0, 1):
        rows = [page[edge][:_DEPTH] for page in pages]
        found |= _at_edge(rows)
    return frozenset(found)


def _key(row: PageRow) -> tuple[str, Hashable]:
    text = " ".join(row.text.split())
    return ("#" if _ROMAN_ALONE.match(text) else _DIGITS.sub("#", text), row.slot)


def _at_edge(pages: Sequence[Sequence[tuple[int, PageRow]]]) -> set[tuple[int, int]]:
    keys = [[_key(row) for _, row in page] for page in pages]
    on_pages: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for n, own in enumerate(keys):
        for key in dict.fromkeys(own):
            on_pages[key].append(n)
    common = {key for key, where in on_pages.items() if _is_common(where, len(pages))}
    offset = _number_offsets(pages)
    found: set[tuple[int, int]] = set()
    for n, page in enumerate(pages):
        pending: list[int] = []
        for (row_n, row), key in zip(page, keys[n], strict=True):
            numbered = _has_page_number(row.text, n, offset)
            if len(on_pages[key]) < _LEAST_PAGES and not numbered:
                break
            pending.append(row_n)
            if row.apart or key in common or numbered:
                found.update((n, r) for r in pending)
                pending = []
    return found


def _is_common(where: list[int], pages: int) -> bool:
    if len(where) < _LEAST_PAGES:
        return False
    span = where[-1] - where[0] + 1
    if span < 0.5 * pages and len(where) < 8:
        return False
    if len(where) >= _MOST * span:
        return True
    same_parity = sum((n - where[0]) % 2 == 0 for n in where)
    return same_parity >= 0.9 * len(where) and len(where) >= _MOST * (span + 1) / 2


def _numbers(text: str) -> list[int]:
    return [int(m.group(1)) for m in (_NUMBER_FIRST.search(text), _NUMBER_LAST.search(text)) if m]


def _number_offsets(pages: Sequence[Sequence[tuple[int, PageRow]]]) -> set[int]:
    """Return the differences between printed and counted page number that at least three pages in a row bear out."""
    where: dict[int, list[int]] = defaultdict(list)
    for n, page in enumerate(pages):
        for offset in {number - n for _, row in page[:3] for number in _numbers(row.text)}:
            where[offset].append(n)
    return {
        offset
        for offset, seen in where.items()
        if len(seen) >= _LEAST_PAGES and len(seen) >= 0.4 * (seen[-1] - seen[0] + 1)
    }


def _has_page_number(text: str, page: int, offsets: set[int]) -> bool:
    return len(text) <= 120 and any(number - page in offsets for number in _numbers(text))
