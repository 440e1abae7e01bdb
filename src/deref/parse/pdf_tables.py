"""Rows in reading order → the runs of rows that are tables, ruled or not.

1. A row with cells has gaps between them, or is a row of figures set so wide that there must be columns.
2. Such rows form a table when they follow each other down the page and a cell stands under a cell: left edges meet,
   or right edges or centres of narrow cells. (In justified prose, the right edges of all lines meet.)
3. Other rows belong to it when they stand between and fit into one of its columns, as further lines of a cell do, or
   are few and short. A row is a part of it, too, when it stands beside the one before, as half of a header does.
4. Rows right above that fit in the same way head it; rows right below that fit into a column end it.
5. What looks like it and is none: contents with page numbers, code, numbered lists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from deref.parse.pdf_rows import Row

_NEAR = 3.0  # points: as exactly as cells stand under each other
_FAR_ROW = 4.0  # in font sizes: the widest step between two rows of a table
_LINE = 1.3  # in font sizes
_LOOSE_ROWS = 6
_LONGEST_CELLS = 60
_HEADER_ROWS = 3
_WIDE = 1.22
_FIGURE = re.compile(r"(?<![^\W\d_])\d")
_NUMBER = re.compile(r"^[-+−–~<>≈$€£(]*\d[\d.,/:%]*\S{0,4}$|^[-–—]$")
_NO_HEADER = re.compile(r"[.;:]$|^(?:Table|Figure|Exhibit)\b", re.IGNORECASE)
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
    widths = [(row.x1 - row.x0) / (len(row.text) * row.size or 1.0) for row in rows]
    wide = _WIDE * (sorted(widths)[len(widths) // 2] if widths else 0.5)
    found: list[TableRows] = []
    run: list[int] = []
    left = right = 0.0
    for n, row in enumerate(rows):
        if row.gaps:
            fits = _has_cells(row)
        else:
            fits = (widths[n] > wide and _is_spread(row)) or (
                run != [] and n == run[-1] + 1 and _fills(row, rows[n - 1])
            )
        if not fits or row.turn:
            continue
        if run and _goes_on(rows, run, n, left, right):
            left, right = min(left, row.x0), max(right, row.x1)
        else:
            found += _table(rows, run, found, wide)
            run, left, right = [], row.x0, row.x1
        run.append(n)
    return found + _table(rows, run, found, wide)


def _is_set_wide(row: Row, wide: float) -> bool:
    return len(row.text) > 3 and row.x1 - row.x0 > wide * len(row.text) * row.size


def _is_spread(row: Row) -> bool:
    """Tell whether a row without gaps that is set wide is one of figures."""
    words = row.text.split()
    figures = sum(bool(_NUMBER.match(word)) for word in words)
    return figures >= 3 and 2 * figures >= len(words)


def _fills(row: Row, above: Row) -> bool:
    """Tell whether a row without gaps starts and ends as the table row above it does and ends in figures."""
    if abs(row.x1 - above.x1) > _NEAR or abs(row.x0 - above.x0) > _NEAR:
        return False
    return all(_NUMBER.match(word) for word in row.text.split()[-2:])


def _has_cells(row: Row) -> bool:
    if _LEADERS.search(row.text):
        return False
    cells = row.cells()
    return not (len(cells) == 2 and _ITEM.match(cells[0]) and row.gaps[0].right - row.x0 < 5 * row.size)


def _goes_on(rows: Sequence[Row], run: Sequence[int], n: int, left: float, right: float) -> bool:
    """Tell whether row n belongs to the table of the rows `run`, which lie between x `left` and `right`."""
    last = run[-1]
    above, row = rows[last], rows[n]
    size = max(row.size, above.size)
    if row.base < above.base - size:
        return False
    left, right = min(left, row.x0) - _NEAR, max(right, row.x1) + _NEAR
    columns = [rows[m] for m in run[-4:]]
    loose = [r for r in rows[last + 1 : n] if not any(_fits_column(r, c) for c in columns)]
    if len(loose) > _LOOSE_ROWS or n - last > _LONGEST_CELLS:
        return False
    if any(r.turn or r.x0 < left or r.x1 > right or r.x1 - r.x0 > 0.7 * (right - left) for r in loose):
        return False
    if n - last - 1 == len(loose) and row.base - above.base > (_FAR_ROW + _LINE * len(loose)) * size:
        return False
    if row.x0 > above.x1 or row.x1 < above.x0:
        return abs(row.base - above.base) < _LINE * size
    return any(_is_under(c, row) for c in columns) or (not loose and _shares_gap(above, row))


def _shares_gap(above: Row, row: Row) -> bool:
    """Tell whether the row starts where the one right above does and has a gap under one of its gaps."""
    if abs(row.x0 - above.x0) > _NEAR or row.base - above.base > 2 * row.size:
        return False
    return any(min(a.right, b.right) - max(a.left, b.left) >= row.size for a in above.gaps for b in row.gaps)


def _fits_column(row: Row, table_row: Row) -> bool:
    """Tell whether a row starts where a cell of the table row does and ends before its next cell."""
    lefts = [table_row.x0, *(gap.right for gap in table_row.gaps)]
    ends = [*lefts[1:], table_row.x1 + 0.2 * (table_row.x1 - table_row.x0)]
    narrow = row.x1 - row.x0 < 0.7 * (table_row.x1 - table_row.x0)
    narrow = narrow or row.x0 > table_row.x0 + _NEAR
    return narrow and any(
        abs(row.x0 - left) < _NEAR and row.x1 < end for left, end in zip(lefts, ends, strict=True)
    )


def _edges(row: Row) -> list[tuple[float, float]]:
    lefts = [row.x0, *(gap.right for gap in row.gaps)]
    rights = [*(gap.left for gap in row.gaps), row.x1]
    return list(zip(lefts, rights, strict=True))


def _is_under(above: Row, row: Row) -> bool:
    """Tell whether a cell of the row, other than the first of both, stands under a cell of the row above."""
    upper, lower = _edges(above), _edges(row)
    if len(upper) == 1 or len(lower) == 1:
        return any(abs(c - a) < _NEAR or abs(d - b) < _NEAR for a, b in upper for c, d in lower)
    narrow = 0.4 * min(above.x1 - above.x0, row.x1 - row.x0)
    for a, b in upper[1:]:
        for c, d in lower[1:]:
            meet = abs(d - b) < _NEAR or abs(c + d - a - b) < 2 * _NEAR
            if abs(c - a) < _NEAR or (meet and b - a < narrow and d - c < narrow):
                return True
    return False


def _table(
    rows: Sequence[Row], run: Sequence[int], before: Sequence[TableRows], wide: float
) -> list[TableRows]:
    if len(run) < 2:
        return []
    start, end = run[0], run[-1] + 1
    cells = [rows[n].cells() for n in run]
    if _is_contents(cells) or _is_marked_lines(cells) or _is_code(rows[start:end]):
        return []
    if len(run) < 3 and sum(bool(_FIGURE.search(c)) for row in cells for c in row) < 2:
        return []
    columns = [rows[n] for n in run[-4:]]
    while end < len(rows) and _ends(rows[end], rows[end - 1], rows[start], columns):
        end += 1
    floor = before[-1].end if before else 0
    top = start
    left, right = min(rows[n].x0 for n in run), max(rows[n].x1 for n in run)
    while top > max(floor, start - _HEADER_ROWS) and _heads(rows[top - 1], rows[top], left, right, wide):
        top -= 1
    header = _header(rows, top, start, end)
    return [] if header == 0 and _is_definitions(cells, end - start) else [TableRows(top, end, header)]


def _ends(row: Row, above: Row, first: Row, columns: Sequence[Row]) -> bool:
    """Tell whether a row is a further line of a cell in the last rows of the table."""
    near = row.base - above.base < 1.5 * row.size and row.base > first.base
    return near and row.turn == 0 and any(_fits_column(row, c) for c in columns)


def _heads(row: Row, below: Row, left: float, right: float, wide: float) -> bool:
    """Tell whether a row is a part of the header over the table's first row."""
    spread = bool(row.gaps) or _is_set_wide(row, wide)
    near = 0 < below.base - row.base < (2.2 if spread else 1.5) * max(row.size, below.size)
    slack = 0.15 * (right - left) if spread else _NEAR
    within = row.x0 >= left - slack and row.x1 <= right + slack
    fits = spread or row.x1 - row.x0 < 0.6 * (right - left)
    return near and within and fits and not row.turn and not _NO_HEADER.search(row.text)


def _is_marked_lines(cells: Sequence[Sequence[str]]) -> bool:
    """Tell whether all rows end with one and the same word, as "[Function]" after definitions."""
    return len({row[-1] for row in cells}) == 1 and all(len(row) == 2 for row in cells)


def _is_contents(cells: Sequence[Sequence[str]]) -> bool:
    last = [row[-1] for row in cells]
    if sum(bool(_PAGE.match(c)) for c in last) < 0.8 * len(last) or any(len(row) > 3 for row in cells):
        return False
    numbers = [int(c) for c in last if c.isdigit()]
    return len(numbers) >= 2 and all(a <= b for a, b in pairwise(numbers))


_CODE = re.compile(r"[{};,]\s*$|^\S+ =\s|^\s*(?:#|//|\$ |>>> )|</?\w+[^>]*>$|^\\\w+")


def _is_definitions(cells: Sequence[Sequence[str]], rows: int) -> bool:
    """Tell whether the rows are a list of terms, each with sentences beside it that run over several lines."""
    return (
        all(len(row) == 2 for row in cells)
        and rows >= 2 * len(cells)
        and sum(len(row[1]) for row in cells) >= 35 * len(cells)
    )


def _is_code(rows: Sequence[Row]) -> bool:
    return sum(bool(_CODE.search(row.text)) for row in rows) > 0.4 * len(rows)


def _header(rows: Sequence[Row], top: int, start: int, end: int) -> int:
    """Return how many rows head the table: bold ones over plain ones, or wordy ones over rows with figures."""
    bold = top
    while bold < end and rows[bold].bold:
        bold += 1
    if top < bold < end and bold - top <= _HEADER_ROWS + 1:
        return bold - top
    figures = [_ends_in_figures(row) for row in rows[top:end]]
    first = next((n for n, has in enumerate(figures) if has), len(figures))
    if 0 < first <= _HEADER_ROWS + 1 and 2 * sum(figures[first:]) >= len(figures) - first >= 2:
        return first
    return min(start - top, first)


def _ends_in_figures(row: Row) -> bool:
    words = row.text.split()[1:]
    return bool(words) and (bool(_NUMBER.match(words[-1])) or sum(bool(_NUMBER.match(w)) for w in words) >= 2)
