"""A shelf in memory: documents at hand, read through the same door as a stored library."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from deref.text.names import normalize_name
from deref.values import Card, Document, ItemKind, Place


class MemoryShelf:
    """`ports.Shelf` over documents in memory. Its indexes are built once, when it is made."""

    def __init__(self, documents: Iterable[Document]) -> None:
        """Index the documents by id, label, title and defined term."""
        self._documents = {d.id: d for d in sorted(documents, key=lambda d: d.name)}
        self._labels: dict[str, list[Place]] = defaultdict(list)
        self._titles: dict[str, list[Place]] = defaultdict(list)
        self._terms: dict[str, list[Place]] = defaultdict(list)
        for document in self._documents.values():
            for place in document.titled_sections():
                self._titles[normalize_name(place.title)].append(place)
            for place in document.places():
                self._labels[place.label.casefold()].append(place)
                if place.kind == ItemKind.DEFINITION.value:
                    self._terms[normalize_name(place.label)].append(place)

    def cards(self) -> Sequence[Card]:
        """Return the documents, by name."""
        return tuple(d.card() for d in self._documents.values())

    def document(self, doc: str) -> Document | None:
        """Return a document by id, or None."""
        return self._documents.get(doc)

    def labelled(self, label: str) -> Sequence[Place]:
        """Return the places with this label, by name of document and line."""
        return tuple(self._labels.get(label.casefold(), ()))

    def titled(self, title: str) -> Sequence[Place]:
        """Return the sections with this title, by name of document and line."""
        return tuple(self._titles.get(normalize_name(title), ()))

    def defined(self, term: str) -> Sequence[Place]:
        """Return the definitions of a term, by name of document and line."""
        return tuple(self._terms.get(normalize_name(term), ()))
