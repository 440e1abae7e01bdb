"""The extractive writer: an answer made of quotations, without a model.

1. The passages are split into units (paragraphs, list items, table rows) and ranked against the question.
2. The best units of the passages that the question found are quoted, more of them where they are short, a short one with the
   short ones around it; and those that hold the pointers which are worth
   most to the question, wherever in these passages they stand: a question about what stands elsewhere shares its words
   with the pointer, not with the answer.
3. Of each followed passage the part that the pointer meant is quoted: the selected rows with their header and the row
   they are to be read against, or the whole place when it is short, else its units that bear most on the question and
   on the pointer's own sentence. Where no passage holds the pointer, its sentence is quoted beside it.
4. Those pointers are pending until they were tried; pointers in followed text are pending only where that text hands
   over once more and the sentence that does tells of the question.
5. Conditions stand in the answer as conditions.
6. A place that the question names is quoted before all else: see `named`.

Each quote is whole lines of the document; nothing is rephrased, so nothing can be made up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from deref.answer.arrange import arranged, each_once
from deref.answer.asking import Asking, asking
from deref.answer.chains import Begins, Chain, chains_of, holds
from deref.answer.cite import cite
from deref.answer.compose import NOTHING, Quote, compose
from deref.answer.conditions import conditions_of
from deref.answer.defined import defined_terms
from deref.answer.followed import MEANING, Similarity, followed_quotes, worths
from deref.answer.followed import Followed as Quoted
from deref.answer.leaning import leans_on
from deref.answer.looks import Looks
from deref.answer.named import FEW_POINTERS, SHORT, named_in, named_quotes, told_short, words_of
from deref.answer.pointers import Pointer, ReferencesIn, open_resolution, sentence_lines
from deref.answer.rank import Ranking, asked_stems, prior
from deref.answer.units import Unit, leads_in, longer_than, narrowed, with_list, with_short_ones, with_table
from deref.answer.value_missing import missing_values, told_missing
from deref.ports import never, unheard_piece
from deref.text.tokens import count_tokens, stems_of
from deref.values import (
    Answer,
    Arrived,
    Completeness,
    Document,
    ItemKind,
    Passage,
    Query,
    ReferenceKind,
    Shape,
    Span,
)

CLOSE = 0.7
"""A further unit is quoted when its score is at least this share of the best one's."""
FEW_WORDS, NEARLY_CLOSE = 120, 0.6
"""Further units are quoted from NEARLY_CLOSE on while what is quoted has no more than FEW_WORDS words."""
BESIDE = 0.2
"""A neighbour is quoted with the best unit when it covers at least this much of the question."""
MOST_QUOTES = {Shape.FACT: 4, Shape.DEFINITION: 4, Shape.CONDITION: 4, Shape.COMPARISON: 5, Shape.LIST: 6}
MOST_POINTERS = 5
"""Pointers that are quoted and listed at the most."""
MOST_CONSIDERED = 8
"""Pointers that the first pass hands on, of which those that lead to the most are followed."""
NEAR_POINTER = 0.5
"""A further pointer counts when it is worth at least this share of the best one."""
TELLS = 0.5
"""A sentence that tells this share of the question tells of its matter."""
STAYS = 0.5
"""A quote with a pointer that leads to nothing that is quoted stays when it is worth at least this share of the best one."""
BEARS, MEANS = 0.2, 0.5
"""A sentence bears on the question when it tells this share of it, or is so near to it in meaning."""
BESIDE_TOLD = 0.5
"""And this share of what the best text that is quoted tells of it."""
ALONE, WHOLE_SECTION = 60, 120
"""Words. A best unit shorter than ALONE is quoted with its section, up to WHOLE_SECTION."""


class _Pointing(NamedTuple):
    """A pointer, the unit that it stands in, and what it is worth by its words and its meaning."""

    unit: Unit
    pointer: Pointer
    worth: float

    @property
    def with_rank(self) -> float:
        """What it is worth with the rank of its passage."""
        return self.worth + prior(self.unit.rank)

    def matters(self, share: float, told: float) -> bool:
        """Tell whether it would be missed: its sentence bears on the question, of which the best text tells so much, and so does
        its unit, which is worth this share of the best one.
        """
        near = (self.worth - self.pointer.score) / MEANING
        is_near = near >= MEANS and self.pointer.reference.kind is not ReferenceKind.RELATIVE
        return share >= STAYS and (_bears(self.pointer, told) or is_near)


class _Own(NamedTuple):
    """What comes of the passages that a question found: pointers, those that are worth most first, and quotes.

    `core` weighs the words of the question that ask; `best` is what the best text is worth; each quote has the share of it that it is
    worth, 1 when it is quoted in any case; `aside` are the pointers that would not be missed, `leaning` those that the answer leans on.
    """

    asked: Asking
    ranking: Ranking
    core: Ranking
    best: float
    pointers: tuple[Pointer, ...]
    aside: frozenset[Begins]
    leaning: frozenset[Begins]
    worth_of_pointers: Mapping[Begins, float]
    quotes: tuple[tuple[Quoted, float], ...]
    short: str = ""
    """What is to be told of a place that is asked for and quoted in part."""


class ExtractiveWriter:
    """The Writer port without a model. `references_in` gives the references of lines of a document."""

    def __init__(
        self, references_in: ReferencesIn, similarity: Similarity | None = None, looks: Looks | None = None
    ) -> None:
        """Keep the doors. `similarity` gives the nearness in meaning of texts to a question, or is None; `looks` is what other
        questions looked through, when it is kept.
        """
        self._looks = looks or Looks(references_in)
        self._similarity = similarity
        self._last: tuple[tuple[Query, tuple[Passage, ...]], _Own] | None = None

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
        own = self._own(query, passages, read)
        units = self._units(passages, Arrived.REFERENCE, read)
        pointers = own.pointers[:MOST_POINTERS] if units else own.pointers
        quotes = self._quotes(own, passages, units, read) if units else each_once([q for q, _ in own.quotes])
        if not quotes:
            return Answer(text=NOTHING, citations=(), pending=(), completeness=Completeness.NOT_FOUND)
        pending = self._pending(pointers, quotes, passages, own.ranking)
        citations = [cite(q.document, q.lines, q.passage, read) for q in quotes]
        missing = missing_values(
            own.asked.asks, [(c.quote, _in_table(q)) for q, c in zip(quotes, citations, strict=True)]
        )
        settled = Completeness.PARTIAL if missing else Completeness.COMPLETE
        return Answer(
            text=compose([Quote(q.document, c) for q, c in zip(quotes, citations, strict=True)]),
            citations=tuple(citations),
            pending=tuple(open_resolution(pointer.reference) for pointer in pending),
            aside=tuple(open_resolution(p.reference) for p in pending if p.reference.at.begins in own.aside),
            leaning=()
            if any(q.passage.arrived is Arrived.REFERENCE for q in quotes)
            else tuple(open_resolution(p.reference) for p in pending if p.reference.at.begins in own.leaning),
            completeness=Completeness.REFERENCES_UNRESOLVED if pending else settled,
            when_settled=settled,
            problems=tuple(told for told in (told_missing(missing) if missing else "", own.short) if told),
            conditions=tuple(conditions_of((q.document, q.lines) for q in quotes)),
            definitions=tuple(defined_terms([(q.document, q.lines) for q in quotes])),
        )

    def _quotes(
        self,
        own: _Own,
        passages: Sequence[Passage],
        units: Sequence[Unit],
        read: Callable[[str], Document],
    ) -> list[Quoted]:
        """Return the quotes of a pass that has followed text, which are those that tell of the question, in their order."""
        known = own.worth_of_pointers
        chains = chains_of(
            passages, units, known, own.best, own.ranking, own.core, read, len(own.asked.parts)
        )
        followed = followed_quotes(own.asked, chains, units, read, self._similarity)
        told = [
            quote
            for quote, worth in own.quotes
            if worth >= STAYS or any(holds([quote.lines], chain.at) for chain in chains)
        ]
        return arranged(told, chains, followed, lambda chain: _pointing(chain, passages, read))

    def _own(self, query: Query, passages: Sequence[Passage], read: Callable[[str], Document]) -> _Own:
        """Return what comes of the passages that the question found.

        A pass that has followed text as well goes on from what the pass before it found: it began with the same passages.
        """
        found = tuple(p for p in passages if p.arrived is Arrived.PRIMARY)
        if len(found) < len(passages) and self._last is not None and self._last[0] == (query, found):
            return self._last[1]
        units = self._units(passages, Arrived.PRIMARY, read)
        named = named_in(query, found)
        asked = named.asked
        ranking = Ranking(asked.stems, units)
        core = Ranking(asked.core, units)
        worth = self._worths(asked, units, ranking, core)
        named = named.where_it_leads(worth)
        first = named_quotes(named, units, read, self._similarity) if named.passages else []
        pointers = self._pointers(asked, named.pointing(units, first), ranking)
        if named.alone and words_of(named.spans, read) > SHORT:
            pointers = [one for one in pointers if one.pointer.defers][:FEW_POINTERS]
        best = max(worth.values(), default=0.0) or 1.0
        most = max((ranking.coverage(u.stems) for u in units if worth[u.lines] >= CLOSE * best), default=0.0)
        aside = [p for p in pointers if not p.matters(worth[p.unit.lines] / best, most)]
        defined = named.alone and bool(asking(query.text).terms)
        leaning = [
            p
            for p in pointers
            if (defined and p.pointer.defers)
            or (p not in aside and worth[p.unit.lines] == best and leans_on(p.pointer, asked, p.unit.text))
        ]
        chosen = [] if named.passages else _best(asked, units, worth, MOST_QUOTES[query.shape])
        shares = [1.0] * len(chosen)
        for pointer in pointers[:MOST_POINTERS]:
            if pointer.unit not in chosen and not named.holds(pointer.unit.lines):
                chosen.append(pointer.unit)
                shares.append(worth[pointer.unit.lines] / best)
        spans = [_quote(u, ranking, units) for u in chosen]
        if chosen and not named.passages:
            spans[0] = _grown(spans[0], chosen[0], units, ranking)
        quotes = [Quoted(u.document, span, u.passage) for u, span in zip(chosen, spans, strict=True)]
        quotes, shares = [*first, *quotes], [*(1.0 for _ in first), *shares]
        own = _Own(
            asked=asked,
            ranking=ranking,
            core=core,
            best=max((worth[u.lines] - prior(u.rank) for u in chosen), default=0.0),
            pointers=tuple(one.pointer for one in pointers),
            aside=frozenset(one.pointer.reference.at.begins for one in aside),
            leaning=frozenset(one.pointer.reference.at.begins for one in leaning),
            worth_of_pointers={one.pointer.reference.at.begins: one.worth for one in pointers},
            quotes=tuple(zip(quotes, shares, strict=True)),
            short=told_short(named, first, query, read),
        )
        self._last = ((query, found), own)
        return own

    def _units(
        self, passages: Sequence[Passage], arrived: Arrived, read: Callable[[str], Document]
    ) -> list[Unit]:
        """Return the units of the passages that arrived so."""
        return [
            u
            for rank, passage in enumerate(passages)
            if passage.arrived is arrived
            for u in self._looks.units(read(passage.lines.doc), passage, rank)
        ]

    def _worths(
        self, asked: Asking, units: Sequence[Unit], ranking: Ranking, core: Ranking
    ) -> dict[Span, float]:
        """Return what each unit is worth, by its lines; of those that stand in several passages, in the first one."""

        def score(unit: Unit) -> float:
            own = ranking.coverage(unit.stems, unit.context), core.coverage(unit.stems, unit.context)
            return sum(own) / 2 + prior(unit.rank)

        worth = worths(asked, units, ranking, self._similarity, score)
        return {u.lines: w for u, w in reversed(list(zip(units, worth, strict=True)))}

    def _pointers(self, asked: Asking, units: Sequence[Unit], ranking: Ranking) -> list[_Pointing]:
        found: list[_Pointing] = []
        for unit in units:
            around = ranking.coverage(unit.stems, unit.context)
            for pointer in self._looks.pointers(unit.document, unit.lines, ranking, around):
                if _is_pointed(pointer, asked):
                    found.append(_Pointing(unit, pointer, pointer.score))
        if self._similarity is not None and found:
            near = self._similarity(asked.text, [one.pointer.sentence for one in found])
            found = [one._replace(worth=one.worth + MEANING * n) for one, n in zip(found, near, strict=True)]
        found.sort(key=lambda one: (-one.with_rank, one.unit.rank, one.pointer.order))
        kept: dict[tuple[object, ...], _Pointing] = {}
        for one in found:
            if one.with_rank < NEAR_POINTER * found[0].with_rank or len(kept) == MOST_CONSIDERED:
                break
            r = one.pointer.reference
            what = (one.unit.document.id, r.kind, r.labels, r.selector, r.container or r.labels or r.text)
            kept.setdefault(what, one)
        return list(kept.values())

    def _pending(
        self,
        first: Sequence[Pointer],
        quotes: Sequence[Quoted],
        passages: Sequence[Passage],
        ranking: Ranking,
    ) -> list[Pointer]:
        done = {p.resolution.reference.at.begins for p in passages if p.resolution is not None}
        places = {p.reference.at.begins for p in first}
        found = list(first)
        told = max((ranking.coverage(stems_of(q.document.text(q.lines))) for q in quotes), default=0.0)
        for quote in quotes:
            if quote.passage.arrived is Arrived.REFERENCE:
                handed_on = self._looks.pointers(quote.document, quote.lines, ranking)
                found += [
                    p
                    for p in handed_on
                    if p.defers and _bears(p, told) and p.reference.at.begins not in places
                ][:1]
        return [p for p in found if p.reference.at.begins not in done]


def _bears(pointer: Pointer, told: float) -> bool:
    """Tell whether the sentence of a pointer bears on a question of which the best text tells so much. What a sentence calls "below"
    stands behind it or is named by nothing: that sentence has to tell of the matter.
    """
    least = TELLS if pointer.reference.kind is ReferenceKind.RELATIVE else BEARS
    return pointer.told >= max(least, BESIDE_TOLD * told)


def _best(asked: Asking, units: Sequence[Unit], worth: Mapping[Span, float], most: int) -> list[Unit]:
    """Return the units that are worth most, best first, and the best one of each part of the question."""
    order = sorted(units, key=lambda u: (-worth[u.lines], u.rank, u.lines))
    chosen: list[Unit] = []
    left = FEW_WORDS
    for place, unit in enumerate(order):
        left -= count_tokens(unit.text)
        few = left >= 0
        if (
            not (few or place < most)
            or worth[unit.lines] < (NEARLY_CLOSE if few else CLOSE) * worth[order[0].lines]
        ):
            break
        chosen.append(unit)
    for part in asked.parts:
        of_part = Ranking(asked_stems(part), units)
        best = max(units, key=of_part.score, default=None)
        if best is not None and best not in chosen:
            chosen.append(best)
    return chosen


def _is_pointed(pointer: Pointer, asked: Asking) -> bool:
    """Whether a pointer may carry the answer: a mere link does where its sentence hands the matter over, or tells of it without
    the value that is asked for ("the limit is that of the rate card").
    """
    if pointer.reference.kind is not ReferenceKind.LINK or pointer.defers:
        return True
    return pointer.told >= TELLS and not asked.held_by(pointer.sentence)


def _pointing(chain: Chain, passages: Sequence[Passage], read: Callable[[str], Document]) -> list[Quoted]:
    """Return the sentence that points when it stands in no passage: the other end of the pointer is cited too."""
    at = chain.at
    if holds((p.lines for p in passages), at):
        return []
    document = read(at.doc)
    lines = sentence_lines(document, at)
    return [Quoted(document, lines, Passage(lines=lines))]


def _quote(unit: Unit, ranking: Ranking, units: Sequence[Unit]) -> Span:
    if unit.row:
        return with_table(unit.document, unit.lines)
    if leads_in(unit.text):
        return with_list(unit.document, unit.lines)
    together = with_short_ones(unit, units)
    return together if together != unit.lines else narrowed(unit, ranking.coverage)


def _grown(span: Span, unit: Unit, units: Sequence[Unit], ranking: Ranking) -> Span:
    """Return the quote of the best unit with what it stands in, when it is too short to stand alone.

    That is the smallest section around it of ALONE words at the least and WHOLE_SECTION at the most, never one that is
    most of the document; where there is none, its neighbours that bear on the question too.
    """
    document = unit.document
    around = span
    for section in reversed(document.section_path(span.start)):
        if longer_than(ALONE - 1, document, [around]):
            break
        if 2 * len(section.lines) > len(document.lines) or longer_than(
            WHOLE_SECTION, document, [section.lines]
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


def _in_table(quote: Quoted) -> bool:
    return any(
        i.kind is ItemKind.TABLE and i.lines.start < quote.lines.end and quote.lines.start < i.lines.end
        for i in quote.document.items
    )
