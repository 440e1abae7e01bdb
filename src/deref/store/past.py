"""The registry of one library as it was at one time: what stands there since before it, and the former documents of then.

Which documents that are is read at once; the bodies of the former ones when they are asked for.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from deref.errors import UsageError
from deref.ports import History, Shelf
from deref.store import statements
from deref.store.reading import Reader
from deref.store.rows import card_of, document_of, reference_of
from deref.store.view import View
from deref.text.names import normalize_name
from deref.values import Card, Document, ItemKind, Place, Reference, Scope


def history(reader: Reader) -> History:
    """Return from when on the former states are known, and when the library last changed."""
    begins, since, until = reader.rows(statements.HISTORY)[0]
    return History(begins_ns=int(begins), changed_ns=max(since or 0, until or 0))


def check_known(at_ns: int, known: History) -> None:
    """Raise UsageError for a time of which the documents are not known."""
    if at_ns < known.begins_ns:
        begins = datetime.fromtimestamp(known.begins_ns / 1e9).astimezone().isoformat(timespec="seconds")
        raise UsageError(
            f"what was on the shelf is known from {begins} on, and not before; name a later time "
            "(history.days and history.max_mb say how much is kept from now on)"
        )


class _Former:
    """A document that is no more, or no more under this name."""

    def __init__(self, row: Sequence[Any]) -> None:
        self.doc, self.n, self.collection, *_, belongings = row
        rows: dict[str, list[list[Any]]] = json.loads(zlib.decompress(belongings))
        self.card = card_of([self.doc, *row[3:9], "", ""], tuple(alias for (alias,) in rows["aliases"]))
        self.rows = rows

    def document(self, reader: Reader) -> Document:
        body = reader.rows(statements.FORMER_BODY, {"n": self.n})[0][0]
        parts = (self.rows[name] for name in ("sections", "items", "selectors", "links"))
        return document_of(self.card, body, *parts)


class CataloguePast:
    """`Past` on a catalogue."""

    def __init__(
        self,
        reader: Reader,
        at_ns: int,
        scope: Scope,
        *,
        now: Shelf,
        view: View,
        references: Callable[[str], Sequence[Reference]],
    ) -> None:
        """Read which documents were there. `now` and `references` give those that still are, `view` which."""
        self._reader = reader
        self._now = now
        self._references = references
        standing = {doc for (doc,) in reader.rows(statements.STANDING_AT, {"at": at_ns})}
        self._standing = {doc for doc in standing if view.sees(doc, scope)}
        former = [_Former(row) for row in reader.rows(statements.FORMER_AT, {"at": at_ns})]
        self._former = {f.doc: f for f in former if scope.holds(f.doc, f.collection)}
        self._read: dict[str, Document] = {}

    def cards(self) -> Sequence[Card]:
        """Return the documents of then, by name."""
        cards = [card for card in self._now.cards() if card.id in self._standing]
        cards += [former.card for former in self._former.values()]
        return tuple(sorted(cards, key=lambda card: (card.name, card.id)))

    def document(self, doc: str) -> Document | None:
        """Return a document by id, or None when there was none for this caller."""
        if doc in self._standing:
            return self._now.document(doc)
        if doc in self._former and doc not in self._read:
            self._read[doc] = self._former[doc].document(self._reader)
        return self._read.get(doc)

    def references(self, doc: str) -> Sequence[Reference]:
        """Return the references that were found in a document, in order."""
        if doc in self._standing:
            return self._references(doc)
        former = self._former.get(doc)
        return tuple(reference_of(doc, row) for row in former.rows["references"]) if former else ()

    def labelled(self, label: str) -> Sequence[Place]:
        """Return all sections and items with this normalised label (case-insensitive), by name and line."""
        return self._with_former(self._now.labelled(label), self._places.get(label.casefold(), ()))

    def titled(self, title: str) -> Sequence[Place]:
        """Return the sections with this title (compared as `normalize_name` does), by name and line."""
        key = normalize_name(title)
        return self._with_former(self._now.titled(title), self._titles.get(key, ()))

    def defined(self, term: str) -> Sequence[Place]:
        """Return the definitions of a term (compared as `normalize_name` does), by name and line."""
        return self._with_former(self._now.defined(term), self._terms.get(normalize_name(term), ()))

    def _with_former(self, now: Sequence[Place], former: Sequence[Place]) -> tuple[Place, ...]:
        places = [*(place for place in now if place.doc in self._standing), *former]
        return tuple(sorted(places, key=lambda place: self._order[place.doc])) if former else tuple(places)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {card.id: n for n, card in enumerate(self.cards())}

    @cached_property
    def _titles(self) -> dict[str, list[Place]]:
        """The titled sections of the former documents by title, those of one document in order of line."""
        found: dict[str, list[Place]] = {}
        for doc in self._former:
            document = self.document(doc)
            for place in document.titled_sections() if document is not None else ():
                found.setdefault(normalize_name(place.title), []).append(place)
        return found

    @cached_property
    def _places(self) -> dict[str, list[Place]]:
        """The places of the former documents by label, those of one document in order of line."""
        found: dict[str, list[Place]] = {}
        for doc in self._former:
            document = self.document(doc)
            for place in document.places() if document is not None else ():
                found.setdefault(place.label.casefold(), []).append(place)
        return found

    @cached_property
    def _terms(self) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for place in (place for places in self._places.values() for place in places):
            if place.kind == ItemKind.DEFINITION:
                found.setdefault(normalize_name(place.label), []).append(place)
        return found
