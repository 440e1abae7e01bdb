"""Ways: the references that lead from the best candidates to other passages, and from passages of the pool to them.

*Forward*: each reference in a candidate that resolves to a place leads to the passages that hold the place: the exact
section, item or row, or the whole document when no more is said.

*Cited by*: a passage of the pool that points at a place in the candidate leads back to itself. References are stored as
they were found, never resolved, so passages are looked through by the labels of what the candidate holds: one whose
text has such a label has its references read, and those with the label are resolved, if who asks says that it may count.
Only the pool is looked through: what neither words nor meaning brought near the question is not worth the reading, and
its texts are at hand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from deref.retrieve.written_labels import WrittenLabels
from deref.text.clean import join_texts
from deref.text.hanging import sentence_of
from deref.text.tokens import sentences
from deref.values import (
    Candidate,
    Chunk,
    Document,
    Item,
    ItemKind,
    Query,
    Reference,
    Resolution,
    Scope,
    Section,
    Span,
    Status,
    Target,
)

if TYPE_CHECKING:
    from deref.values.filters import Filter

ReferencesIn = Callable[[Chunk], Sequence[tuple[Reference, str]]]
"""The references in a chunk, each with the sentence that holds it."""
ChunksOf = Callable[[str, Scope, "Filter | None"], Sequence[Chunk]]
"""The chunks of a document that pass the filter: what does not is not reached by a reference either."""
LabelsIn = Callable[[Chunk], Collection[str]]
"""The labels of the sections and items that a chunk holds or begins."""
MayCount = Callable[[Chunk, "Sequence[str] | None"], bool]
"""Whether a passage that points back may be chosen: told by itself, then by the sentences in it that point there, too."""
Told = Sequence[tuple[Candidate, Collection[str]]]
"""Candidates, each with the labels that it holds."""

MOST_CITING = 5
"""Passages of the pool whose references are read for the way back."""


class Way(NamedTuple):
    """A reference that leads somewhere. `source` is the candidate at whose end of it we are, `passages` the other end.

    `size` counts the passages of the place that it points at, at whichever end that is; `back` says that it is followed
    from its place to where it is written.
    """

    source: str
    resolution: Resolution
    target: Target
    sentence: str
    passages: tuple[Chunk, ...]
    size: int
    back: bool = False

    @property
    def place(self) -> tuple[object, ...]:
        """What tells places apart: the lines that are pointed at; on the way back, the passage that points."""
        if self.back:
            return (self.passages[0].id,)
        return (self.target.lines, self.target.focus)


class Ways:
    """Finds the ways of a question."""

    def __init__(
        self,
        *,
        references_in: ReferencesIn,
        resolve: Callable[[Reference], Resolution],
        chunks_of: ChunksOf,
        labels_in: LabelsIn,
        read_ahead: Callable[[Collection[str], Scope], None] | None = None,
    ) -> None:
        """Take the doors to the shelf, in the scope of the question. `read_ahead` hears which documents will be."""
        self._references_in = references_in
        self._resolve = resolve
        self._chunks_of = chunks_of
        self._labels_in = labels_in
        self._read_ahead = read_ahead
        self._chunks: dict[str, Sequence[Chunk]] = {}
        self._pointers: dict[str, Sequence[tuple[Reference, str]]] = {}
        self._resolved: dict[Reference, Resolution] = {}

    def every(
        self,
        query: Query,
        sources: Sequence[Candidate],
        pool: Sequence[Candidate],
        may_count: MayCount = lambda _chunk, _sentences: True,
    ) -> list[Way]:
        """Return the ways forward from candidates, then those back from passages of the pool that may count."""
        citing = [one for one in self._citing(sources, pool) if may_count(one[0], None)]
        self.read_ahead(query, [chunk for chunk, _ in citing])
        found = [way for source in sources for way in self.forward(query, source)]
        found += (way for chunk, told in citing for way in self._back(query, chunk, told, may_count))
        return found

    def read_ahead(self, query: Query, chunks: Iterable[Chunk]) -> None:
        """Have the documents of some passages read, which will all be asked for."""
        if self._read_ahead is not None:
            self._read_ahead(list(dict.fromkeys(chunk.lines.doc for chunk in chunks)), query.scope)

    def pointers(self, source: Candidate) -> Sequence[tuple[Reference, str]]:
        """Return the references in a candidate, each with the sentence that holds it, in order of the text."""
        return self._pointers_in(source.chunk)

    def _pointers_in(self, chunk: Chunk) -> Sequence[tuple[Reference, str]]:
        if chunk.id not in self._pointers:
            self._pointers[chunk.id] = self._references_in(chunk)
        return self._pointers[chunk.id]

    def _resolution(self, reference: Reference) -> Resolution:
        if reference not in self._resolved:
            self._resolved[reference] = self._resolve(reference)
        return self._resolved[reference]

    def forward(self, query: Query, source: Candidate) -> Iterator[Way]:
        """Yield the ways to what a candidate points at, in order of the text."""
        for reference, sentence in self.pointers(source):
            yield from self.led_by(query, source, reference, sentence)

    def led_by(self, query: Query, source: Candidate, reference: Reference, sentence: str) -> Iterator[Way]:
        """Yield the ways by one reference of a candidate."""
        resolution = self._resolution(reference)
        if resolution.status is not Status.RESOLVED:
            return
        for target in resolution.targets:
            inside = self._inside(query, target)
            if inside:
                yield Way(source.chunk.id, resolution, target, sentence, inside, len(inside))

    def _citing(self, sources: Sequence[Candidate], pool: Sequence[Candidate]) -> list[tuple[Chunk, Told]]:
        """Return the passages of the pool that have a label of some candidates, each with those candidates."""
        labels = [{label.casefold() for label in self._labels_in(s.chunk)} for s in sources]
        written = WrittenLabels({label for some in labels for label in some})
        citing: list[tuple[Chunk, Told]] = []
        for candidate in pool:
            if len(citing) == MOST_CITING:
                break
            said = written.found_in(candidate.chunk.text)
            told = [
                (source, some)
                for source, some in zip(sources, labels, strict=True)
                if said & some and source.chunk.id != candidate.chunk.id
            ]
            if told:
                citing.append((candidate.chunk, told))
        return citing

    def _back(
        self, query: Query, citing: Chunk, told: Told, may_count: MayCount = lambda _chunk, _sentences: True
    ) -> Iterator[Way]:
        pointing = []
        for reference, sentence in self._pointers_in(citing):
            meant = {label.casefold().split("(")[0] for label in reference.labels}
            meant |= {label.casefold() for label in reference.labels}
            wanted = [source for source, labels in told if meant.intersection(labels)]
            if wanted:
                pointing.append((reference, sentence, wanted))
        if not may_count(citing, [sentence for _, sentence, _ in pointing]):
            return
        for reference, sentence, wanted in pointing:
            resolution = self._resolution(reference)
            if resolution.status is not Status.RESOLVED:
                continue
            for target in resolution.targets:
                inside = self._inside(query, target)
                here = {chunk.id for chunk in inside}
                for source in wanted:
                    if source.chunk.id in here:
                        yield Way(
                            source.chunk.id, resolution, target, sentence, (citing,), len(inside), back=True
                        )

    def _inside(self, query: Query, target: Target) -> tuple[Chunk, ...]:
        """Return the passages that hold a place, in order; none of them when the caller may not see it."""
        doc = target.lines.doc
        if doc not in self._chunks:
            self._chunks[doc] = self._chunks_of(doc, query.scope, query.filter)
        return passages_of(target, self._chunks[doc])


def passages_of(target: Target, chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Return those of the chunks of a document, which are in order, that hold a place."""
    held: dict[str, Chunk] = {}
    for span in target.focus or (target.lines,):
        # In order and without overlap: the first that ends behind its start, to the last that starts before its end.
        first = bisect_right(chunks, span.start, key=lambda chunk: chunk.lines.end)
        last = bisect_left(chunks, span.end, key=lambda chunk: chunk.lines.start)
        held |= {chunk.id: chunk for chunk in chunks[first:last]}
    return tuple(held.values())


def with_sentences(
    references: Sequence[Reference], first: int, lines: Sequence[str], *, hanging: bool = False
) -> Sequence[tuple[Reference, str]]:
    """Return each reference that begins in the lines from the `first` on with the sentence that it stands in; "" when none does.

    `hanging`: with the sentence before where it says nothing without that.
    """
    if not references:
        return ()
    text, starts, pieces = join_texts(lines)
    begins = [(first + n, begin) for n, begin in pieces]
    spans = list(sentences(text))
    found = []
    for reference in references:
        piece = bisect_right(begins, (reference.at.line, reference.at.char_start)) - 1
        at = starts[piece] + reference.at.char_start - begins[piece][1] if piece >= 0 else -1
        held = sentence_of(text, spans, at, len(reference.text) if hanging else None)
        found.append((reference, text[held[0] : held[1]] if held else ""))
    return found


def labels_in(document: Document, lines: Span) -> set[str]:
    """Return the labels of the sections and items that begin in these lines, and of the innermost one they begin in."""
    section = document.section_at(lines.start)
    found = {section.label} if section is not None else set()
    for places in (document.sections, document.items):
        first = bisect_left(places, lines.start, key=lambda place: place.lines.start)
        last = bisect_left(places, lines.end, key=lambda place: place.lines.start)
        found |= {place.label for place in places[first:last]}
    return {label for label in found if label is not None}


def part_named(document: Document, lines: Span, sentence: str) -> Span | None:
    """Return the part of these lines whose heading or defined term, of two words or more, the sentence says; of several that of the longest."""
    said = sentence.casefold()
    best: tuple[int, Span] | None = None
    for places in (document.sections, document.items):
        first = bisect_left(places, lines.start, key=lambda place: place.lines.start)
        last = bisect_left(places, lines.end, key=lambda place: place.lines.start)
        for place in places[first:last]:
            name = _called(place).casefold().removesuffix("s")
            if " " in name and name in said and (best is None or len(name) > best[0]):
                best = (len(name), place.lines)
    return best[1] if best is not None else None


def _called(place: Section | Item) -> str:
    if isinstance(place, Item):
        return (place.label or "") if place.kind is ItemKind.DEFINITION else place.caption
    return place.title
