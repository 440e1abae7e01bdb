"""Hop: bring in what the best candidates point at.

1. The references in the first `sources` primary candidates are resolved; only those that land on a place count.
2. Each place gets a score: how much of the question is in the pointer's sentence and in the target together, plus a
   little for every further candidate that points there (votes are counted before targets are made unique), less a
   little for every other document that points there in this question's candidates (a hub answers nothing in particular).
3. Below the margin it abstains. The best `max_hops` places are taken, each as the chunk of that place which shares
   most with the question; never one that is a candidate already, and never a whole document that is represented already.

Hopped candidates go behind all others and never hop again: the stage reads primary candidates only. The first stage
is left as it was. No model is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from deref.retrieve.stage import Stage
from deref.text.tokens import content_stems
from deref.values import (
    Arrival,
    Candidate,
    Candidates,
    Chunk,
    Query,
    Reference,
    Resolution,
    Scope,
    Status,
    Target,
)

if TYPE_CHECKING:
    from deref.values.filters import Filter

ReferencesIn = Callable[[Chunk], Sequence[tuple[Reference, str]]]
"""The references in a chunk, each with the sentence that holds it."""
ChunksOf = Callable[[str, Scope, "Filter | None"], Sequence[Chunk]]
"""The chunks of a document that pass the filter: what does not is not reached by a reference either."""

MARGIN = 0.15
_VOTE = 0.05
_HUB = 0.03


class _Place(NamedTuple):
    target: Target
    resolution: Resolution
    sentence: str
    rank: int
    votes: int
    sources: int


def hop(
    *,
    references_in: ReferencesIn,
    resolve: Callable[[Reference], Resolution],
    chunks_of: ChunksOf,
    sources: int = 3,
    max_hops: int = 2,
) -> Stage:
    """Return the hop stage; `max_hops` places at the most, one chunk each."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        primary = [c for c in candidates if not c.hopped][:sources]
        asked = set(content_stems(query.text))
        here = {c.chunk.id for c in candidates}
        documents = {c.chunk.lines.doc for c in candidates}
        added: list[Candidate] = []
        for score, place in _ranked(_places(primary, references_in, resolve), asked):
            if len(added) == max_hops or score < MARGIN:
                break
            if place.target.kind == "document" and place.target.lines.doc in documents:
                continue
            best = _best_chunk(
                chunks_of(place.target.lines.doc, query.scope, query.filter), place.target, asked
            )
            if best is None or best.id in here:
                continue
            here.add(best.id)
            documents.add(best.lines.doc)
            arrival = Arrival(by="hop", rank=len(added), score=score, reference=place.resolution)
            added.append(Candidate(chunk=best, arrivals=(arrival,)))
        return candidates.with_added(added)

    return Stage("hop", run)


def _places(
    primary: Sequence[Candidate], references_in: ReferencesIn, resolve: Callable[[Reference], Resolution]
) -> list[_Place]:
    votes: dict[tuple[str, int, int], set[int]] = {}
    pointing: dict[tuple[str, int, int], set[str]] = {}
    seen: dict[tuple[str, int, int], tuple[Target, Resolution, str, int]] = {}
    for rank, candidate in enumerate(primary):
        for reference, sentence in references_in(candidate.chunk):
            resolution = resolve(reference)
            if resolution.status is not Status.RESOLVED:
                continue
            for target in resolution.targets:
                key = (target.lines.doc, target.lines.start, target.lines.end)
                votes.setdefault(key, set()).add(rank)
                pointing.setdefault(key, set()).add(candidate.chunk.lines.doc)
                seen.setdefault(key, (target, resolution, sentence, rank))
    return [
        _Place(target=t, resolution=r, sentence=s, rank=n, votes=len(votes[key]), sources=len(pointing[key]))
        for key, (t, r, s, n) in seen.items()
    ]


def _ranked(places: Sequence[_Place], asked: set[str]) -> list[tuple[float, _Place]]:
    def score(place: _Place) -> float:
        told = set(content_stems(f"{place.sentence} {place.target.title}"))
        shared = len(asked & told) / max(len(asked), 1)
        hub = _HUB * (place.sources - 1) if place.target.kind == "document" else 0.0
        return shared + _VOTE * (place.votes - 1) - hub - 0.01 * place.rank

    return sorted(((score(p), p) for p in places), key=lambda sp: (-sp[0], sp[1].rank, sp[1].target.lines))


def _best_chunk(chunks: Sequence[Chunk], target: Target, asked: set[str]) -> Chunk | None:
    spans = target.focus or (target.lines,)
    inside = [c for c in chunks if any(c.lines.start < s.end and s.start < c.lines.end for s in spans)]
    return max(inside, key=lambda c: (len(asked & set(content_stems(c.text))), -c.lines.start), default=None)
