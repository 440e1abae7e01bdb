"""Which pointers of the passages that were found are worth following: told by the question alone, before any is resolved.

    share of the question told by the pointer's sentence + ½ · share told by the whole passage
    − 0.02 · rank of the passage − 0.05 · ln(pointers in the sentence)

A sentence that points at thirty places is a list, and says little of each. `pack` spends the words of a search on the
best of them, and the loop of `ask` follows them beside those of the passages that its writer reads.

No sentence tells more of the question than the passage that it stands in, so 1½ of that share is the most that a pointer
in a passage can be worth. Who wants the best pointers alone has those passages read that may hold one, and no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
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
    *,
    near: float | None = None,
) -> Iterator[Pointed]:
    """Yield the pointers of the first `SOURCES` primary candidates, those that are worth most first.

    `pointers` gives the references in a candidate, each with its sentence; it is asked as late as the order allows. With
    `near`, those that are worth less than this share of the best one may be left out.
    """
    shares = Shares(query.text)
    sources = []
    for rank, source in enumerate([c for c in pool if not c.hopped][:SOURCES]):
        text = source.chunk.text
        around = _AROUND * shares.of(text) - _RANK * rank
        sources.append((shares.of_sentence_in(text) + around, around, rank, source))
    found: list[tuple[float, int, int, Pointed]] = []
    best: float | None = None
    for most, around, rank, source in sorted(sources, key=lambda one: (-one[0], one[2])):
        while found and -found[0][0] > most:
            yield heappop(found)[-1]
        if near is not None and best is not None and most < min(best, near * best):
            break
        here = pointers(source)
        of_sentence = Counter(sentence for _, sentence in here)
        for n, (reference, sentence) in enumerate(here):
            score = shares.of(sentence) + around - _MANY * log(of_sentence[sentence])
            heappush(found, (-score, rank, n, Pointed(score, source, reference, sentence)))
            best = score if best is None else max(best, score)
    while found:
        yield heappop(found)[-1]
