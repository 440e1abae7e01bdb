"""A question asked again from its trace: the same engine, its ports answered from the recording, and what differs.

Nothing else is needed: no library, no model, no document. What the trace has no answer to is not asked of anything; the
question goes on as it would without that port, and the replay has failed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deref.engine import Engine
from deref.errors import Cancelled, DamagedFile, DerefError
from deref.settings import settings_of
from deref.trace.events import Event, plain
from deref.trace.read import read_events, recording_of
from deref.trace.record import how_it_ended
from deref.trace.replay import Replayer, as_it_failed, first_difference
from deref.trace.sinks import ListSink, Sink, as_written
from deref.trace.tape import RECORDING, Recording
from deref.values import Answer

_ANEW = "write the trace anew with `deref ask … --trace FILE`"
_OTHER_THAN_RECORDED = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError)
"""What comes of values of other types than a port gives: only a file that was written by hand has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What came of a replay. `difference` says in words where it first differs from the trace, None when it does not.

    `events` and `calls` are how many the trace has; `answer` is the one given now, None when the question ended in an error;
    `notes` tell what need not be the same: the version that wrote the trace, and its settings.
    """

    difference: str | None
    events: int
    calls: int
    answer: Answer | None
    notes: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether everything happened again as it did, but for the clock."""
        return self.difference is None


def replay(file: str | Path) -> Replayed:
    """Ask the question of a trace again, from the trace alone, and compare the events.

    Raises NoSuchSource for a file that cannot be read, DamagedFile for one that is no whole trace of this schema.
    """
    name = str(file)
    lines = read_events(Path(file))
    recording = recording_of(lines, name=name)
    try:
        return _replayed(lines, recording, name)
    except _OTHER_THAN_RECORDED as error:
        raise DamagedFile(
            f"{name}: what it keeps is not what a question asks for ({error}); it was changed, or written by another version: "
            f"{_ANEW}"
        ) from error


def _replayed(lines: Sequence[Mapping[str, Any]], recording: Recording, name: str) -> Replayed:
    before = [line for line in lines if line["kind"] not in ("header", RECORDING)]
    replayer = Replayer(recording.answers, recording.kept)
    engine = _engine(recording, replayer, name)
    heard = ListSink()
    answer: Answer | None = None
    if not isinstance(recording.asked.get("text"), str):
        raise TypeError("the question is no text")
    try:
        answer = engine.ask(**recording.asked, emit=_until_called_off(heard, recording.ended, len(before)))
        ended = how_it_ended(answer)
    except DamagedFile as error:
        raise DamagedFile(f"{name}: {error}; {_ANEW}") from error
    except DerefError as error:
        ended = how_it_ended(error)
    now = [as_written(event, seq=n, at=0.0) for n, event in enumerate(heard.events, start=1)]
    if recording.ended is None:
        ended = None
    difference = first_difference([*before, _end(recording.ended)], [*now, _end(ended)])
    # One that was broken off may have been so within a call: that call has no answer, and is where the trace ends.
    if replayer.missing is not None and (recording.ended is not None or difference is not None):
        difference = f"the trace has no answer to {replayer.missing}; {difference or 'all else is the same'}"
    return Replayed(
        difference=difference,
        events=len(before),
        calls=sum(one.times for came in recording.answers.values() for one in came),
        answer=answer,
        notes=_notes(before, now),
    )


def _until_called_off(heard: ListSink, ended: Any, events: int) -> Sink:
    """Return the sink of a replay. A question that its caller called off, or that was broken off, is so again after as many events."""
    if ended is not None and (isinstance(ended, Answer) or ended[0] != Cancelled.__name__):
        return heard

    def hear(event: Event) -> None:
        if len(heard.events) == events:
            raise Cancelled("it was broken off") if ended is None else as_it_failed(ended)
        heard(event)

    return hear


def _end(ended: Any) -> dict[str, Any]:
    """Return the end of a question as a last event."""
    kind = "answered" if isinstance(ended, Answer) else "broken off" if ended is None else "failed"
    return {"kind": kind, "ended": json.loads(json.dumps(plain(ended)))}


def _engine(recording: Recording, replayer: Replayer, name: str) -> Engine:
    """Return the engine that asks the recording. Raises DamagedFile for settings that this version does not have."""
    try:
        settings = settings_of(recording.settings)
    except ValueError as error:
        raise DamagedFile(
            f"{name}: the trace was written under settings that this version does not take ({error}); replay it with the "
            "version that wrote it, or write it anew"
        ) from error
    port, doors = replayer.port, recording.doors
    return Engine(
        store=port("Store"),
        settings=settings,
        embedder=(lambda: port("Embedder")) if "Embedder" in doors else None,
        clock=port("Clock"),
        writer=port("Writer") if "Writer" in doors else None,
        reranker=lambda: port("Reranker"),
        overviews=port("OverviewReader"),
        language_model=lambda: port("LanguageModel"),
    )


def _notes(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Tell what differs in what need not be the same."""
    if not before or not now:
        return ()
    return tuple(
        f"the {name} in the trace are {_told(before[0][name])}, and now {_told(now[0][name])}"
        for name in ("versions", "fingerprints")
        if before[0].get(name) != now[0].get(name)
    )


def _told(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
