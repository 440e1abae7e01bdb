"""Journeys: how each result of a search came to its place, told from the events of its stages.

For one passage each stage that brought it in, moved it or put it out is a step. A place that changed only because others
came or went is no move: what counts is the order among those that were there both before and after. An attempt that was
made again has "again: " before its stages; where the first one was kept, they did nothing for the result and are left away.
Places are 1-based, as people count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deref.trace.events import Event, Retried, StageRan

AGAIN = "again: "
"""Stands before the stages of an attempt that is made again."""
NO_ROOM = "there is no room for it behind the others"
_CUTTING = frozenset({"cut", "rerank"})
"""Stages whose reason is one for leaving a passage out; that of any other tells why it brings one in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a stage did with a passage: its 1-based places before and after (None: not there), and the reason."""

    stage: str
    before: int | None
    after: int | None
    why: str

    def told(self) -> str:
        """Return the step in words."""
        if self.before is None:
            moved = f"in at {self.after}"
        elif self.after is None:
            moved = f"out from {self.before}"
        else:
            moved = f"{self.before} → {self.after}"
        return f"{self.stage}: {moved}" + (f", {self.why}" if self.why else "")


def journey(chunk: str, events: Sequence[Event]) -> tuple[Step, ...]:
    """Return the steps of the passage with this id, in order."""
    return tuple(_steps(chunk, events))


def _steps(chunk: str, events: Sequence[Event]) -> Iterator[Step]:
    retried = next((e for e in events if isinstance(e, Retried)), None)
    for event in events:
        if not isinstance(event, StageRan):
            continue
        if event.stage.startswith(AGAIN) and (retried is None or retried.kept == "first"):
            continue
        before, after = _place(chunk, event.before), _place(chunk, event.after)
        if before is None or after is None:
            if before != after:
                why = event.why if after is not None or event.stage in _CUTTING else NO_ROOM
                if event.stage == "retry" and retried is not None:
                    why = retried.why
                yield Step(stage=event.stage, before=before, after=after, why=why)
            continue
        was, now = _among(chunk, event.before, event.after), _among(chunk, event.after, event.before)
        if was != now:
            why = event.why if now < was else "others go before it"
            yield Step(stage=event.stage, before=before, after=after, why=why)


def _place(chunk: str, ids: Sequence[str]) -> int | None:
    return ids.index(chunk) + 1 if chunk in ids else None


def _among(chunk: str, ids: Sequence[str], others: Sequence[str]) -> int:
    """Return the place of a passage in a list from which what is not in the other list is left away."""
    here = set(others)
    return [i for i in ids if i in here].index(chunk)
