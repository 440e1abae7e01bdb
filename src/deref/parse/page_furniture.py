"""Running heads and feet of plain text that was set in pages.

The first and the last rows of a page are furniture when the same row, numbers aside, stands there on at least half
of the pages, or when they read as the head and foot of an RFC ("[Page 12]" at the end of a row). A text that
kept its "[Page 12]" rows but lost its form feeds gets its pages back from them.

A text without pages may still hold page numbers, each alone on its row, rising through the text. They are furniture
too, with what repeats beside them; but they give no pages, since the rows of such a text are counted from its top.
"""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Sequence
from heapq import merge
from itertools import groupby, pairwise

from deref.parse.rows import Row

_FOOT = re.compile(r"\S.*\[Page\s+(?:\d+|[ivxlc]+)\]\s*$")
_HEAD = re.compile(r"^(?:RFC\s+\d+|Internet-Draft|INTERNET-DRAFT)\s{2}.*\d{4}\s*$")
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b")
_DEPTH = 2
_PAGE_NUMBER = re.compile(r"^\s*(?:page\s+|-\s*)?(\d{1,4})(?:\s+of\s+\d{1,4}|\s*-)?\s*$", re.IGNORECASE)
_FEWEST = 3
_PAGE_OF_TEXT = 500
_LONG_ENOUGH = 12


def paged(rows: Sequence[Row], pages: int) -> tuple[list[Row], int]:
    """Return the rows with pages taken from their feet when the text has no form feeds, and the number of pages."""
    if pages > 1 or sum(1 for r in rows if _FOOT.match(r.text)) < 2:
        return list(rows), pages
    out: list[Row] = []
    page, first = 1, 0
    last = max((n for n, row in enumerate(rows) if not row.blank), default=-1)
    for n, row in enumerate(rows):
        out.append(Row(page=page, row=n - first + 1, text=row.text, start=row.start))
        if n < last and _FOOT.match(row.text):
            page, first = page + 1, n + 1
    return out, page


def furniture(rows: Sequence[Row], pages: int) -> frozenset[int]:
    """Return the indexes in `rows` of running heads and feet, and of page numbers that stand alone."""
    if pages < 2:
        return _numbers(rows)
    by_page = [
        list(g) for _, g in groupby((n for n, r in enumerate(rows) if not r.blank), lambda n: rows[n].page)
    ]
    found: set[int] = set()
    for edge, sure in ((0, _HEAD), (-1, _FOOT)):
        for _ in range(_DEPTH):
            here = [page[edge] for page in by_page if page]
            keys = Counter(_key(rows[n]) for n in here)
            often = max(2, (len(by_page) - 1) / 2)
            hits = {n for n in here if sure.match(rows[n].text) or keys[_key(rows[n])] >= often}
            if not hits:
                break
            found |= hits
            by_page = [[n for n in page if n not in hits] for page in by_page]
    return frozenset(found)


def _key(row: Row) -> str:
    return " ".join(_NUMBERS.sub("#", row.text).split())


def _numbers(rows: Sequence[Row]) -> frozenset[int]:
    """Return the rows that hold rising page numbers, and what repeats beside most of them."""
    filled = [n for n, row in enumerate(rows) if not row.blank]
    chains = _chains(rows, filled)
    feet = {at for chain in chains if _is_numbering([rows[filled[at]] for at in chain]) for at in chain}
    found = set(feet)
    for step in (1, -1):
        beside = {at: at + step for at in feet}
        for _ in range(_DEPTH):
            keys = Counter(_key(rows[filled[b]]) for b in beside.values() if 0 <= b < len(filled))
            often = {
                k
                for k, times in keys.items()
                if times >= max(_FEWEST, 0.6 * len(feet)) and len(k) >= _LONG_ENOUGH
            }
            hits = {
                at: b for at, b in beside.items() if 0 <= b < len(filled) and _key(rows[filled[b]]) in often
            }
            found |= set(hits.values())
            beside = {at: b + step for at, b in hits.items()}
    return frozenset(filled[at] for at in found)


def _chains(rows: Sequence[Row], filled: Sequence[int]) -> list[list[int]]:
    """Return the runs of numbers that stand alone and rise, as places in `filled`; a number goes on with the latest run it can.

    A number is one or two higher than the last of its run, and a page of text further down.
    """
    chains: list[list[int]] = []
    last: list[int] = []
    ending: dict[int, list[int]] = defaultdict(
        list
    )  # by last number: the runs, in the order of their beginning
    for at, n in enumerate(filled):
        value = _alone(rows, n)
        if value is None:
            continue
        latest_first = merge(reversed(ending[value - 1]), reversed(ending[value - 2]), reverse=True)
        chain = next(
            (c for c in latest_first if rows[n].start - rows[filled[chains[c][-1]]].start >= _PAGE_OF_TEXT),
            None,
        )
        if chain is None:
            chain = len(chains)
            chains.append([])
            last.append(value)
        else:
            ending[last[chain]].remove(chain)
        chains[chain].append(at)
        last[chain] = value
        insort(ending[value], chain)
    return chains


def _alone(rows: Sequence[Row], n: int) -> int | None:
    """Return the number of a row that holds nothing else, when it is apart or says that it is of a page."""
    number = _number(rows[n])
    if number is None:
        return None
    apart = (n == 0 or rows[n - 1].blank) and (n + 1 == len(rows) or rows[n + 1].blank)
    return number if apart or "page" in rows[n].text.casefold() else None


def _number(row: Row) -> int | None:
    match = _PAGE_NUMBER.match(row.text)
    return int(match.group(1)) if match else None


def _is_numbering(chain: Sequence[Row]) -> bool:
    """A page may have lost its number, but most have theirs; page numbers in a contents list leave many out."""
    values = [number for row in chain if (number := _number(row)) is not None]
    steps = [b - a for a, b in pairwise(values)]
    return len(values) >= _FEWEST and steps.count(1) >= 0.7 * len(steps)
