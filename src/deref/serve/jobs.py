"""Index jobs: one at a time for a library, each in a process of its own, so that whoever asks meanwhile is not held up.

A job is on record from the moment it is asked for. When the server ends, or is killed, the job that ran is *interrupted*:
the next server starts it again, one attempt more, and what was read before is not read again.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from deref.errors import DerefError
from deref.serve.access import LOCAL, Caller
from deref.serve.libraries import Served
from deref.serve.records import Records, Row, State
from deref.settings import Settings
from deref.trace.secrets import without_places

_LOG = logging.getLogger(__name__)
_MODULE = "deref.serve.index_job"
_AGAIN_S = 10.0
"""How long it is until a job is tried again that could not be begun, or whose end could not be kept."""


class Jobs:
    """The index jobs of one library, and the thread that runs them."""

    def __init__(self, served: Served, settings: Settings, records: Records) -> None:
        """Take the parts; nothing runs before `start`."""
        self._served, self._records = served, records
        self._settings_text = json.dumps(asdict(settings))
        self._wanted = threading.Event()
        self._stopping = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"jobs of {served.id}", daemon=True)

    def start(self) -> None:
        """Run what waits, what was interrupted first."""
        self._wanted.set()
        self._thread.start()

    def stop(self) -> None:
        """End the job that runs, which is interrupted by that, and start no other."""
        with self._lock:
            self._stopping = True
            if self._process is not None:
                self._process.terminate()
        self._wanted.set()
        if self._thread.is_alive():  # A library that could not start has none.
            self._thread.join()

    def add(self, caller: Caller, collection: str | None) -> Row:
        """Have the library brought up to date. `collection` is the one that changed, None for any."""
        row = self._records.add_job(caller.name, collection)
        self._wanted.set()
        return row

    def found(self, caller: Caller, name: str) -> Row | None:
        """Return a job that this caller may see, or None."""
        row = self._records.job(name)
        return row if row is not None and self._seen(caller, row) else None

    def every(self, caller: Caller) -> list[Row]:
        """Return the jobs that this caller may see, newest first."""
        return [row for row in self._records.jobs() if self._seen(caller, row)]

    def told(self, caller: Caller, row: Row) -> dict[str, Any]:
        """Return a job as JSON-ready values, its files counted as far as the caller may see them."""
        counted = [c for c in self._records.counts_of_job(row["id"]) if caller.sees_collection(c[0])]
        outcomes: dict[str, int] = {}
        for _, outcome, files in counted:
            outcomes[outcome] = outcomes.get(outcome, 0) + files
        done = sum(outcomes.values())
        total = sum(n for name, n in row["totals"].items() if caller.sees_collection(name))
        return {
            "job": row["id"],
            "state": row["state"],
            "phase": row["phase"] if row["state"] == State.RUNNING else "",
            "attempts": row["attempts"],
            "collection": row["collection"],
            "created": row["created"],
            "started": row["started"],
            "ended": row["ended"],
            "files_done": done,
            "files_total": max(total, done),
            "outcomes": outcomes,
            "error": self._why_failed(caller, row["error"]),
        }

    def files(self, caller: Caller, name: str) -> Sequence[dict[str, Any]]:
        """Return what became of each file that the caller may see: the event `file_read`, without the counts of the run."""
        return [
            {k: v for k, v in row["event"].items() if k not in ("done", "total")}
            for row in self._records.files_of_job(name)
            if caller.sees_collection(row["collection"])
        ]

    @staticmethod
    def _why_failed(caller: Caller, error: str | None) -> str | None:
        if error is None or caller is LOCAL:
            return error
        return without_places(error) if caller.sees_all else "the job failed; ask who runs the server"

    def _seen(self, caller: Caller, row: Row) -> bool:
        if caller.owns(row["owner"]) or caller.sees_all:
            return True
        return row["collection"] is not None and caller.sees_collection(row["collection"])

    def _run(self) -> None:
        again_s: float | None = None
        while not self._stopping:
            self._wanted.wait(again_s)
            self._wanted.clear()
            try:
                self._records.interrupt_jobs()
                while (row := self._next()) is not None:
                    self._follow(row["id"])
                again_s = None
            except (DerefError, OSError) as error:
                # No room on the disk, or for a process: what is wrong now need not be so later.
                _LOG.error("the index jobs of %s stand still: %s", self._served.id, error)
                again_s = _AGAIN_S

    def _next(self) -> Row | None:
        with self._lock:
            if self._stopping or (row := self._records.next_job()) is None:
                return None
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _MODULE, self._served.as_text(), self._settings_text, row["id"]],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the server, which ends its job.
            )
            return row

    def _follow(self, job: str) -> None:
        assert self._process is not None
        code = self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        row = self._records.job(job)
        if code == 0:
            self._end(job, State.DONE, None)
        elif self._stopping:
            self._end(job, State.INTERRUPTED, None)
        else:
            self._end(job, State.FAILED, (row and row["error"]) or _why(code))
        with self._lock:
            self._process = None

    def _end(self, job: str, state: State, error: str | None) -> None:
        self._records.set_job(job, state=state.value, ended=time.time(), error=error)


def _why(code: int) -> str:
    """Say why a job ended that said nothing itself; a code below zero is the number of a signal."""
    if code < 0:
        return f"the process that read the files was ended by signal {-code}, most likely for want of memory; try again"
    return f"the process that read the files ended with {code}; the log of the server says why"
