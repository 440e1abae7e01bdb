"""A graph of references in the forms that other programs read: JSON, GraphML, DOT. The same graph gives the same bytes.

docs/json.md tells the fields of JSON. GraphML and DOT hold nodes and edges with all their attributes; the
node attribute `parent` nests them. References that lead nowhere new ("this Section") are in JSON alone, under `own`.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import networkx as nx

from deref.references.graph import DocumentMap, PlaceGraph
from deref.references.graph_reading import cycles, hubs
from deref.values import ItemKind, Status

SCHEMA = "deref.graph/1"
_SHAPES = {"document": "folder", "external": "box", "dangling": "octagon", "unresolved": "octagon"}
_STYLES = {"ambiguous": "dashed", "external": "dotted", "dangling": "dotted", "unresolved": "dotted"}


def as_json(graph: PlaceGraph | DocumentMap, *, top: int) -> dict[str, Any]:
    """Return the graph as one JSON-ready object with `top` hubs: docs/json.md tells its fields."""
    return {
        "schema": SCHEMA,
        "level": graph.graph["level"],
        "references": graph.graph["references"],
        "nodes": [{"id": node, **values} for node, values in graph.nodes(data=True)],
        "edges": [{"from": a, "to": b, **values} for a, b, values in graph.edges(data=True)],
        "own": list(graph.graph.get("own", ())),
        "hubs": hubs(graph, top),
        "external": hubs(graph, top, Status.EXTERNAL),
        "cycles": cycles(graph),
    }


def as_graphml(graph: PlaceGraph | DocumentMap) -> bytes:
    """Return the graph as GraphML, UTF-8."""
    out = BytesIO()
    nx.write_graphml_lxml(_plain(graph), out, prettyprint=True)
    return out.getvalue() + b"\n"


def as_dot(graph: PlaceGraph | DocumentMap) -> str:
    """Return the graph in the language of Graphviz. Statuses show as shapes and line styles."""
    import pydot

    out = pydot.Dot("references", graph_type="digraph", rankdir="LR")
    names = {node: f"n{n}" for n, node in enumerate(graph)}
    for node, values in graph.nodes(data=True):
        titled = "title" in values and "label" in values and values["kind"] != ItemKind.DEFINITION.value
        label = f"{values['name']} {values['title']}" if titled else values["name"]
        given = {"id": node, **values, "label": label, "shape": _SHAPES.get(values["kind"], "ellipse")}
        del given["name"]  # pydot reads no attribute of that name; it is in the label.
        written = pydot.Node(names[node])
        for key, value in given.items():
            written.set(key, _quoted(value))
        out.add_node(written)
    for a, b, values in graph.edges(data=True):
        status = values.get("status") or next((s for s in _STYLES if s in values), "")
        given = {**values, "style": _STYLES.get(status, "solid")}
        if "weight" in values:
            given["label"] = values["weight"]
        arrow = pydot.Edge(names[a], names[b])
        for key, value in given.items():
            arrow.set(key, _quoted(value))
        out.add_edge(arrow)
    return str(out.to_string())


def _plain(graph: PlaceGraph | DocumentMap) -> PlaceGraph | DocumentMap:
    """Return a copy whose own attributes are plain values; what is not goes."""
    copy = graph.copy()
    copy.graph.pop("own", None)
    return copy


def _quoted(value: object) -> str:
    """Return a value as a DOT string. A backslash would be the beginning of an escape."""
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
