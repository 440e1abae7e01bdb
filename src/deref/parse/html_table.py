"""Tables of HTML: which of them hold data, and where the cells of a row stand.

A table of data becomes one line a row, cells parted by a tab. A cell that spans columns or rows leaves its further
places empty, so that the n-th cell of every row is of the n-th column. Tables that only lay out a page are read
as blocks: those with tables, headings or a single column inside, and those with long text and no header.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

CELLS = "\t"
_LONG_CELL = 400
_WIDEST_SPAN = 100
_SPAN_DIGITS = 9
_MOST_COLUMNS = 1_000
"""Spans reach no further: rows that push each other aside would grow without end."""


class Shape(Enum):
    """DATA: one line a row. ROWS: each row is a paragraph. FLOW: cells are blocks like any other."""

    DATA = "data"
    ROWS = "rows"
    FLOW = "flow"


def shape_of(table: Any) -> Shape:
    """Return how a table is to be read."""
    inside = {element.tag for element in table.iterdescendants() if isinstance(element.tag, str)}
    if table.get("role") in ("presentation", "none") or inside & {"table", "h1", "h2", "h3", "h4"}:
        return Shape.FLOW
    if inside & {"th", "caption"}:
        return Shape.DATA
    rows = [[c for c in row if c.tag in ("td", "th")] for row in table.iter("tr")]
    if max((len(row) for row in rows), default=0) < 2:
        return Shape.FLOW
    longest = max((sum(map(len, cell.itertext())) for row in rows for cell in row), default=0)
    return Shape.ROWS if longest > _LONG_CELL else Shape.DATA


@dataclass(slots=True)
class Grid:
    """Where the next cell of a table of data goes."""

    first_line: int | None = None
    _spans: dict[int, int] = field(default_factory=dict)
    _column: int = 0
    _heads: int = 0
    _cells: int = 0
    _pending: int = 0

    def begin_row(self) -> None:
        """Begin a row."""
        self._column = self._heads = self._cells = 0

    def begin_cell(self, cell: Any) -> int:
        """Return the number of cell borders to write before this cell."""
        borders = 1 if self._column else 0
        borders += self._skip_spanned()
        width, height = _span(cell, "colspan"), _span(cell, "rowspan")
        width = max(1, min(width, _MOST_COLUMNS - self._column))
        for column in range(self._column, self._column + width):
            if height > 1:
                self._spans[column] = height - 1
        self._cells += 1
        self._heads += cell.tag == "th"
        self._pending = width - 1
        self._column += 1
        return borders

    def end_cell(self) -> int:
        """Return the number of cell borders to write after this cell, for the columns it also covers."""
        extra, self._pending = self._pending, 0
        self._column += extra
        return extra

    def is_header(self, row: Any) -> bool:
        """Tell whether the row that ends here is a header row."""
        parent = row.getparent()
        in_head = parent is not None and parent.tag == "thead"
        return bool(self._cells) and (in_head or self._heads == self._cells)

    def _skip_spanned(self) -> int:
        skipped = 0
        while self._spans.get(self._column):
            self._spans[self._column] -= 1
            self._column += 1
            skipped += 1
        return skipped


def _span(cell: Any, name: str) -> int:
    value = cell.get(name, "1").strip()
    if not (value.isascii() and value.isdigit()):
        return 1
    return max(1, min(int(value[:_SPAN_DIGITS]), _WIDEST_SPAN))
