"""Place: a question that names a section or item finds it there ("What does Article 17(1) say?").

`Query.places` says where that is. Of each place the `OF_EACH` passages that tell most of the rest of the question come in, in the
order of the text. They go before the first candidate that tells no more of it than the best of them: a question that asks for
nothing but the place has it first, and one that names it in passing ("If Rule 2.9 applies, how are records kept?") has it behind
what tells more, among the first `AMONG` at the latest. The others keep their order. A question that names no place, or one of which
it is not sure which is meant, or that may not be answered from, keeps its candidates as they are.
"""

from __future__ import annotations

from deref.retrieve.shares import Shares
from deref.retrieve.stage import Stage
from deref.retrieve.ways import ChunksOf, passages_of
from deref.values import Arrival, Candidate, Candidates, Chunk, Query

OF_EACH = 3
AMONG = 3


def place(chunks_of: ChunksOf) -> Stage:
    """Return the stage; `chunks_of` gives the chunks of a document that pass the filter of the question."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        named: dict[str, Chunk] = {}
        shares = Shares(query.beside_places)
        for target in (target for asked in query.places if not asked.why for target in asked.targets):
            held = passages_of(target, chunks_of(target.lines.doc, query.scope, query.filter))
            best = sorted(held, key=lambda chunk: (-shares.of(chunk.text), chunk.lines))[:OF_EACH]
            named |= {chunk.id: chunk for chunk in sorted(best, key=lambda chunk: chunk.lines)}
        if not named:
            return candidates
        here = {candidate.chunk.id: candidate for candidate in candidates}
        others = [candidate for candidate in candidates if candidate.chunk.id not in named]
        told = max(shares.of(chunk.text) for chunk in named.values())
        at = (
            0
            if query.alone
            else next((n for n, c in enumerate(others[:AMONG]) if shares.of(c.chunk.text) <= told), AMONG)
        )
        moved = [
            here.get(id) or Candidate(chunk=chunk, arrivals=(Arrival(by="place", rank=rank),))
            for rank, (id, chunk) in enumerate(named.items())
        ]
        after = Candidates((*others[:at], *moved, *others[at:]))
        return candidates if after == candidates else after

    return Stage("place", run, "the question names it")
