"""Does the shelf bear on the question at all? Checked before anything is written.

It does when a candidate lies near enough to the question in meaning, or when the candidates together hold enough of its
words. Both have to fail for `not_found`: a question about a pointer shares few words with what it points at, and a name
shares no meaning. `docs/decisions/0006-not-found.md` has the measured distances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deref.answer.rank import asked_stems
from deref.text.tokens import content_stems, words
from deref.values import Candidate

NEAR = 0.60
"""Cosine of question and passage for the bundled embedder; text on another subject lies below it."""
ENOUGH_WORDS = 0.70
"""Share of the question's meaningful stems that the candidates must hold when none is near."""
ENOUGH_WORDS_ALONE = 0.60
"""The same where there is no dense leg to ask."""


def bears_on(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> bool:
    """Tell whether the candidates bear on the question."""
    asked = asked_stems(question)
    told: set[str] = set()
    near: float | None = None
    for candidate in candidates:
        text = f"{candidate.chunk.path} {candidate.chunk.text}"
        told |= set(content_stems(text)) if words(text) else set()
        for arrival in candidate.arrivals:
            if arrival.by in dense_legs and arrival.score is not None:
                near = max(near or 0.0, arrival.score)
    if near is not None and near >= NEAR:
        return True
    enough = ENOUGH_WORDS_ALONE if near is None else ENOUGH_WORDS
    return bool(asked) and len(asked & told) >= enough * len(asked)
