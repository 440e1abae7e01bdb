"""Diversity: no document takes more than its share of the first places.

A stable partition: of each document the first `most` candidates keep their order, what it has beyond that goes behind
all of them. Nothing is lost, so a shelf of one document fills its k all the same. A document that the question names
is not capped, and neither is what a reference brought in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from deref.retrieve.stage import Stage
from deref.values import Candidates, Query


def diverse(most: int, *, uncapped: Callable[[Query], Collection[str]]) -> Stage:
    """Return the stage that keeps `most` candidates of each document in front; `uncapped` gives ids of documents."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        free = uncapped(query)
        taken: Counter[str] = Counter()
        within: set[str] = set()
        for candidate in candidates:
            doc = candidate.chunk.lines.doc
            taken[doc] += not candidate.hopped
            if candidate.hopped or doc in free or taken[doc] <= most:
                within.add(candidate.chunk.id)
        return candidates.promoted(lambda c: c.chunk.id in within)

    return Stage("diversity", run, f"no document has more than {most} of the first places")
