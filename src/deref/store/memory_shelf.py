"""The registry of a library in memory, as one caller may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deref.ports import Entry
from deref.text.names import normalize_name
from deref.values import Card, Document, ItemKind, Place, Reference
from deref.values.standing import Standing


class MemoryShelf:
    """`Past` over a list of entries."""

    def __init__(self, entries: Sequence[Entry], aside: Mapping[str, Standing] | None = None) -> None:
        """Take the documents that the caller may see, by name, and those of them that are not active."""
        self._aside = aside or {}
        self._documents = [entry.document for entry in entries]
        self._references = {entry.document.id: tuple(entry.references) for entry in entries}

    def references(self, doc: str) -> Sequence[Reference]:
        """Return the references that were found in a document, in order."""
        return self._references.get(doc, ())

    def cards(self) -> Sequence[Card]:
        """Return the documents, by name."""
        return tuple(
            replace(d.card(), status=one.status.value, successor=one.successor, status_why=one.why)
            if (one := self._aside.get(d.id))
            else d.card()
            for d in self._documents
        )

    def document(self, doc: str) -> Document | None:
        """Return a document by id, or None."""
        return next((d for d in self._documents if d.id == doc), None)

    def labelled(self, label: str) -> Sequence[Place]:
        """Return all sections and items with this normalised label, by name and line."""
        key = label.casefold()
        return [p for d in self._documents for p in d.places() if p.label.casefold() == key]

    def titled(self, title: str) -> Sequence[Place]:
        """Return the sections with this title, by name and line."""
        key = normalize_name(title)
        return [p for d in self._documents for p in d.titled_sections() if normalize_name(p.title) == key]

    def defined(self, term: str) -> Sequence[Place]:
        """Return the definitions of a term, by name and line."""
        key = normalize_name(term)
        return [
            place
            for document in self._documents
            for place in document.places()
            if place.kind == ItemKind.DEFINITION and normalize_name(place.label) == key
        ]
