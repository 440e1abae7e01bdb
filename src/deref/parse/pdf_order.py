"""Rows of one page → rows in reading order.

The order of the file is right in most files, and it alone knows that the lines of a wrapped cell belong together.
So it is kept, but for two things that geometry proves wrong:

1. Two columns of prose that the file draws line by line across: many rows with a gap at the same x, both sides
   filled lines of words. Each is cut at the gap; between two rows that cross it, the left side comes first. A row with
   more gaps than these is one of a table across both.
2. Something drawn too late or too early (a running head last, a foot first, the right column first): rows are cut
   into stretches that run down the page. A stretch that lies wholly above another comes before it when both share x
   or one of them is the edge of the page; of two tall ones side by side the left comes first. What no rule orders
   stays in the order of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import NamedTuple

from deref.parse.pdf_rows import Row, spell

_LEAST_ROWS = 6
_FAR_DOWN = 3.5  # in font sizes
_MOST_STRETCHES = 400  # a drawing with labels all over: each pair would be compared, and no order is right
_SHORT = 2  # rows of a stretch that can be a running head or foot


def in_reading_order(rows: list[Row], text: str) -> list[Row]:
    """Return the rows of a page in reading order, columns that were drawn across taken apart."""
    rows = _unwoven(rows, text)
    return _sorted(rows)


def _unwoven(rows: list[Row], text: str) -> list[Row]:
    gapped = [row for row in rows if row.gaps and row.turn == 0]
    if len(gapped) < _LEAST_ROWS:
        return rows
    gutter = _gutter(gapped)
    if gutter is None:
        return rows
    middle, gaps = gutter
    left: list[Row] = []
    right: list[Row] = []
    out: list[Row] = []
    for row in rows:
        if row.turn:
            out.append(row)
        elif row.x1 <= middle:
            left.append(row)
        elif row.x0 >= middle:
            right.append(row)
        elif len(row.gaps) <= gaps and any(gap.left < middle < gap.right for gap in row.gaps):
            one, two = _cut(row, middle, text)
            left.append(one)
            right.append(two)
        else:
            out += left + _unwoven(right, text)
            left, right = [], []
            out.append(row)
    return out + left + _unwoven(right, text)


def _gutter(gapped: list[Row]) -> tuple[float, int] | None:
    """Return the x at which at least six rows have their first gap with filled lines of prose on both sides, or None.

    The second number is how many gaps such rows usually have.
    """
    centres = sorted((row.gaps[0].left + row.gaps[0].right) / 2 for row in gapped)
    candidates = {centres[len(centres) * n // 8] for n in range(1, 8)}
    x = max(candidates, key=lambda c: (sum(r.gaps[0].left < c < r.gaps[0].right for r in gapped), c))
    across = [row for row in gapped if row.gaps[0].left < x < row.gaps[0].right]
    counts = Counter(len(row.gaps) for row in across)
    usual = counts.most_common(1)[0][0] if counts else 0
    across = [row for row in across if len(row.gaps) == usual]
    if len(across) < _LEAST_ROWS:
        return None
    lefts = [(row.x0, row.gaps[0].left, row.gaps[0].at) for row in across]
    rights = [
        (row.gaps[0].right, row.gaps[1].left, row.gaps[1].at - row.gaps[0].at)
        if usual > 1
        else (row.gaps[0].right, row.x1, len(row.text) - row.gaps[0].at)
        for row in across
    ]
    return (x, usual) if _is_prose(lefts) and _is_prose(rights) else None


def _is_prose(lines: list[tuple[float, float, int]]) -> bool:
    """Tell whether (x0, x1, characters) are lines that start at one x and mostly run to one right edge."""
    start = min(x0 for x0, _, _ in lines)
    end = max(x1 for _, x1, _ in lines)
    width = end - start
    full = sum(x1 - x0 >= 0.8 * width for x0, x1, _ in lines)
    long = sum(n for _, _, n in lines) / len(lines) >= 18
    return long and full >= 0.6 * len(lines)


def _cut(row: Row, x: float, text: str) -> tuple[Row, Row]:
    sides: list[Row] = []
    for wanted in (True, False):
        runs = [run for run in row.runs if (run.x1 <= x) is wanted]
        part = Row(runs[0])
        for run in runs[1:]:
            part.add(run)
        spell(part, text)
        sides.append(part)
    return sides[0], sides[1]


def _sorted(rows: list[Row]) -> list[Row]:
    blocks: list[list[Row]] = []
    climbs = False
    before: Row | None = None
    for row in rows:
        if before is None:
            blocks.append([row])
        else:
            step = row.base - before.base
            up = step < -0.5 * row.size
            climbs = climbs or up
            if up or step > _FAR_DOWN * row.size or row.turn != before.turn:
                blocks.append([row])
            else:
                blocks[-1].append(row)
        before = row
    if not climbs or len(blocks) > _MOST_STRETCHES:
        return rows
    order = _ordered([_bounds(block) for block in blocks])
    return rows if order is None else [row for n in order for row in blocks[n]]


class _Bounds(NamedTuple):
    """The box of a stretch of rows, how many they are, and whether they are upright."""

    x0: float
    top: float
    x1: float
    bottom: float
    rows: int
    upright: bool


def _bounds(block: list[Row]) -> _Bounds:
    return _Bounds(
        min(row.x0 for row in block),
        min(row.top for row in block),
        max(row.x1 for row in block),
        max(row.bottom for row in block),
        len(block),
        block[0].turn == 0,
    )


def _ordered(boxes: list[_Bounds]) -> list[int] | None:
    """Return the order in which what is above comes first, ties in the order given; None when that is it already."""
    after: list[list[int]] = [[] for _ in boxes]
    waits = [0] * len(boxes)
    wrong = False
    upright = [n for n, box in enumerate(boxes) if box.upright]
    edges = _edges(boxes, upright)
    for a in upright:
        for b in upright:
            if a != b and _precedes(boxes[a], boxes[b], a in edges or b in edges):
                after[a].append(b)
                waits[b] += 1
                wrong = wrong or a > b
    if not wrong:
        return None
    ready = [n for n, count in enumerate(waits) if count == 0]
    order: list[int] = []
    while ready:
        n = ready.pop(0)
        order.append(n)
        for b in after[n]:
            waits[b] -= 1
            if waits[b] == 0:
                ready.insert(bisect_left(ready, b), b)
    return order if len(order) == len(boxes) else None


def _edges(boxes: list[_Bounds], upright: list[int]) -> set[int]:
    """Return the short stretches that lie above all others or below all others."""
    edges: set[int] = set()
    for n in upright:
        box = boxes[n]
        if box.rows > _SHORT:
            continue
        others = [boxes[m] for m in upright if m != n]
        first = all(box.bottom <= other.top for other in others)
        if first or all(box.top >= other.bottom for other in others):
            edges.add(n)
    return edges


def _precedes(one: _Bounds, two: _Bounds, at_edge: bool) -> bool:
    if one.top < two.top and one.bottom <= two.top + 1:
        return at_edge or (one.x0 < two.x1 and two.x0 < one.x1)
    if one.x1 < two.x0 and min(one.rows, two.rows) >= _LEAST_ROWS:
        shared = min(one.bottom, two.bottom) - max(one.top, two.top)
        return 2 * shared > min(one.bottom - one.top, two.bottom - two.top)
    return False
