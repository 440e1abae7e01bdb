"""Does the shelf bear on the question at all? Checked before anything is written.

It does when one passage holds most of the question's words, or when the nearest passage is near enough in meaning, the
words that one passage holds counting a little beside it. Without vectors the words of all candidates decide. The words of
one passage count, not of all: on a large shelf every word stands somewhere.
`docs/decisions/0006-not-found.md` has the measured distances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deref.answer.rank import asked_stems
from deref.text.tokens import content_stems, words
from deref.values import Candidate

NEAR = 0.62
"""For the bundled embedder: text on another subject lies below it."""
WORDS_WEIGHT = 0.15
"""What the share of the question's words is worth beside the cosine."""
ENOUGH_WORDS = 0.65
"""Share of the question's meaningful stems that is enough by itself, in one passage."""
ENOUGH_WORDS_ALONE = 0.60
"""The same in all candidates together, where there are no vectors to ask."""


def bears_on(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> bool:
    """Tell whether the candidates bear on the question."""
    return surplus(question, candidates, dense_legs) >= 0


def surplus(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> float:
    """Return by how much the candidates hold more (≥ 0) or less (< 0) than bears on the question."""
    asked = asked_stems(question)
    told: set[str] = set()
    share = 0.0
    near: list[float] = []
    for candidate in candidates:
        text = f"{candidate.chunk.path} {candidate.chunk.text}"
        stems = set(content_stems(text)) if words(text) else set()
        told |= stems
        share = max(share, len(asked & stems) / max(len(asked), 1))
        near += [a.score for a in candidate.arrivals if a.by in dense_legs and a.score is not None]
    if not near:
        return (len(asked & told) - ENOUGH_WORDS_ALONE * len(asked)) / len(asked) if asked else -1.0
    return max(share - ENOUGH_WORDS, max(near) + WORDS_WEIGHT * share - NEAR)
