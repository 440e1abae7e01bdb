"""The passages as they are given to a model: each with an id of its own, and what of it was shown.

Ids are P1, P2, … by the place of the passage; they stay the same from pass to pass, since evidence only grows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deref.text.clean import join_lines
from deref.values import Document, Passage, Span

_ID = re.compile(r"[\[(\s]*(?:passage\s*)?P?\s*(\d{1,4})[\])\s.:]*", re.IGNORECASE)


class Piece(NamedTuple):
    """A passage that was shown. `lines` is the part that was shown; `header` the head of its table, where that stands elsewhere."""

    id: str
    passage: Passage
    document: Document
    lines: Span
    header: Span | None

    @property
    def spans(self) -> tuple[Span, ...]:
        """What was shown, in the order of its lines."""
        return (self.lines,) if self.header is None else tuple(sorted((self.header, self.lines)))

    @property
    def text(self) -> str:
        """What was shown, line ends as spaces."""
        return " ".join(joined(self.document, span) for span in self.spans)


class Evidence:
    """The pieces that were shown, by id."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        """Keep the pieces in their order."""
        self._pieces = {p.id: p for p in pieces}

    def __iter__(self) -> Iterator[Piece]:
        """Iterate in order."""
        return iter(self._pieces.values())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._pieces)

    def get(self, id: str) -> Piece | None:
        """Return the piece with an id as a model writes it ("P1", "[p1]", "1"), or None when none was shown under it."""
        found = _ID.fullmatch(id)
        return self._pieces.get(f"P{int(found[1])}") if found else None


def piece(n: int, passage: Passage, document: Document, lines: Span) -> Piece:
    """Return the nth passage (from 1) as a piece of which these lines are shown."""
    head = passage.header
    apart = head is not None and len(head) > 0 and not (lines.start <= head.start and head.end <= lines.end)
    return Piece(f"P{n}", passage, document, lines, head if apart else None)


def joined(document: Document, span: Span) -> str:
    """Return the text of some lines, line ends as spaces."""
    return join_lines(document.lines[span.start : span.end]).text.strip()
