"""Rows in the flow → where blocks begin: paragraphs, headings, list items, captions, rows of tables.

A row begins a block when the look of the page says so: a gap wider than the lines of the page have, another size or
weight, a first-line indent, a hanging item, or a row before it that ends short of the right edge with the end of a
sentence. Across a page or column the words decide: a row that goes on in small letters after an open sentence
continues its paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from deref.parse.pdf_rows import SOFT_HYPHEN, Row

_BULLET = re.compile(r"[\uf0a7\uf0b7\uf0a8\uf0d8\uf0fc•◦▪■●○▫‣∙·–—*]\s|[o-]\s(?=\S)")
_NUMBERED = re.compile(
    r"(?:\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{2,5})[.)]|\[\w{1,12}\]|\d{1,2}(?:\.\d{1,3}){1,5}\.?)\s"
)
_CAPTION = re.compile(
    r"(?:Table|Figure|Fig\.|Exhibit|Listing|Equation|Algorithm|Box)\s+[\dA-Z][\w.-]*\s?[.:–—]"
)
_ENDS = frozenset(".:;!?")
_CLOSING = "\"'”’)]"
_INDENT = 0.8  # in font sizes
_WIDER = 1.25
_NEAR_ROWS = 6
_OTHER_SIZE = 0.15
_LITTLE_LARGER = 0.08


def leading_of(rows: Sequence[Row]) -> float:
    """Return the usual distance of two baselines on a page, in font sizes; 1.2 when the rows do not tell."""
    steps: dict[int, int] = {}
    for above, row in pairwise(rows):
        tenths = int((row.base - above.base) / row.size * 10 + 0.5)
        if 8 < tenths < 25:
            steps[tenths] = steps.get(tenths, 0) + 1
    return max(steps, key=lambda k: (steps[k], -k)) / 10 if steps else 1.2


def block_starts(rows: Sequence[Row], before: Row | None, tabular: Sequence[bool]) -> list[bool]:
    """Return for each row of a page whether a block begins with it.

    `rows` are those in the flow, in reading order; `before` is the last one of the page before; `tabular` tells
    which rows are rows of a table.
    """
    leading = leading_of(rows)
    starts: list[bool] = []
    right = _right_edges(rows)
    first_in_block: Row | None = None
    single = False
    above = before
    for n, row in enumerate(rows):
        if above is None:
            start = True
        elif tabular[n]:
            start = bool(row.gaps) or not tabular[n - 1] or row.base - above.base > 1.1 * leading * row.size
        elif (
            n == 0
            or (n and tabular[n - 1])
            or row.base <= above.base
            or row.x0 > above.x1
            or row.x1 < above.x0
        ):
            start = not _continues(above, row) or (n > 0 and tabular[n - 1])
        else:
            start = _starts(above, row, leading, right[n - 1], first_in_block if single else None)
        single = start
        if start:
            first_in_block = row
        starts.append(start)
        above = row
    return starts


def _continues(above: Row, row: Row) -> bool:
    if abs(above.size - row.size) > 0.08 * row.size or above.bold != row.bold:
        return False
    if above.text.endswith(SOFT_HYPHEN):
        return True
    return not _is_closed(above.text) and (row.text[:1].islower() or above.text[-1:] in ",-")


def _starts(above: Row, row: Row, leading: float, right: float, opener: Row | None) -> bool:
    """Tell whether `row` begins a block. `opener` is `above` when that one began its block."""
    size = row.size
    if above.text.endswith(SOFT_HYPHEN):
        return False
    if row.base - above.base > _WIDER * leading * max(size, above.size) + 0.5:
        return True
    gap = right - above.x1
    short = gap > 3 * size and gap > _first_word(row)
    closed = _is_closed(above.text)
    other = abs(above.size - size) / size
    if other > _OTHER_SIZE or row.turn != above.turn or (above.bold and not row.bold):
        return True
    # A word of another font in the middle of a sentence may make a whole line bold, or a line a little larger.
    if (short or closed) and (other > _LITTLE_LARGER or row.bold != above.bold):
        return True
    text = row.text
    head = text[:7]
    plain = head[0].islower() and head[1:2] != " " and ")" not in head and "." not in head
    if not plain and (_BULLET.match(text) or _CAPTION.match(text)):
        return True
    shift = row.x0 - above.x0
    if not plain and _NUMBERED.match(text) and (closed or short or abs(shift) > 0.3 * size):
        return True
    if shift > _INDENT * size:
        return short or (closed and opener is None)
    if shift < -_INDENT * size:
        return opener is None or short
    return short and (closed or right - above.x1 > 0.25 * (right - above.x0))


def _is_closed(text: str) -> bool:
    """Tell whether a text ends as a sentence or clause does."""
    return text.rstrip(_CLOSING)[-1:] in _ENDS


def _first_word(row: Row) -> float:
    text = row.text
    word = text.find(" ")
    return (row.x1 - row.x0) * (word if word > 0 else len(text)) / max(len(text), 1)


def _right_edges(rows: Sequence[Row]) -> list[float]:
    """Return for each row the right edge of the text that it stands in.

    Within a stretch that runs down the page this is the nearest edge at which several rows end, as justified rows do,
    else the furthest that a row near by reaches. (A stretch may hold a title over the first of two columns.)
    """
    edges: list[float] = []
    begin = 0
    for n in range(1, len(rows) + 1):
        if n < len(rows):
            above, row = rows[n - 1], rows[n]
            if row.base > above.base and row.x0 <= above.x1 and row.x1 >= above.x0:
                continue
        stretch = [row.x1 for row in rows[begin:n]]
        shared = _shared_edges(stretch)
        for i, x1 in enumerate(stretch):
            at = bisect_left(shared, x1 - 1.5)
            if at == len(shared):
                edges.append(max(stretch[max(0, i - _NEAR_ROWS) : i + _NEAR_ROWS + 1]))
            else:
                edge = shared[at]
                edges.append(edge if edge > x1 else x1)
        begin = n
    return edges


def _shared_edges(ends: Sequence[float]) -> list[float]:
    """Return the right edges, rising, at which several rows end."""
    counts: dict[int, int] = {}
    for x1 in ends:
        key = round(x1)
        counts[key] = counts.get(key, 0) + 1
    least = max(3, len(ends) // 8)
    return sorted(
        float(k) for k in counts if counts[k] + counts.get(k + 1, 0) + counts.get(k - 1, 0) >= least
    )
