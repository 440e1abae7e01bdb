"""Pack: what the passages point at, in the words that they would grow by.

Every passage of a list is handed on with lines around it. A question about something that stands elsewhere has the
words of the place that points and hardly any of the place that is pointed at: the pointing passage is found, and what it
points at is worth more than the lines around it.

1. The budget are the words of the first k candidates, each grown. All of them stay, none of them grows.
2. What is left goes to the places that the first primary candidates of the pool point at, the best first (`pointing`).
   Only the best pointers are resolved, and only the passages that may hold one are looked through. A whole document that is represented already is left out, unless the sentence says
   what a part of it is called.
3. Of a place come up to `OF_EACH` passages within `WORDS` words: first the part whose heading or defined term the
   pointer's sentence says; then in turn the passage that tells most of the question and the one that tells most of the
   sentence. A passage is cut to the lines of the place; from a place of a few words, a caption or a heading, it reads on.
   A place inside a passage of the list widens the context of that one.
4. Words that are still left go back to the passages, the first ones first.

Where nothing is pointed at, the stage gives back what it was given, and the passages grow as ever. What it brings in
stands behind all others and never hops; no model is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, zip_longest
from math import log

from deref.retrieve.cut import cut
from deref.retrieve.expand import LEAST, read_on, widened
from deref.retrieve.pointing import ranked_pointers
from deref.retrieve.shares import Shares
from deref.retrieve.stage import Stage
from deref.retrieve.ways import Way, Ways
from deref.text.tokens import content_stems, count_tokens
from deref.values import Arrival, Candidate, Candidates, Chunk, Document, Query, Span

RESOLVED = 40
"""Pointers that are resolved."""
WORDS = 500
OF_EACH = 3


def pack(
    ways: Ways,
    *,
    k: int,
    read: Callable[[str], Document | None],
    named: Callable[[Span, str], Span | None],
    grown: int,
) -> Stage:
    """Return the stage that keeps `k` passages' worth of words, `grown` being what a passage may grow by.

    It reads the pool and gives back the list that is kept, each candidate with its context. `named` gives the
    part of a place whose heading or term a sentence says.
    """
    keep = cut(k).run

    def run(query: Query, candidates: Candidates) -> Candidates:
        kept = keep(query, candidates).items
        apart = query.filter is not None and query.filter.tells_passages_apart()
        sheet = _Sheet(read, 0 if apart else grown)
        room = sum(sheet.words(sheet.grown(candidate)) for candidate in kept)
        for candidate in kept:
            sheet.put(candidate, candidate.chunk.lines)
        before = sheet.spent
        for rank, (score, way) in enumerate(_ways(ways, query, candidates, named)):
            if room - sheet.spent < LEAST:
                break
            arrival = Arrival(by="hop", rank=rank, score=score, reference=way.resolution)
            _spend(sheet, way, arrival, _in_turn(query, way, named), min(WORDS, room - sheet.spent))
        if sheet.spent == before:
            return candidates
        for candidate in kept:
            more = replace(candidate, arrivals=())
            sheet.put(more, sheet.grown(candidate), most=room - sheet.spent)
        return Candidates(tuple(sheet.held.values()))

    return Stage(
        "pack", run, "a passage that was found points at it, and it has room in the words of the list"
    )


def _ways(
    ways: Ways, query: Query, pool: Candidates, named: Callable[[Span, str], Span | None]
) -> Iterator[tuple[float, Way]]:
    """Yield the ways to what the pool points at with their scores, the best first, one to each place."""
    documents = {candidate.chunk.lines.doc for candidate in pool}
    seen = set()
    for score, source, reference, sentence in islice(ranked_pointers(query, pool, ways.pointers), RESOLVED):
        for way in ways.led_by(query, source, reference, sentence):
            whole = way.target.kind == "document" and way.target.lines.doc in documents
            if way.place in seen or (whole and named(way.target.lines, sentence) is None):
                continue
            seen.add(way.place)
            yield score, way


def _spend(sheet: _Sheet, way: Way, arrival: Arrival, passages: Sequence[Chunk], words: int) -> None:
    """Put the passages of a place on the sheet, in turn, while their words last."""
    begun, taken = sheet.spent, 0
    for chunk in passages:
        spent = sheet.spent - begun
        taken += sheet.put(
            Candidate(chunk=chunk, arrivals=(arrival,)), sheet.cut_to(way, chunk), most=words - spent
        )
        if taken == OF_EACH:
            return


def _in_turn(query: Query, way: Way, named: Callable[[Span, str], Span | None]) -> Sequence[Chunk]:
    """Return the passages of a place in the order in which they are wanted."""
    if len(way.passages) <= OF_EACH:
        return way.passages
    part = named(way.target.lines, way.sentence)
    first = [c for c in way.passages if part and c.lines.start <= part.start < c.lines.end]
    stems_of = cache(lambda text: frozenset(content_stems(text)))
    by_question = _by_rare_stems(query.text, way.passages, stems_of)
    by_sentence = _by_rare_stems(way.sentence, way.passages, stems_of)
    turns = [c for pair in zip_longest(by_question, by_sentence) for c in pair if c is not None]
    return list({chunk.id: chunk for chunk in (*first, *turns)}.values())


def _by_rare_stems(
    text: str, chunks: Sequence[Chunk], stems_of: Callable[[str], frozenset[str]]
) -> Sequence[Chunk]:
    """Return the passages by the stems that they share with a text, each weighed by how few of the passages have it."""
    near = Shares(text).likely(chunks)
    stems = {chunk.id: stems_of(chunk.text) for chunk in near}
    weights = {
        stem: log(1 + (len(near) + 1) / (sum(stem in some for some in stems.values()) + 0.5))
        for stem in dict.fromkeys(content_stems(text))
    }
    told = {c: sum(weight for stem, weight in weights.items() if stem in some) for c, some in stems.items()}
    return sorted(near, key=lambda chunk: (-told[chunk.id], chunk.lines))


class _Sheet:
    """What is handed on: candidates with their contexts, by passage and in order, and the words of all of them."""

    def __init__(self, read: Callable[[str], Document | None], grown: int) -> None:
        self._read = read
        self._grown = grown
        self._lines: dict[str, set[int]] = {}
        self._words: dict[Span, int] = {}
        self._larger: dict[Span, Span] = {}
        self.held: dict[str, Candidate] = {}
        self.spent = 0

    def put(self, candidate: Candidate, span: Span, *, most: int | None = None) -> bool:
        """Add a candidate with its context; one whose passage is there adds to the context of that one.

        With `most` it is left out, and False returned, when all its lines are there or it takes more words than that.
        """
        known = self.held.get(candidate.chunk.id)
        before = 0
        if known is not None and known.context is not None:
            before = self.words(known.context)
            start, end = min(span.start, known.context.start), max(span.end, known.context.end)
            span = Span(doc=span.doc, start=start, end=end)
            candidate = replace(known, arrivals=(*known.arrivals, *candidate.arrivals))
        here = self._lines.setdefault(span.doc, set())
        more = self.words(span) - before
        if most is not None and (more > most or here.issuperset(range(span.start, span.end))):
            return False
        here.update(range(span.start, span.end))
        self.held[candidate.chunk.id] = replace(candidate, context=span)
        self.spent += more
        return True

    def words(self, span: Span) -> int:
        """Count the words of some lines, once."""
        if span not in self._words:
            document = self._read(span.doc)
            self._words[span] = count_tokens(document.text(span)) if document is not None else 0
        return self._words[span]

    def _know(self, chunk: Chunk) -> None:
        """Take the words of a passage as they were counted when it was cut, unless rows from elsewhere are among them."""
        if chunk.header is None:
            self._words.setdefault(chunk.lines, chunk.tokens)

    def grown(self, candidate: Candidate) -> Span:
        """Return what a candidate grows to."""
        lines = candidate.chunk.lines
        self._know(candidate.chunk)
        if lines not in self._larger:
            document = self._read(lines.doc) if self._grown else None
            larger, added = widened(document, lines, self._grown) if document is not None else (lines, 0)
            self._larger[lines] = larger
            # No word goes over the end of a line, so words of lines may be added up.
            self._words.setdefault(larger, self.words(lines) + added)
        return self._larger[lines]

    def cut_to(self, way: Way, chunk: Chunk) -> Span:
        """Return the lines of a passage that belong to a place; where they are few words, with those that follow."""
        spans = way.target.focus or (way.target.lines,)
        start = max(chunk.lines.start, min(span.start for span in spans))
        end = min(chunk.lines.end, max(span.end for span in spans))
        inside = Span(doc=chunk.lines.doc, start=start, end=end) if start < end else chunk.lines
        self._know(chunk)
        document = self._read(inside.doc) if self._grown and self.words(inside) < LEAST else None
        return inside if document is None else read_on(document, inside, self._grown)
