"""Which pointers of the passages that were found are worth following: told by the question alone, before any is resolved.

    share of the question told by the pointer's sentence + ½ · share told by the whole passage
    − 0.02 · rank of the passage − 0.05 · ln(pointers in the sentence)

A sentence that points at thirty places is a list, and says little of each. `pack` spends the words of a search on the
best of them, and the loop of `ask` follows them beside those of the passages that its writer reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log
from typing import NamedTuple

from deref.retrieve.shares import Shares
from deref.values import Candidate, Query, Reference

SOURCES = 20
"""Primary candidates whose pointers are looked at; by its rank alone one further down is hardly ever chosen."""
_AROUND = 0.5
_RANK = 0.02
_MANY = 0.05


class Pointed(NamedTuple):
    """A pointer in a candidate, the sentence that holds it, and what it is worth."""

    score: float
    source: Candidate
    reference: Reference
    sentence: str


def ranked_pointers(
    query: Query,
    pool: Iterable[Candidate],
    pointers: Callable[[Candidate], Sequence[tuple[Reference, str]]],
) -> list[Pointed]:
    """Return the pointers of the first `SOURCES` primary candidates, those that are worth most first.

    `pointers` gives the references in a candidate, each with its sentence.
    """
    shares = Shares(query.text)
    found = []
    for rank, source in enumerate([c for c in pool if not c.hopped][:SOURCES]):
        here = pointers(source)
        of_sentence = Counter(sentence for _, sentence in here)
        around = _AROUND * shares.of(source.chunk.text) - _RANK * rank if here else 0.0
        for reference, sentence in here:
            score = shares.of(sentence) + around - _MANY * log(of_sentence[sentence])
            found.append(Pointed(score, source, reference, sentence))
    return sorted(found, key=lambda one: -one.score)
