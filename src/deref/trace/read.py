"""A trace file, read: its events, and the recording behind them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from deref.errors import DamagedFile, NoSuchSource
from deref.trace.events import KINDS
from deref.trace.sinks import TRACE_SCHEMA
from deref.trace.tape import RECORDING, Recording, unpacked

_NEEDED = {kind: {f.name for f in fields(event) if f.default is MISSING} for event, kind in KINDS.items()}
_WRITTEN_BY = "`deref ask … --trace FILE`"


def read_events(file: Path) -> list[dict[str, Any]]:
    """Return the events of a trace file, header first, and the line with the recording last where there is one.

    Raises NoSuchSource for a file that cannot be read, DamagedFile for one that is no trace.
    """
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise NoSuchSource(
            f"{file}: the trace cannot be read ({why}); name a file that --trace wrote"
        ) from error
    return read_trace(text.splitlines(), name=str(file))


def recording_of(events: list[dict[str, Any]], *, name: str) -> Recording:
    """Return the recording of a trace. `name` is the file, for messages. Raises DamagedFile when it has none."""
    if events[-1]["kind"] != RECORDING:
        raise DamagedFile(
            f"{name}: the trace ends before its recording, as when the question was broken off; it can be explained, and "
            f"not replayed: write it anew with {_WRITTEN_BY}"
        )
    return unpacked(events[-1], name=name)


def read_trace(lines: Iterable[str], *, name: str) -> list[dict[str, Any]]:
    """Return the events of a trace, header first.

    Raises DamagedFile that names the line which is no event of a trace, or a header of another schema.
    """
    known = {*KINDS.values(), "header", RECORDING}
    events: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DamagedFile(
                f"{name}, line {number}: not JSON; a trace is written by `deref ask … --trace FILE`"
            ) from error
        if (
            not isinstance(event, dict)
            or not isinstance(event.get("kind"), str)
            or event["kind"] not in known
            or not _NEEDED.get(event["kind"], set()) <= event.keys()
        ):
            raise DamagedFile(
                f"{name}, line {number}: not an event of a trace; write one with `deref ask … --trace FILE`"
            )
        if event["kind"] == "header" and event.get("schema") != TRACE_SCHEMA:
            raise DamagedFile(
                f"{name}, line {number}: a trace of schema {event.get('schema')}, and this version reads schema "
                f"{TRACE_SCHEMA}; read it with the version that wrote it"
            )
        events.append(event)
    if not events or events[0]["kind"] != "header":
        raise DamagedFile(
            f"{name}: the first line is no trace header; write one with `deref ask … --trace FILE`"
        )
    return events
