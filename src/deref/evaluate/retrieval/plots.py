"""Recall against tokens, a line an arm: as PNG, and in plain characters for a terminal.

A point of a line is a depth: the mean tokens of the first so many passages of the final list, and the share of rows that
they meet (of pairs: that have both). The curve that stands higher at the same tokens is the better recipe, which a table of
recall by depth does not show. matplotlib comes with the extra `plots`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO

from deref.errors import UsageError
from deref.evaluate.retrieval.metrics import met
from deref.evaluate.retrieval.outcome import Outcome

Curve = Sequence[tuple[float, float]]
"""(mean tokens, share of rows met) for each depth from 1 on."""

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333")
_MARKS = "ox+*#@%&ABCDEFGHIJKLMNPQRSTUVWYZ"
_DASHES = ("-", (0, (5, 2)), (0, (1.2, 1.6)), (0, (4, 1.5, 1, 1.5)))


def curves(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, Curve]:
    """Return the curve of each arm. A row whose list is shorter keeps its last point: more passages were not there."""
    return {name: _curve(rows) for name, rows in outcomes.items() if rows}


def _curve(rows: Sequence[Outcome]) -> Curve:
    deepest = max((len(o.costs) for o in rows), default=0)
    return [
        (
            sum(sum(o.costs[:depth]) for o in rows) / len(rows),
            sum(met(o.final.ranked, depth) for o in rows) / len(rows),
        )
        for depth in range(1, deepest + 1)
    ]


def require_matplotlib() -> None:
    """Raise UsageError when matplotlib is not installed. Loads nothing."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            "a plot needs matplotlib, which is not installed: pip install matplotlib; the table is told without it"
        )


def picture(drawn: Mapping[str, Curve]) -> bytes:
    """Return the curves as PNG. Raises UsageError when matplotlib is not installed."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.8), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for n, (name, curve) in enumerate(drawn.items()):
        axes.plot(
            [x for x, _ in curve], [y for _, y in curve],
            color=_COLOURS[n % len(_COLOURS)], linestyle=_DASHES[n // len(_COLOURS) % len(_DASHES)],
            marker="o", markersize=3, linewidth=1.5, label=name,
        )  # fmt: skip
    axes.set_xlabel("tokens handed on, mean of the questions")
    axes.set_ylabel("share of questions met")
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    axes.grid(color="#DDDDDD", linewidth=0.6)
    figure.legend(frameon=False, loc="outside right upper", handlelength=4)
    out = BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def sketch(drawn: Mapping[str, Curve], *, width: int = 64, height: int = 15) -> str:
    """Return the curves in plain characters, `width` by `height`, a mark an arm; the first arm is drawn on top."""
    points = [p for curve in drawn.values() for p in curve]
    if not points:
        return ""
    most = _rounded_up(max(x for x, _ in points))
    grid = [[" "] * width for _ in range(height)]
    for n, curve in reversed(list(enumerate(drawn.values()))):
        for x, y in curve:
            column = min(int(x / most * (width - 1) + 0.5), width - 1)
            row = min(int((1 - y) * (height - 1) + 0.5), height - 1)
            grid[row][column] = _MARKS[n % len(_MARKS)]
    lines = [f"{_tick(row, height):>5} |{''.join(cells).rstrip()}" for row, cells in enumerate(grid)]
    lines.append(f"      +{'-' * width}")
    lines.append(f"       0{f'{most:.0f} tokens':>{width - 1}}")
    lines += [f"       {_MARKS[n % len(_MARKS)]} {name}" for n, name in enumerate(drawn)]
    return "\n".join(lines) + "\n"


def _tick(row: int, height: int) -> str:
    share = 1 - row / (height - 1)
    return f"{share:.2f}" if row in (0, height // 2, height - 1) else ""


def _rounded_up(value: float) -> float:
    """Return the next number of one or two digits and zeros; 1 for nothing."""
    if value <= 0:
        return 1.0
    step = 10.0 ** max(math.floor(math.log10(value)) - 1, 0)
    return math.ceil(value / step) * step
