"""Stages and the runner.

A stage is a function `(Query, Candidates) -> Candidates`; a recipe is a tuple of named stages. The runner times each,
compares before and after, and emits one `StageRan`. A feature that is off is a stage that is not in the list.
Four laws hold for every stage: no duplicates (the type sees to it), no mutation (frozen values), empty in raises
nothing, and a stage that does not apply returns the very object it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from deref.ports import Clock
from deref.trace.events import StageRan
from deref.trace.sinks import Sink
from deref.values import Candidates, Query

Run = Callable[[Query, Candidates], Candidates]


class Stage(NamedTuple):
    """A named stage. `why` says in words for what reason it moves a candidate, for those who ask to have it explained."""

    name: str
    run: Run
    why: str = ""


Recipe = tuple[Stage, ...]


def run_recipe(query: Query, recipe: Recipe, *, emit: Sink, clock: Clock, called: str = "") -> Candidates:
    """Run the stages in order from no candidates, emitting one event for each; return what the last one gave.

    `called` stands before the name of each stage in its event, where a recipe runs inside another.
    """
    here = Candidates()
    for stage in recipe:
        begun = clock()
        after = stage.run(query, here)
        emit(
            StageRan(
                stage=called + stage.name,
                before=tuple(c.chunk.id for c in here),
                after=tuple(c.chunk.id for c in after),
                seconds=clock() - begun,
                note=_difference(here, after),
                why=stage.why,
            )
        )
        here = after
    return here


def _difference(before: Candidates, after: Candidates) -> str:
    if after is before:
        return "did not apply"
    old = {c.chunk.id for c in before}
    new = {c.chunk.id for c in after}
    parts = [f"{len(new - old)} in"] if new - old else []
    parts += [f"{len(old - new)} out"] if old - new else []
    kept = [c.chunk.id for c in before if c.chunk.id in new]
    if kept != [c.chunk.id for c in after if c.chunk.id in old]:
        parts.append("order changed")
    return ", ".join(parts) or "contexts changed"
