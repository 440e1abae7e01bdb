"""Running heads and feet of plain text that was set in pages.

The first and the last rows of a page are furniture when the same row, numbers aside, stands there on at least half
of the pages, or when they read as the head and foot of an RFC ("[Page 12]" at the end of a row). A text that
kept its "[Page 12]" rows but lost its form feeds gets its pages back from them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from deref.parse.rows import Row

_FOOT = re.compile(r"\S.*\[Page\s+(?:\d+|[ivxlc]+)\]\s*$")
_HEAD = re.compile(r"^(?:RFC\s+\d+|Internet-Draft|INTERNET-DRAFT)\s{2,}.*\d{4}\s*$")
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b")
_DEPTH = 2


def paged(rows: Sequence[Row], pages: int) -> tuple[list[Row], int]:
    """Return the rows with pages taken from their feet when the text has no form feeds, and the number of pages."""
    if pages > 1 or sum(1 for r in rows if _FOOT.match(r.text)) < 2:
        return list(rows), pages
    out: list[Row] = []
    page, first = 1, 0
    for n, row in enumerate(rows):
        out.append(Row(page=page, row=n - first + 1, text=row.text, start=row.start))
        if _FOOT.match(row.text) and any(not r.blank for r in rows[n + 1 :]):
            page, first = page + 1, n + 1
    return out, page


def furniture(rows: Sequence[Row], pages: int) -> frozenset[int]:
    """Return the indexes in `rows` of running heads and feet. None when there is only one page."""
    if pages < 2:
        return frozenset()
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
