"""How the lines look: cheap facts that several passes ask for, computed once.

`body` is the font size that most characters of paragraphs have; a line is large when it is at least 7 % over it. In plain text the
indent plays that part: where most lines are indented, a line that is not stands out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from deref.text.clean import fold_spaces
from deref.values import Line, Mark, MarkKind, Parsed

_LARGE = 1.07


class Look:
    """Facts about the lines of one file. `texts[n]` is line n without outer or odd spaces."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.lines: Sequence[Line] = parsed.lines
        self.texts: list[str] = [fold_spaces(line.text).strip() for line in parsed.lines]
        self.bold = lines_of(parsed.marks, MarkKind.BOLD)
        self.body: float | None = self._body_size()
        self.has_sizes = self.body is not None
        self.trusted = any(m.kind == MarkKind.HEADING and not m.from_outline for m in parsed.marks)

    def _body_size(self) -> float | None:
        """The size that most text inside paragraphs has; of all text where there are none."""
        tabular = self.tabular
        within = (line for line in self.lines if not line.starts_block and line.n not in tabular)
        sizes = _characters_by_size(within) or _characters_by_size(self.lines)
        return max(sizes, key=sizes.__getitem__) if sizes else None

    @cached_property
    def blocked(self) -> frozenset[int]:
        """Lines that no heading stands on: tables, rows, code, contents, captions, footnotes, bibliography."""
        kinds = (
            MarkKind.TABLE,
            MarkKind.ROW,
            MarkKind.CODE,
            MarkKind.CONTENTS,
            MarkKind.CAPTION,
            MarkKind.FOOTNOTE,
            MarkKind.BIBLIOGRAPHY,
        )
        return frozenset().union(*(lines_of(self.parsed.marks, kind) for kind in kinds))

    @cached_property
    def tabular(self) -> frozenset[int]:
        """Lines that the parser calls rows of a table."""
        return lines_of(self.parsed.marks, MarkKind.TABLE) | lines_of(self.parsed.marks, MarkKind.ROW)

    @cached_property
    def guessed_rows(self) -> frozenset[int]:
        """Rows in print: no word of the file's but a guess of the parser's, which justified clauses can deceive."""
        if not self.has_sizes:
            return frozenset()
        kinds = (MarkKind.CODE, MarkKind.CONTENTS, MarkKind.FOOTNOTE, MarkKind.BIBLIOGRAPHY, MarkKind.CAPTION)
        return self.tabular.difference(*(lines_of(self.parsed.marks, kind) for kind in kinds))

    @cached_property
    def header_rows(self) -> frozenset[int]:
        """Lines of rows that the parser calls header rows."""
        marks = self.parsed.marks
        return frozenset(
            n for m in marks if m.kind == MarkKind.ROW and m.label == "header" for n in range(m.start, m.end)
        )

    @cached_property
    def inner_rows(self) -> frozenset[int]:
        """Lines inside a row that are not its first."""
        return frozenset(
            n for m in self.parsed.marks if m.kind == MarkKind.ROW for n in range(m.start + 1, m.end)
        )

    @cached_property
    def indented(self) -> bool:
        """Whether most lines of a file without boxes start with two spaces or more (the RFC form)."""
        if self.has_sizes or not self.lines:
            return False
        return sum(line.text.startswith("  ") for line in self.lines) > 0.6 * len(self.lines)

    @cached_property
    def margins(self) -> frozenset[int]:
        """The left edges that many lines share, in whole points."""
        edges = Counter(round(line.box.x0) for line in self.lines if line.box is not None)
        least = max(3, len(self.lines) // 50)
        common = {edge for edge, times in edges.most_common(6) if times >= least}
        return frozenset(edge + off for edge in common for off in (-1, 0, 1, 2))

    @cached_property
    def width(self) -> float:
        """The width of a full line, in points; 0 where there are no boxes."""
        widths = sorted(line.box.x1 - line.box.x0 for line in self.lines if line.box is not None)
        return widths[int(len(widths) * 0.85)] if widths else 0.0

    @cached_property
    def blocks(self) -> bool:
        """Whether the parser tells where blocks start at all."""
        return sum(line.starts_block for line in self.lines[:400]) > min(len(self.lines), 400) // 50

    def large(self, n: int) -> bool:
        """Whether line n is set clearly larger than the body."""
        size = self.lines[n].size_pt
        return size is not None and self.body is not None and size >= self.body * _LARGE

    def small(self, n: int) -> bool:
        """Whether line n is set clearly smaller than the body."""
        size = self.lines[n].size_pt
        return size is not None and self.body is not None and size <= self.body / _LARGE

    def style(self, n: int) -> tuple[float, bool, bool]:
        """Size to half a point, bold, capitals: what makes two headings look alike."""
        text = self.texts[n]
        return (round((self.lines[n].size_pt or 0.0) * 2) / 2, n in self.bold, text.isupper())

    def alike(self, a: int, b: int) -> bool:
        """Whether two lines have one size and weight."""
        size_a, size_b = self.lines[a].size_pt, self.lines[b].size_pt
        same = size_a is None or size_b is None or abs(size_a - size_b) < 0.6
        return same and (a in self.bold) == (b in self.bold)

    def starts(self, n: int) -> bool:
        """Whether line n starts a block, or follows a line that ends like one where the parser knows no blocks."""
        if n == 0 or self.lines[n].starts_block or self.lines[n].page != self.lines[n - 1].page:
            return True
        before = self.texts[n - 1]
        return not before or before[-1] in ".;:,—–" or before.endswith((" and", " or"))


def lines_of(marks: Iterable[Mark], kind: MarkKind) -> frozenset[int]:
    """Return the lines that marks of this kind cover."""
    return frozenset(n for m in marks if m.kind == kind for n in range(m.start, m.end))


def marks_of(marks: Sequence[Mark], kind: MarkKind) -> list[Mark]:
    """Return the marks of a kind, in order of lines."""
    return sorted((m for m in marks if m.kind == kind), key=lambda m: (m.start, -m.end))


def _characters_by_size(lines: Iterable[Line]) -> dict[float, int]:
    """Return how many characters the lines of each size hold."""
    held: dict[float, int] = {}
    for line in lines:
        if (size := line.size_pt) is not None:
            held[size] = held.get(size, 0) + len(line.text)
    return held
