"""Does the shelf bear on the question at all? Checked before anything is written.

It does when a candidate's text covers enough of the question's words, or lies near enough to it in meaning. Both have
to fail for `not_found`: a pointer question shares few words with what answers it, and a name shares no meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deref.answer.rank import asked_stems
from deref.text.tokens import content_stems, words
from deref.values import Candidate

ENOUGH_WORDS = 0.5
"""Share of the question's meaningful stems that one passage must hold."""
NEAR = 0.70
"""Cosine of question and passage for the bundled embedder; unrelated text lies around 0.5."""


def bears_on(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> bool:
    """Tell whether one of the candidates bears on the question."""
    asked = asked_stems(question)
    for candidate in candidates:
        text = f"{candidate.chunk.path} {candidate.chunk.text}"
        told = frozenset(content_stems(text)) if words(text) else frozenset()
        near = max((a.score or 0.0 for a in candidate.arrivals if a.by in dense_legs), default=0.0)
        if near >= NEAR or len(asked & told) >= ENOUGH_WORDS * len(asked):
            return True
    return False
