"""What lines of documents hold, looked for once: the units of a passage, and the pointers that begin in some lines.

The passes of one question come back to the same lines, and questions of one library to the same passages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from deref.answer.pointers import Pointer, ReferencesIn, Standing, standing_in, weighed
from deref.answer.rank import Ranking
from deref.answer.units import Block, Unit, blocks_of
from deref.values import Document, Passage, Span

MOST_PASSAGES = 256
"""Passages whose units are kept."""
MOST_PLACES = 2048
"""Places, most of them single units, whose pointers are kept."""

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


def _once(known: dict[Span, T], most: int, lines: Span, look: Callable[[], T]) -> T:
    """Return what is known of the lines, else look; of more than `most` the oldest goes."""
    if lines not in known:
        known[lines] = look()
        if len(known) > most:
            del known[next(iter(known))]
    return known[lines]
