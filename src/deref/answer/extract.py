"""The extractive writer: an answer made of quotations, without a model.

1. The passages are split into units (paragraphs, list items, table rows) and ranked against the question.
2. The best units of the passages that the question found are quoted, and those that hold the pointers which are worth
   most to the question, wherever in these passages they stand: a question about what stands elsewhere shares its words
   with the pointer, not with the answer.
3. Of each followed passage the part that the pointer meant is quoted: the selected rows with their header and the row
   they are to be read against, or the whole place when it is short, else its units that bear most on the question and
   on the pointer's own sentence.
4. Those pointers are pending until they were tried; pointers in followed text are pending only where that text hands
   over once more and the question is in the sentence that does.
5. Conditions stand in the answer as conditions.

Each quote is whole lines of the document; nothing is rephrased, so nothing can be made up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from deref.answer.cite import cite
from deref.answer.compose import NOTHING, Quote, compose
from deref.answer.conditions import conditions_in
from deref.answer.pointers import Pointer, ReferencesIn, pointers_in
from deref.answer.rank import Ranking, asked_stems, prior
from deref.answer.tables import baseline_row, body_rows, joined_spans, table_at
from deref.answer.units import Unit, narrowed, units_of, with_list
from deref.ports import never, unheard_piece
from deref.text.tokens import count_tokens
from deref.values import (
    Answer,
    Arrived,
    Completeness,
    Condition,
    Document,
    Item,
    Passage,
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
BESIDE = 0.2
"""A neighbour is quoted with the best unit when it covers at least this much of the question."""
MOST_QUOTES = {Shape.FACT: 2, Shape.DEFINITION: 2, Shape.CONDITION: 3, Shape.COMPARISON: 3, Shape.LIST: 5}
MOST_POINTERS = 5
MOST_COMPARED = 16
"""Units of a long place that are compared in meaning: each costs some milliseconds the first time."""
MEANING = 0.8
"""What nearness in meaning, 0..1, is worth beside the share of the question's words."""
NEAR_POINTER = 0.6
"""A further pointer counts when it is worth at least this share of the best one."""
HALF = 0.5
HANDED_ON = 0.3
"""A pointer in followed text is open only when it is worth at least this much."""
ALONE, WHOLE_SECTION = 60, 200
"""Words. A best unit shorter than ALONE is quoted with its section, up to WHOLE_SECTION."""
FOLLOWED_WORDS = 600
"""Words of followed text in an answer; a list of articles would fill pages."""
WHOLE_TARGET = 220
"""Words. A followed place up to this size is quoted whole."""


Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""(question, texts) → 0 (unrelated) to 1 (the same) for each text."""


class _Quoted(NamedTuple):
    document: Document
    lines: Span
    passage: Passage


class ExtractiveWriter:
    """The Writer port without a model. `references_in` gives the references of lines of a document."""

    def __init__(self, references_in: ReferencesIn, similarity: Similarity | None = None) -> None:
        """Keep the doors. `similarity` gives the nearness in meaning of texts to a question, or is None."""
        self._references_in = references_in
        self._similarity = similarity

    @property
    def identity(self) -> str:
        """Name and version of the writer."""
        return "extractive-1"

    def write(
        self,
        query: Query,
        passages: Sequence[Passage],
        read: Callable[[str], Document],
        *,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Quote what bears on the question. See the module docstring. It takes some milliseconds and waits for nobody."""
        answer = self._written(query, passages, read)
        heard(answer.text)
        return answer

    def _written(self, query: Query, passages: Sequence[Passage], read: Callable[[str], Document]) -> Answer:
        units = [u for rank, p in enumerate(passages) for u in units_of(read(p.lines.doc), p, rank)]
        ranking = Ranking(asked_stems(query.text), units)
        own = [u for u in units if u.passage.arrived is Arrived.PRIMARY]
        pointers = self._pointers(query.text, own, ranking)
        chosen = _best(own, ranking, MOST_QUOTES[query.shape])
        chosen += [u for u, _ in pointers if u not in chosen]
        spans = [_quote(u, ranking) for u in chosen]
        if chosen:
            spans[0] = _grown(spans[0], chosen[0], own, ranking)
        quotes = [_Quoted(u.document, span, u.passage) for u, span in zip(chosen, spans, strict=True)]
        quotes += self._followed_quotes(query.text, passages, units, ranking.asked, read)
        quotes = _unique(quotes)
        if not quotes:
            return Answer(text=NOTHING, citations=(), pending=(), completeness=Completeness.NOT_FOUND)
        pending = self._pending([p for _, p in pointers], quotes, passages, ranking)
        citations = [cite(q.document, q.lines, q.passage, read) for q in quotes]
        return Answer(
            text=compose([Quote(q.document, c) for q, c in zip(quotes, citations, strict=True)]),
            citations=tuple(citations),
            pending=tuple(_open(pointer.reference) for pointer in pending),
            completeness=Completeness.REFERENCES_UNRESOLVED if pending else Completeness.COMPLETE,
            conditions=tuple(_conditions(quotes)),
        )

    def _followed_quotes(
        self,
        question: str,
        passages: Sequence[Passage],
        units: Sequence[Unit],
        asked: frozenset[str],
        read: Callable[[str], Document],
    ) -> list[_Quoted]:
        """Return the quotes of followed text, FOLLOWED_WORDS in all, but at least one for each pointer."""
        quotes: list[_Quoted] = []
        left = FOLLOWED_WORDS
        served: set[tuple[str, int, int]] = set()
        for passage in passages:
            if passage.resolution is None:
                continue
            document, place = read(passage.lines.doc), passage.resolution.reference.at.begins
            here = [u for u in units if u.passage is passage]
            for span in self._followed(question, document, passage, here, asked, read):
                size = count_tokens(document.text(span))
                if place in served and size > left:
                    continue
                served.add(place)
                left -= size
                quotes.append(_Quoted(document, span, passage))
        return quotes

    def _followed(
        self,
        question: str,
        document: Document,
        passage: Passage,
        units: Sequence[Unit],
        asked: frozenset[str],
        read: Callable[[str], Document],
    ) -> list[Span]:
        sentence = _sentence_of(passage, read)
        bridge = asked_stems(sentence) - asked
        table = table_at(document, passage.lines)
        if table is not None:
            return _table(table, document, passage, Ranking(asked, units, bridge), sentence)
        wanted = list(passage.focus) or [passage.lines]
        if sum(count_tokens(document.text(s)) for s in wanted) <= WHOLE_TARGET:
            return joined_spans(wanted)
        here = [u for u in units if any(u.lines.start in s for s in wanted)]
        whole = any(t.kind == "document" for t in passage.resolution.targets) if passage.resolution else False
        return _best_of(here, self._worth(question, here, Ranking(asked, here, bridge)), opening=not whole)

    def _worth(self, question: str, units: Sequence[Unit], ranking: Ranking) -> list[float]:
        """Return what each unit is worth to the question: its words, and its meaning for the first MOST_COMPARED."""
        worth = [ranking.coverage(u.stems, u.context) for u in units]
        if self._similarity is not None:
            first = sorted(range(len(units)), key=lambda n: (-worth[n], n))[:MOST_COMPARED]
            near = self._similarity(question, [units[n].text for n in first])
            for n, nearness in zip(first, near, strict=True):
                worth[n] += MEANING * nearness
        return worth

    def _pointers(self, question: str, units: Sequence[Unit], ranking: Ranking) -> list[tuple[Unit, Pointer]]:
        found: list[tuple[float, Unit, Pointer]] = []
        for unit in units:
            around = ranking.coverage(unit.stems, unit.context)
            for pointer in pointers_in(unit.document, unit.lines, self._references_in, ranking, around):
                if pointer.reference.kind is not ReferenceKind.LINK or pointer.defers:
                    found.append((pointer.score + prior(unit.rank), unit, pointer))
        if self._similarity is not None and found:
            near = self._similarity(question, [p.sentence for _, _, p in found])
            found = [(score + MEANING * n, u, p) for (score, u, p), n in zip(found, near, strict=True)]
        found.sort(key=lambda f: (-f[0], f[1].rank, f[2].order))
        kept: dict[tuple[object, ...], tuple[Unit, Pointer]] = {}
        for score, unit, pointer in found:
            if score < NEAR_POINTER * found[0][0] or len(kept) == MOST_POINTERS:
                break
            r = pointer.reference
            kept.setdefault(
                (unit.document.id, r.kind, r.labels, r.selector, r.container or r.labels or r.text),
                (unit, pointer),
            )
        return list(kept.values())

    def _pending(
        self,
        first: Sequence[Pointer],
        quotes: Sequence[_Quoted],
        passages: Sequence[Passage],
        ranking: Ranking,
    ) -> list[Pointer]:
        done = {p.resolution.reference.at.begins for p in passages if p.resolution is not None}
        places = {p.reference.at.begins for p in first}
        found = list(first)
        for quote in quotes:
            if quote.passage.arrived is Arrived.REFERENCE:
                handed_on = pointers_in(quote.document, quote.lines, self._references_in, ranking)
                found += [
                    p
                    for p in handed_on
                    if p.defers and p.score >= HANDED_ON and p.reference.at.begins not in places
                ][:1]
        return [p for p in found if p.reference.at.begins not in done]


def _best(units: Sequence[Unit], ranking: Ranking, most: int) -> list[Unit]:
    ranked = sorted(units, key=lambda u: (-ranking.score(u), u.rank, u.lines))
    floor = CLOSE * ranking.score(ranked[0]) if ranked else 0.0
    return [u for u in ranked[:most] if ranking.score(u) >= floor]


def _quote(unit: Unit, ranking: Ranking) -> Span:
    return with_list(unit) if unit.text.rstrip().endswith(":") else narrowed(unit, ranking.coverage)


def _grown(span: Span, unit: Unit, units: Sequence[Unit], ranking: Ranking) -> Span:
    """Return the quote of the best unit with what it stands in, when it is too short to stand alone.

    That is the smallest section around it of ALONE words at the least and WHOLE_SECTION at the most, never one that is
    most of the document; where there is none, its neighbours that bear on the question too.
    """
    document = unit.document
    around = span
    for section in reversed(document.section_path(span.start)):
        if count_tokens(document.text(around)) >= ALONE:
            break
        if count_tokens(document.text(section.lines)) > WHOLE_SECTION or 2 * len(section.lines) > len(
            document.lines
        ):
            break
        around = Span(
            doc=span.doc, start=min(span.start, section.lines.start), end=max(span.end, section.lines.end)
        )
    if around != span:
        return around
    left = WHOLE_SECTION - count_tokens(document.text(span))
    beside = {u.lines.start: u for u in units if u.lines.doc == span.doc}
    before = {u.lines.end: u for u in units if u.lines.doc == span.doc}
    for _ in range(2):
        for there in (beside.get(span.end), before.get(span.start)):
            if there is None or ranking.coverage(there.stems) < BESIDE or count_tokens(there.text) > left:
                continue
            left -= count_tokens(there.text)
            span = Span(
                doc=span.doc, start=min(span.start, there.lines.start), end=max(span.end, there.lines.end)
            )
    return span


def _open(reference: Reference) -> Resolution:
    return Resolution(
        reference=reference, status=Status.UNRESOLVED, targets=(), tier=None, why="not looked up yet"
    )


def _unique(quotes: Sequence[_Quoted]) -> list[_Quoted]:
    """Return the quotes without those that another one of the same arrival holds: both ends of a pointer stay cited."""
    kept: list[_Quoted] = []
    for quote in quotes:
        span, arrived = quote.lines, quote.passage.arrived
        if not any(
            span.doc == k.lines.doc
            and k.lines.start <= span.start
            and span.end <= k.lines.end
            and k.passage.arrived is arrived
            for k in kept
        ):
            kept.append(quote)
    return kept


def _conditions(quotes: Sequence[_Quoted]) -> list[Condition]:
    """Return the conditions in the quotes, in order, one that is the end of another left out."""
    found = [c for q in quotes for c in conditions_in(q.document, q.lines)]
    kept: list[Condition] = []
    for condition in found:
        same = [k for k in kept if k.at.source == condition.at.source and k.at.line == condition.at.line]
        if not any(k.text.endswith(condition.text) or condition.text.endswith(k.text) for k in same):
            kept.append(condition)
    return kept


def _sentence_of(passage: Passage, read: Callable[[str], Document]) -> str:
    if passage.resolution is None:
        return ""
    at = passage.resolution.reference.at
    lines = read(at.doc).lines
    return " ".join(line.text for line in lines[max(0, at.line - 1) : at.last_line + 2])


def _table(table: Item, document: Document, passage: Passage, ranking: Ranking, sentence: str) -> list[Span]:
    """Return the rows that the pointer selected, or that cover most, with header and baseline row."""
    stems = {n: asked_stems(document.lines[n].text) for n in body_rows(table, document)}
    rows = list(passage.focus) or _rows(table.lines, document, ranking, stems)
    base = baseline_row(table, document, tuple(rows), sentence) if passage.focus else None
    heads = [h for h in (passage.header or table.header,) if h is not None]
    return joined_spans([*heads, *rows, *([base] if base else [])])


def _rows(
    lines: Span, document: Document, ranking: Ranking, stems: Mapping[int, frozenset[str]]
) -> list[Span]:
    """Return the whole table when it is short, else its rows that cover most, the first ones if none does, and its caption."""
    if count_tokens(document.text(lines)) <= WHOLE_TARGET:
        return [lines]
    ranked = sorted(stems, key=lambda n: (-ranking.coverage(stems[n]), n))[:8]
    caption = Span(doc=lines.doc, start=lines.start, end=lines.start + 1)
    return [caption, *(Span(doc=lines.doc, start=n, end=n + 1) for n in sorted(ranked))]


def _best_of(units: Sequence[Unit], worth: Sequence[float], *, opening: bool) -> list[Span]:
    """Return the units that are worth most, in order; `opening`: the first one too.

    WHOLE_TARGET words at the most, half of that of a whole document; none worth less than half of the best.
    """
    floor = HALF * max(worth, default=0.0)
    order = sorted(range(len(units)), key=lambda n: (-worth[n], units[n].lines))
    ranked = [units[n] for n in order if worth[n] >= floor]
    if opening:
        ranked[2:2] = units[:1]
    left = WHOLE_TARGET if opening else WHOLE_TARGET // 2
    chosen: list[Span] = []
    for unit in ranked:
        span = unit.lines if unit.row else with_list(unit)
        size = count_tokens(unit.document.text(span))
        if span not in chosen and (not chosen or size <= left):
            chosen.append(span)
            left -= size
    return joined_spans(chosen)
