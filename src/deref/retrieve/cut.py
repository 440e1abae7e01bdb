"""Cut: the first k candidates that the question found by itself, and the followed ones among them or behind."""

from __future__ import annotations

from deref.retrieve.stage import Stage
from deref.values import Candidates, Query


def cut(k: int) -> Stage:
    """Return the stage that keeps the first k primary candidates; followed ones are exempt and keep their place."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        primary = 0
        kept = []
        for candidate in candidates:
            primary += not candidate.hopped
            if candidate.hopped or primary <= k:
                kept.append(candidate)
        return candidates if len(kept) == len(candidates) else Candidates(tuple(kept))

    return Stage("cut", run, f"more than the {k} that are kept")
