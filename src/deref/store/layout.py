"""The version of tables and columns, and the ways from those before to this one without reading a document again.

The statements are those of a local file, and run in one transaction: a library that is killed meanwhile has its old
layout still. Each step leads from one layout to the next.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from deref.errors import LibraryDamaged
from deref.store.lock import WriterLock
from deref.store.reading import BUSY_SECONDS, FIX, ROOM

if TYPE_CHECKING:
    from sqlalchemy import Table

LAYOUT = "4"
"""The version of tables and columns; what they hold is the business of the fingerprint."""


def bring_up(catalogue: Path, lock: WriterLock) -> None:
    """Give a catalogue of one of the layouts in `LEFT` this layout. A record of former documents that it lacks begins now.

    Raises LibraryBusy, LibraryDamaged.
    """
    try:
        with (
            lock.held(),
            contextlib.closing(
                sqlite3.connect(catalogue, timeout=BUSY_SECONDS, isolation_level=None)
            ) as connection,
        ):
            connection.execute("BEGIN IMMEDIATE")
            layout = connection.execute("SELECT value FROM properties WHERE key = 'layout'").fetchone()[0]
            while layout in LEFT:
                LEFT[layout](connection)
                layout = str(int(layout) + 1)
            connection.execute("UPDATE properties SET value = ? WHERE key = 'layout'", [layout])
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise LibraryDamaged(
            f"{catalogue}: the catalogue cannot be given its new layout ({error}); {ROOM}, else {FIX}"
        ) from error


def _make(connection: sqlite3.Connection, table: Table) -> None:
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateIndex, CreateTable

    dialect = sqlite.dialect()
    connection.execute(str(CreateTable(table).compile(dialect=dialect)))
    for index in table.indexes:
        connection.execute(str(CreateIndex(index).compile(dialect=dialect)))


def _remember_former_documents(connection: sqlite3.Connection) -> None:
    from deref.store import schema

    for step in (
        "ALTER TABLE documents ADD COLUMN since_ns BIGINT NOT NULL DEFAULT 0",
        "DROP INDEX ix_sections_doc_label",
        "DROP INDEX ix_passages_id",
        "DROP INDEX ix_aliases_alias_key",
        "ALTER TABLE aliases DROP COLUMN alias_key",
    ):
        connection.execute(step)
    _make(connection, schema.former)
    connection.execute("INSERT INTO properties (key, value) VALUES ('history', ?)", [str(time.time_ns())])


def _index_names(connection: sqlite3.Connection) -> None:
    from deref.store import schema, statements
    from deref.store.names import names_of, rows_of

    _make(connection, schema.names)
    _make(connection, schema.name_trigrams)
    aliases: dict[str, list[str]] = {}
    for doc, alias in connection.execute(statements.ALIASES):
        aliases.setdefault(doc, []).append(alias)
    for doc, name, title in connection.execute("SELECT id, name, title FROM documents").fetchall():
        for row, grams in rows_of(doc, names_of(name, title, aliases.get(doc, ()))):
            connection.execute("INSERT INTO names VALUES (:doc, :n, :number, :name, :trigrams)", row)
            connection.executemany("INSERT INTO name_trigrams VALUES (:trigram, :name)", grams)


LEFT: Mapping[str, Callable[[sqlite3.Connection], None]] = {
    "2": _remember_former_documents,
    "3": _index_names,
}
"""The layouts that `bring_up` knows how to leave, each with the step to the next."""
