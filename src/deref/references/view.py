"""What the resolver reads of a shelf, each thing once: documents, their places, the names of all.

One `View` serves any number of references; `ports.Shelf` is the only door, so what it does not show does not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deref.references.documents import Names
from deref.references.find import find_lines
from deref.references.in_english import in_english
from deref.references.own import Own
from deref.references.places import Places
from deref.values import Card, Document, Reference

if TYPE_CHECKING:
    # The doors bring numpy with them, which finding and resolving never need.
    from deref.ports import Shelf


_MOST_FOUND = 64
"""Runs of lines whose references are remembered: those of one paragraph ask for the same ones, one after the other."""


class View:
    """A shelf as read so far."""

    def __init__(self, shelf: Shelf) -> None:
        """Take the door; nothing is read yet."""
        self.shelf = shelf
        self._names: Names | None = None
        self._places: dict[str, Places] = {}
        self._own: dict[str, Own] = {}
        self._strangers: dict[str, Card] = {}
        self._found: dict[tuple[str, int, int], tuple[Reference, ...]] = {}
        self.short_forms: dict[str, tuple[Document, str] | None] = {}
        """What short forms in capitals mean on this shelf by the definitions of its documents, as far as asked."""

    @property
    def names(self) -> Names:
        """The names of the documents."""
        if self._names is None:
            self._names = Names(self.shelf.cards())
        return self._names

    def places(self, document: Document) -> Places:
        """The labelled places of a document."""
        known = self._places.get(document.id)
        if known is None or known.document is not document:
            known = self._places[document.id] = Places(document)
            self._own.pop(document.id, None)
            self._found.clear()
        return known

    def found_in(self, document: Document, start: int, end: int) -> tuple[Reference, ...]:
        """The references in lines `start` to `end` of a document, said in English."""
        self.places(document)
        if document.id not in self._own:
            self._own[document.id] = Own(document)
        key = (document.id, start, end)
        if key not in self._found:
            if len(self._found) >= _MOST_FOUND:
                self._found.clear()
            found = find_lines(document.lines[start:end], document, self._own[document.id])
            self._found[key] = tuple(in_english(r, document) for r in found)
        return self._found[key]

    def document(self, doc: str) -> Document | None:
        """A document of the shelf by id, or None."""
        known = self._places.get(doc)
        return known.document if known is not None else self.shelf.document(doc)

    def card(self, document: Document) -> Card:
        """The card of a document, also of one that is not on the shelf."""
        known = self.names.card(document.id) or self._strangers.get(document.id)
        if known is None:
            known = self._strangers[document.id] = document.card()
        return known


def called(document: Document) -> str:
    """Return how a document is called in an explanation: its title, else its name."""
    return document.title or document.name
