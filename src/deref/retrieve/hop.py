"""Hop: bring in what the best candidates point at, and what points at them.

1. The first `sources` primary candidates are the ends of *ways* (`ways`): references that they hold and that resolve,
   and references in the pool that resolve to them.
2. The passages at the other end get a score in the question's words,

       share told by the pointer's sentence + share told by the passage itself
       − 0.1 · ln(passages of the place) + 0.05 · (further candidates that point there)

   A pointer at one section says much about where to read on, a pointer at a whole document or part hardly anything, and a
   document to which everything points is such a place. Votes are counted before places are made unique.
3. Below the margin it abstains. A lower margin will do where the question describes the place of the pointer: on the way
   forward, when the sentence alone tells `ABOUT` of the question, or the place is one passage, so that there is nothing to
   choose. A passage that points back is not looked into when it stays below the margin with all votes and the best sentence
   that it can have. The best `max_hops` places are taken, `per_hop` passages of each at the most; never a passage that
   stands before its source anyhow, and never a whole document that is represented already.
4. *replace*: each goes right behind the candidate that it belongs to, and the weakest at the end make room, so that the
   list is as long as without the hop. *append*: those that are not in the list go behind all others.

The stage reads the pool and gives back the list that is kept. What comes in by a reference keeps its mark, what was in
the list keeps how it was found, and neither hops again: only primary candidates are sources. No model is called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Literal, NamedTuple

from deref.retrieve.cut import cut
from deref.retrieve.shares import Shares
from deref.retrieve.stage import Stage
from deref.retrieve.ways import Way, Ways
from deref.values import Arrival, Candidate, Candidates, Chunk, Query

Mode = Literal["replace", "append"]

MARGIN = 0.7
MARGIN_OF_DESCRIBED = 0.5
ABOUT = 0.4
_WIDE = 0.1
_VOTE = 0.05
_RANK = 0.01
_ROUNDED = 1e-6
"""More than sums of such numbers differ by when they are added in another order."""


class Followed(NamedTuple):
    """A passage at the end of a way, and its score."""

    score: float
    chunk: Chunk
    way: Way


def hop(
    ways: Ways,
    *,
    k: int,
    mode: Mode = "replace",
    sources: int = 3,
    max_hops: int = 3,
    per_hop: int = 1,
) -> Stage:
    """Return the hop stage, which takes the pool and keeps `k` passages: `max_hops` places, `per_hop` passages of each."""
    keep = cut(k).run

    def run(query: Query, candidates: Candidates) -> Candidates:
        kept = keep(query, candidates)
        # Each is read for what it points at, or for the lines around it.
        ways.read_ahead(query, [candidate.chunk for candidate in kept])
        found = _found(ways, query, kept, candidates, sources)
        chosen = _chosen(found, kept, max_hops, per_hop)
        if not chosen:
            return candidates
        after = _behind_sources(kept, chosen, k) if mode == "replace" else _behind_all(kept, chosen)
        return candidates if after is kept else after

    return Stage("hop", run, "a passage that was found points at it, or it points at one")


def _found(ways: Ways, query: Query, kept: Candidates, pool: Candidates, sources: int) -> Iterator[Followed]:
    """Yield every passage at the end of a way from the first primary candidates, the best first."""
    first = [c for c in kept if not c.hopped][:sources]
    primary = [c for c in pool if not c.hopped]
    shares = Shares(query.text)

    def may_count(citing: Chunk, sentences: Sequence[str] | None) -> bool:
        said = (
            shares.of_sentence_in(citing.text)
            if sentences is None
            else max(map(shares.of, sentences), default=0.0)
        )
        return shares.of(citing.text) + said + _VOTE * (len(first) - 1) > MARGIN - _ROUNDED

    every = ways.every(query, first, primary, may_count)
    votes: dict[object, set[str]] = defaultdict(set)
    for way in every:
        votes[way.place].add(way.source)
    rank = {source.chunk.id: n for n, source in enumerate(first)}
    scored = []
    for way in every:
        base = shares.of(way.sentence) - _WIDE * log(way.size) - _RANK * rank[way.source]
        base += _VOTE * (len(votes[way.place]) - 1)
        for chunk in shares.likely(way.passages):
            scored.append(Followed(base + shares.of(chunk.text), chunk, way))
    order = sorted(scored, key=lambda f: (-f.score, rank[f.way.source], f.chunk.lines, f.way.back))
    for one in order:
        described = not one.way.back and (one.way.size == 1 or shares.of(one.way.sentence) >= ABOUT)
        if one.score >= (MARGIN_OF_DESCRIBED if described else MARGIN):
            yield one


def _chosen(found: Iterator[Followed], kept: Candidates, max_hops: int, per_hop: int) -> list[Followed]:
    place = {candidate.chunk.id: n for n, candidate in enumerate(kept)}
    documents = {candidate.chunk.lines.doc for candidate in kept}
    chosen: dict[str, Followed] = {}
    taken: dict[object, int] = {}
    for one in found:
        way = one.way
        ahead = place.get(one.chunk.id, len(place)) <= place[way.source]
        known = way.target.kind == "document" and not way.back and way.target.lines.doc in documents
        full = taken.get(way.place, 0) == per_hop or (way.place not in taken and len(taken) == max_hops)
        if ahead or known or full or one.chunk.id in chosen:
            continue
        chosen[one.chunk.id] = one
        taken[way.place] = taken.get(way.place, 0) + 1
    return list(chosen.values())


def _arrived(here: Mapping[str, Candidate], one: Followed, rank: int) -> Candidate:
    """Return the passage as a candidate that says how it came; one that was in the list says so beside what it said."""
    arrival = Arrival(
        by="cited-by" if one.way.back else "hop",
        rank=rank,
        score=one.score,
        reference=one.way.resolution,
    )
    known = here.get(one.chunk.id)
    if known is not None:
        return replace(known, arrivals=(*known.arrivals, arrival))
    return Candidate(chunk=one.chunk, arrivals=(arrival,))


def _behind_all(kept: Candidates, chosen: Sequence[Followed]) -> Candidates:
    here = {c.chunk.id: c for c in kept}
    new = [one for one in chosen if one.chunk.id not in here]
    return kept.with_added(_arrived({}, one, rank) for rank, one in enumerate(new))


def _behind_sources(kept: Candidates, chosen: Sequence[Followed], k: int) -> Candidates:
    here = {c.chunk.id: c for c in kept}
    behind: dict[str, list[Candidate]] = defaultdict(list)
    for rank, one in enumerate(chosen):
        behind[one.way.source].append(_arrived(here, one, rank))
    moved = {one.chunk.id for one in chosen}
    out: list[Candidate] = []

    def put(candidate: Candidate) -> None:
        out.append(candidate)
        for following in behind[candidate.chunk.id]:
            put(following)

    for candidate in kept:
        if candidate.chunk.id not in moved:
            put(candidate)
    return Candidates(tuple(out[: max(k, len(kept))]))
