"""The extractive writer: an answer made of quotations, without a model.

1. The passages are split into units (paragraphs, list items, table rows) and ranked against the question.
2. The best unit of the passages that the question found is quoted, and a few more when they come close.
3. Of each followed passage the part that the pointer meant is quoted: the selected rows with their header and the row
   they are to be read against, or the whole place when it is short, else its units that bear most on the question.
4. References in what was quoted, not followed yet, are pending when they would change the answer: those of the
   primary quotes, and of followed ones only where the text hands over to them once more.
5. Conditions stand in the answer as conditions.

Each quote is whole lines of the document; nothing is rephrased, so nothing can be made up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deref.answer.cite import cite
from deref.answer.compose import NOTHING, Quote, compose
from deref.answer.conditions import conditions_in
from deref.answer.pointers import Pointer, ReferencesIn, pointers_in
from deref.answer.rank import Ranking, asked_stems
from deref.answer.tables import baseline_row, body_rows, joined_spans, table_at
from deref.answer.units import Unit, narrowed, units_of
from deref.text.tokens import count_tokens
from deref.values import (
    Answer,
    Arrived,
    Completeness,
    Condition,
    Document,
    Passage,
    Point,
    Query,
    Reference,
    ReferenceKind,
    Resolution,
    Shape,
    Span,
    Status,
)

CLOSE = 0.78
"""A further unit is quoted when its score is at least this share of the best one's."""
MOST_QUOTES = {Shape.FACT: 2, Shape.DEFINITION: 2, Shape.CONDITION: 3, Shape.COMPARISON: 3, Shape.LIST: 5}
WHOLE_TARGET = 170
"""Words. A followed place up to this size is quoted whole."""
MOST_PENDING = 5


class ExtractiveWriter:
    """The Writer port without a model. `references_in` gives the references of lines of a document."""

    def __init__(self, references_in: ReferencesIn) -> None:
        """Keep the door to the references."""
        self._references_in = references_in

    @property
    def identity(self) -> str:
        """Name and version of the writer."""
        return "extractive-1"

    def write(self, query: Query, passages: Sequence[Passage], read: Callable[[str], Document]) -> Answer:
        """Quote what bears on the question. See the module docstring."""
        units = [u for rank, p in enumerate(passages) for u in units_of(read(p.lines.doc), p, rank)]
        ranking = Ranking(asked_stems(query.text), units)
        primary = self._primary(query, [u for u in units if u.passage.arrived is Arrived.PRIMARY], ranking)
        if not primary and not any(p.arrived is Arrived.REFERENCE for p in passages):
            return Answer(text=NOTHING, citations=(), pending=(), completeness=Completeness.NOT_FOUND)
        quotes = [(u.document, narrowed(u, ranking.asked), u.passage) for u in primary]
        followed = [
            (read(p.lines.doc), span, p)
            for p in passages
            if p.arrived is Arrived.REFERENCE
            for span in self._followed(read(p.lines.doc), p, units, ranking, read)
        ]
        every = _unique(quotes + followed)
        pending = self._pending(every, passages, ranking)
        return Answer(
            text=compose([Quote(document, cite(document, span, p, read)) for document, span, p in every]),
            citations=tuple(cite(document, span, p, read) for document, span, p in every),
            pending=tuple(_open(pointer.reference) for pointer in pending),
            completeness=Completeness.REFERENCES_UNRESOLVED if pending else Completeness.COMPLETE,
            conditions=tuple(_conditions(every)),
        )

    def _primary(self, query: Query, units: Sequence[Unit], ranking: Ranking) -> list[Unit]:
        ranked = sorted(units, key=lambda u: (-ranking.score(u), u.rank, u.lines))
        if not ranked or ranking.coverage(ranked[0].stems, ranked[0].context) == 0:
            return ranked[:1]
        floor = CLOSE * ranking.score(ranked[0])
        chosen: list[Unit] = []
        for unit in ranked:
            if len(chosen) == MOST_QUOTES[query.shape] or ranking.score(unit) < floor:
                break
            if not any(unit.lines.doc == c.lines.doc and unit.lines.start in c.lines for c in chosen):
                chosen.append(unit)
        return chosen

    def _followed(
        self,
        document: Document,
        passage: Passage,
        units: Sequence[Unit],
        ranking: Ranking,
        read: Callable[[str], Document],
    ) -> list[Span]:
        table = table_at(document, passage.lines)
        if table is not None:
            sentence = _sentence_of(passage, read)
            rows = list(passage.focus) or _rows(table.lines, document, ranking, body_rows(table, document))
            base = baseline_row(table, document, tuple(rows), sentence) if passage.focus else None
            heads = [passage.header] if passage.header else ([table.header] if table.header else [])
            return joined_spans([*heads, *rows, *([base] if base else [])])
        wanted = list(passage.focus) or [passage.lines]
        if sum(count_tokens(document.text(s)) for s in wanted) <= WHOLE_TARGET:
            return joined_spans(wanted)
        here = [u for u in units if u.passage is passage and any(u.lines.start in s for s in wanted)]
        return _best_of(here, ranking)

    def _pending(
        self, quotes: Sequence[tuple[Document, Span, Passage]], passages: Sequence[Passage], ranking: Ranking
    ) -> list[Pointer]:
        done = {_place(p.resolution.reference.at) for p in passages if p.resolution is not None}
        found: list[Pointer] = []
        for document, span, passage in quotes:
            for pointer in pointers_in(document, span, self._references_in, ranking):
                first_hand = passage.arrived is Arrived.PRIMARY
                if _place(pointer.reference.at) in done or not (first_hand or pointer.defers):
                    continue
                if pointer.reference.kind is ReferenceKind.LINK and not pointer.defers:
                    continue
                found.append(pointer)
        return sorted(found, key=lambda p: p.order)[:MOST_PENDING]


def _place(at: Point) -> tuple[str, int, int]:
    return (at.doc, at.line, at.char_start)


def _open(reference: Reference) -> Resolution:
    return Resolution(
        reference=reference, status=Status.UNRESOLVED, targets=(), tier=None, why="not looked up yet"
    )


def _unique(quotes: Sequence[tuple[Document, Span, Passage]]) -> list[tuple[Document, Span, Passage]]:
    kept: list[tuple[Document, Span, Passage]] = []
    for document, span, passage in quotes:
        if not any(span.doc == k.doc and k.start <= span.start and span.end <= k.end for _, k, _ in kept):
            kept.append((document, span, passage))
    return kept


def _conditions(quotes: Sequence[tuple[Document, Span, Passage]]) -> list[Condition]:
    found: dict[tuple[str, int, str], Condition] = {}
    for document, span, _ in quotes:
        for condition in conditions_in(document, span):
            found.setdefault((condition.at.source, condition.at.line, condition.text), condition)
    return list(found.values())


def _sentence_of(passage: Passage, read: Callable[[str], Document]) -> str:
    if passage.resolution is None:
        return ""
    at = passage.resolution.reference.at
    lines = read(at.doc).lines
    return " ".join(line.text for line in lines[max(0, at.line - 1) : at.last_line + 2])


def _rows(lines: Span, document: Document, ranking: Ranking, body: Sequence[int]) -> list[Span]:
    """Return the whole table when it is short, else its rows that share most with the question, the first ones if none does."""
    if count_tokens(document.text(lines)) <= WHOLE_TARGET:
        return [lines]
    stems = {n: frozenset(asked_stems(document.lines[n].text)) for n in body}
    ranked = sorted(body, key=lambda n: (-ranking.coverage(stems[n]), n))[:8]
    caption = Span(doc=lines.doc, start=lines.start, end=lines.start + 1)
    return [caption, *(Span(doc=lines.doc, start=n, end=n + 1) for n in sorted(ranked))]


def _best_of(units: Sequence[Unit], ranking: Ranking) -> list[Span]:
    """Return the units that cover most of the question, and the opening one, up to WHOLE_TARGET words, in order."""
    if not units:
        return []
    ranked = sorted(units, key=lambda u: (-ranking.coverage(u.stems), u.lines))
    left = WHOLE_TARGET
    chosen: list[Span] = []
    for unit in [ranked[0], units[0], *ranked[1:]]:
        span = narrowed(unit, ranking.asked)
        size = count_tokens(unit.document.text(span))
        if span not in chosen and (not chosen or size <= left):
            chosen.append(span)
            left -= size
    return joined_spans(chosen)
