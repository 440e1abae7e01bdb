"""What lines of documents hold, looked for once: the units of a passage, the pointers that begin in some lines, what amends them.

The passes of one question come back to the same lines, and questions of one library to the same passages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from deref.answer.amends import Amending
from deref.answer.pointers import Pointer, ReferencesIn, Standing, standing_in, weighed
from deref.answer.rank import Ranking
from deref.answer.units import Block, Unit, blocks_of
from deref.values import Document, Passage, Span

MOST_PASSAGES = 256
"""Passages whose units are kept."""
MOST_PLACES = 2048
"""Places, most of them single units, whose pointers are kept."""

MOST_DOCUMENTS = 256
"""Documents of which is kept what amends them."""

K = TypeVar("K")
T = TypeVar("T")


class Looks:
    """Of the last lines that were looked at. Documents are told apart by their id.

    Who keeps it from one question to the next lets go of it when documents, references or names of the shelf have changed.
    """

    def __init__(self, references_in: ReferencesIn) -> None:
        """Take what gives the references of lines."""
        self._references_in = references_in
        self._blocks: dict[Span, tuple[Block, ...]] = {}
        self._pointers: dict[Span, tuple[Standing, ...]] = {}
        self._amending: dict[str, tuple[Amending, ...]] = {}

    def units(self, document: Document, passage: Passage, rank: int) -> list[Unit]:
        """Return the units of a passage, as `units_of` does."""
        blocks = _once(
            self._blocks, MOST_PASSAGES, passage.lines, lambda: tuple(blocks_of(document, passage.lines))
        )
        return [Unit(document, *block, rank, passage) for block in blocks]

    def pointers(
        self, document: Document, lines: Span, ranking: Ranking, around: float = 0.0
    ) -> list[Pointer]:
        """Return the pointers that start in these lines, as `pointers_in` does."""
        standing = _once(
            self._pointers, MOST_PLACES, lines, lambda: standing_in(document, lines, self._references_in)
        )
        return weighed(standing, ranking, around)

    def amending(self, doc: str, look: Callable[[], tuple[Amending, ...]]) -> tuple[Amending, ...]:
        """Return what amends places of a document, by its id: what `look` gives when it is first asked for."""
        return _once(self._amending, MOST_DOCUMENTS, doc, look)


def _once(known: dict[K, T], most: int, key: K, look: Callable[[], T]) -> T:
    """Return what is known of the lines or the document, else look; of more than `most` the oldest goes."""
    if key not in known:
        known[key] = look()
        if len(known) > most:
            del known[next(iter(known))]
    return known[key]
