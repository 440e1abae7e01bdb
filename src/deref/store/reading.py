"""The door for reading the catalogue, and SQLite's own behind it, for a local file. `store.postgres` has the other one."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from deref.errors import LibraryBusy, LibraryDamaged, LibraryError

Rows = list[tuple[Any, ...]]

BUSY_SECONDS = 30.0
"""How long a statement waits for another process to finish its transaction."""

MOST_IN_LIST = 400
"""Parameters in one IN list; every database takes that many."""

ROOM = "check that the disk has room and the folder is writable"

_NOT_THE_FILE = (
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
)
"""What SQLite says when the place of the file is at fault and not the file."""

CATALOGUE, CHUNKS, LOCK = "catalogue.db", "chunks.lance", "writer.lock"
"""What a library is made of, in its folder."""

PLACE = "catalogue.json"
"""What is there in the place of CATALOGUE when that is in a database: see `store.postgres.place`."""

MARKS = "marks.json"
"""What is there while a library is built anew: see `store.marks_aside`."""

FIX = "build it again with: deref index PATH --rebuild"


class Reader(Protocol):
    """Runs one statement of `statements` and returns all its rows. `dialect` is the kind of database: sqlite or postgresql."""

    dialect: str

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """Return the rows. Raises LibraryDamaged when the database cannot be read."""
        ...

    def version(self) -> object:
        """Return what is another value after each write of someone else, or None where the database cannot tell.

        Raises LibraryDamaged when the database cannot be read.
        """
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


class SqliteReader:
    """Reads a local file through the standard library. Threads take turns."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        """Open the file, which must be there. Raises LibraryDamaged."""
        self._path = path
        self._lock = threading.Lock()
        try:
            self._connection = _connected(path)
        except sqlite3.Error as error:
            raise LibraryDamaged(f"{path}: the catalogue cannot be opened ({error}); {FIX}") from error

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """Return the rows. Raises LibraryDamaged when the file is no database, or is damaged, and LibraryBusy."""
        with self._lock:
            try:
                return self._connection.execute(statement, dict(parameters or {})).fetchall()
            except sqlite3.Error as error:
                raise _told(self._path, error) from error

    def version(self) -> object:
        """Return SQLite's count of what others wrote: some microseconds, where a look into a table takes twice that."""
        with self._lock:
            try:
                return self._connection.execute("PRAGMA data_version").fetchone()[0]
            except sqlite3.Error as error:
                raise _told(self._path, error) from error

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._connection.close()


def _connected(path: Path) -> sqlite3.Connection:
    """Return a connection. Where nothing may be written, and no write waits to be taken in, it reads the file as it lies."""
    pending = path.with_name(f"{path.name}-wal")
    lies = not os.access(path.parent, os.W_OK) and not (pending.exists() and pending.stat().st_size)
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{'mode=ro&immutable=1' if lies else 'mode=rw'}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _told(path: Path, error: sqlite3.Error) -> LibraryError:
    if isinstance(error, sqlite3.ProgrammingError):
        return LibraryError(f"{path}: this library was closed; ask inside its `with` block, or open it again")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryBusy(
            f"{path}: another process has kept the catalogue for more than {BUSY_SECONDS:g} s; wait until it is done"
        )
    if code in _NOT_THE_FILE:
        return LibraryDamaged(f"{path}: the catalogue cannot be read ({error}); {ROOM}, else {FIX}")
    return LibraryDamaged(f"{path}: the catalogue cannot be read ({error}); {FIX}")
