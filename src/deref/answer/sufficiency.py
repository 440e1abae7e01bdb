"""Does the shelf bear on the question at all? Checked before anything is written.

It does when the nearest candidate's cosine, and a little for the words of the question that the candidates hold, reach a
threshold; or when they hold most of the words whatever the distance. Both have to fail for `not_found`: a question
about a pointer shares few words with what it points at, and a name shares no meaning.
`docs/decisions/0006-not-found.md` has the measured distances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deref.answer.rank import asked_stems
from deref.text.tokens import content_stems, words
from deref.values import Candidate

NEAR = 0.575
"""For the bundled embedder: text on another subject lies below it."""
WORDS_WEIGHT = 0.15
"""What the share of the question's words is worth beside the cosine."""
ENOUGH_WORDS = 0.60
"""Share of the question's meaningful stems that is enough by itself."""


def bears_on(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> bool:
    """Tell whether the candidates bear on the question."""
    asked = asked_stems(question)
    told: set[str] = set()
    near = 0.0
    for candidate in candidates:
        text = f"{candidate.chunk.path} {candidate.chunk.text}"
        told |= set(content_stems(text)) if words(text) else set()
        for arrival in candidate.arrivals:
            if arrival.by in dense_legs and arrival.score is not None:
                near = max(near, arrival.score)
    share = len(asked & told) / len(asked) if asked else 0.0
    return share >= ENOUGH_WORDS or near + WORDS_WEIGHT * share >= NEAR
