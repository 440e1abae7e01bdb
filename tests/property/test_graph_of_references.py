"""Of any shelf: every reference is in the graph once, its ends are there, and weights add up."""

from __future__ import annotations

from collections import defaultdict
from io import BytesIO

import networkx as nx
import pydot
from hypothesis import given, settings
from hypothesis import strategies as st

from deref.references import MemoryShelf, Resolver, find
from deref.references.graph import PlaceGraph, document_map, enclosing, reference_graph, weighed
from deref.references.graph_forms import as_dot, as_graphml, as_json
from deref.references.graph_reading import cycles, hubs, of_status, statuses, trail, with_degrees
from deref.values import Document, Resolution
from unit.references.small_documents import document

WORDS = st.sampled_from([
    "Section 1", "Section 2", "Sections 1 and 3", "Section 2.1", "Section 9", "Table 1", "Table 1 of Exhibit B", "Exhibit B", "this Section",
    "RFC 9110", "[7]", "see below", "the Service Terms", "Section 2 of the Service Terms", "Sections 2 and 9", "“odd” <&> \\ $x$ \x0b \ud800 \x00",
])  # fmt: skip
HEADS = st.sampled_from(["# 1 Fees", "# 2 Term", "## 2.1 Notice", "# 3 End", "# 1 Again", "@table 1 Prices", "@exhibit B Prices", "@definition Fee “Fee”"])  # fmt: skip
PARTS = st.lists(st.tuples(HEADS, st.lists(WORDS, max_size=4).map(", and ".join)), min_size=1, max_size=6)
SHELVES = st.lists(PARTS, min_size=1, max_size=3)
NAMES = (("terms.txt", "Service Terms"), ("fees.txt", "Exhibit B"), ('a\x0bodd "name" \\.txt', ""))


def made(shelf: list[list[tuple[str, str]]]) -> tuple[list[Document], list[Resolution], PlaceGraph]:
    documents = [
        document("\n\n".join(f"{head}\nAs {text} says." for head, text in parts), name=name, title=title, aliases=(title,) * bool(title))
        for parts, (name, title) in zip(shelf, NAMES, strict=False)
    ]  # fmt: skip
    door = MemoryShelf(documents)
    resolver = Resolver(door)
    resolutions = [resolver(r, d) for d in documents for r in find(d)]
    return documents, resolutions, reference_graph(door, resolutions)


@settings(max_examples=150, deadline=None)
@given(SHELVES)
def test_every_reference_is_in_the_graph_and_its_ends_are_what_was_resolved(
    shelf: list[list[tuple[str, str]]],
):
    documents, resolutions, graph = made(shelf)
    kept = [(a, b, d) for a, b, d in graph.edges(data=True)]
    kept += [(d["from"], d["to"], d) for d in graph.graph["own"]]
    ends: dict[int, list[str]] = defaultdict(list)
    for a, b, values in kept:
        assert a in graph and b in graph and "kind" in graph.nodes[b]
        ends[values["reference"]].append(b)
    assert set(ends) == set(range(len(resolutions)))
    assert graph.graph["references"] == len(resolutions) == sum(statuses(graph).values())
    names = {d.id: " ".join(d.name.replace("\x0b", " ").split()) for d in documents}
    for number, resolution in enumerate(resolutions):
        wanted = {(names[t.lines.doc], t.lines.start, t.lines.end) for t in resolution.targets}
        got = [graph.nodes[n] for n in ends[number]]
        assert wanted == {(v["document"], v["line"], v["end_line"]) for v in got if "document" in v}


@settings(max_examples=100, deadline=None)
@given(SHELVES)
def test_weights_add_up_to_the_number_of_references(shelf: list[list[tuple[str, str]]]):
    _, resolutions, graph = made(shelf)
    pairs = {(a, b, d["reference"]) for a, b, d in graph.edges(data=True)}
    places = weighed(graph)
    assert sum(w for *_, w in places.edges(data="weight")) == len(pairs)
    documents = document_map(graph)
    for _, _, values in documents.edges(data=True):
        assert values["weight"] == sum(v for k, v in values.items() if k != "weight")
    # A reference counts once for each document and work that it points at, and once where it points at nothing.
    counted = sum(w for *_, w in documents.edges(data="weight"))
    counted += sum(
        d.get(k, 0) for _, d in documents.nodes(data=True) for k in ("within", "dangling", "unresolved")
    )
    lost = {"dangling", "unresolved"}
    root = {n: n if d["kind"] in lost else [n, *enclosing(graph, n)][-1] for n, d in graph.nodes(data=True)}
    both = [(d["reference"], root[b]) for _, b, d in graph.edges(data=True)]
    both += [(d["reference"], root[d["to"]]) for d in graph.graph["own"]]
    assert counted == len(set(both)) >= len(resolutions)


@settings(max_examples=100, deadline=None)
@given(SHELVES)
def test_places_nest_and_nothing_points_at_itself(shelf: list[list[tuple[str, str]]]):
    _, _, graph = made(shelf)
    for node, values in graph.nodes(data=True):
        for around in enclosing(graph, node):
            outer = graph.nodes[around]
            assert outer["document"] == values["document"]
            assert outer["line"] <= values["line"] and values["end_line"] <= outer["end_line"]
    for a, b in graph.edges():
        assert a != b and b not in enclosing(graph, a)


@settings(max_examples=60, deadline=None)
@given(SHELVES)
def test_hubs_cycles_and_trails_are_those_of_the_resolved_edges(shelf: list[list[tuple[str, str]]]):
    _, _, graph = made(shelf)
    sure = of_status(graph)
    pointed = {b for _, b, d in graph.edges(data=True) if d["status"] == "resolved"}
    assert {h["node"] for h in hubs(graph, len(graph))} == pointed
    for ring in cycles(graph):
        cycle = ring["cycle"]
        assert cycle[0] == cycle[-1] and 2 <= len(set(cycle)) == len(cycle) - 1 <= ring["places"]
        assert nx.is_path(sure, cycle)
    first = next(iter(graph))
    for node in list(graph)[1:]:
        steps = trail(graph, first, node)
        here = first
        for step in steps or ():
            assert here in (step["from"], *enclosing(graph, step["from"]))
            assert sure.has_edge(step["from"], step["to"])
            here = step["to"]
        if steps:
            assert node in (here, *enclosing(graph, here)) or here in enclosing(graph, node)


@settings(max_examples=60, deadline=None)
@given(SHELVES)
def test_other_libraries_read_what_is_written(shelf: list[list[tuple[str, str]]]):
    _, _, graph = made(shelf)
    for level in (graph, document_map(graph)):
        with_degrees(level)
        back = nx.read_graphml(BytesIO(as_graphml(level)), force_multigraph=level is graph)
        assert dict(back.nodes(data=True)) == dict(level.nodes(data=True))
        assert sorted(map(repr, back.edges(data=True))) == sorted(map(repr, level.edges(data=True)))
        told = as_json(level, top=3)
        assert [n["id"] for n in told["nodes"]] == list(level)
        assert len(told["edges"]) == level.number_of_edges()


@settings(max_examples=8, deadline=None)
@given(SHELVES)
def test_another_library_reads_the_dot_that_is_written(shelf: list[list[tuple[str, str]]]):
    _, _, graph = made(shelf)
    for level in (graph, document_map(graph)):
        (dot,) = pydot.graph_from_dot_data(as_dot(level))
        assert len(dot.get_nodes()) == len(level) and len(dot.get_edges()) == level.number_of_edges()
