"""Rows of pages → the rows that are running heads, running feet and page numbers. For PDF; plain text has `page_furniture`.

1. Only rows at an edge count: the first or last few of a page, taken inwards from the edge without a break.
2. A number is a page number when it rises with the pages: printed less counted page is the same on at least three
   pages, and a tenth of all, in one slot of the page. A row that begins or ends with it is a head or foot, whatever its words.
   Where numbers that stand alone tell the page, no other number before words does.
3. Two other rows are the same when their text is, page numbers apart, and they stand in the same slot. Such a row is a
   head or foot when it stands on at least three pages without long breaks between, and is set apart from the text
   within or stands on most pages. Headings that differ in their number are not the same ("Schedule 1", "Schedule 2").
4. A row of three cells or more may be the header of a table that runs over pages, and one without letters a
   placeholder: they must stand on most pages of all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

_LEAST_PAGES = 3
_DEPTH = 4
_FEW_HEADS = 8
_MOST = 0.6
_WITHOUT_BREAKS = 0.4  # a head of left pages only stands on half of them
_SUPPORT = 0.1  # footnotes and exhibits can be numbered as their pages are, for a few pages
_LONGEST = 120
_SHORT = 20
_ANYWHERE = "page number alone"
_TABLE_CELLS = 3
_NUMBER = re.compile(r"(?<![\d.])\d{1,5}(?![\d.]*\d)")
_NUMBER_FIRST = re.compile(r"^\W*(?:page\s+)?(\d{1,5})(?![\d.)]|\S*\d)", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"(?<![\d.])(\d{1,5})(?:\s+of\s+\d+)?\W*$")
_HEADING_ALONE = re.compile(
    r"^(?:exhibit|schedule|appendix|annex|article|chapter|section|part|table|figure|attachment|addendum|step|item)"
    r"\s+\d+\W*$",
    re.IGNORECASE,
)
_HEADED = re.compile(r"\d{1,2}\.?\s+[^\W\d_]")
_WORDY = re.compile(r"[^\W_]|#")
_LABEL_ALONE = re.compile(
    r"^[-–—|\[\s]*(?:page\s+)?(?:[ivxlc]{1,7}|[IVXLC]{1,7}|(?:[A-Z]{1,3}[-–])?\d{1,4}(?:[-–]\d{1,4})?)[-–—|\]\s]*$"
)


class PageRow(NamedTuple):
    """A row as the search for heads sees it.

    `slot` is where it stands, equal for rows in the same place of two pages; `apart` tells whether more than a line's
    space lies between it and the next row further in; `cells` is how many parts with wide gaps between it has.
    """

    text: str
    slot: Hashable
    apart: bool
    cells: int = 1


class EdgeRows(NamedTuple):
    """The rows at the two edges of one page, outermost first, each with the row's number in the page (0-based)."""

    top: Sequence[tuple[int, PageRow]]
    bottom: Sequence[tuple[int, PageRow]]


_Key = tuple[str, Hashable]


def running_rows(pages: Sequence[EdgeRows]) -> frozenset[tuple[int, int]]:
    """Return (page, row), both 0-based, of the rows that are running heads, feet or page numbers."""
    if len(pages) < _LEAST_PAGES:
        return frozenset()
    edges = [[page[edge][:_DEPTH] for page in pages] for edge in (0, 1)]
    printed = _printed(edges, len(pages))
    found: set[tuple[int, int]] = set()
    for edge in edges:
        found |= _at_edge(edge, printed)
    return frozenset(found)


def _printed(edges: Sequence[Sequence[Sequence[tuple[int, PageRow]]]], pages: int) -> set[int] | None:
    """Return printed less counted page as numbers that stand alone on most pages tell it; None where they do not.

    Sections that begin on one page after the other rise as pages do: "4 Fees" is then a heading and no head.
    """
    where: dict[int, set[int]] = defaultdict(set)
    for edge in edges:
        for n, page in enumerate(edge):
            for _, row in page:
                if _is_label(row.text):
                    for number in _end_numbers(row.text):
                        where[number - n].add(n)
    borne_out = {offset: on for offset, on in where.items() if len(on) >= _LEAST_PAGES}
    return set(borne_out) if len(set().union(*borne_out.values())) >= _MOST * pages else None


def _at_edge(
    pages: Sequence[Sequence[tuple[int, PageRow]]], printed: set[int] | None
) -> set[tuple[int, int]]:
    numbers = [[_end_numbers(row.text, n, printed) for _, row in page] for n, page in enumerate(pages)]
    offsets = _offsets(pages, numbers)
    keys = [[_key(row, n, offsets) for _, row in page] for n, page in enumerate(pages)]
    on_pages: dict[_Key, list[int]] = defaultdict(list)
    for n, own in enumerate(keys):
        for key in dict.fromkeys(own):
            on_pages[key].append(n)
    frequent = {key: len(where) for key, where in on_pages.items() if _is_frequent(where)}
    common = {key for key in frequent if _is_common(on_pages[key], len(pages))}
    found: set[tuple[int, int]] = set()
    for n, page in enumerate(pages):
        pending: list[int] = []
        for (row_n, row), key, ends in zip(page, keys[n], numbers[n], strict=True):
            numbered = bool(ends) and any(number - n in offsets.get(_slot(row), ()) for number in ends)
            doubtful = row.cells >= _TABLE_CELLS or not _WORDY.search(key[0])
            least = _MOST * len(pages) if doubtful else 0
            if not numbered and frequent.get(key, -1) < least:
                break
            pending.append(row_n)
            if row.apart or key in common or numbered:
                found.update((n, r) for r in pending)
                pending = []
    return found


def _is_label(text: str) -> bool:
    return len(text) < _SHORT and bool(_LABEL_ALONE.match(text))


def _slot(row: PageRow) -> Hashable:
    """Return the slot in which a page number counts: a number that stands alone may float under short pages."""
    return _ANYWHERE if _is_label(row.text) else row.slot


def _end_numbers(text: str, page: int = 0, printed: set[int] | None = None) -> tuple[int, ...]:
    """Return the numbers that a text begins and ends with; the first before words only where it may be that of the page."""
    if not (text[-1:].isdigit() or text[:1].isdigit() or len(text) < _SHORT or text[:4].lower() == "page"):
        return ()
    if len(text) > _LONGEST or _HEADING_ALONE.match(text):
        return ()
    found = [int(m.group(1)) for m in (_NUMBER_FIRST.search(text), _NUMBER_LAST.search(text)) if m]
    if printed is not None and _HEADED.match(text):
        found = [number for number in found if number - page in printed]
    return tuple(found)


def _offsets(
    pages: Sequence[Sequence[tuple[int, PageRow]]], numbers: Sequence[Sequence[tuple[int, ...]]]
) -> dict[Hashable, set[int]]:
    """Return for each slot the differences of printed and counted page number that at least three pages bear out."""
    where: dict[tuple[Hashable, int], list[int]] = defaultdict(list)
    for n, page in enumerate(pages):
        seen = {
            (_slot(row), number - n)
            for (_, row), ends in zip(page, numbers[n], strict=True)
            for number in ends
        }
        for key in seen:
            where[key].append(n)
    offsets: dict[Hashable, set[int]] = defaultdict(set)
    for (slot, offset), on in where.items():
        if (
            _is_frequent(on)
            and len(on) >= _SUPPORT * len(pages)
            and not _are_headings([pages[n] for n in on], slot)
        ):
            offsets[slot].add(offset)
    return offsets


def _are_headings(pages: Sequence[Sequence[tuple[int, PageRow]]], slot: Hashable) -> bool:
    """Whether the rows in one slot of some few pages are numbers before words that are other ones each time."""
    words = [row.text.partition(" ")[2] for page in pages for _, row in page if _slot(row) == slot and _HEADED.match(row.text)]  # fmt: skip
    return len(words) == len(pages) == len(set(words)) < _FEW_HEADS


def _key(row: PageRow, page: int, offsets: Mapping[Hashable, set[int]]) -> _Key:
    text = row.text
    if _is_label(text):
        return "#", row.slot
    known = offsets.get(row.slot)
    if known:
        text = _NUMBER.sub(lambda m: "#" if int(m.group()) - page in known else m.group(), text)
    return text, row.slot


def _is_frequent(where: Sequence[int]) -> bool:
    return len(where) >= _LEAST_PAGES and len(where) >= _WITHOUT_BREAKS * (where[-1] - where[0] + 1)


def _is_common(where: Sequence[int], pages: int) -> bool:
    span = where[-1] - where[0] + 1
    if span < 0.5 * pages and len(where) < 8:
        return False
    if len(where) >= _MOST * span:
        return True
    same_parity = sum((n - where[0]) % 2 == 0 for n in where)
    return same_parity >= 0.9 * len(where) and len(where) >= _MOST * (span + 1) / 2
