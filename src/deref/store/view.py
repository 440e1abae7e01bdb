"""What is visible now: documents, their revisions and collections, and the revisions to hide.

Read once per *generation*, a word that every write changes, so most questions cost one small read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deref.store import statements
from deref.store.reading import Reader
from deref.values import Scope


class View(NamedTuple):
    """One state of the catalogue; `vectors` changes when some are added. `revisions` and `collections` are by document id.

    `aside` are the documents that are not active.
    """

    generation: str
    vectors: str
    revisions: Mapping[str, str]
    collections: Mapping[str, str]
    hidden: tuple[str, ...]
    aside: frozenset[str]

    def sees(self, doc: str, scope: Scope) -> bool:
        """Tell whether the document is there for this caller."""
        return doc in self.revisions and scope.holds(doc, self.collections[doc])

    def seen(self, scope: Scope) -> dict[str, str]:
        """Return the collections of the documents that are there for this caller, by id."""
        return {doc: name for doc, name in self.collections.items() if self.sees(doc, scope)}

    def limit(self, scope: Scope) -> frozenset[str] | None:
        """Return the documents that the scope leaves, or None when it leaves all."""
        if scope.documents is None and scope.collections is None:
            return None
        candidates = self.revisions if scope.documents is None else scope.documents
        return frozenset(doc for doc in candidates if self.sees(doc, scope))


def properties(reader: Reader) -> dict[str, str]:
    """Return the properties of the library."""
    return {key: value for key, value in reader.rows(statements.PROPERTIES)}


def current(reader: Reader, known: View | None) -> View:
    """Return `known` when nothing was written since, else a new view."""
    known_now = properties(reader)
    generation, vectors = known_now.get("generation", ""), known_now.get("vectors", "")
    if known is not None and known.generation == generation:
        return known if known.vectors == vectors else known._replace(vectors=vectors)
    while True:
        rows = reader.rows(statements.VISIBLE)
        hidden = tuple(revision for (revision,) in reader.rows(statements.HIDDEN))
        after = properties(reader).get("generation", "")
        if after == generation:
            return View(
                generation=generation,
                vectors=vectors,
                revisions={doc: revision for doc, revision, *_ in rows},
                collections={doc: collection for doc, _, collection, _ in rows},
                hidden=hidden,
                aside=frozenset(doc for doc, _, _, status in rows if status != "active"),
            )
        generation = after
