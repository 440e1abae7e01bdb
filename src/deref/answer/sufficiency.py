"""Does the shelf bear on the question at all? Checked before anything is written.

It does when one passage holds nearly all of the question's words, or when the nearest passage is near enough in meaning,
the words that one passage holds counting beside it. Without vectors, or with those of an embedder for which no threshold was
measured, the words of all candidates decide. The words of
one passage count, not of all: on a large shelf every word stands somewhere.
The thresholds were fixed on half of the questions of `benchmarks.not_found`: `docs/decisions/0006-not-found.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deref.answer.rank import asked_stems
from deref.text.tokens import meaning_of, stems_of
from deref.values import Candidate

NEAR = 0.63
"""For the bundled embedder: cosine and the worth of the words together that are enough."""
WORDS_WEIGHT = 0.15
"""What the share of the question's words is worth beside the cosine."""
CALIBRATED = {"bundled": ("dense",)}
"""The legs whose cosines tell, by the setting of the embedder. Those of another embedder lie elsewhere: there the words decide."""
ENOUGH_WORDS = 0.75
"""Share of the question's meaningful stems that is enough by itself, in one passage."""
ENOUGH_WORDS_ALONE = 0.60
"""The same in all candidates together, where there are no vectors to ask."""


def bears_on(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> bool:
    """Tell whether the candidates bear on the question."""
    return surplus(question, candidates, dense_legs) >= 0


class Signs(NamedTuple):
    """What speaks for a shelf: the cosine of the nearest passage, None without vectors; the share of the question's words
    that one passage holds, and that all hold together.
    """

    near: float | None
    share: float
    told: float


def surplus(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> float:
    """Return by how much the candidates hold more (≥ 0) or less (< 0) than bears on the question."""
    near, share, told = signs(question, candidates, dense_legs)
    if near is None:
        return told - ENOUGH_WORDS_ALONE
    return max(share - ENOUGH_WORDS, near + WORDS_WEIGHT * share - NEAR)


def signs(question: str, candidates: Iterable[Candidate], dense_legs: Sequence[str] = ("dense",)) -> Signs:
    """Return what speaks for the candidates."""
    asked = asked_stems(question)
    told: set[str] = set()
    share = 0.0
    near: list[float] = []
    for candidate in candidates:
        path, text = candidate.chunk.path, candidate.chunk.text
        stems = meaning_of(path) | meaning_of(text) or stems_of(f"{path} {text}")
        told |= stems
        share = max(share, len(asked & stems) / max(len(asked), 1))
        near += [a.score for a in candidate.arrivals if a.by in dense_legs and a.score is not None]
    return Signs(max(near, default=None), share, len(asked & told) / max(len(asked), 1))
