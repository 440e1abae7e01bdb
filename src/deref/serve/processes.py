"""Questions answered in processes of their own: of one process, one thread runs Python at a time, whatever the number of cores.

Each process has an engine over the library, and answers one question at a time; a thread here waits beside it. They speak in lines: a request goes to
its standard input, and lines of the trace, pieces and the end come back, each with a letter before it. Another thread looks whether a question was called
off, and says so to the process that is at it.

A process ends when its standard input closes, so none outlives the server, however that ends. When one is killed, or breaks on an error inside Deref, its
question is refused, and the next one gets a new process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace
from typing import IO

from deref.serve.answering import Asked, Listener, Sought, Values
from deref.serve.broken import BROKE
from deref.serve.libraries import Served
from deref.serve.problems import Busy, NotOffered
from deref.settings import Settings
from deref.trace.codec import encode
from deref.trace.replay import as_it_failed
from deref.values import Scope

_MODULE = "deref.serve.question_process"
_LOOK_EVERY_S = 0.1

TRACE, PIECE, DONE, FAILED = "t", "p", "d", "f"
"""The letters before a line: a line of the trace; a piece, as JSON [pass, text]; what it gave, as JSON; kind and words of the error, as JSON."""


class FailedInside(RuntimeError):
    """Something failed inside Deref in another process, whose log has the rest."""


class Processes:
    """Answers by so many processes. `Answering`."""

    def __init__(self, served: Served, settings: Settings, count: int, *, most_waiting: int = 500) -> None:
        """Take the library, the settings of the user, how many processes, and how much may wait.

        One starts at once, each other one when those before it are at work: who is alone has one.
        """
        # Processes side by side share the processors that one alone would use.
        threads = max(1, settings.models.threads // count)
        alone = replace(settings, models=replace(settings.models, threads=threads))
        command = [sys.executable, "-P", "-m", _MODULE, served.as_text(), json.dumps(asdict(alone))]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(threads)}
        self._every = [Process(command, environment) for _ in range(count)]
        self._free = list(self._every)
        self._most_waiting = most_waiting
        self._waiting = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="beside a process")
        self._free[-1].start()
        self._watch = threading.Thread(target=self._look, name="who has gone", daemon=True)
        self._watch.start()

    def ask(self, asked: Asked, scope: Scope, to: Listener) -> Future[Values]:
        """Have a question answered, as `Answering` says."""
        return self._do({"ask": asdict(asked), "scope": encode(scope)}, to)

    def search(self, sought: Sought, scope: Scope, to: Listener) -> Future[Values]:
        """Have passages searched, as `Answering` says."""
        return self._do({"search": asdict(sought), "scope": encode(scope)}, to)

    def waiting(self) -> int:
        """Return how many wait or are being answered."""
        return self._waiting

    def close(self) -> None:
        """Drop what waits, wait for what is being done, and end the processes."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._closing.set()
        self._watch.join()
        for process in self._every:
            process.end()

    def _do(self, request: Values, to: Listener) -> Future[Values]:
        with self._lock:
            if self._waiting >= self._most_waiting:
                raise Busy(
                    f"{self._waiting} requests are waiting for this library; try again in a few seconds"
                )
            self._waiting += 1
        future = self._threads.submit(self._done, request, to)
        future.add_done_callback(lambda _: self._no_longer())
        return future

    def _done(self, request: Values, to: Listener) -> Values:
        with self._lock:
            process = self._free.pop()  # The one that was free last: it has most at hand.
        try:
            return process.do(request, to)
        finally:
            with self._lock:
                self._free.append(process)

    def _no_longer(self) -> None:
        with self._lock:
            self._waiting -= 1

    def _look(self) -> None:
        while not self._closing.wait(_LOOK_EVERY_S):
            for process in self._every:
                process.look()


class Process:
    """One process, started again when it is not there any more. For one request at a time."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Take what starts it, and its environment: it reads requests as JSON lines, and answers as told above."""
        self._command, self._environment = command, environment
        self._running: subprocess.Popen[bytes] | None = None
        self._number = 0
        self._at_work: tuple[int, Listener] | None = None
        self._writing = threading.Lock()

    def start(self) -> None:
        """Start it."""
        self._running = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._environment,
            # Ctrl-C is for the server, which then ends it in good order.
            start_new_session=True,
        )

    def do(self, request: Values, to: Listener) -> Values:
        """Return what a request gives; `to` is told on the way.

        Raises what it raises there, Busy when the process is killed, FailedInside when it breaks.
        """
        if self._running is None or self._running.poll() is not None:
            self.start()
        assert self._running is not None and self._running.stdout is not None
        self._number += 1
        self._send({**request, "number": self._number})
        self._at_work = self._number, to
        try:
            ended = _ended(self._running.stdout, to)
        except BaseException:
            # What it still says of this request is not to be taken for an answer to the next one.
            self._running.kill()
            self._running.wait()
            raise
        finally:
            self._at_work = None
        if isinstance(ended, Exception):
            raise ended
        if ended is not None:
            return ended
        if self._running.wait() == BROKE:
            raise FailedInside("a question failed inside Deref; the log says where")
        raise Busy("the process that answered was ended, most likely for want of memory; ask again")

    def look(self) -> None:
        """Say that the request at work is called off, when the one who listens to it has it so."""
        at_work = self._at_work
        if at_work is not None and at_work[1].called_off():
            self._send(
                {"call_off": at_work[0]}
            )  # The next request may have begun by now: its number is another.

    def end(self) -> None:
        """End it."""
        if self._running is not None:
            assert self._running.stdin is not None and self._running.stdout is not None
            with suppress(BrokenPipeError):
                self._running.stdin.close()
            self._running.wait()
            self._running.stdout.close()

    def _send(self, values: Values) -> None:
        assert self._running is not None and self._running.stdin is not None
        # One that is killed is told of where its lines are read.
        with self._writing, suppress(BrokenPipeError):
            self._running.stdin.write(json.dumps(values).encode() + b"\n")
            self._running.stdin.flush()


def _ended(lines: IO[bytes], to: Listener) -> Values | Exception | None:
    """Tell the listener what comes, and return how it ended: what it gave, its error, or None when the process is gone."""
    for line in lines:
        letter, text = chr(line[0]), line[1:].decode("utf-8")
        if letter == TRACE:
            to.write(text)
        elif letter == PIECE:
            to.hear(*json.loads(text))
        elif letter == DONE:
            to.flush()
            values: Values = json.loads(text)
            return values
        elif letter == FAILED:
            return _error_of(*json.loads(text))
    return None


def _error_of(kind: str, words: str) -> Exception:
    of_the_server = {one.__name__: one for one in (NotOffered, Busy)}
    return of_the_server[kind](words) if kind in of_the_server else as_it_failed((kind, words))
