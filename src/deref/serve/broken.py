"""How a process of the server ends that breaks on an error inside Deref: with its trace in the log, and with 1."""

from __future__ import annotations

import os
import sys
from types import TracebackType

BROKE = 1
"""What it ends with."""


def end_broken(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    """Tell the error and end at once. To be `sys.excepthook` where another thread waits for a line of standard input.

    That thread holds a lock that Python wants in order to end in its own way; it would abort, as one does that is short of memory.
    """
    sys.__excepthook__(kind, error, at)
    sys.stderr.flush()
    os._exit(BROKE)
