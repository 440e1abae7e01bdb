"""The registry of one library as one caller may see it: documents by id, places by label, definitions by term."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from deref.store import statements
from deref.store.reading import MOST_IN_LIST, Reader
from deref.store.recent import Recent
from deref.store.rows import card_of, document_of, place_of, storable
from deref.store.view import View
from deref.text.names import normalize_name
from deref.values import Card, Document, Place, Scope


class CatalogueShelf:
    """`Shelf` on a catalogue. Every read goes through the scope it was made with."""

    def __init__(
        self, reader: Reader, scope: Scope, view: Callable[[], View], kept: Recent[tuple[str, Document]]
    ) -> None:
        """Take the reader, the scope, the view of the moment, and the documents read so far, each with its generation."""
        self._reader = reader
        self._scope = scope
        self._view = view
        self._kept = kept

    def cards(self) -> Sequence[Card]:
        """Return the documents, by name."""
        view = self._view()
        aliases: dict[str, list[str]] = {}
        for doc, alias in self._reader.rows(statements.ALIASES):
            aliases.setdefault(doc, []).append(alias)
        cards = tuple(
            card_of(row, tuple(aliases.get(row[0], ())))
            for row in self._reader.rows(statements.CARDS)
            if view.sees(row[0], self._scope)
        )
        if view.aside and view.limit(self._scope) is not None:
            from deref.store.standing import cards_told

            return cards_told(cards)
        return cards

    def document(self, doc: str) -> Document | None:
        """Return a document by id, or None when there is none for this caller."""
        view = self._view()
        if not view.sees(doc, self._scope):
            return None
        kept = self._kept.get(doc)
        if kept is not None and kept[0] == view.generation:
            return kept[1]
        found = read_documents(self._reader, [doc]).get(doc)
        return None if found is None else self._kept.keep(doc, (view.generation, found))[1]

    def labelled(self, label: str) -> Sequence[Place]:
        """Return all sections and items with this normalised label (case-insensitive), by name and line."""
        return self._places(statements.LABELLED, storable(label.casefold()))

    def titled(self, title: str) -> Sequence[Place]:
        """Return the sections with this title (compared as `normalize_name` does), by name and line; no document is read."""
        key = normalize_name(title)
        if not key:
            return ()
        found = self._places(statements.TITLED, titles_like(key))
        return tuple(place for place in found if normalize_name(place.title) == key)

    def defined(self, term: str) -> Sequence[Place]:
        """Return the definitions of a term (compared as `normalize_name` does), by name and line."""
        return self._places(statements.DEFINED, storable(normalize_name(term)))

    def _places(self, statement: str, key: str) -> tuple[Place, ...]:
        view = self._view()
        rows = self._reader.rows(statement, {"key": key})
        return tuple(place_of(row) for row in rows if view.sees(row[0], self._scope))


def titles_like(key: str) -> str:
    """Return the pattern of SQL for titles in small letters that may be `key` as `normalize_name` compares.

    Databases differ in what they make small beyond ASCII, so any sign may stand for such a letter.
    """
    return "%" + "".join(c if c.isascii() and c.isalnum() else "%" for c in storable(key)) + "%"


def read_documents(reader: Reader, docs: Sequence[str]) -> dict[str, Document]:
    """Return the documents with these ids that are there."""
    cards = rows_of_documents(reader, statements.DOCUMENT, docs, key=False)
    aliases, sections, items, selectors, links = (
        rows_of_documents(reader, statements.BELONGINGS[name], docs)
        for name in ("aliases", "sections", "items", "selectors", "links")
    )
    return {
        doc: document_of(
            card_of(row[:9], tuple(alias for (alias,) in aliases[doc])),
            row[9], sections[doc], items[doc], selectors[doc], links[doc],
        )
        for doc in docs
        for row in cards[doc]
    }  # fmt: skip


def rows_of_documents(
    reader: Reader, statement: str, docs: Sequence[str], *, key: bool = True
) -> dict[str, list[Sequence[Any]]]:
    """Return what a statement of `statements` that reads of one document reads of each of several, without the id (`key`: with it)."""
    found: dict[str, list[Sequence[Any]]] = {doc: [] for doc in docs}
    for start in range(0, len(docs), MOST_IN_LIST):
        part = docs[start : start + MOST_IN_LIST]
        several = statements.of_several(statement, len(part))
        for row in reader.rows(several, {f"d{n}": doc for n, doc in enumerate(part)}):
            found[row[0]].append(row[1:] if key else row)
    return found
