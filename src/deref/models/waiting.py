"""Waiting for what runs on an event loop, from code that has none: pieces as they come, and an end when the caller calls it off.

The work runs in a thread of its own (the caller may itself stand in an event loop). What it says goes through a queue to the
caller's thread, so that `heard` is called where the caller is, and what it raises ends the work. `cancelled` is asked between
pieces, ten times a second at the least; the work is cancelled, and has let go of its connection, before this returns.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from queue import Empty, SimpleQueue
from typing import TypeVar

from deref.errors import Cancelled
from deref.models.extra import needed

_Result = TypeVar("_Result")
_PAUSE = 0.1
"""Seconds between two looks at `cancelled`."""


def wait_for(
    work: Callable[[Callable[[str], None]], Awaitable[_Result]],
    *,
    heard: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> _Result:
    """Return what `work` returns, which is given what takes its pieces. Raises what it raises, and Cancelled."""
    pieces: SimpleQueue[str | None] = SimpleQueue()
    # Left by an exception, the portal cancels the work and waits for its end.
    with needed("anyio.from_thread").start_blocking_portal() as portal:
        outcome: Future[_Result] = portal.start_task_soon(work, pieces.put)
        outcome.add_done_callback(lambda _: pieces.put(None))
        try:
            while True:
                if cancelled():
                    raise Cancelled("the call to the language model was called off")
                try:
                    piece = pieces.get(timeout=_PAUSE)
                except Empty:
                    continue
                if piece is None:
                    return outcome.result()
                heard(piece)
        except CancelledError as error:
            raise Cancelled("the call to the language model was called off") from error
