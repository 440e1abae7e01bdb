"""Where things stand: boxes, lines, spans, points.

Units, everywhere in Deref: line numbers are 0-based over the whole document and spans half-open; pages are
1-based as counted in the file; rows in a page are 1-based; boxes are PDF points, origin top left, y downwards;
characters are code points in the verbatim text of one line.
"""

from __future__ import annotations

from deref.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle on a page, in PDF points, origin top left, y downwards."""

    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A box and the 1-based page it lies on."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a document, as it is shown to people.

    `n` is its 0-based number in the document; `page` and `row` are 1-based; `row` counts every row of the page,
    also those that are not in the flow (running heads, page numbers, blank rows). `text` is verbatim.
    `box` and `size_pt` (the font size, in points) are None where the format has none.
    `starts_block` is True where a paragraph, heading, list item, table row or caption begins.
    """

    doc: str
    n: int
    page: int
    row: int
    text: str
    box: Box | None = None
    size_pt: float | None = None
    starts_block: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """Lines `start` to `end` (half-open, 0-based) of the document with id `doc`."""

    doc: str
    start: int
    end: int

    def __len__(self) -> int:
        """Return the number of lines."""
        return max(0, self.end - self.start)

    def __contains__(self, line: int) -> bool:
        """Tell whether a 0-based line number lies in the span."""
        return self.start <= line < self.end


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Point:
    """Characters `char_start` to `char_end` (half-open) from line `line` of document `doc`.

    Where the text runs over the end of its line, `end_line` is the line on which `char_end` counts;
    otherwise it is None and both counts are of `line`.
    """

    doc: str
    line: int
    char_start: int
    char_end: int
    end_line: int | None = None

    @property
    def begins(self) -> tuple[str, int, int]:
        """Document, 0-based line and character at which the text begins: what tells two pointers apart."""
        return (self.doc, self.line, self.char_start)

    @property
    def last_line(self) -> int:
        """The 0-based line on which the text ends."""
        return self.line if self.end_line is None else self.end_line

    def overlaps(self, other: Point) -> bool:
        """Tell whether two points of one document share a character."""
        return (self.line, self.char_start) < (other.last_line, other.char_end) and (
            other.line, other.char_start,
        ) < (self.last_line, self.char_end)  # fmt: skip
