"""The operative text in the place of a heading or a pointer: what is cited should say the thing, not where it is said.

A cited heading gives way to the paragraph under it that holds most of the claim, where that was read. A cited sentence that
points to another place gives way to the text of that place, where that was read, unless the sentence itself says what is
claimed:

- figures of the claim that it lacks and the place has: the place is cited;
- figures of the claim that it has: it is cited;
- it hands the matter over, and the claim says no more than where to look: the place is cited;
- it hands the matter over, and the place holds more of the words of the claim: the place is cited.

The citation of the place says from where it was reached, so both ends stay known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deref.answer.evidence import Evidence, Piece
from deref.answer.figures import Figures
from deref.answer.ground import skeleton_of
from deref.answer.pointers import Pointer, ReferencesIn, pointers_in
from deref.answer.rank import Ranking, asked_stems
from deref.answer.tables import joined_spans
from deref.answer.units import Unit, is_heading, units_of
from deref.text.tokens import stems_of
from deref.values import Document, Passage, Reference, Span


class Cited(NamedTuple):
    """Lines that a claim rests on, and the passage by which they came in."""

    document: Document
    lines: Span
    passage: Passage


def operative(
    lines: Span, piece: Piece, claim: str, question: str, evidence: Evidence, references_in: ReferencesIn
) -> list[Cited]:
    """Return what is to be cited for quoted lines of a piece: the lines themselves, or what says the thing, see above."""
    lines = _behind_heading(lines, piece, claim)
    said = piece.document.text(lines)
    named = [r.text for r in references_in(piece.document, lines)]
    for pointer in _pointers(lines, piece, references_in):
        there = [e for e in evidence if _reached_by(e, pointer.reference)]
        if not there or _says_it_itself(claim, said, named):
            continue
        if _says_more(claim, question, said, " ".join(e.text for e in there), pointer):
            return [c for e in there for c in _meant(e, f"{claim} {question}")]
    return [Cited(piece.document, lines, piece.passage)]


def _behind_heading(lines: Span, piece: Piece, claim: str) -> Span:
    document = piece.document
    heads = {s.lines.start: s for s in document.sections if s.lines.start in lines}
    start = lines.start
    while start in heads:
        here = Span(doc=lines.doc, start=start, end=start + 1)
        if not is_heading(heads[start], here, document.lines[start].text):
            break
        section = heads[start]
        start += 1
        if start == lines.end:
            units = units_of(document, piece.passage, 0)
            under = [u for u in units if start <= u.lines.start < min(section.lines.end, piece.lines.end)]
            return _best(under, claim).lines if under else lines
    return Span(doc=lines.doc, start=start, end=lines.end)


def _best(units: Sequence[Unit], claim: str) -> Unit:
    ranking = Ranking(asked_stems(claim), units)
    return max(units, key=lambda u: ranking.coverage(u.stems))


def _pointers(lines: Span, piece: Piece, references_in: ReferencesIn) -> list[Pointer]:
    """Return the pointers in the lines, each with the sentence that holds it, those that hand over first."""
    document, start, end = piece.document, lines.start, lines.end
    while start > piece.lines.start and not document.lines[start].starts_block:
        start -= 1
    while end < piece.lines.end and not document.lines[end].starts_block:
        end += 1
    block = Span(doc=lines.doc, start=start, end=end)
    pointers = pointers_in(document, block, references_in, Ranking(frozenset(), []))
    return [p for p in pointers if p.reference.at.line in lines]


def _reached_by(piece: Piece, reference: Reference) -> bool:
    at = piece.passage.resolution.reference.at if piece.passage.resolution else None
    return at is not None and at.doc == reference.at.doc and at.overlaps(reference.at)


def _says_it_itself(claim: str, said: str, pointers: Sequence[str]) -> bool:
    """Tell whether the sentence has the figures of the claim, and the claim has some besides those of the pointers."""
    return bool(Figures(pointers).lacks(claim)) and not Figures([said]).lacks(claim)


def _says_more(claim: str, question: str, said: str, there: str, pointer: Pointer) -> bool:
    lacking = Figures([said]).lacks(claim)
    if lacking:
        return len(Figures([there]).lacks(claim)) < len(lacking)
    if not pointer.defers:
        return False
    if skeleton_of(pointer.reference.text) in skeleton_of(claim):
        return True
    wanted = stems_of(claim) - stems_of(question) or stems_of(claim)
    return len(wanted & stems_of(there)) > len(wanted & stems_of(said))


def _meant(piece: Piece, about: str) -> list[Cited]:
    """Return what of a followed place is cited: the lines that the pointer means, with their header, or its best paragraph."""
    passage, document = piece.passage, piece.document
    focus = [f for f in passage.focus if f.start in piece.lines]
    if focus:
        head = [passage.header] if passage.header is not None else []
        spans: Iterable[Span] = joined_spans([*head, *focus])
    else:
        units = units_of(document, passage, 0)
        shown = [u for u in units if u.lines.start in piece.lines]
        spans = [_best(shown, about).lines] if shown else [piece.lines]
    return [Cited(document, span, passage) for span in spans]
