"""A place by the name that a person gives it: "Section 3.5", "agreement.pdf Section 3.5", "Exhibit B", "Credit Agreement".

A node of the graph is its own name. Else a document's name may stand before the place, or behind it after "of" or "in".
What is left is read by the grammar of references and resolved as if it stood at the top of that document, or of each
document that has such a label; it may also be a bare label, a title or a defined term. Several places are an error that
lists them all: none is picked.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from deref.errors import NoSuchSource, UsageError
from deref.ports import Resolve, Shelf
from deref.references.find import find_in
from deref.references.graph import PlaceGraph, enclosing
from deref.text.labels import normalize_label
from deref.text.names import file_stem, normalize_name
from deref.values import Card, ItemKind, Line, Reference, Status, Target

_BEHIND = frozenset({"of", "in"})
_MOST_TOLD = 12


def place_named(graph: PlaceGraph, shelf: Shelf, resolve: Resolve, said: str) -> str:
    """Return the node that a person means.

    Raises UsageError, with all of them, when several places are called so, and NoSuchSource when none is.
    """
    if said in graph:
        return said
    found = _NamedPlaces(graph, shelf, resolve).named(said)
    if len(found) == 1:
        return found[0]
    if found:
        told = "; ".join(found[:_MOST_TOLD]) + (
            f"; and {len(found) - _MOST_TOLD} more" if len(found) > _MOST_TOLD else ""
        )
        raise UsageError(f"{said!r} is the name of {len(found)} places; give one of these instead: {told}")
    near = difflib.get_close_matches(said, dict.fromkeys(d["name"] for _, d in graph.nodes(data=True)), n=3)
    raise NoSuchSource(
        f"no place is called {said!r}; "
        + (f"near it are: {'; '.join(near)}" if near else "write 'Section 3.5', 'FILE Section 3.5' or a document's name")
    )  # fmt: skip


class _NamedPlaces:
    def __init__(self, graph: PlaceGraph, shelf: Shelf, resolve: Resolve) -> None:
        self._graph = graph
        self._shelf = shelf
        self._resolve = resolve
        self._cards = {c.id: c for c in shelf.cards()}
        self._documents: dict[str, list[str]] = defaultdict(list)
        for card in self._cards.values():
            for name in dict.fromkeys(normalize_name(n) for n in _names(card)):
                if name:
                    self._documents[name].append(card.id)

    def named(self, said: str) -> list[str]:
        """Return every node that is called so, in the order of the graph."""
        whole = self._documents.get(normalize_name(said), [])
        nodes = {self._node_of_document(doc) for doc in whole} | self._within(said, None)
        # A name that is also a defined term is the name of what it stands for.
        terms = {n for n in nodes if self._graph.nodes[n]["kind"] == ItemKind.DEFINITION.value}
        nodes = nodes - terms or terms
        if not nodes:
            for docs, rest in self._parted(said.split()):
                nodes = self._within(rest, docs)
                if nodes:
                    break
        order = [n for n in self._graph if n in nodes]
        # A document and the title or exhibit inside it that gave it its name are not two things to a reader.
        inside = {n for n in order for around in enclosing(self._graph, n) if around in nodes and "parent" not in self._graph.nodes[around]}  # fmt: skip
        return [n for n in order if n not in inside]

    def _parted(self, words: Sequence[str]) -> Iterable[tuple[list[str], str]]:
        """Yield the documents that the first or last words name, longest names first, and the other words."""
        for count in range(len(words) - 1, 0, -1):
            docs = self._documents.get(normalize_name(" ".join(words[:count])))
            if docs:
                yield docs, " ".join(words[count:])
        for count in range(1, len(words)):
            docs = self._documents.get(normalize_name(" ".join(words[count:])))
            if docs:
                rest = words[: count - 1] if words[count - 1].casefold() in _BEHIND else words[:count]
                yield docs, " ".join(rest).rstrip(",")

    def _within(self, said: str, docs: Sequence[str] | None) -> set[str]:
        return self._referred(said, docs) or self._called(said, docs)

    def _referred(self, said: str, docs: Sequence[str] | None) -> set[str]:
        """Read the words as a reference at the top of each of the documents."""
        line = Line(doc="", n=0, page=1, row=1, text=said, starts_block=True)
        references = find_in([line])
        if len(references) != 1 or len(references[0].text) < len(said.strip()):
            return set()
        homes = docs if docs is not None else self._with_label(references[0])
        nodes: set[str] = set()
        for doc in homes:
            document = self._shelf.document(doc)
            there = document is not None and document.lines
            for reference in find_in([replace(line, doc=doc)]) if there else ():
                outcome = self._resolve(reference)
                if outcome.status in (Status.RESOLVED, Status.AMBIGUOUS):
                    nodes |= {n for t in outcome.targets for n in self._nodes_of(t)}
        return nodes

    def _with_label(self, reference: Reference) -> list[str]:
        if reference.container is not None or not reference.labels:
            return list(self._cards)
        return list(dict.fromkeys(p.doc for label in reference.labels for p in self._shelf.labelled(label)))

    def _called(self, said: str, docs: Sequence[str] | None) -> set[str]:
        """Take the words for a bare label, a title or a defined term."""
        label, name = normalize_label(said).casefold(), normalize_name(said)
        allowed = None if docs is None else {self._cards[doc].name for doc in docs}
        return {
            node
            for node, values in self._graph.nodes(data=True)
            if (allowed is None or values.get("document") in allowed)
            and (
                (label and values.get("label", "").casefold() == label)
                or (name and name == normalize_name(values.get("title", "")) and values["kind"] != ItemKind.DEFINITION.value)
                or (name and name == normalize_name(values["name"]))
            )
        }  # fmt: skip

    def _nodes_of(self, target: Target) -> list[str]:
        card = self._cards.get(target.lines.doc)
        if card is None:
            return []
        if target.kind == "document":
            return [self._node_of_document(card.id)]
        same = [
            (node, values)
            for node, values in self._graph.nodes(data=True)
            if values.get("document") == card.name
            and (values["line"], values["end_line"]) == (target.lines.start, target.lines.end)
        ]
        exact = [n for n, v in same if (v["kind"], v.get("label")) == (target.kind, target.label)]
        return exact[:1] or [n for n, v in same if v["kind"] != ItemKind.DEFINITION.value][:1]

    def _node_of_document(self, doc: str) -> str:
        name = self._cards[doc].name
        return next(
            n
            for n, d in self._graph.nodes(data=True)
            if d["kind"] == "document" and d["document"] == " ".join(name.split())
        )


def _names(card: Card) -> tuple[str, ...]:
    base = card.name.rsplit("/", 1)[-1]
    return (card.name, base, file_stem(card.name), card.title, *card.aliases)
