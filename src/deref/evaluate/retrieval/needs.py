"""What a gold row needs, and which passages of the shelf hold it.

A *string* is held by a passage whose text has it, white space and case folded. A *passage* of a rulebook is held where
at least half of the shorter of the two, in characters, is common: a long passage is cut into several, a short one stands
among others, and in either case some passage of ours holds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deref.engine import Engine
from deref.evaluate.gold import GoldRow, Passage, folded_text
from deref.evaluate.references.locate import Located
from deref.evaluate.references.shape_passages import Book
from deref.values import EVERYTHING, Chunk, Document, Span

_COMMON = 0.5


class Need(Protocol):
    """Something that a row asks to be found."""

    def held(self, lines: Span, folded: str) -> bool:
        """Tell whether these lines, with this folded text, hold it."""
        ...


@dataclass(frozen=True, slots=True)
class StringNeed:
    """A verbatim string, folded."""

    folded: str

    def held(self, lines: Span, folded: str) -> bool:
        """Tell whether the text has it."""
        return self.folded in folded


@dataclass(frozen=True, slots=True)
class PassageNeed:
    """The lines of a passage. `sizes` are the characters of each line of its document."""

    lines: Span
    sizes: Sequence[int]

    def held(self, lines: Span, folded: str) -> bool:
        """Tell whether half of the shorter of the two is common."""
        if lines.doc != self.lines.doc:
            return False
        common = self._size(max(lines.start, self.lines.start), min(lines.end, self.lines.end))
        shorter = min(self._size(lines.start, lines.end), self._size(self.lines.start, self.lines.end))
        return common > 0 and common >= _COMMON * shorter

    def _size(self, start: int, end: int) -> int:
        return sum(self.sizes[start:end])


class Passages:
    """Every passage of a library, by id, as it is compared with gold."""

    def __init__(self, engine: Engine, books: Mapping[str, Book]) -> None:
        """Read the passages of all documents."""
        self._engine = engine
        self.books = books
        cards = engine.shelf().cards()
        self.names = {card.id: card.name for card in cards}
        self.chunks: dict[str, Chunk] = {
            c.id: c for card in cards for c in engine.store.chunks(card.id, EVERYTHING)
        }
        self._folded = {key: folded_text(c.text) for key, c in self.chunks.items()}
        self._located: dict[str, tuple[Located, tuple[int, ...]] | None] = {}

    def needs_of(self, row: GoldRow) -> tuple[Need, ...]:
        """Return what a row needs. A passage that the set does not have is left out: `checked` has told of it."""
        if row.pair is None:
            return tuple(StringNeed(folded_text(e)) for e in row.expected)
        return tuple(need for p in row.pair if (need := self.passage(p)) is not None)

    def passage(self, passage: Passage) -> PassageNeed | None:
        """Return a passage of a rulebook as lines of ours, or None when it has none."""
        book = self.books.get(passage.doc)
        rows = book.rows.get(passage.id) if book is not None else None
        if book is None or rows is None:
            return None
        if book.name not in self._located:
            self._located[book.name] = self._locate(book)
        there = self._located[book.name]
        if there is None:
            return None
        located, sizes = there
        start, end = located.line_of_row(rows[0]), located.line_of_row(rows[1])
        if start is None:
            return None
        last = len(located.document.lines) if end is None else end
        return (
            PassageNeed(Span(doc=located.document.id, start=start, end=last), sizes) if last > start else None
        )

    def _locate(self, book: Book) -> tuple[Located, tuple[int, ...]] | None:
        document = self.named(book.name)
        if document is None:
            return None
        return Located(document, book.text), tuple(len(line.text) for line in document.lines)

    def named(self, name: str) -> Document | None:
        """Return the document of this name, or None."""
        found = next((doc for doc, known in self.names.items() if known == name), None)
        return self._engine.find_document(found) if found is not None else None

    def holding(self, need: Need) -> frozenset[str]:
        """Return the ids of the passages that hold a need."""
        return frozenset(key for key, c in self.chunks.items() if need.held(c.lines, self._folded[key]))
