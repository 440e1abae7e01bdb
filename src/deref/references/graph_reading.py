"""What a graph of references tells: in-degree, hubs, cycles, and the shortest trail between two places.

Only resolved references count. A hub is a place that many references point at. Places that can all reach each other are
a ring (a strongly connected component); each is told by a shortest cycle through the place of it that most references
point at. On a trail a reader who stands in a place may use every reference written in it or inside it, and has arrived
in a place when a reference points at it or inside it: steps are weighed so that fewer references always win, then fewer
steps inwards.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import networkx as nx

from deref.references.graph import DocumentMap, PlaceGraph, enclosing, subgraph, weighed
from deref.values import Status

_RESOLVED = Status.RESOLVED.value
_REFERENCE_STEP = 1_000_000
"""What a reference costs on a trail; a step inwards costs 1, and nothing is nested a million deep."""


def of_status(graph: PlaceGraph | DocumentMap, status: Status = Status.RESOLVED) -> DocumentMap:
    """Return the places and the references of one status between them, with their number as `weight`."""
    found = weighed(graph) if isinstance(graph, nx.MultiDiGraph) else graph
    out: DocumentMap = nx.DiGraph()
    out.add_nodes_from(found.nodes(data=True))
    out.add_edges_from(
        (a, b, {"weight": d[status.value]}) for a, b, d in found.edges(data=True) if d.get(status.value)
    )
    return out


def with_degrees(graph: PlaceGraph | DocumentMap) -> None:
    """Give each node `references_in` and `references_out`, the resolved ones that point at it and that are written in it."""
    sure = of_status(graph)
    for node, values in graph.nodes(data=True):
        values["references_in"] = int(sure.in_degree(node, weight="weight"))
        values["references_out"] = int(sure.out_degree(node, weight="weight"))


def hubs(
    graph: PlaceGraph | DocumentMap, most: int, status: Status = Status.RESOLVED
) -> list[dict[str, Any]]:
    """Return what most references of a status point at: `node`, `references_in`, and `places_in`, from how many places."""
    sure = of_status(graph, status)
    order = {node: n for n, node in enumerate(graph)}
    ranked = sorted(sure, key=lambda n: (-sure.in_degree(n, weight="weight"), order[n]))
    return [
        {
            "node": node,
            "references_in": int(sure.in_degree(node, weight="weight")),
            "places_in": int(sure.in_degree(node)),
        }
        for node in ranked[:most]
        if sure.in_degree(node)
    ]


def cycles(graph: PlaceGraph | DocumentMap) -> list[dict[str, Any]]:
    """Return the rings, the largest first: how many `places`, and the nodes of a shortest `cycle`, the first one again last."""
    sure = of_status(graph)
    order = {node: n for n, node in enumerate(graph)}
    rings = [ring for ring in nx.strongly_connected_components(sure) if len(ring) > 1]
    found = []
    for ring in sorted(rings, key=lambda r: (-len(r), min(order[n] for n in r))):
        inside = subgraph(sure, ring)
        hub = min(ring, key=lambda n: (-sure.in_degree(n, weight="weight"), order[n]))
        paths = nx.single_source_shortest_path(inside, hub)
        back = min(inside.predecessors(hub), key=lambda n: (len(paths[n]), order[n]))
        found.append({"places": len(ring), "cycle": [*paths[back], hub]})
    return found


def statuses(graph: PlaceGraph) -> dict[str, int]:
    """Return how many references have which status, in the order of `Status`."""
    seen: dict[int, str] = {d["reference"]: d["status"] for _, _, d in graph.edges(data=True)}
    seen |= {d["reference"]: d["status"] for d in graph.graph["own"]}
    counted = Counter(seen.values())
    return {s.value: counted[s.value] for s in Status}


def trail(graph: PlaceGraph, start: str, end: str) -> list[dict[str, Any]] | None:
    """Return the references of a shortest trail, in order; None when there is none, [] when `start` holds `end`.

    Each is the attributes of the edge and the places `from` and `to`.
    """
    steps: DocumentMap = nx.DiGraph()
    steps.add_nodes_from(graph)
    steps.add_edges_from(
        (values["parent"], node, {"weight": 1})
        for node, values in graph.nodes(data=True)
        if "parent" in values
    )
    for a, b, values in graph.edges(data=True):
        if values["status"] == _RESOLVED and not steps.has_edge(a, b):
            steps.add_edge(a, b, weight=_REFERENCE_STEP, written=values)
    # A reference into the end arrives at it, so the node behind all of them is where the search ends.
    inside = [n for n in graph if n == end or end in enclosing(graph, n)]
    if start in inside:
        return []
    arrived = f"{end} (reached)"
    while arrived in steps:
        arrived += "!"
    steps.add_edges_from(((n, arrived) for n in inside), weight=0)
    try:
        path = nx.dijkstra_path(steps, start, arrived)
    except nx.NetworkXNoPath:
        return None
    taken = [(a, b, steps.edges[a, b]) for a, b in pairwise(path)]
    return [{"from": a, "to": b, **d["written"]} for a, b, d in taken if "written" in d]
