"""Prefer: what belongs to the collections that the question's own scope prefers goes first, in a stable partition.

A preference is not a limit: what is in other collections stays, behind. The order inside both parts is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from deref.retrieve.stage import Stage
from deref.values import Candidates, Query, Scope

Members = Callable[[Scope], Collection[str]]
"""The ids of the documents in a scope."""


def prefer(members: Members) -> Stage:
    """Return the stage that promotes candidates from the collections in `Scope.prefers`, as far as the scope sees them."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        scope = query.scope
        if not scope.prefers:
            return candidates
        wanted = scope.prefers if scope.collections is None else scope.prefers & scope.collections
        near = frozenset(members(replace(scope, collections=wanted)))
        return candidates.promoted(lambda c: c.chunk.lines.doc in near)

    return Stage("prefer collections", run, "it belongs to a collection that is preferred")
