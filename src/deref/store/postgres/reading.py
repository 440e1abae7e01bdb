"""Reads a schema of a PostgreSQL database for one caller.

Each statement is a transaction of its own, which may only read, and which is told first what the caller may see. The
messages of a transaction go out together and are answered together: one way there and back for each statement.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, LiteralString

from deref.store.postgres.connecting import BEGIN, connect, driver, first_told, told
from deref.store.reading import Rows

if TYPE_CHECKING:
    import psycopg

    from deref.store.postgres.place import Place

SECONDS_BETWEEN_LOOKS = 0.01
"""How long what others wrote may go unseen. A question looks some seventy times whether anybody wrote, within as long."""

_PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")


def in_the_form_of_the_driver(statement: str) -> LiteralString:
    """Return a statement of `store.statements` with its parameters as psycopg names them: %(name)s for :name."""
    return _PARAMETER.sub(r"%(\1)s", statement.replace("%", "%%"))


class Changes:
    """What tells the readers of one library to look whether it changed: each write of its own, and time that passed."""

    def __init__(self) -> None:
        """Nothing was written yet."""
        self._written = 0

    def wrote(self, *_: object) -> None:
        """Note that something may have been written here."""
        self._written += 1

    def version(self) -> object:
        """Return what is another value after each of them."""
        return self._written, int(time.monotonic() / SECONDS_BETWEEN_LOOKS)


class SharedConnection:
    """The connection through which one library is read, whoever asks. Threads take turns; nothing is connected before it is used."""

    def __init__(self, place: Place) -> None:
        """Take where the catalogue is."""
        self._place = place
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None

    def rows(self, first: Mapping[str, str], statement: str, parameters: Mapping[str, Any]) -> Rows:
        """Return the rows of a statement in a transaction that is told `first`. Raises as `PostgresReader.rows` does."""
        psycopg = driver(self._place)
        asked = in_the_form_of_the_driver(statement)
        with self._lock:
            known = self._connection
            try:
                return self._run(first, asked, parameters)
            except psycopg.OperationalError as error:
                # The connection was there before: the database may be back after a restart.
                if known is None or not known.closed:
                    raise told(self._place, error) from error
            except psycopg.Error as error:
                raise told(self._place, error) from error
            try:
                return self._run(first, asked, parameters)
            except psycopg.Error as error:
                raise told(self._place, error) from error

    def _run(self, first: Mapping[str, str], statement: LiteralString, parameters: Mapping[str, Any]) -> Rows:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._place)
        connection = self._connection
        try:
            with connection.pipeline():
                connection.execute("BEGIN READ ONLY")
                connection.execute(BEGIN, first)
                found = connection.execute(statement, parameters, binary=True)
                connection.execute("COMMIT")
            return found.fetchall()
        finally:
            if not connection.closed and connection.info.transaction_status:
                connection.rollback()

    def close(self) -> None:
        """Close it."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()


class PostgresReader:
    """`Reader` on PostgreSQL, for one caller."""

    dialect = "postgresql"

    def __init__(
        self, shared: SharedConnection, schemas: str, changes: Changes, collections: Collection[str] | None
    ) -> None:
        """Take the connection, the path on which names are looked for, and the collections of the caller, None for all."""
        self._shared, self._changes = shared, changes
        self._first = first_told(schemas, collections)

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """Return the rows. Raises LibraryBusy, LibraryDamaged, and LibraryError when the database cannot be reached."""
        return self._shared.rows(self._first, statement, parameters or {})

    def version(self) -> object:
        """Return what is another value after each write here, and a hundred times a second: see SECONDS_BETWEEN_LOOKS."""
        return self._changes.version()

    def close(self) -> None:
        """Do nothing: the connection is that of all callers."""
