"""Place: a question that names a section or item finds it there ("What does Article 17(1) say?").

`Query.places` says where that is. *Alone*, when it asks for nothing else: up to `OF_EACH` passages of each place go before all others,
those that tell most of the question, in the order of the text. *Else* the question may name it in passing ("If Rule 2.9 applies, how
are records kept?"): of each place of which no passage is among the first `AT_HAND` the one that tells most of the rest of the question
comes in, before the first candidate that tells less of it, as the fourth at the latest. The others keep their order. A question
that names no place, or one of which it is not sure which is meant, or that may not be answered from, keeps its candidates as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deref.retrieve.shares import Shares
from deref.retrieve.stage import Stage
from deref.retrieve.ways import ChunksOf, passages_of
from deref.values import Arrival, Candidate, Candidates, Chunk, Query

OF_EACH = 3
AT_HAND = 8
_BEFORE = 3
"""Candidates that a place which is named in passing stands behind at the most."""


def place(chunks_of: ChunksOf) -> Stage:
    """Return the stage; `chunks_of` gives the chunks of a document that pass the filter of the question."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        shares = Shares(query.beside_places)
        at_hand = {candidate.chunk.id for candidate in candidates.top(AT_HAND)}
        named: dict[str, Chunk] = {}
        for held in _held(query, chunks_of):
            if query.alone or at_hand.isdisjoint(chunk.id for chunk in held):
                best = sorted(held, key=lambda chunk: (-shares.of(chunk.text), chunk.lines))
                best = best[: OF_EACH if query.alone else 1]
                named |= {chunk.id: chunk for chunk in sorted(best, key=lambda chunk: chunk.lines)}
        if not named:
            return candidates
        here = {candidate.chunk.id: candidate for candidate in candidates}
        others = [candidate for candidate in candidates if candidate.chunk.id not in named]
        at = 0 if query.alone else _behind_what_tells_more(others, named.values(), shares)
        moved = [
            here.get(id) or Candidate(chunk=chunk, arrivals=(Arrival(by="place", rank=rank),))
            for rank, (id, chunk) in enumerate(named.items())
        ]
        after = Candidates((*others[:at], *moved, *others[at:]))
        return candidates if after == candidates else after

    return Stage("place", run, "the question names it")


def _held(query: Query, chunks_of: ChunksOf) -> Iterator[tuple[Chunk, ...]]:
    """Yield the passages of each place of which it is sure that it is meant."""
    for target in (target for asked in query.places if not asked.why for target in asked.targets):
        yield passages_of(target, chunks_of(target.lines.doc, query.scope, query.filter))


def _behind_what_tells_more(others: Sequence[Candidate], named: Iterable[Chunk], shares: Shares) -> int:
    told = max(shares.of(chunk.text) for chunk in named)
    return next((n for n, c in enumerate(others[:_BEFORE]) if shares.of(c.chunk.text) < told), _BEFORE)
