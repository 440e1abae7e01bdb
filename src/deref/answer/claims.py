"""From what a model claims to what is shown: each claim with the citations that code found for it, or not at all.

For each claim: its quotes are looked for in the passages they cite (`ground`); a heading or a pointer gives way to the
operative text (`operative`); what is found has to support the claim (`support`); a figure of the claim that stands in the
passage and not in the quote is cited too. A claim of which no quote stands, or that is not supported, is left out and told.
Numbers in square brackets are ours: those that a model writes are removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deref.answer.cite import cite
from deref.answer.evidence import Evidence, Piece
from deref.answer.figures import Figures
from deref.answer.ground import ground
from deref.answer.operative import Cited, operative
from deref.answer.pointers import ReferencesIn
from deref.answer.schema import Claim
from deref.answer.support import unsupported
from deref.answer.units import units_of
from deref.text.hidden import on_one_line
from deref.values import Citation, Document, Query

_MARKS = re.compile(
    r"\s*(?:[\[［【〔]\s*P?\d{1,4}(?:\s*[,;–-]\s*P?\d{1,4})*\s*[\]］】〕]|\(\s*P\d{1,4}(?:\s*[,;]\s*P\d{1,4})*\s*\))"
)

LONGEST_NAME = 160
"""Characters of the name of a document in what is told."""


class Claims:
    """The claims that stand, and their citations in the order of their numbers."""

    def __init__(
        self,
        query: Query,
        evidence: Evidence,
        read: Callable[[str], Document],
        references_in: ReferencesIn,
    ) -> None:
        """Begin with no claim. `quoted` are the lines that stand as the model quotes them, `cited` what is cited for them.

        `problems` tells what was left out; `dropped` counts the claims among it.
        """
        self._query = query
        self._evidence = evidence
        self._read = read
        self._references_in = references_in
        self.cited: list[Cited] = []
        self.quoted: list[Cited] = []
        self.citations: list[Citation] = []
        self.shown: list[str] = []
        self._said: set[str] = set()
        self.rests_on: list[frozenset[int]] = []
        self.problems: list[str] = []
        self.dropped = 0

    def add(self, claim: Claim) -> str:
        """Return the claim as it is shown, with its numbers; "" when it is left out."""
        text = _without_marks(on_one_line(claim.text))
        if not text or _same(text) in self._said:
            return ""
        pieces, quoted, missing = self._grounded(claim)
        cited = [c for piece, q in zip(pieces, quoted, strict=True) for c in self._operative(piece, q, text)]
        why = "; ".join(missing) or "it has no quote"
        if cited:
            cited += self._figures_beside(text, pieces, cited)
            texts = [
                *(f"{p.text} {_label(p)}" for p in {p.id: p for p in pieces}.values()),
                *(c.document.text(c.lines) for c in cited),
            ]
            why = unsupported(text, self._query.text, texts)
        if why:
            self.dropped += 1
            self.problems.append(f"a claim of the model was left out: {why}")
            return ""
        self.quoted += quoted
        self.problems += [f"a quote of the model was left out: {told}" for told in missing]
        numbers = list(dict.fromkeys(self._number(c) for c in cited))
        self.rests_on.append(frozenset(numbers))
        self.shown.append(text)
        self._said.add(_same(text))
        return f"{text} {' '.join(f'[{n}]' for n in numbers)}"

    def _grounded(self, claim: Claim) -> tuple[list[Piece], list[Cited], list[str]]:
        """Return where the quotes stand, each with its piece, and what is said of those that do not."""
        pieces: list[Piece] = []
        quoted: list[Cited] = []
        missing: list[str] = []
        for one in claim.quotes:
            piece = self._evidence.get(one.evidence)
            if piece is None:
                missing.append(f"it cites “{on_one_line(one.evidence, 20)}”, and there is no such passage")
                continue
            found = ground(one.quote, piece.document, piece.spans, near=claim.text)
            if not found:
                missing.append(f"its quote does not stand in {_where(piece)}")
            pieces += [piece] * len(found)
            quoted += [Cited(piece.document, where.lines, piece.passage) for where in found]
        return pieces, quoted, missing

    def _operative(self, piece: Piece, quoted: Cited, text: str) -> list[Cited]:
        return operative(quoted.lines, piece, text, self._query.text, self._evidence, self._references_in)

    def _figures_beside(self, text: str, pieces: Sequence[Piece], cited: Sequence[Cited]) -> list[Cited]:
        """Return the paragraphs or rows of the pieces that hold figures of the claim which the quotes lack."""
        more: list[Cited] = []
        pointers = [c.passage.resolution.reference.text for c in cited if c.passage.resolution is not None]
        for figure in Figures([*pointers, *(c.document.text(c.lines) for c in cited)]).lacks(text):
            units = [
                u for p in pieces for u in units_of(p.document, p.passage, 0) if u.lines.start in p.lines
            ]
            holding = next((u for u in units if not Figures([u.text]).lacks(figure)), None)
            if holding is not None:
                more.append(Cited(holding.document, holding.lines, holding.passage))
        return more

    def _number(self, cited: Cited) -> int:
        made = cite(cited.document, cited.lines, cited.passage, self._read)
        for n, known in enumerate(self.citations, start=1):
            same = (known.arrived, known.reference, known.referenced_from) == (
                made.arrived, made.reference, made.referenced_from,
            )  # fmt: skip
            inside = known.lines.start <= made.lines.start and made.lines.end <= known.lines.end
            if same and known.lines.doc == made.lines.doc and inside:
                return n
        self.citations.append(made)
        self.cited.append(cited)
        return len(self.citations)


def _same(text: str) -> str:
    """Return what two claims have in common that say the same in the same words."""
    return text.casefold().rstrip(" .;!")


def _without_marks(text: str) -> str:
    """Return a text without numbers in brackets, those too that only stand there once others are gone: "[[1]2]"."""
    while (rest := _MARKS.sub("", text)) != text:
        text = rest
    return text.strip()


def _where(piece: Piece) -> str:
    page = piece.document.lines[piece.lines.start].page
    return f"{on_one_line(piece.document.name, LONGEST_NAME)}, p. {page}"


def _label(piece: Piece) -> str:
    """Return what a passage is called by: its document, its sections, and the pointer that led to it."""
    document, resolution = piece.document, piece.passage.resolution
    path = (part for s in document.section_path(piece.lines.start) for part in (s.label, s.title) if part)
    return " ".join((document.name, document.title, *path, resolution.reference.text if resolution else ""))
