"""Sinks: where events go. A sink is `Callable[[Event], None]`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from deref.errors import UsageError
from deref.ports import Clock
from deref.text.lazy import lazy
from deref.trace.events import Event, encode

Sink = Callable[[Event], None]

TRACE_SCHEMA = 2
# Signs that would end a line for some readers, or that UTF-8 cannot hold: written as JSON escapes.
_UNSAFE = lazy("[\x85\u2028\u2029\ud800-\udfff]")


def nowhere(event: Event) -> None:
    """Drop the event."""


class ListSink:
    """Keep the events in a list, in order. The double for tests, and the buffer for `explain`."""

    def __init__(self) -> None:
        """Start empty."""
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Keep one event."""
        self.events.append(event)


class JsonLinesSink:
    """Write a header line, then one JSON object a line, flushed each time so that a killed run keeps its trace."""

    def __init__(self, out: IO[str], clock: Clock, hide: Callable[[str], str] = str) -> None:
        """Write the header. `out` stays the caller's to close; `hide` takes the secrets that are known out of a line.

        Like each line, it raises UsageError when there is no room for it.
        """
        self._out = out
        self._hide = hide
        self._clock = clock
        self._seq = 0
        self._line({"kind": "header", "schema": TRACE_SCHEMA, "at": clock()})

    def __call__(self, event: Event) -> None:
        """Write one event."""
        self._seq += 1
        self._line(as_written(event, seq=self._seq, at=self._clock()))

    def close(self, recording: dict[str, Any]) -> None:
        """Write the last line, which a replay answers from."""
        self._line(recording)

    def _line(self, value: object) -> None:
        text = self._hide(json.dumps(value, ensure_ascii=False))
        try:
            self._out.write(_UNSAFE.sub(lambda sign: f"\\u{ord(sign.group()):04x}", text) + "\n")
            self._out.flush()
        except OSError as error:
            raise _unwritten(getattr(self._out, "name", "the trace"), error) from error


@contextmanager
def trace_file(file: Path) -> Iterator[IO[str]]:
    """Give a file to write a trace to, and close it. Raises UsageError that names it when it cannot be written."""
    try:
        out = file.open("w", encoding="utf-8")
    except OSError as error:
        raise _unwritten(file, error) from error
    try:
        yield out
    finally:
        try:
            out.close()
        except OSError as error:  # What did not fit before is tried once more.
            raise _unwritten(file, error) from error


def _unwritten(file: object, error: OSError) -> UsageError:
    return UsageError(
        f"{file}: the trace cannot be written ({error.strerror}); make room, or name a file you may write"
    )


def as_written(event: Event, *, seq: int, at: float) -> dict[str, Any]:
    """Return an event as JSON-ready values, as `events.encode` gives it.

    What has the form of a secret is left away where the text is of no document: in errors, names and places. Of errors folders and addresses too.
    """
    # Its patterns are for traces alone: a question without one does not pay for them.
    from deref.trace.secrets import without_forms, without_places  # noqa: PLC0415

    values = encode(event, seq=seq, at=at)
    for name, told in (("library", without_forms), ("writer", without_forms), ("what", without_places)):
        if name in values:
            values[name] = told(values[name])
    if "answer" in values:
        values["answer"]["problems"] = [without_places(one) for one in values["answer"]["problems"]]
    return values


def tee(sinks: Iterable[Sink]) -> Sink:
    """Return a sink that passes each event to all of these, in order."""
    every = tuple(sinks)

    def emit(event: Event) -> None:
        for sink in every:
            sink(event)

    return emit
