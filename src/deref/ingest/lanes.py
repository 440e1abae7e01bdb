"""Reading files in worker processes, or here when there is too little to read for them to pay.

Each lane is one process (`lane_process`) with one file at a time, so when a process dies, of memory or of a fault in a
library, it is known which file it died of: that file fails, the lane starts anew. A lane and its process share a pipe
and nothing else: no lock is left taken, and no half of a message waited for, when the process is killed. Nor does the
process run the script of who started this one again, as those of `multiprocessing` do. No lane outlives the process that
opened it, however that ends; Ctrl-C reaches that process alone, which ends its lanes. Results come in the order of the
files, whatever the order in which they are done; a lane waits rather than run far ahead of the slowest.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for

from deref.errors import UsageError
from deref.ingest.read import Read, Steps, read

_AHEAD = 16
_ENDING = (signal.SIGINT, signal.SIGTERM)
_BEGIN = """
import sys
from multiprocessing.connection import Connection
pipe = Connection(int(sys.argv[1]))
sys.path[:] = pipe.recv()
from deref.ingest.lane_process import work
work(pipe)
"""
"""What a process begins with: the first message says where modules are found."""


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

    Raises UsageError when processes cannot be started from here.
    """
    waiting = enumerate(jobs)
    with contextlib.ExitStack() as stack:
        starter = stack.enter_context(ThreadPoolExecutor(1))
        workers = [stack.enter_context(_Lane(starter)) for _ in range(lanes)]
        done: dict[int, tuple[Job, Read]] = {}
        turn = 0
        while True:
            for lane in workers:
                if lane.job is None and len(done) < _AHEAD:
                    following = next(waiting, None)
                    if following is not None:
                        lane.start(*following, password, steps)
            running = [(lane, lane.job) for lane in workers if lane.job is not None]
            if not running:
                return
            ready = wait_for([lane.pipe() for lane, _ in running])
            for lane, job in running:
                if lane.pipe() in ready and (result := lane.heard()) is not None:
                    done[lane.turn] = (job, result)
            while turn in done:
                yield done.pop(turn)
                turn += 1


@dataclass(slots=True)
class _Worker:
    """A process and our end of the pipe to it. `up`: it has said that it is there."""

    process: subprocess.Popen[bytes]
    pipe: Connection
    up: bool = False


class _Lane:
    """One worker process, and the file it is at with its number in the order of the files."""

    def __init__(self, starter: ThreadPoolExecutor) -> None:
        self.job: Job | None = None
        self.turn = 0
        self._starter = starter
        self._begun: Future[_Worker] | None = None

    def __enter__(self) -> _Lane:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._begun is not None and self._begun.exception() is None:
            worker = self._begun.result()
            if kind is not None:
                worker.process.kill()
            worker.pipe.close()
            worker.process.wait()

    def start(self, n: int, job: Job, password: str | None, steps: Steps) -> None:
        """Have a file read. Raises UsageError when no process can be started for it."""
        if self._begun is None or self._worker().process.poll() is not None:
            self._begun = self._starter.submit(_spawned)
        worker = self._worker()
        self.turn, self.job = n, job
        with contextlib.suppress(ConnectionError):  # It died just now, which `heard` finds.
            worker.pipe.send((job, password, steps))

    def pipe(self) -> Connection:
        """Return what can be read from when there is something to hear."""
        return self._worker().pipe

    def heard(self) -> Read | None:
        """Return what became of the file; None when the process only says that it is there.

        Raises UsageError when the process did not even come up.
        """
        worker = self._worker()
        try:
            said: Read | None = worker.pipe.recv()
        except (EOFError, OSError) as error:
            code = worker.process.wait()
            if not worker.up:
                raise UsageError(
                    f"worker processes cannot start (exit code {code}): free some memory, or set read.jobs to 1"
                ) from error
            assert self.job is not None
            why = "the process that read it died, most likely for want of memory; split the file"
            said = Read(error=f"{self.job.path}: {why}")
        worker.up = True
        if said is not None:
            self.job = None
        return said

    def _worker(self) -> _Worker:
        assert self._begun is not None
        try:
            return self._begun.result()
        except OSError as error:
            self._begun = None
            raise UsageError(
                f"worker processes cannot start ({error.strerror}): free some memory, or set read.jobs to 1"
            ) from error


def _spawned() -> _Worker:
    """Start a process that holds back the signals which end a run; for a thread that does nothing else.

    Those signals raise KeyboardInterrupt in the main thread, wherever it is. Here nothing is torn: the process gets all
    that it starts from, and whoever was interrupted learns of it, and can end it.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    ours, theirs = multiprocessing.Pipe()
    with theirs:
        # With -P, no module is taken from the working folder, which may be that of the documents.
        command = [sys.executable, "-P", "-c", _BEGIN, str(theirs.fileno())]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    with contextlib.suppress(ConnectionError):  # It died just now, which `heard` finds.
        ours.send(sys.path)
    return _Worker(process, ours)
