"""Rows of one page → rows in reading order.

The order of the file is right in most files, and it alone knows that the lines of a wrapped cell belong together.
So it is kept, but for two things that geometry proves wrong:

1. Two columns of prose that the file draws line by line across: many rows with a gap at the same x, both sides
   filled lines of words. Each is cut at the gap; between two rows that cross it, the left side comes first.
2. Something drawn too late or too early (a running head last, a foot first): rows are cut into stretches that run
   down the page, and a stretch that lies wholly above another with which it shares x comes before it. What no rule
   orders stays in the order of the file.
"""

from __future__ import annotations

from bisect import bisect_left

from deref.parse.pdf_rows import Row, spell

_LEAST_ROWS = 6
_FAR_DOWN = 3.5  # in font sizes


def in_reading_order(rows: list[Row], text: str) -> list[Row]:
    """Return the rows of a page in reading order, columns that were drawn across taken apart."""
    rows = _unwoven(rows, text)
    return _sorted(rows)


def _unwoven(rows: list[Row], text: str) -> list[Row]:
    gapped = [row for row in rows if row.gaps and row.turn == 0]
    if len(gapped) < _LEAST_ROWS:
        return rows
    middle = _gutter(gapped)
    if middle is None:
        return rows
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
        elif any(gap.left < middle < gap.right for gap in row.gaps):
            one, two = _cut(row, middle, text)
            left.append(one)
            right.append(two)
        else:
            out += left + _unwoven(right, text)
            left, right = [], []
            out.append(row)
    return out + left + _unwoven(right, text)


def _gutter(gapped: list[Row]) -> float | None:
    """Return an x at which at least six rows have their gap with filled lines of prose on both sides, or None."""
    centres = sorted((gap.left + gap.right) / 2 for row in gapped for gap in row.gaps)
    best: tuple[int, float] = (0, 0.0)
    for x in (centres[len(centres) // 2], centres[len(centres) // 4], centres[3 * len(centres) // 4]):
        best = max(best, (sum(any(g.left < x < g.right for g in row.gaps) for row in gapped), x))
    count, x = best
    if count < _LEAST_ROWS:
        return None
    sides = [(row, gap) for row in gapped for gap in row.gaps[:1] if gap.left < x < gap.right]
    if len(sides) < _LEAST_ROWS:
        return None
    lefts = [(row.x0, gap.left, gap.at) for row, gap in sides]
    rights = [
        (gap.right, row.gaps[1].left if len(row.gaps) > 1 else row.x1,
         (row.gaps[1].at if len(row.gaps) > 1 else len(row.text)) - gap.at)
        for row, gap in sides
    ]  # fmt: skip
    return x if _is_prose(lefts) and _is_prose(rights) else None


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
    if not climbs:
        return rows
    order = _ordered([_bounds(block) for block in blocks])
    return rows if order is None else [row for n in order for row in blocks[n]]


def _bounds(block: list[Row]) -> tuple[float, float, float, float, bool]:
    return (
        min(row.x0 for row in block), min(row.top for row in block),
        max(row.x1 for row in block), max(row.bottom for row in block), block[0].turn == 0,
    )  # fmt: skip


def _ordered(boxes: list[tuple[float, float, float, float, bool]]) -> list[int] | None:
    """Return the order in which what is above comes first, ties in the order given; None when that is it already."""
    above: list[list[int]] = [[] for _ in boxes]
    waits = [0] * len(boxes)
    wrong = False
    for a, (ax0, a_top, ax1, a_bottom, a_upright) in enumerate(boxes):
        for b, (bx0, b_top, bx1, _, b_upright) in enumerate(boxes):
            if (
                a_bottom <= b_top + 1
                and a_top < b_top
                and ax0 < bx1
                and bx0 < ax1
                and a_upright
                and b_upright
            ):
                above[a].append(b)
                waits[b] += 1
                wrong = wrong or a > b
    if not wrong:
        return None
    ready = [n for n, count in enumerate(waits) if count == 0]
    order: list[int] = []
    while ready:
        n = ready.pop(0)
        order.append(n)
        for b in above[n]:
            waits[b] -= 1
            if waits[b] == 0:
                ready.insert(bisect_left(ready, b), b)
    return order
