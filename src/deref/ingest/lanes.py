"""Reading files in worker processes, or here when there is too little to read for them to pay.

Each lane is one spawned process with one file at a time, so when a process dies, of memory or of a fault in a
library, it is known which file it died of: that file fails, the lane starts anew. No lane outlives the process that
opened it, however that ends; Ctrl-C reaches that process alone, which ends its lanes. Results come in the order of the
files, whatever the order in which they are done; a lane waits rather than run far ahead of the slowest.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait as wait_for

from deref.errors import UsageError
from deref.ingest.read import Read, Steps, read

_AHEAD = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One file to read."""

    path: str
    doc: str
    data: bytes


def read_here(jobs: Iterable[Job], *, password: str | None, steps: Steps) -> Iterator[tuple[Job, Read]]:
    """Yield each job and what became of it, in order, read in this process."""
    for job in jobs:
        yield job, read(job.data, doc=job.doc, name=job.path, password=password, steps=steps)


def read_in_lanes(
    jobs: Iterable[Job], *, password: str | None, steps: Steps, lanes: int
) -> Iterator[tuple[Job, Read]]:
    """Yield each job and what became of it, in order, read in `lanes` processes.

    Raises UsageError when processes cannot be spawned from here.
    """
    waiting = enumerate(jobs)
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(_Lane()) for _ in range(lanes)]
        done: dict[int, tuple[Job, Read]] = {}
        turn = 0
        while True:
            for lane in workers:
                if lane.job is None and len(done) < _AHEAD:
                    following = next(waiting, None)
                    if following is not None:
                        lane.start(*following, password, steps)
            running = [lane.future for lane in workers if lane.future is not None]
            if not running:
                return
            wait(running, return_when=FIRST_COMPLETED)
            for lane in workers:
                if lane.future is not None and lane.future.done():
                    n, job, result = lane.result()
                    done[n] = (job, result)
            while turn in done:
                yield done.pop(turn)
                turn += 1


class _Lane:
    """One worker process and the file it is at."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.future: Future[Read] | None = None
        self._n = 0
        self._pool: ProcessPoolExecutor | None = None
        self._process = 0

    def __enter__(self) -> _Lane:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._pool is not None:
            if kind is not None and self._process:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._process, signal.SIGKILL)
            self._pool.shutdown(wait=True, cancel_futures=True)

    def start(self, n: int, job: Job, password: str | None, steps: Steps) -> None:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent
            )
            try:
                with _interrupt_held():
                    begun = self._pool.submit(os.getpid)
                self._process = begun.result()
            except BrokenProcessPool as error:
                raise UsageError(
                    "worker processes cannot start: put the call under `if __name__ == '__main__':`, or use jobs=1"
                ) from error
        self._n, self.job = n, job
        self.future = self._pool.submit(
            read, job.data, doc=job.doc, name=job.path, password=password, steps=steps
        )

    def result(self) -> tuple[int, Job, Read]:
        assert self.job is not None
        assert self.future is not None
        job, future = self.job, self.future
        self.job = self.future = None
        try:
            return self._n, job, future.result()
        except BrokenProcessPool:
            if self._pool is not None:
                self._pool.shutdown(wait=False)
            self._pool = None
            self._process = 0
            why = "the process that read it died, most likely for want of memory; split the file"
            return self._n, job, Read(error=f"{job.path}: {why}")


@contextlib.contextmanager
def _interrupt_held() -> Iterator[None]:
    """Hold Ctrl-C back meanwhile. A process that is started inside keeps holding it back."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)
