"""What the resolver reads of a shelf, each thing once: documents, their places, the names of all.

One `View` serves any number of references; `ports.Shelf` is the only door, so what it does not show does not exist.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from deref.references.documents import Names
from deref.references.find import find
from deref.references.in_english import in_english
from deref.references.places import Places
from deref.text.names import normalize_name
from deref.values import Card, Document, FoundBy, Place, Reference

if TYPE_CHECKING:
    # The doors bring numpy with them, which finding and resolving never need.
    from deref.ports import Shelf

ReferencesOf = Callable[[Document], Sequence[Reference]]
"""The references that were found in a document, in order."""

MOST_DOCUMENTS = 256
"""Documents that are kept from one reference to the next; one reference may lead through more."""


class View:
    """A shelf as read so far."""

    def __init__(self, shelf: Shelf, references: ReferencesOf = find) -> None:
        """Take the door, and what gives the references of a document; nothing is read yet."""
        self.shelf = shelf
        self._references = references
        self._names: Names | None = None
        self._places: dict[str, Places] = {}
        self._strangers: dict[str, Card] = {}
        self._found: dict[str, Sequence[Reference]] = {}
        self._labelled: dict[str, dict[str, list[Place]]] = {}
        self._titled: dict[str, Sequence[Place]] = {}
        self.before_in_list: dict[tuple[str, int, int], Reference | None] = {}
        """What stands right before a reference in a list, by its document and place, as far as asked."""
        self.kinds_pointed_at: dict[str, frozenset[str]] = {}
        """The kinds of unit that documents point at by number, by document, as far as asked: `enclosing`."""
        self.parts_of_works: dict[tuple[str, str, str], list[str]] | None = None
        """The documents that are parts of works, by folder, work and number, when they were asked for: `numbered_parts`."""
        self.short_forms: dict[str, tuple[Document, str] | None] = {}
        """What short forms in capitals mean on this shelf by the definitions of its documents, as far as asked."""

    @property
    def is_full(self) -> bool:
        """Whether more documents are kept than should be once the reference at hand is resolved."""
        return len(self._places) > MOST_DOCUMENTS

    def let_go(self) -> None:
        """Forget the documents, and what was worked out of them; names stay."""
        self._places.clear()
        self._found.clear()
        self._strangers.clear()
        self._labelled.clear()
        self._titled.clear()
        self.before_in_list.clear()
        self.kinds_pointed_at.clear()
        self.short_forms.clear()

    @property
    def names(self) -> Names:
        """The names of the documents."""
        if self._names is None:
            self._names = Names(self.shelf.cards())
        return self._names

    def beside(self, home: Document, label: str) -> Sequence[Place]:
        """The places with this label in the other documents of the home document's folder, by name and line."""
        if label not in self._labelled:
            by_folder: dict[str, list[Place]] = defaultdict(list)
            for place in self.shelf.labelled(label):
                by_folder[self.folder(place.doc)].append(place)
            self._labelled[label] = dict(by_folder)
        near = self._labelled[label].get(self.folder(home.id), ())
        return [place for place in near if place.doc != home.id]

    def titled_beside(self, home: Document, title: str) -> Sequence[Place]:
        """The sections with this title in the other documents of the home document's folder, by name and line."""
        folder = self.folder(home.id)
        key = normalize_name(title)
        if key not in self._titled:
            self._titled[key] = self.shelf.titled(title)
        return [p for p in self._titled[key] if p.doc != home.id and self.folder(p.doc) == folder]

    def folder(self, doc: str) -> str:
        """The folder of a document of the shelf; "" for one at the top, and one that is not there."""
        card = self.names.card(doc)
        return card.name.rpartition("/")[0] if card else ""

    def places(self, document: Document) -> Places:
        """The labelled places of a document."""
        known = self._places.get(document.id)
        if known is None or known.document is not document:
            known = self._places[document.id] = Places(document)
            self._found.pop(document.id, None)
            self.before_in_list.clear()
        return known

    def found_in(self, document: Document, start: int, end: int) -> tuple[Reference, ...]:
        """The references of the grammar that begin in lines `start` to `end` of a document, said in English."""
        found = self._all(document)
        first = bisect_left(found, start, key=lambda r: r.at.line)
        last = bisect_left(found, end, key=lambda r: r.at.line)
        return tuple(found[first:last])

    def found_from(self, document: Document, line: int, char: int, end: int) -> Iterator[Reference]:
        """Those of `found_in` that begin at a character or behind it, up to line `end`, in order."""
        found = self._all(document)
        first = bisect_left(found, (line, char), key=_begin)
        return itertools.takewhile(lambda r: r.at.line < end, itertools.islice(found, first, None))

    def found_before(self, document: Document, line: int, char: int, start: int) -> Iterator[Reference]:
        """Those of `found_in` that begin before a character, back to line `start`, the last first."""
        found = self._all(document)
        last = bisect_left(found, (line, char), key=_begin)
        back = (found[n] for n in range(last - 1, -1, -1))
        return itertools.takewhile(lambda r: r.at.line >= start, back)

    def _all(self, document: Document) -> Sequence[Reference]:
        self.places(document)
        if document.id not in self._found:
            self._found[document.id] = [
                in_english(r, document) for r in self._references(document) if r.found_by is FoundBy.GRAMMAR
            ]
        return self._found[document.id]

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


def _begin(reference: Reference) -> tuple[int, int]:
    return reference.at.line, reference.at.char_start


def called(document: Document) -> str:
    """Return how a document is called in an explanation: its title, else its name."""
    return document.title or document.name
