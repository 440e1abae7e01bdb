"""Which of the documents that a name may mean are called most like the one that speaks: file names that begin alike.

Names in order stand beside those that they share most of their beginning with, so one look among thousands is a search
in a sorted list.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

Words = tuple[str, ...]


class Beginnings:
    """Documents by the words of their names, put in order once."""

    def __init__(self, documents: Sequence[str], names: Sequence[Words]) -> None:
        """Take the documents and the name of each."""
        self._documents = documents
        self._order = sorted(range(len(names)), key=lambda n: names[n])
        self._names = [names[n] for n in self._order]

    def closest(self, own: Words, home: str) -> Sequence[str]:
        """Return the documents other than `home` that share the most first words with a name, in the order given."""
        at = bisect_left(self._names, own)
        before = next((n for n in range(at - 1, -1, -1) if self._document(n) != home), None)
        behind = next((n for n in range(at, len(self._names)) if self._document(n) != home), None)
        best = max((_shared(self._names[n], own) for n in (before, behind) if n is not None), default=0)
        first = bisect_left(self._names, own[:best])
        last = bisect_right(self._names, own[:best], key=lambda name: name[:best])
        return [self._documents[n] for n in sorted(self._order[first:last]) if self._documents[n] != home]

    def _document(self, n: int) -> str:
        return self._documents[self._order[n]]


def _shared(left: Words, right: Words) -> int:
    count = 0
    while count < min(len(left), len(right)) and left[count] == right[count]:
        count += 1
    return count
