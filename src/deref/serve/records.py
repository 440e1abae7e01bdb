"""What outlives a restart: jobs with the outcome of each file, questions with their answers, sessions.

One SQLite file for a library, beside its traces. The server and the process of a job have it open at the same time; each
statement is a transaction of its own. Lists are in the order in which things came, by a number that counts up and is never
shown; what is shown are random names, so that nobody can count what others do.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from deref.errors import LibraryDamaged

_BUSY_SECONDS = 30.0
_TABLES = """
CREATE TABLE IF NOT EXISTS jobs (
  n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, owner TEXT NOT NULL, collection TEXT, state TEXT NOT NULL,
  phase TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0, created REAL NOT NULL, started REAL, ended REAL,
  totals TEXT NOT NULL DEFAULT '{}', error TEXT);
CREATE TABLE IF NOT EXISTS job_files (
  job TEXT NOT NULL, path TEXT NOT NULL, collection TEXT NOT NULL, outcome TEXT NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (job, path));
CREATE TABLE IF NOT EXISTS sessions (
  n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, owner TEXT NOT NULL, title TEXT NOT NULL, created REAL NOT NULL);
CREATE TABLE IF NOT EXISTS questions (
  n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, owner TEXT NOT NULL, session TEXT, asked TEXT NOT NULL,
  state TEXT NOT NULL, created REAL NOT NULL, ended REAL, answer TEXT, problem TEXT);
CREATE INDEX IF NOT EXISTS questions_of_session ON questions (session, n);
"""
_LONGEST_TITLE = 120
_JSON = frozenset({"totals", "asked", "answer", "problem", "event"})


class State(StrEnum):
    """How far a job or a question is. INTERRUPTED is a job that the server, or its process, left behind: it starts again."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    CANCELLED = "cancelled"


Row = dict[str, Any]
"""A row by column; the columns that hold JSON are read."""


def new_name() -> str:
    """Return a name that cannot be guessed: 22 letters, digits, - and _."""
    return secrets.token_urlsafe(16)


class Records:
    """The records of one library. Safe to share by threads."""

    def __init__(self, file: Path) -> None:
        """Open the file, or make it. Raises LibraryDamaged."""
        self._file = file
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(
                file, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_TABLES)
        except sqlite3.Error as error:
            raise self._damaged(error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # Jobs

    def add_job(self, owner: str, collection: str | None) -> Row:
        """Queue a job and return it. One that waits already for the same owner and collection serves for both."""
        waiting = self._rows(
            "SELECT * FROM jobs WHERE state = 'queued' AND attempts = 0 AND owner = ? AND collection IS ?", owner, collection
        )  # fmt: skip
        if waiting:
            return waiting[0]
        name = new_name()
        self._run(
            "INSERT INTO jobs (id, owner, collection, state, created) VALUES (?, ?, ?, 'queued', ?)",
            name, owner, collection, time.time(),
        )  # fmt: skip
        return self._rows("SELECT * FROM jobs WHERE id = ?", name)[0]

    def job(self, name: str) -> Row | None:
        """Return a job by its name."""
        return self._one("SELECT * FROM jobs WHERE id = ?", name)

    def jobs(self) -> list[Row]:
        """Return all jobs, newest first."""
        return self._rows("SELECT * FROM jobs ORDER BY n DESC")

    def next_job(self) -> Row | None:
        """Take the oldest job that waits: it runs from now on, one attempt more."""
        row = self._one("SELECT * FROM jobs WHERE state IN ('queued', 'interrupted') ORDER BY n LIMIT 1")
        if row is not None:
            self._run(
                "UPDATE jobs SET state = 'running', phase = 'reading', attempts = attempts + 1, started = ?, ended = NULL, "
                "error = NULL WHERE id = ?", time.time(), row["id"],
            )  # fmt: skip
        return row

    def set_job(self, name: str, **values: Any) -> None:
        """Change columns of a job."""
        given = {k: json.dumps(v) if k in _JSON else v for k, v in values.items()}
        self._run(
            f"UPDATE jobs SET {', '.join(f'{k} = ?' for k in given)} WHERE id = ?", *given.values(), name
        )

    def interrupt_jobs(self) -> None:
        """Mark the jobs that are running, when nobody can be running them."""
        self._run("UPDATE jobs SET state = 'interrupted' WHERE state = 'running'")

    def note_file(self, job: str, path: str, collection: str, outcome: str, event: Mapping[str, Any]) -> None:
        """Keep what became of a file; what a former attempt read in is not read again, and keeps its first outcome."""
        self._run(
            "INSERT INTO job_files VALUES (?, ?, ?, ?, ?) ON CONFLICT (job, path) DO UPDATE SET "
            "outcome = excluded.outcome, event = excluded.event WHERE excluded.outcome != 'unchanged'",
            job, path, collection, outcome, json.dumps(event),
        )  # fmt: skip

    def files_of_job(self, job: str) -> list[Row]:
        """Return what became of the files, by path."""
        return self._rows("SELECT * FROM job_files WHERE job = ? ORDER BY path", job)

    def counts_of_job(self, job: str) -> list[tuple[str, str, int]]:
        """Return collection, outcome and number of files, for each pair that there is."""
        rows = self._rows(
            "SELECT collection, outcome, COUNT(*) AS files FROM job_files WHERE job = ? GROUP BY collection, outcome", job
        )  # fmt: skip
        return [(row["collection"], row["outcome"], row["files"]) for row in rows]

    # Questions and sessions

    def add_question(self, owner: str, session: str | None, asked: Mapping[str, Any]) -> str:
        """Keep a question that is about to be asked; return its name. A session without a title is called by the first one's words."""
        name = new_name()
        self._run(
            "UPDATE sessions SET title = ? WHERE id = ? AND title = ''",
            " ".join(asked["text"].split())[:_LONGEST_TITLE], session,
        )  # fmt: skip
        self._run(
            "INSERT INTO questions (id, owner, session, asked, state, created) VALUES (?, ?, ?, ?, 'running', ?)",
            name, owner, session, json.dumps(asked), time.time(),
        )  # fmt: skip
        return name

    def end_question(
        self, name: str, state: State, *, answer: Row | None = None, problem: Row | None = None
    ) -> None:
        """Keep how a question ended."""
        self._run(
            "UPDATE questions SET state = ?, ended = ?, answer = ?, problem = ? WHERE id = ?",
            state.value, time.time(), _told(answer), _told(problem), name,
        )  # fmt: skip

    def question(self, name: str) -> Row | None:
        """Return a question by its name."""
        return self._one("SELECT * FROM questions WHERE id = ?", name)

    def questions_in(self, session: str) -> list[Row]:
        """Return the questions of a session, oldest first."""
        return self._rows("SELECT * FROM questions WHERE session = ? ORDER BY n", session)

    def count_in(self, session: str) -> int:
        """Return how many questions a session has."""
        return int(
            self._rows("SELECT COUNT(*) AS number FROM questions WHERE session = ?", session)[0]["number"]
        )

    def questions(self, owner: str | None, start: int, most: int) -> list[Row]:
        """Return `most` questions of an owner, None for any, newest first, from `start` on: answers are long, and are read for these alone."""
        return self._of_owner("questions", owner, start, most)

    def drop_question(self, name: str) -> None:
        """Remove a question."""
        self._run("DELETE FROM questions WHERE id = ?", name)

    def old_questions(self, keep: int) -> list[str]:
        """Return the questions outside of sessions but for the newest `keep`."""
        rows = self._rows(
            "SELECT id FROM questions WHERE session IS NULL AND state != 'running' ORDER BY n DESC LIMIT -1 OFFSET ?", keep
        )  # fmt: skip
        return [row["id"] for row in rows]

    def break_off_questions(self, problem: Row) -> None:
        """Mark the questions that are running, when nobody can be answering them."""
        self._run(
            "UPDATE questions SET state = 'failed', ended = ?, problem = ? WHERE state = 'running'", time.time(), _told(problem)
        )  # fmt: skip

    def add_session(self, owner: str, title: str) -> Row:
        """Begin a session and return it."""
        name = new_name()
        self._run(
            "INSERT INTO sessions (id, owner, title, created) VALUES (?, ?, ?, ?)", name, owner, title, time.time()
        )  # fmt: skip
        return self._rows("SELECT * FROM sessions WHERE id = ?", name)[0]

    def session(self, name: str) -> Row | None:
        """Return a session by its name."""
        return self._one("SELECT * FROM sessions WHERE id = ?", name)

    def sessions(self, owner: str | None, start: int, most: int) -> list[Row]:
        """Return `most` sessions of an owner, None for any, newest first, from `start` on."""
        return self._of_owner("sessions", owner, start, most)

    def drop_session(self, name: str) -> None:
        """Remove a session; its questions are the caller's to remove."""
        self._run("DELETE FROM sessions WHERE id = ?", name)

    # SQLite

    def _of_owner(self, table: str, owner: str | None, start: int, most: int) -> list[Row]:
        return self._rows(
            f"SELECT * FROM {table} WHERE ?1 IS NULL OR owner = ?1 ORDER BY n DESC LIMIT ?2 OFFSET ?3",
            owner,
            most,
            start,
        )

    def _run(self, statement: str, *values: Any) -> None:
        with self._lock:
            try:
                self._db.execute(statement, values)
            except sqlite3.Error as error:
                raise self._damaged(error) from error

    def _rows(self, statement: str, *values: Any) -> list[Row]:
        with self._lock:
            try:
                found = self._db.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise self._damaged(error) from error
        return [_row(one) for one in found]

    def _one(self, statement: str, *values: Any) -> Row | None:
        return next(iter(self._rows(statement, *values)), None)

    def _damaged(self, error: sqlite3.Error) -> LibraryDamaged:
        return LibraryDamaged(
            f"{self._file}: what the server keeps cannot be read or written ({error}); check that the disk has room and "
            "the folder is writable, else remove the file: jobs, sessions and questions are forgotten, documents are not"
        )


def _told(value: Row | Sequence[Any] | None) -> str | None:
    return None if value is None else json.dumps(value)


def _row(found: sqlite3.Row) -> Row:
    return {
        name: json.loads(found[name]) if name in _JSON and found[name] is not None else found[name]
        for name in found.keys()  # noqa: SIM118 - a row yields its values
    }
