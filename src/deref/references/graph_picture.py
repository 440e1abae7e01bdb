"""A picture of a graph of references, for people: SVG or PNG.

Places stand in two columns, on the left and right of an ellipse, each on a row of its own, so that labels never
collide; arrows run between the columns. Where the graph has sections, those of one document stand together under its
name. A document map is ordered along a spring layout (seeded), so that what belongs together stands together. Arrows
grow wider with the number of references and carry it; line styles and colours (Okabe and Ito's, told apart by
colour-blind readers too) are the statuses. Only the places and arrows with the most references are drawn; the title says how
many are left out. The same graph gives the same bytes with the same matplotlib.

matplotlib comes with the extra `plots`.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from deref.errors import UsageError
from deref.references.graph import DocumentMap, PlaceGraph, subgraph, weighed
from deref.values import Status

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES: dict[str, tuple[str, Any]] = {
    Status.RESOLVED.value: ("#0072B2", "-"),
    Status.AMBIGUOUS.value: ("#E69F00", (0, (5, 2))),
    Status.EXTERNAL.value: ("#7A7A7A", (0, (1.2, 1.6))),
    Status.DANGLING.value: ("#D55E00", (0, (4, 1.5, 1, 1.5))),
    Status.UNRESOLVED.value: ("#CC79A7", (0, (2.5, 2.5))),
}
"""Colour and dashes of a status."""
_NODES = {"document": ("s", "#333333"), "external": ("D", "#7A7A7A"), "dangling": ("X", "#D55E00"), "unresolved": ("P", "#CC79A7")}  # fmt: skip
_PLACE = ("o", "#0072B2")
_ROW_INCHES = 0.36
_LONGEST_LABEL = 52
_SEED = 7
_MOST_ARROWS = 110
"""More of them are a grey cloud."""
_MOST_NUMBERS = 60
_FULL_WIDTH = 5
"""References from which on an arrow may have its full width."""


class _Row(NamedTuple):
    """A row of a column: a node, or the heading over the nodes of a document."""

    node: str | None
    text: str
    note: str = ""
    bold: bool = False


def picture(graph: PlaceGraph | DocumentMap, *, form: str, top: int) -> bytes:
    """Return a picture ("svg" or "png") of the `top` places that take part in the most references.

    Raises UsageError when matplotlib is not installed, or when no reference joins two places.
    """
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    whole = weighed(graph) if isinstance(graph, nx.MultiDiGraph) else graph
    shown = _most_referred(whole, top)
    if not shown.number_of_edges():
        raise UsageError(
            "there is nothing to draw: no reference joins two places; `deref refs` lists what there is"
        )
    left, right = _columns(shown)
    rows = max(len(left), len(right))
    settings: Any = {"svg.hashsalt": "deref", "svg.fonttype": "none", "font.family": "DejaVu Sans"}
    with mpl.rc_context(settings), warnings.catch_warnings():
        # A sign that the font does not have is drawn as a box; the text itself is in the SVG.
        warnings.filterwarnings("ignore", message="Glyph")
        figure = Figure(figsize=(16, 2.2 + _ROW_INCHES * max(rows, 8)), dpi=110)
        FigureCanvasAgg(figure)
        _draw(figure, shown, left, right, _title(whole, shown))
        out = BytesIO()
        figure.savefig(out, format=form, metadata={"Date": None} if form == "svg" else {"Software": None})
    return out.getvalue()


def require_matplotlib() -> None:
    """Raise UsageError when matplotlib is not installed. Loads nothing."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            "a picture needs matplotlib, which is not installed: pip install matplotlib, or write graphml, dot or json"
        )


def _most_referred(graph: DocumentMap, top: int) -> DocumentMap:
    """Return the graph of the `top` nodes with the most references, with the arrows that stand for the most."""
    degree = {n: graph.degree(n, weight="weight") for n in graph if graph.degree(n)}
    order = {node: n for n, node in enumerate(graph)}
    out = subgraph(graph, set(sorted(degree, key=lambda n: (-degree[n], order[n]))[:top]))
    heaviest_first = sorted(out.edges(data=True), key=lambda e: -e[2]["weight"])
    out.remove_edges_from([(a, b) for a, b, _ in heaviest_first[_MOST_ARROWS:]])
    out.remove_nodes_from([n for n in out if not out.degree(n)])
    return out


def _title(whole: DocumentMap, shown: DocumentMap) -> str:
    drawn, every = (sum(d["weight"] for _, _, d in g.edges(data=True)) for g in (shown, whole))
    what = "documents and works" if whole.graph.get("level") == "document" else "places"
    told = f"References between {len(shown)} {what}: {drawn} of {every}"
    others = sum(1 for n in whole if whole.degree(n)) - len(shown)
    return f"{told} (those with the most; {others} {what} are left out)" if others else told


def _columns(graph: DocumentMap) -> tuple[list[_Row], list[_Row]]:
    """Return the rows of the left column, and of the right."""
    if graph.graph.get("level") == "document":
        at = nx.spring_layout(graph.to_undirected(), seed=_SEED, weight=None, iterations=120)
        turn = {n: math.atan2(y, x) for n, (x, y) in at.items()}
        round_ = [_Row(n, *_label(graph, n)) for n in sorted(graph, key=lambda n: turn[n])]
        half = (len(round_) + 1) // 2
        return round_[:half], round_[half:]
    groups: dict[str, list[str]] = {}
    for node, values in graph.nodes(data=True):
        groups.setdefault(values.get("document", _ELSEWHERE), []).append(node)
    blocks = [_block(graph, name, groups[name]) for name in sorted(groups, key=_ELSEWHERE.__eq__)]
    if len(blocks) == 1:
        (head, *rows), half = blocks[0], len(blocks[0]) // 2
        return [head, *rows[:half]], [head, *rows[half:]]
    return _halved(blocks)


_ELSEWHERE = "Not on the shelf, or not found"


def _block(graph: DocumentMap, name: str, nodes: list[str]) -> list[_Row]:
    """Return the rows of a document: itself, or its name when it is no node of the picture, and what is inside."""
    inside = [_Row(n, *_label(graph, n)) for n in nodes if graph.nodes[n]["kind"] != "document"]
    head = next((n for n in nodes if graph.nodes[n]["kind"] == "document"), None)
    return [_Row(head, _short(name), bold=True), *inside]


def _halved(blocks: list[list[_Row]]) -> tuple[list[_Row], list[_Row]]:
    """Part blocks of rows where the two columns come nearest to the same height."""
    sizes = [len(b) for b in blocks]
    cut = min(range(1, len(blocks)), key=lambda n: abs(sum(sizes[:n]) - sum(sizes[n:])))
    return [r for b in blocks[:cut] for r in b], [r for b in blocks[cut:] for r in b]


def _label(graph: DocumentMap, node: str) -> tuple[str, str]:
    """Return the label of a node and the counts behind it."""
    values = graph.nodes[node]
    name = values["name"]
    if "label" in values and "title" in values and not name.startswith("“"):
        name = f"{name} {values['title']}"
    if "cited_in" in values:
        name = f"{name} (in {values['cited_in']})"
    counts = []
    for key, said in (("within", "inside"), ("dangling", "dangling"), ("unresolved", "unresolved")):
        if values.get(key):
            counts.append(f"{values[key]} {said}")
    return _short(name), ", ".join(counts)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1].rstrip() + "…"


def _draw(figure: Figure, graph: DocumentMap, left: list[_Row], right: list[_Row], title: str) -> None:
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    width, height = figure.get_size_inches()
    axes.set(xlim=(-width / 2, width / 2), ylim=(-height / 2, height / 2))
    axes.axis("off")
    places = {**_set(axes, left, -1), **_set(axes, right, 1)}
    heaviest = max(_FULL_WIDTH, *(d["weight"] for _, _, d in graph.edges(data=True)))
    for n, (a, b, values) in enumerate(sorted(graph.edges(data=True), key=lambda e: -e[2]["weight"])):
        _arrow(axes, places[a], places[b], values, heaviest, n)
    for node, (x, y) in places.items():
        marker, colour = _NODES.get(graph.nodes[node]["kind"], _PLACE)
        size = 5 + 9 * math.sqrt(graph.in_degree(node, weight="weight") / _busiest(graph))
        axes.plot(x, y, marker, color=colour, ms=size, mec="white", mew=0.8, zorder=4)
    top = height / 2 - 0.4
    axes.text(0, top, title, ha="center", va="center", size=13, weight="bold", parse_math=False)
    how = "An arrow runs from where a reference is written to what it points at; its number is that of the references."
    axes.text(0, top - 0.3, how, ha="center", va="center", size=8.5, color="#555555")
    _legend(axes, graph, heaviest)


def _busiest(graph: DocumentMap) -> float:
    return max((graph.in_degree(n, weight="weight") for n in graph), default=1) or 1


def _set(axes: Axes, rows: list[_Row], side: int) -> dict[str, tuple[float, float]]:
    """Write the labels of a column, -1 the left one and 1 the right; return where its nodes are."""
    places = {}
    first = (len(rows) - 1) / 2 * _ROW_INCHES
    for n, row in enumerate(rows):
        y = first - n * _ROW_INCHES
        bow = 1 - (y / (first + 2 * _ROW_INCHES)) ** 2 if len(rows) > 1 else 1
        x = side * (2.5 + 0.9 * bow)
        if row.node is not None:
            places[row.node] = (x, y)
        text = axes.text(
            x + side * (0.18 if row.node is not None else 0.02), y, row.text,
            ha="left" if side > 0 else "right", va="center", size=9.5,
            weight="bold" if row.bold else "normal", parse_math=False,
        )  # fmt: skip
        if row.note:
            axes.annotate(
                row.note, (1 if side > 0 else 0, 0.5), xycoords=text, xytext=(6 * side, 0), textcoords="offset points",
                ha="left" if side > 0 else "right", va="center", size=7.5, color="#555555",
            )  # fmt: skip
    return places


def _arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    values: dict[str, Any],
    heaviest: int,
    turn: int,
) -> None:
    """Draw an edge. Both directions between two places bend to different sides."""
    from matplotlib.patches import FancyArrowPatch

    status = max(LINES, key=lambda s: values.get(s, 0))
    colour, dashes = LINES[status]
    (x0, y0), (x1, y1) = start, end
    same = x0 * x1 > 0
    # Within a column the arrow bows towards the middle, the further the longer it is.
    rise = (-0.55 if (y1 < y0) == (x0 < 0) else 0.55) if same else 0.12
    rise = rise * min(1.0, 2.2 / max(abs(y1 - y0), 0.2)) if same else rise
    share = values["weight"] / heaviest
    patch = FancyArrowPatch(
        start, end, connectionstyle=f"arc3,rad={rise}", arrowstyle="-|>", mutation_scale=9 + 6 * share,
        lw=_width(share), color=colour, linestyle=dashes, alpha=0.35 + 0.5 * math.sqrt(share), shrinkA=6, shrinkB=8,
        zorder=2 + share / 2,
    )  # fmt: skip
    axes.add_patch(patch)
    if values["weight"] > 1 and turn < _MOST_NUMBERS:
        # Along the curve, at a place that differs from edge to edge, so that numbers do not pile up.
        t = 0.30 + 0.08 * (turn % 5)
        mx, my = (x0 + x1) / 2 + rise * (y1 - y0), (y0 + y1) / 2 - rise * (x1 - x0)
        x = (1 - t) ** 2 * x0 + 2 * t * (1 - t) * mx + t * t * x1
        y = (1 - t) ** 2 * y0 + 2 * t * (1 - t) * my + t * t * y1
        axes.text(
            x, y, str(values["weight"]), size=7.5, ha="center", va="center", color=colour, zorder=3,
            bbox={"boxstyle": "round,pad=0.12", "fc": "white", "ec": "none", "alpha": 0.85},
        )  # fmt: skip


def _width(share: float) -> float:
    return 0.7 + 4.3 * share


def _legend(axes: Axes, graph: DocumentMap, heaviest: int) -> None:
    """Tell colours, widths and signs, at the lower edge."""
    from matplotlib.lines import Line2D

    counted: Counter[str] = Counter()
    for _, _, values in graph.edges(data=True):
        counted[max(LINES, key=lambda s: values.get(s, 0))] += 1
    handles = [
        Line2D([], [], color=LINES[s][0], linestyle=LINES[s][1], lw=2, label=s) for s in LINES if counted[s]
    ]
    for weight in (1, (heaviest + 1) // 2, heaviest):
        said = f"{weight} reference" + "s" * (weight > 1)
        handles.append(Line2D([], [], color="#0072B2", lw=_width(weight / heaviest), label=said))
    for kind in dict.fromkeys(d["kind"] for _, d in graph.nodes(data=True) if d["kind"] in _NODES):
        marker, colour = _NODES[kind]
        handles.append(Line2D([], [], marker=marker, color=colour, ls="", ms=8, mec="white", label=kind))
    if any(d["kind"] not in _NODES for _, d in graph.nodes(data=True)):
        handles.append(
            Line2D(
                [], [], marker=_PLACE[0], color=_PLACE[1], ls="", ms=8, mec="white", label="section or item"
            )
        )
    axes.legend(
        handles=handles, loc="lower center", ncols=(len(handles) + 1) // 2, frameon=False, fontsize=8.5
    )
