"""The hop that knows documents by their names alone: the arm that the hop of the product is measured beside.

Its rules, as its authors wrote them down: a passage's references are *labels* ("Exhibit B", "Section 4.3", "§ 7") and then
*other documents* whose name stands in it as whole words, eight at the most; a reference resolves to the first document whose
name has it as whole words, never to its own. The first three passages are gone through in order, and the first document
that is not among the candidates yet is gone to; its three best passages for the question are appended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from deref.text.names import normalize_name
from deref.values import Chunk

MOST_REFERENCES, SOURCES, MAX_HOPS, CHUNKS_PER_HOP = 8, 3, 1, 3
_LEAST_NAME = 6
_EXHIBIT = re.compile(
    r"\b(?i:exhibit|appendix|schedule|annex|attachment|addendum)\s+(?i:no\.?\s*|#\s*)?(?:[A-Z]|\d+(?:\.\d+)*)\b"
)
_SECTION = re.compile(r"(?:\b(?:section|clause|article)\s+|§\s*)\d+(?:\.\d+)*", re.IGNORECASE)
_NUMBERED = re.compile(r"^\d+\s+")

Search = Callable[[str, str, int], Sequence[Chunk]]
"""The best passages of one document for a question: question, document id, how many."""


class NamedHop:
    """The hop over a shelf, made of the names of its documents by id."""

    def __init__(self, names: Mapping[str, Sequence[str]], search: Search) -> None:
        """Take the names of each document (file and title), and the search within one."""
        self._search = search
        plain: dict[str, str] = {}
        stripped: dict[str, str] = {}
        for doc, known in names.items():
            for name in map(normalize_name, known):
                plain.setdefault(name, doc)
                stripped.setdefault(_NUMBERED.sub("", name), doc)
        every = {**stripped, **plain}
        self._names = {name: doc for name, doc in every.items() if len(name) >= _LEAST_NAME}
        self._known: dict[str, list[str]] = {}

    def __call__(self, question: str, found: Sequence[Chunk]) -> list[Chunk]:
        """Return what is appended to the passages that were found."""
        here = {chunk.lines.doc for chunk in found}
        goals = [doc for chunk in found[:SOURCES] for doc in self.targets(chunk) if doc not in here]
        return [
            chunk
            for doc in list(dict.fromkeys(goals))[:MAX_HOPS]
            for chunk in self._search(question, doc, CHUNKS_PER_HOP)
        ]

    def targets(self, chunk: Chunk) -> list[str]:
        """Return the documents that a passage points at, labels first, in order of the text."""
        if chunk.id not in self._known:
            own = chunk.lines.doc
            said = [m.group() for pattern in (_EXHIBIT, _SECTION) for m in pattern.finditer(chunk.text)]
            text = f" {normalize_name(chunk.text)} "
            at = {name: text.find(f" {name} ") for name, doc in self._names.items() if doc != own}
            named = sorted((n for n, place in at.items() if place >= 0), key=lambda n: (at[n], -len(n)))
            references = list(dict.fromkeys([*(normalize_name(s) for s in said), *named]))
            goals = [self._first(r, own) for r in references[:MOST_REFERENCES]]
            self._known[chunk.id] = [doc for doc in goals if doc is not None]
        return self._known[chunk.id]

    def _first(self, reference: str, own: str) -> str | None:
        fits = (doc for name, doc in self._names.items() if f" {reference} " in f" {name} " and doc != own)
        return next(fits, None)
