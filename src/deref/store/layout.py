"""The version of tables and columns, and the way from the one before to this one without reading a document again.

The statements are those of a local file, and run in one transaction: a library that is killed meanwhile has its old
layout still.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path

from deref.errors import LibraryDamaged
from deref.store.lock import WriterLock
from deref.store.reading import BUSY_SECONDS, FIX, ROOM

LAYOUT = "3"
"""The version of tables and columns; what they hold is the business of the fingerprint."""

BEFORE = "2"
"""The version that `bring_up` knows how to leave."""

_STEPS = (
    "ALTER TABLE documents ADD COLUMN since_ns BIGINT NOT NULL DEFAULT 0",
    "DROP INDEX ix_sections_doc_label",
    "DROP INDEX ix_passages_id",
    "DROP INDEX ix_aliases_alias_key",
    "ALTER TABLE aliases DROP COLUMN alias_key",
)


def bring_up(catalogue: Path, lock: WriterLock) -> None:
    """Give a catalogue of layout 2 this layout. Its record of former documents begins now.

    Raises LibraryBusy, LibraryDamaged.
    """
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateTable

    from deref.store import schema

    made = str(CreateTable(schema.former).compile(dialect=sqlite.dialect()))
    try:
        with (
            lock.held(),
            contextlib.closing(
                sqlite3.connect(catalogue, timeout=BUSY_SECONDS, isolation_level=None)
            ) as connection,
        ):
            connection.execute("BEGIN IMMEDIATE")
            found = connection.execute("SELECT value FROM properties WHERE key = 'layout'").fetchone()
            if found != (BEFORE,):
                return
            for step in (*_STEPS, made):
                connection.execute(step)
            connection.execute(
                "INSERT INTO properties (key, value) VALUES ('history', ?)", [str(time.time_ns())]
            )
            connection.execute("UPDATE properties SET value = ? WHERE key = 'layout'", [LAYOUT])
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise LibraryDamaged(
            f"{catalogue}: the catalogue cannot be given its new layout ({error}); {ROOM}, else {FIX}"
        ) from error
