"""Engines at work: an engine is for one thread at a time, so each thread of a lane has one of its own.

There are two lanes for a library, so that looking at a page does not wait behind questions. Engines are opened when their
thread first works; what another process changes in the library they see by themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import StrEnum
from typing import TypeVar

from deref.engine import Engine
from deref.serve.problems import Busy

T = TypeVar("T")

_TRIES = 4


def at_one_time(work: Callable[[Engine], T]) -> Callable[[Engine], T]:
    """Return work that is done anew when it failed and the library changed meanwhile: a document that it was at has gone."""

    def done(engine: Engine) -> T:
        for _ in range(_TRIES - 1):
            before = engine.store.generation()
            try:
                return work(engine)
            except Exception:
                # Half of a change may show as any error. None is swallowed: the same error comes of a library that stays as it is.
                if engine.store.generation() == before:
                    raise
        return work(engine)

    return done


class Lane(StrEnum):
    """What kind of work it is: QUESTIONS take a tenth of a second and more, LOOKS are short, and may be done anew."""

    QUESTIONS = "questions"
    LOOKS = "looks"


class Engines:
    """The engines of one library."""

    def __init__(self, open_engine: Callable[[], Engine], *, each: int = 2, most_waiting: int = 500) -> None:
        """Take what opens an engine, how many work in each lane, and how much work may wait there."""
        self._open = open_engine
        self._most_waiting = most_waiting
        self._own = threading.local()
        self._lock = threading.Lock()
        self._opened: list[Engine] = []
        self._waiting = dict.fromkeys(Lane, 0)
        self._lanes = {lane: ThreadPoolExecutor(each, thread_name_prefix=lane.value) for lane in Lane}

    def do(self, lane: Lane, work: Callable[[Engine], T]) -> Future[T]:
        """Have work done with an engine of a lane. What it raises is in the future. Raises Busy when too much waits."""
        with self._lock:
            if self._waiting[lane] >= self._most_waiting:
                raise Busy(
                    f"{self._waiting[lane]} requests are waiting for this library; try again in a few seconds"
                )
            self._waiting[lane] += 1
        again = at_one_time(work) if lane is Lane.LOOKS else work
        future = self._lanes[lane].submit(lambda: again(self._engine()))
        future.add_done_callback(lambda _: self._done(lane))
        return future

    def waiting(self, lane: Lane) -> int:
        """Return how much work waits or is being done."""
        return self._waiting[lane]

    def close(self) -> None:
        """Drop what waits, wait for what is being done, and close the engines."""
        for lane in self._lanes.values():
            lane.shutdown(wait=True, cancel_futures=True)
        for engine in self._opened:
            engine.close()

    def _done(self, lane: Lane) -> None:
        with self._lock:
            self._waiting[lane] -= 1

    def _engine(self) -> Engine:
        engine: Engine | None = getattr(self._own, "engine", None)
        if engine is None:
            engine = self._own.engine = self._open()
            with self._lock:
                self._opened.append(engine)
        return engine
