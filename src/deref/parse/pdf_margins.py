"""Line numbers in the margin: a column of rising integers beside all text of a page.

They are told from the first column of a table by what they cover: twenty or more numbers with one step, outside the
text, beside nearly every row of the page. A few are enough where they are set in a type far smaller than the text and
nothing at all stands as far out: a page that holds a figure has few lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter
from statistics import median

from deref.parse.pdf_runs import Run

_LEAST = 20
_FEWEST = 3
_TINY = 0.65
_NEAR = 2.0
_OUTSIDE = 5  # rows of running heads and the like that may stand above or beside them


def without_line_numbers(text: str, runs: list[Run]) -> list[Run]:
    """Return the runs without line numbers; the same list when there are none."""
    numbers = [
        r for r in runs if r.end - r.start <= 6 and r.turn == 0 and text[r.start : r.end].strip().isdecimal()
    ]
    if len(numbers) < _FEWEST:
        return runs
    for column in sorted([*_columns(numbers, "x0"), *_columns(numbers, "x1")], key=len, reverse=True):
        if _is_numbering(text, column, runs):
            gone = set(column)
            return [run for run in runs if run not in gone]
    return runs


def _columns(numbers: Sequence[Run], edge: str) -> list[list[Run]]:
    """Return the runs that share a left ("x0") or right ("x1") edge, but for the width of a digit's margins."""
    columns: list[list[Run]] = []
    last = float("-inf")
    for run in sorted(numbers, key=attrgetter(edge)):
        here = getattr(run, edge)
        if here - last > _NEAR:
            columns.append([])
        columns[-1].append(run)
        last = here
    return columns


def _is_numbering(text: str, column: Sequence[Run], runs: Sequence[Run]) -> bool:
    if len(column) < _FEWEST:
        return False
    column = sorted(column, key=lambda r: r.base)
    values = [int(text[r.start : r.end]) for r in column]
    steps = {b - a for a, b in pairwise(values)}
    if len(steps) != 1:
        return False
    step = steps.pop()
    if step not in (1, 2, 5, 10):
        return False
    members = set(column)
    others = [r for r in runs if r not in members and r.turn == 0]
    left, right = min(r.x0 for r in column), max(r.x1 for r in column)
    beyond = min(sum(r.x0 < right for r in others), sum(r.x1 > left for r in others))
    if beyond == 0 and others and max(r.size for r in column) <= _TINY * median(r.size for r in others):
        return True
    if len(column) < _LEAST // 4 or len(column) * step < _LEAST:
        return False
    bases = {round(r.base) for r in others}
    within = {b for b in bases if column[0].base - 2 <= b <= column[-1].base + 2}
    return beyond <= _OUTSIDE and len(bases) - len(within) <= _OUTSIDE + step and bool(within)
