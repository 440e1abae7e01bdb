"""The graph of references: places are nodes, each reference is an edge from where it is written to what it points at.

A place is a document, a section or an item; what is inside what stands in the node attribute `parent`. A section and an
item of the same lines and label are one place, of the kind of the item, and so are a document and what covers all of it. A reference is written
in the narrowest place that holds its line; a target that is no section or item (a page) is a place of its own.

What could not be followed is kept, and kept apart by kind: an external reference goes to a node of kind "external",
one for each work; a dangling or unresolved one to a node of kind "dangling" or "unresolved", one for each wording in
each document (beside the places of a list that were found); an ambiguous one has an edge to every candidate. Only resolved edges count for hubs, cycles and trails.
A reference to the place that it stands in, or to one around it ("this Section"), leads nowhere new: it is no edge and
stands in `graph.graph["own"]`.

All attributes are plain text and numbers, so that any graph format takes them. Same shelf, same graph, same order.
networkx does the graph; it is imported with this module, so import this module when a graph is wanted.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import networkx as nx

from deref.ports import Shelf
from deref.text.names import normalize_name
from deref.values import Document, ItemKind, ReferenceKind, Resolution, Span, Status, Target

PlaceGraph: TypeAlias = "nx.MultiDiGraph[str]"
DocumentMap: TypeAlias = "nx.DiGraph[str]"

_TAG = re.compile(r"\[[^\]]*\]")
_SERIES_TAG = re.compile(r"\[[A-Z]{2,}[ -]?\d{2,}[\w.-]*\]")
_THERE = re.compile(r"(?:that|this|such|said|the same|the said)\b", re.IGNORECASE)
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]+")


def reference_graph(shelf: Shelf, resolutions: Iterable[Resolution]) -> PlaceGraph:
    """Return the graph of these resolutions over all places of a shelf.

    Nodes carry `kind` ("document", "section", an `ItemKind`, "page", "external", "dangling", "unresolved"), `name` as
    people say it, and where they have one `label`, `title`, `document` (its name), `parent` (a node), `page` and `row`
    (1-based), `line` and `end_line` (0-based, half-open). Edges carry the number of the `reference` on the shelf, from
    0 (one that names several places makes an edge to each), its `text`, `kind`, `effect`, `status`, `tier`, `why`, and
    the `source`, `page`, `row`, `line` and `char_start` at which it is written.
    """
    return _Builder(shelf).built(resolutions)


class _Builder:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._graph: PlaceGraph = nx.MultiDiGraph()
        self._places: dict[str, _Places] = {}
        self._outside: dict[tuple[str, str, str], str] = {}
        self._own: list[dict[str, Any]] = []

    def built(self, resolutions: Iterable[Resolution]) -> PlaceGraph:
        for card in self._shelf.cards():
            document = self._shelf.document(card.id)
            if document is not None:
                self._places[card.id] = _Places(self._graph, document)
        number = -1
        at: Document | None = None
        for number, resolution in enumerate(resolutions):
            doc = resolution.reference.at.doc
            if at is None or at.id != doc:
                at = self._shelf.document(doc)
            if at is not None:
                self._add(number, resolution, at)
        self._graph.graph.update(level="section", references=number + 1, own=tuple(self._own))
        return self._graph

    def _add(self, number: int, resolution: Resolution, document: Document) -> None:
        source = self._places[document.id].holder(resolution.reference.at.line)
        written = {"reference": number, **_written(resolution, document)}
        ends = [self._places[t.lines.doc].of(t) for t in resolution.targets if t.lines.doc in self._places]
        if not ends or resolution.status not in (Status.RESOLVED, Status.AMBIGUOUS):
            ends.append(self._nowhere(resolution, document))
        for end in dict.fromkeys(ends):
            if end == source or end in enclosing(self._graph, source):
                self._own.append({"from": source, "to": end, **written})
            else:
                self._graph.add_edge(source, end, **written)

    def _nowhere(self, resolution: Resolution, document: Document) -> str:
        """Return the node for what is not on the shelf."""
        status = resolution.status.value
        said, where = _one_line(resolution.reference.text), _one_line(document.name)
        if resolution.status is Status.EXTERNAL:
            said, local = _work(resolution, document)
            where = where if local else ""
        key = (status, where, "".join(c for c in normalize_name(said) if c.isalnum()) or said)
        if key not in self._outside:
            values = {"kind": status, "name": said} | ({"cited_in": where} if where else {})
            wanted = f"{status}: {said}" + (f" in {where}" if where else "")
            self._outside[key] = _added(self._graph, wanted, len(self._graph), values)
        return self._outside[key]


class _Places:
    """The places of one document as nodes, with the narrowest one of each line."""

    def __init__(self, graph: PlaceGraph, document: Document) -> None:
        self._graph = graph
        self._document = document
        whole = Span(doc=document.id, start=0, end=len(document.lines))
        self._by_lines: dict[tuple[int, int], str] = {}
        self._by_name: dict[tuple[int, int, str, str], str] = {}
        self.node = self._made("document", None, document.title, whole, None)
        self._holders = [self.node] * len(document.lines)
        kinds = {
            _key("", i.label, i.lines): i.kind.value
            for i in document.items
            if i.kind is not ItemKind.DEFINITION
        }
        found = [
            (kinds.get(_key("", s.label, s.lines), "section"), s.label, s.title, s.lines, s.word)
            for s in document.sections
        ]
        found += [(i.kind.value, i.label, i.caption, i.lines, None) for i in document.items]
        open_: list[tuple[int, str]] = []
        for kind, label, title, lines, word in sorted(found, key=lambda p: (p[3].start, -p[3].end)):
            while open_ and open_[-1][0] <= lines.start:
                open_.pop()
            parent = next((node for end, node in reversed(open_) if end >= lines.end), self.node)
            node = self._same(kind, label, lines) or self._made(kind, label, title, lines, parent, word)
            open_.append((lines.end, node))
            if kind != ItemKind.DEFINITION.value:
                self._holders[lines.start : lines.end] = [node] * len(lines)

    def holder(self, line: int) -> str:
        """Return the narrowest section or item that holds a line; a definition holds none, it shares its lines."""
        return self._holders[line] if line < len(self._holders) else self.node

    def of(self, target: Target) -> str:
        """Return the node of a target, made when it is neither section nor item."""
        lines = target.lines
        key = _key(target.kind, target.label, lines)
        if key in self._by_name:
            return self._by_name[key]
        if (lines.start, lines.end) in self._by_lines and target.kind != "page":
            return self._by_lines[lines.start, lines.end]
        around = self.holder(lines.start)
        while around != self.node and self._graph.nodes[around]["end_line"] < lines.end:
            around = self._graph.nodes[around]["parent"]
        return self._made(target.kind, target.label, target.title, lines, around)

    def _same(self, kind: str, label: str | None, lines: Span) -> str | None:
        """Return the place of the same lines and label, or the document when it has no other lines; else None."""
        if kind == ItemKind.DEFINITION.value:
            return None
        node = self._by_lines.get((lines.start, lines.end))
        if node is None or node == self.node:
            return node
        return (
            node if self._graph.nodes[node].get("label", "").casefold() == (label or "").casefold() else None
        )

    def _made(
        self,
        kind: str,
        label: str | None,
        title: str,
        lines: Span,
        parent: str | None,
        word: str | None = None,
    ) -> str:
        document = self._document
        said = document.name if kind == "document" else place_name(word or kind, label, title)
        name = _one_line(said)
        values: dict[str, Any] = {"kind": kind, "name": name, "document": _one_line(document.name)}
        if label:
            values["label"] = _one_line(label)
        if _one_line(title):
            values["title"] = _one_line(title)
        if parent is not None:
            values["parent"] = parent
        if lines.start < len(document.lines):
            first = document.lines[lines.start]
            values.update(page=first.page, row=first.row)
        values.update(line=lines.start, end_line=lines.end)
        wanted = name if kind == "document" else f"{_one_line(document.name)}#{name}"
        node = _added(self._graph, wanted, lines.start, values)
        self._by_name.setdefault(_key(kind, label, lines), node)
        if kind != ItemKind.DEFINITION.value:
            self._by_lines.setdefault((lines.start, lines.end), node)
        return node


def _key(kind: str, label: str | None, lines: Span) -> tuple[int, int, str, str]:
    return (lines.start, lines.end, kind, (label or "").casefold())


def _added(graph: PlaceGraph, wanted: str, line: int, values: Mapping[str, Any]) -> str:
    """Add a node under the wanted name, or with its line behind when another has that name; return the name."""
    node = wanted
    while node in graph:
        node, line = f"{wanted}@{line}", line + 1
    graph.add_node(node, **values)
    return node


def place_name(kind: str, label: str | None, title: str) -> str:
    """Return how people name a place: "Section 3.5", "Table B-1", "“Business Day”"; by its title without a label.

    `kind` is that of the place, or the word that its heading carries.
    """
    if kind == ItemKind.DEFINITION.value:
        return f"“{label or title}”"
    if kind == ItemKind.BIBLIOGRAPHY.value:
        return f"[{label or title[:40]}]"
    return f"{kind.capitalize()} {label}" if label else f"“{title[:60]}”" if title else kind.capitalize()


def _one_line(text: str) -> str:
    """Return the text as one line without signs that XML does not take."""
    return " ".join(_UNFIT.sub(" ", text).split())


def _written(resolution: Resolution, document: Document) -> dict[str, Any]:
    reference = resolution.reference
    line = document.lines[reference.at.line]
    return {
        "text": _one_line(reference.text),
        "kind": reference.kind.value,
        "effect": reference.effect.value,
        "status": resolution.status.value,
        "tier": resolution.tier.value if resolution.tier else "none",
        "why": _one_line(resolution.why),
        "source": _one_line(document.name),
        "page": line.page,
        "row": line.row,
        "line": line.n,
        "char_start": reference.at.char_start,
    }


def _work(resolution: Resolution, document: Document) -> tuple[str, bool]:
    """Return the work that an external reference names, and whether the name holds in its own document only.

    A link is named by its address. A tag ("[3]") or a pointer back ("that Act") means nothing elsewhere; a tag that is
    the number of a series ("[RFC7540]") does.
    """
    reference = resolution.reference
    if reference.kind is ReferenceKind.LINK:
        for link in document.links:
            if isinstance(link.target, str) and link.at.overlaps(reference.at):
                return _one_line(link.target.partition("#")[0]), False
    said = _one_line(reference.container or reference.text)
    tag = _TAG.fullmatch(said) is not None and _SERIES_TAG.fullmatch(said) is None
    return said, tag or _THERE.match(said) is not None


def enclosing(graph: PlaceGraph, node: str) -> Iterator[str]:
    """Yield the places around a place, the narrowest first."""
    parent = graph.nodes[node].get("parent")
    while parent is not None:
        yield parent
        parent = graph.nodes[parent].get("parent")


def weighed(graph: PlaceGraph, ends: Mapping[str, str] | None = None) -> DocumentMap:
    """Return the graph with one edge between two nodes, and the number of its references as `weight`.

    `ends` says which node stands for a node, itself when None; a node that is left out goes with its edges. An edge
    also says how many of its references have which status. What then begins and ends in one node, or leads nowhere
    new, is counted in its attribute `within`.
    """
    seen: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    within: dict[str, set[int]] = defaultdict(set)
    standing = {n: n for n in graph} if ends is None else ends
    out: DocumentMap = nx.DiGraph(**{k: v for k, v in graph.graph.items() if k != "own"})
    out.add_nodes_from((n, dict(graph.nodes[n])) for n in dict.fromkeys(standing.values()))
    for a, b, values in graph.edges(data=True):
        if a in standing and b in standing:
            if standing[a] == standing[b]:
                within[standing[a]].add(values["reference"])
            else:
                seen[standing[a], standing[b]][values["reference"]] = values["status"]
    for values in graph.graph["own"]:
        if values["from"] in standing:
            within[standing[values["from"]]].add(values["reference"])
    for (a, b), references in seen.items():
        out.add_edge(a, b, weight=len(references), **Counter(references.values()))
    for node, inside in within.items():
        out.nodes[node]["within"] = len(inside)
    return out


def subgraph(graph: DocumentMap, nodes: Collection[str]) -> DocumentMap:
    """Return these nodes and the edges between them, in the order of the graph; networkx's own is in no order."""
    out: DocumentMap = nx.DiGraph(**graph.graph)
    out.add_nodes_from((n, d) for n, d in graph.nodes(data=True) if n in nodes)
    out.add_edges_from((a, b, d) for a, b, d in graph.edges(data=True) if a in nodes and b in nodes)
    return out


def document_map(graph: PlaceGraph) -> DocumentMap:
    """Return the map of documents: documents and external works as nodes, edges as `weighed` gives them.

    A document carries the number of references that stay `within` it, and of those of it that are `dangling` or
    `unresolved`, where there are any.
    """
    ends = {
        node: [node, *enclosing(graph, node)][-1]
        for node, values in graph.nodes(data=True)
        if values["kind"] not in (Status.DANGLING.value, Status.UNRESOLVED.value)
    }
    out = weighed(graph, ends)
    out.graph["level"] = "document"
    lost = Counter((ends[a], d["status"]) for a, b, d in graph.edges(data=True) if b not in ends)
    for (node, status), count in lost.items():
        out.nodes[node][status] = count
    return out
