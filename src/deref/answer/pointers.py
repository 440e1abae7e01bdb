"""Pointers that would change the answer: references in the quoted lines, the ones that carry it first.

A sentence *defers* when it hands the matter over to the place it names ("is set out in Exhibit B", "see Table 3"),
and only *mentions* otherwise ("under Section 4", "Table 3 shows"). Deferring pointers come first, then those whose
sentence covers more of the question; one that says nothing alone is read with the sentence before it (`text.hanging`).
Citations of literature and pointers back into what is already read are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from deref.answer.rank import Ranking
from deref.answer.units import longer_than
from deref.text.clean import join_lines
from deref.text.hanging import sentence_of
from deref.text.lazy import lazy
from deref.text.tokens import sentences, stems_of
from deref.values import (
    Document,
    Effect,
    FoundBy,
    Point,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
)

ReferencesIn = Callable[[Document, Span], Sequence[Reference]]

_HAND_OVER = lazy(
    r"(?:\b(?:set (?:out|forth)|specif\w+|describ\w+|defin\w+|giv(?:en|es)|list(?:ed|s)|shown?|shows|provided|"
    r"contained|detailed|details|stated|found|determin\w+|calculat\w+|establish\w+|laid down|governed|referred to|indicated|"
    r"explained|discussed|summari[sz]ed|presented|reported|outlined|covered|documented|prescribed|identified|"
    r"registered|recorded|attached|required|meanings?|procedures?|values?|details|refer|consult|compare|cf)\b"
    r"[^.;]{0,60}$)|(?:\b(?:see|in accordance with|as per|per|pursuant to|according to|by reference to|subject to)\b"
    r"[^.;]{0,40}$)|\b(?:is|are|be) (?:that|those|the one) (?:of|in|under|on) [^.;]{0,30}$",
    re.IGNORECASE,
)
_TAKES_OVER = lazy(
    r"^[^.;]{0,40}?\b(?:shows?|lists?|gives?|describes?|defines?|sets? (?:out|forth)|specif(?:y|ies)|contains?|provides?|"
    r"details?|presents?|summari[sz]es?|explains?|applies|apply|governs?)\b",
    re.IGNORECASE,
)
SAID = 0.7
"""What it is worth that the sentence of a pointer tells all of the question."""
VAGUE = 0.1
STUB = 100
"""Words. A followed place up to this size that hands over is no more than another pointer."""
HANDED_ON = 0.2
"""A pointer in longer followed text is open only when its sentence tells at least this share of the question."""
AROUND = 6
"""Lines before and behind a pointer that its sentence may take."""
_NEVER = frozenset({ReferenceKind.BIBLIOGRAPHY, ReferenceKind.PAGE})
_ADDRESS = lazy(r"://|^www\.|^\S+@\S+$")


class Pointer(NamedTuple):
    """A reference, the sentence that holds it, whether that sentence defers to it, and what the pointer is worth.

    told = coverage(sentence), the share of the question that the sentence tells.
    score = SAID coverage(sentence) + 0.3 coverage(its paragraph and headings) + 0.2 when it defers, less 0.1 when it
    names no more than a document. opens tells whether the lines that it was looked for in begin with the sentence.
    """

    reference: Reference
    sentence: str
    defers: bool
    score: float
    told: float
    opens: bool

    @property
    def order(self) -> tuple[float, int, int]:
        """Sort key: the pointers that carry the answer first, then by place."""
        return (-self.score, self.reference.at.line, self.reference.at.char_start)


PointersOf = Callable[[Document, Span, Ranking], Sequence[Pointer]]


class Standing(NamedTuple):
    """What of a pointer the lines tell that it stands in, whatever is asked: the stems are those of the sentence."""

    reference: Reference
    sentence: str
    stems: frozenset[str]
    defers: bool
    opens: bool


def pointers_in(
    document: Document, lines: Span, references_in: ReferencesIn, ranking: Ranking, around: float = 0.0
) -> list[Pointer]:
    """Return the pointers that start in these lines, those that matter most first.

    `around` is the coverage of the paragraph with its headings.
    """
    return weighed(standing_in(document, lines, references_in), ranking, around)


def weighed(standing: Sequence[Standing], ranking: Ranking, around: float = 0.0) -> list[Pointer]:
    """Return pointers with what they are worth, those that matter most first."""
    told: dict[str, float] = {}
    found = []
    for reference, sentence, stems, defers, opens in standing:
        if sentence not in told:
            told[sentence] = ranking.coverage(stems)
        score = SAID * told[sentence] + 0.3 * around + 0.2 * defers
        score -= VAGUE * (reference.kind is ReferenceKind.DOCUMENT)
        found.append(Pointer(reference, sentence, defers, score, told[sentence], opens))
    return sorted(found, key=lambda p: p.order)


def standing_in(document: Document, lines: Span, references_in: ReferencesIn) -> tuple[Standing, ...]:
    """Return the pointers that start in these lines, in order."""
    references = [r for r in references_in(document, lines) if r.at.line in lines and leads_on(r)]
    if not references:
        return ()
    joined = join_lines(document.lines[lines.start : lines.end])
    spans = list(sentences(joined.text))
    found = []
    for reference in references:
        at = _offset(joined.starts, joined.pieces, reference)
        size = len(reference.text)
        start, end = sentence_of(joined.text, spans, at, size) or (0, len(joined.text))
        sentence = joined.text[start:end]
        begins = max([start, *(a for a, _ in spans if a <= at)])
        defers = (
            reference.effect in (Effect.INCORPORATION, Effect.DEFINITION)
            or bool(_HAND_OVER.search(joined.text[begins:at]))
            or bool(_TAKES_OVER.match(joined.text[at + size : end]))
            or (joined.text[begins:end].strip("()[]. ") == reference.text)
            or _in_brackets(joined.text, at, at + size)
        )
        if defers or reference.found_by is not FoundBy.NAME:
            opens = joined.text.lstrip().startswith(sentence)
            found.append(Standing(reference, sentence, stems_of(sentence), defers, opens))
    return tuple(found)


def handed_on(
    document: Document, spans: Sequence[Span], pointers: PointersOf, asked: frozenset[str]
) -> list[tuple[float, Reference]]:
    """Return the pointers by which a place that was followed hands the matter over once more, those worth most first.

    `spans` are what is read of it, `asked` the stems of the question; `pointers` gives those in lines. A place of STUB words at
    the most says hardly more than where, and neither does the first sentence of a longer one: any pointer to which these hand
    over is one. Elsewhere the sentence has to tell HANDED_ON of the question.
    """
    ranking = Ranking(asked, ())
    deferring = [p for span in spans for p in pointers(document, span, ranking) if p.defers]
    if not deferring:
        return []
    stub = not longer_than(STUB, document, spans)
    found = []
    for pointer in deferring:
        opens = stub or pointer.opens
        if opens or pointer.told >= HANDED_ON:
            found.append((opens + pointer.told, pointer.reference))
    return sorted(found, key=lambda one: (-one[0], one[1].at.line, one[1].at.char_start))


def said_around(document: Document, at: Point) -> str:
    """Return the lines of a pointer with the one before and the one behind, as one line of text."""
    lines = document.lines[max(0, at.line - 1) : at.last_line + 2]
    return " ".join(line.text for line in lines)


def sentence_lines(document: Document, at: Point) -> Span:
    """Return the lines that the sentence of a pointer stands in, at most AROUND lines before it and behind it."""
    first, last = max(0, at.line - AROUND), min(len(document.lines), at.last_line + 1 + AROUND)
    block = [n for n in range(first + 1, last) if document.lines[n].starts_block]
    first = max([n for n in block if n <= at.line], default=first)
    last = min([n for n in block if n > at.last_line], default=last)
    joined = join_lines(document.lines[first:last])
    numbers = [line.n for line, _ in joined.pieces]
    here = [start for start, n in zip(joined.starts, numbers, strict=True) if n == at.line]
    start, end = here[0] + at.char_start, here[0] + at.char_start
    for a, b in sentences(joined.text):
        if a <= start < b:
            start, end = a, b
    held = [
        n
        for n, a, b in zip(numbers, joined.starts, [*joined.starts[1:], len(joined.text)], strict=True)
        if a < end and start < b
    ]
    return Span(doc=document.id, start=min([at.line, *held]), end=max([at.last_line, *held]) + 1)


def open_resolution(reference: Reference) -> Resolution:
    """Return what a pointer is before it is looked up."""
    return Resolution(
        reference=reference, status=Status.UNRESOLVED, targets=(), tier=None, why="not looked up yet"
    )


def leads_on(reference: Reference) -> bool:
    """Tell whether a reference may lead to more text: not a citation, an address, or the place where one stands."""
    if reference.kind in _NEVER or _ADDRESS.search(reference.text):
        return False
    return reference.kind is not ReferenceKind.RELATIVE or not reference.text.casefold().startswith("this ")


def _in_brackets(text: str, start: int, end: int) -> bool:
    return text[max(0, start - 1) : start] in ("(", "[") and text[end : end + 1] in (")", "]")


def _offset(starts: Sequence[int], pieces: Sequence[tuple[object, int]], reference: Reference) -> int:
    best = 0
    for start, (line, begin) in zip(starts, pieces, strict=True):
        if getattr(line, "n", -1) == reference.at.line and begin <= reference.at.char_start:
            best = start + reference.at.char_start - begin
    return best
