"""Place: a question that names a section or item is answered from there ("What does Article 17(1) say?").

`Query.places` says where that is. Of each place up to `OF_EACH` passages go before all others: those that tell most of
the question, in the order of the text, the place that is named first before the next. The others keep their order. A question
that names no place, or one that is not known or may not be answered from, keeps its candidates as they are.
"""

from __future__ import annotations

from deref.retrieve.shares import Shares
from deref.retrieve.stage import Stage
from deref.retrieve.ways import ChunksOf, passages_of
from deref.values import Arrival, Candidate, Candidates, Chunk, Query

OF_EACH = 3


def place(chunks_of: ChunksOf) -> Stage:
    """Return the stage; `chunks_of` gives the chunks of a document that pass the filter of the question."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        named: dict[str, Chunk] = {}
        shares = Shares(query.text)
        for target in (target for asked in query.places for target in asked.targets):
            held = passages_of(target, chunks_of(target.lines.doc, query.scope, query.filter))
            best = sorted(held, key=lambda chunk: (-shares.of(chunk.text), chunk.lines))[:OF_EACH]
            named |= {chunk.id: chunk for chunk in sorted(best, key=lambda chunk: chunk.lines)}
        if not named:
            return candidates
        here = {candidate.chunk.id: candidate for candidate in candidates}
        first = [
            here.get(id) or Candidate(chunk=chunk, arrivals=(Arrival(by="place", rank=rank),))
            for rank, (id, chunk) in enumerate(named.items())
        ]
        after = Candidates((*first, *(c for c in candidates if c.chunk.id not in named)))
        return candidates if after == candidates else after

    return Stage("place", run, "the question names it")
