"""The index of names in memory, for a session that looks up names again and again.

A look-up counts in the database (`names.find_names`), which groups the rows of some forty trigrams. To read the whole index
costs several look-ups, and each one after it next to nothing; so the first few of a session, and of each change of the
library, go to the database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from deref.store import statements
from deref.store.names import LEAST_ALIKE, find_names, trigrams_of_all, wanted
from deref.store.reading import Reader
from deref.store.recent import Recent
from deref.values import TitleHit

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEPT = 64
"""Texts whose documents are kept: one question asks for each twice, and the next one is often about the same paper."""
_IN_THE_DATABASE = 3
"""Look-ups before the index is read: one question makes up to as many."""


class NameSearch:
    """Looks up names in the database at first, then in memory. What it finds is the same."""

    def __init__(self, reader: Reader) -> None:
        """Take the reader; nothing is read yet."""
        self._reader = reader
        self._generation = ""
        self._asked = 0
        self._at_hand: NamesAtHand | None = None

    def find(
        self, text: str, k: int, sees: Callable[[str], bool], *, generation: str
    ) -> tuple[TitleHit, ...]:
        """Return what `names.find_names` returns; `generation` is that of the catalogue now."""
        if generation != self._generation:
            self._generation, self._asked, self._at_hand = generation, 0, None
        self._asked += 1
        if self._asked <= _IN_THE_DATABASE:
            return find_names(self._reader, text, k, sees)
        if self._at_hand is None:
            self._at_hand = NamesAtHand(self._reader)
        return self._at_hand.find(text, k, sees)


class NamesAtHand:
    """All names, and for each trigram those that have it."""

    def __init__(self, reader: Reader) -> None:
        """Read the index."""
        import numpy as np

        self._known: dict[str, list[str]] = {}
        docs: list[str] = []
        sizes: list[int] = []
        place: dict[int, int] = {}
        for doc, number, name, size in reader.rows(statements.NAMES_OF_ALL):
            self._known.setdefault(doc, []).append(name)
            if size:
                place[number] = len(docs)
                docs.append(doc)
                sizes.append(size)
        having: dict[str, list[int]] = {}
        for gram, number in trigrams_of_all(reader):
            if number in place:
                having.setdefault(gram, []).append(place[number])
        self._having = {gram: np.array(some, dtype=np.int32) for gram, some in having.items()}
        self._docs, self._sizes = docs, np.array(sizes, dtype=np.int64)
        self._ranked: Recent[tuple[NDArray[Any], NDArray[Any]]] = Recent(_KEPT)

    def find(self, text: str, k: int, sees: Callable[[str], bool]) -> tuple[TitleHit, ...]:
        """Return what `names.find_names` returns."""
        places, likeness = self._ranked.get(text) or self._ranked.keep(text, self._ranking(text))
        found: dict[str, float] = {}
        for n, alike in zip(places, likeness, strict=True):
            if len(found) >= k:
                break
            doc = self._docs[n]
            if doc not in found and sees(doc):
                found[doc] = float(alike)
        return tuple(TitleHit(doc=d, names=tuple(self._known[d]), score=a) for d, a in found.items())

    def _ranking(self, text: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the places of names that are like a text, the most alike first, and how much they are."""
        import numpy as np

        asked = wanted(text)
        known = [some for gram in asked if (some := self._having.get(gram)) is not None]
        if not known:
            return np.empty(0, dtype=np.int64), np.empty(0)
        shared = np.bincount(np.concatenate(known), minlength=len(self._docs))
        near = np.flatnonzero(shared)
        alike = shared[near] / (len(asked) + self._sizes[near] - shared[near])
        # Names are in order of documents, and equally alike ones stay so.
        order = np.argsort(-alike, kind="stable")
        order = order[alike[order] >= LEAST_ALIKE]
        return near[order], alike[order]
