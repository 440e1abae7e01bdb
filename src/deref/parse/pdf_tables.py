"""Rows in reading order → the runs of rows that are tables, ruled or not.

A table is a run of at least two rows with gaps between cells, where the cells stand under each other: an edge or a
centre of a cell meets one of a row near by. Rows without a gap belong to it when they stand between such rows as a
part of a cell does: short, and within the width of the table. What looks like it and is none: contents with page
numbers, code, justified prose, numbered lists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from deref.parse.pdf_rows import Row

_NEAR = 3.0  # points: as exactly as cells stand under each other
_FAR_ROW = 4.0  # in font sizes: the widest step between two rows of a table
_LOOSE_ROWS = 6
_FIGURE = re.compile(r"\d")
_LEADERS = re.compile(r"(?:[.·…_]\s?){4,}")
_ITEM = re.compile(r"^(?:[•◦▪■●○▫‣∙·*–—o-]|\(?\w{1,4}[.)]|\[\w+\]|§?\d+(?:\.\d+)*\.?)$")
_PAGE = re.compile(r"^(?:\d{1,4}|[ivxlc]{1,6}|[A-Z]-?\d{1,3})$")


class TableRows(NamedTuple):
    """Rows `start`..`end` (half-open) are a table; its first `header` rows head it (0: not clear)."""

    start: int
    end: int
    header: int


def tables_of(rows: Sequence[Row]) -> list[TableRows]:
    """Return the tables among the rows of a page, in order, none within another."""
    columns = [n for n, row in enumerate(rows) if row.gaps and row.turn == 0 and _has_cells(row)]
    found: list[TableRows] = []
    run: list[int] = []
    for n in columns:
        if run and not _goes_on(rows, run[-1], n):
            found += _table(rows, run)
            run = []
        run.append(n)
    return found + _table(rows, run)


def _has_cells(row: Row) -> bool:
    if _LEADERS.search(row.text):
        return False
    cells = row.cells()
    return not (len(cells) == 2 and _ITEM.match(cells[0]) and row.gaps[0].right - row.x0 < 5 * row.size)


def _goes_on(rows: Sequence[Row], last: int, n: int) -> bool:
    """Tell whether row n belongs to the table that row `last` is of."""
    above, row = rows[last], rows[n]
    if n - last > _LOOSE_ROWS or row.base < above.base - row.size:
        return False
    left, right = min(above.x0, row.x0) - _NEAR, max(above.x1, row.x1) + _NEAR
    size = max(row.size, above.size)
    for one, two in zip(rows[last:n], rows[last + 1 : n + 1], strict=True):
        if abs(two.base - one.base) > _FAR_ROW * size:
            return False
    loose = rows[last + 1 : n]
    widest = max(gap.left - row.x0 for gap in row.gaps) if not loose else 0.7 * (right - left)
    if any(
        r.turn or r.x0 < left or r.x1 > right or r.x1 - r.x0 > max(widest, 0.7 * (right - left))
        for r in loose
    ):
        return False
    return _aligned(above, row) >= 1


def _edges(row: Row) -> list[tuple[float, float]]:
    lefts = [row.x0, *(gap.right for gap in row.gaps)]
    rights = [*(gap.left for gap in row.gaps), row.x1]
    return list(zip(lefts, rights, strict=True))


def _aligned(above: Row, row: Row) -> int:
    """Return how many cells of the row, but for the first of both, stand under a cell of the row above."""
    upper, lower = _edges(above), _edges(row)
    count = 0
    for n, (left, right) in enumerate(lower):
        for m, (a, b) in enumerate(upper):
            if n == m == 0:
                continue
            if abs(left - a) < _NEAR or abs(right - b) < _NEAR or abs(left + right - a - b) < 2 * _NEAR:
                count += 1
                break
    return count


def _table(rows: Sequence[Row], run: list[int]) -> list[TableRows]:
    if len(run) < 2:
        return []
    start, end = run[0], run[-1] + 1
    cells = [rows[n].cells() for n in run]
    if _is_contents(cells) or _is_code(rows[start:end]):
        return []
    if len(run) < 3 and sum(bool(_FIGURE.search(c)) for row in cells for c in row) < 2:
        return []
    if end - start > 2 * len(run) + 2:
        return []
    return [TableRows(start, end, _header(rows, start, end))]


def _is_contents(cells: Sequence[Sequence[str]]) -> bool:
    last = [row[-1] for row in cells]
    if sum(bool(_PAGE.match(c)) for c in last) < 0.8 * len(last) or any(len(row) > 3 for row in cells):
        return False
    numbers = [int(c) for c in last if c.isdigit()]
    return len(numbers) >= 2 and all(a <= b for a, b in pairwise(numbers))


_CODE = re.compile(r"[{};]\s*$|^\s*(?:#|//|\$ |>>> )|</?\w+[^>]*>$|^\\\w+")


def _is_code(rows: Sequence[Row]) -> bool:
    return sum(bool(_CODE.search(row.text)) for row in rows) > 0.4 * len(rows)


def _header(rows: Sequence[Row], start: int, end: int) -> int:
    """Return how many rows head the table: bold ones over plain ones, or wordy ones over rows with figures."""
    bold = start
    while bold < end and rows[bold].bold:
        bold += 1
    if start < bold < end:
        return bold - start
    body = [sum(bool(_FIGURE.search(c)) for c in row.cells()[1:]) > 0 for row in rows[start:end]]
    first = next((n for n, figures in enumerate(body) if figures), 0)
    if 0 < first <= 3 and sum(body[first:]) >= 0.7 * len(body[first:]) and len(body) - first >= 2:
        return first
    return 0
