"""Runs of one page → rows, as a reader sees them.

1. A run joins the row before it in the file when it stands on the same baseline, wherever in x; so the cells of a
   table row become one row. A smaller run that touches the row and overlaps it in height is a sub- or superscript.
2. A row that the file draws later, on the baseline of an earlier one, is put into it when it is a cell: short, and
   alone, or one of a stack of figures that each have their row. (Two columns of prose share baselines too.)
3. The text of a row is that of its runs by x, with a space where pdfium puts one or where the gap is as wide as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from deref.parse.pdf_runs import Run

SOFT_HYPHEN = "\ufffe"
_CELL_GAP = 1.2  # in font sizes: wider than any space of justified prose
_SPACE_GAP = 0.2
_RAISED = 0.35  # an asterisk or a logo letter off the baseline; the next line is never as near
_SAME_BASE = 0.15
_SHORT_CELL = 40
_FAR_CELL = 8


class Gap(NamedTuple):
    """A gap between cells: the text after it starts at `at`; it lies between x `left` and `right`."""

    at: int
    left: float
    right: float


class Row:
    """A row that is being built. Coordinates are those of layout space; `base` and `size` of its largest run.

    `pieces` are (text offset, run) by x; `gaps` the gaps between its cells, from left to right.
    """

    __slots__ = (
        "base",
        "bold",
        "bottom",
        "gaps",
        "pieces",
        "runs",
        "size",
        "text",
        "top",
        "turn",
        "x0",
        "x1",
    )

    def __init__(self, run: Run) -> None:
        self.runs = [run]
        self.x0, self.top, self.x1, self.bottom = run.x0, run.top, run.x1, run.bottom
        self.base, self.size, self.turn = run.base, run.size or 1.0, run.turn
        self.text = ""
        self.pieces: Sequence[tuple[int, Run]] = ()
        self.gaps: Sequence[Gap] = ()
        self.bold = False

    def add(self, run: Run) -> None:
        """Take in a run."""
        self.runs.append(run)
        if run.x0 < self.x0:
            self.x0 = run.x0
        if run.x1 > self.x1:
            self.x1 = run.x1
        if run.top < self.top:
            self.top = run.top
        if run.bottom > self.bottom:
            self.bottom = run.bottom
        if run.size > self.size * 1.1:
            self.base, self.size = run.base, run.size

    def cells(self) -> list[str]:
        """Return the texts of its cells, from left to right."""
        stops = [0, *(gap.at for gap in self.gaps), len(self.text)]
        return [self.text[a:b].strip() for a, b in pairwise(stops)]


def rows_of(text: str, runs: Sequence[Run]) -> list[Row]:
    """Return the rows of a page in the order of the file."""
    rows: list[Row] = []
    row: Row | None = None
    for run in runs:
        if row is not None and _joins(row, run):
            row.add(run)
        else:
            row = Row(run)
            rows.append(row)
    for row in rows:
        spell(row, text)
    rows = [row for row in rows if row.text]
    falling = all(above.base < row.base for above, row in pairwise(rows))
    return rows if falling else _with_late_cells(rows, text)


def _joins(row: Row, run: Run) -> bool:
    if run.turn != row.turn:
        return False
    size = row.size
    if run.turn:
        return _joins_turned(row, run)
    off = run.base - row.base
    if abs(off) <= _SAME_BASE * size:
        if run.x0 >= row.x1 - 0.5 * size or run.x1 <= row.x0 + 0.5 * size:
            return True
        return not any(run.x0 < r.x1 - 0.5 * size and r.x0 < run.x1 - 0.5 * size for r in row.runs)
    if abs(off) <= _RAISED * size and -0.5 * size < run.x0 - row.x1 < size:
        return True
    if run.size < 0.9 * size:
        return -0.8 * size < off < 0.5 * size and -0.5 * size < run.x0 - row.x1 < size
    if run.size > 1.1 * size:
        return -0.5 * run.size < off < 0.8 * run.size and -0.5 * size < run.x0 - row.x1 < size
    return False


def _joins_turned(row: Row, run: Run) -> bool:
    size = row.size
    if run.turn < 0:
        return max(run.x0 - row.x1, row.x0 - run.x1, run.top - row.bottom, row.top - run.bottom) < size
    if run.turn == 2:
        return abs(run.base - row.base) <= _SAME_BASE * size
    across = min(run.x1, row.x1) - max(run.x0, row.x0)
    along = max(run.top - row.bottom, row.top - run.bottom)
    return (
        across > -0.1 * size and along < 3 * size and max(run.x1, row.x1) - min(run.x0, row.x0) < 1.6 * size
    )


def spell(row: Row, text: str) -> None:
    """Set the text, the pieces and the gaps of a row from its runs."""
    runs = row.runs
    if len(runs) == 1:
        run = runs[0]
        part = text[run.start : run.end]
        body = part.strip()
        lead = part.find(body[:1]) if body else 0
        row.text = _hyphened(body)
        row.pieces = ((-lead, run),)
        return
    if row.turn == 0 and any(b.x0 < a.x0 for a, b in pairwise(runs)):
        runs.sort(key=lambda r: r.x0)
    parts: list[str] = []
    pieces: list[tuple[int, Run]] = []
    gaps: list[Gap] = []
    at = 0
    spaced = True
    before: Run | None = None
    space_gap, cell_gap = _SPACE_GAP * row.size, _CELL_GAP * row.size
    for run in runs:
        part = text[run.start : run.end]
        if not part:  # drawn, and of no character
            continue
        if before is None:
            stripped = part.lstrip()
            pieces.append((len(stripped) - len(part), run))
            part = stripped
        else:
            gap = run.x0 - before.x1
            if (
                not spaced
                and part[0] != " "
                and (
                    (gap > space_gap)
                    or (0 <= run.start - before.end < 3 and text[before.end : run.start] == " ")
                )
            ):
                parts.append(" ")
                at += 1
            pieces.append((at, run))
            if gap > cell_gap:
                gaps.append(Gap(at, before.x1, run.x0))
        parts.append(part)
        at += len(part)
        spaced = part[-1:] in (" ", "\u00a0")
        if before is None or run.x1 > before.x1 or gap > 0:
            before = run
    row.text = _hyphened("".join(parts).rstrip())
    row.pieces = pieces
    row.gaps = gaps


def _hyphened(text: str) -> str:
    if "\x02" in text or SOFT_HYPHEN in text:
        text = text.replace("\x02", SOFT_HYPHEN)
        text = text[:-1].replace(SOFT_HYPHEN, "-") + text[-1:]
    return text


def _with_late_cells(rows: list[Row], text: str) -> list[Row]:
    """Put cells that the file draws later into the rows on whose baseline they stand."""
    seen: dict[int, int] = {}
    pairs: dict[int, int] = {}
    for n, row in enumerate(rows):
        if row.turn:
            continue
        key = round(row.base)
        for near in (key, key - 1, key + 1):
            q = seen.get(near)
            if (
                q is not None
                and abs(rows[q].base - row.base) <= _SAME_BASE * row.size
                and row.x0 > rows[q].x1
            ):
                pairs[n] = q
                break
        else:
            seen[key] = n
    if not pairs:
        return rows
    taken: dict[int, int] = {}
    for stack in _stacks(rows, list(pairs)):
        short = all(len(rows[n].text) <= _SHORT_CELL for n in stack)
        if short and (_is_lone(rows, stack, pairs) or _is_figures(rows, stack, pairs)):
            taken.update((n, pairs[n]) for n in stack)
    for n in sorted(taken, key=lambda n: (taken[n], rows[n].x0)):
        target = taken[n]
        while target in taken:
            target = taken[target]
        for run in rows[n].runs:
            rows[target].add(run)
        spell(rows[target], text)
    return [row for n, row in enumerate(rows) if n not in taken]


def _stacks(rows: list[Row], late: list[int]) -> Iterator[list[int]]:
    """Yield runs of late rows that follow each other in the file, one below the other."""
    stack: list[int] = []
    for n in late:
        if stack and n == stack[-1] + 1 and _is_under(rows[n], rows[stack[-1]]):
            stack.append(n)
            continue
        if stack:
            yield stack
        stack = [n]
    if stack:
        yield stack


def _is_under(row: Row, above: Row) -> bool:
    return row.x0 < above.x1 and above.x0 < row.x1 and row.base - above.base > 0


def _is_lone(rows: list[Row], stack: list[int], pairs: dict[int, int]) -> bool:
    if len(stack) != 1:
        return False
    n, q = stack[0], pairs[stack[0]]
    row = rows[n]
    if n - q > _FAR_CELL:
        return False
    if n + 1 < len(rows) and _is_under(rows[n + 1], row) and rows[n + 1].base - row.base < 1.8 * row.size:
        return False
    between = rows[q + 1 : n]
    return all(r.base > row.base and (r.x1 < row.x0 or r.x0 > row.x1) for r in between)


def _is_figures(rows: list[Row], stack: list[int], pairs: dict[int, int]) -> bool:
    if len(stack) < 3:
        return False
    texts = [rows[n].text for n in stack]
    if any(len(t) > 14 for t in texts) or any(len(rows[pairs[n]].text) > 2 * _SHORT_CELL for n in stack):
        return False
    return sum(any(c.isdigit() for c in t) for t in texts) >= 0.6 * len(texts)
