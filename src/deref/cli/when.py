"""A point in time as people give it: a date, a date with a time, how long ago, or the last run."""

from __future__ import annotations

import re
import time
from datetime import datetime

from deref.errors import UsageError
from deref.ports import History

_AGO = re.compile(r"(?P<count>\d{1,6})\s?(?P<unit>[smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def read_when(text: str, history: History) -> int:
    """Return a time in nanoseconds since the epoch. "last" is just before the last run that changed the library.

    A time without an offset is local, a date alone its first moment. Raises UsageError for anything else, and for a
    time to come.
    """
    said = text.strip()
    if said.lower() == "last":
        return history.changed_ns - 1
    ago = _AGO.fullmatch(said.lower())
    if ago is not None:
        return time.time_ns() - int(ago["count"]) * _SECONDS[ago["unit"]] * 10**9
    try:
        at_ns = int(datetime.fromisoformat(said).timestamp() * 1_000_000) * 1000
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"--changed-since {text}: give a date (2026-03-31), a date and time (2026-03-31T14:00), how long ago "
            "(90m, 2h, 3d, 1w), or last"
        ) from None
    if at_ns > time.time_ns():
        raise UsageError(f"--changed-since {text}: that time is still to come; give one that is past")
    return at_ns
