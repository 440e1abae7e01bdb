"""The version of tables and columns, and the ways from those before to this one without reading a document again.

The statements are those of a local file, and run in one transaction: a library that is killed meanwhile has its old
layout still. Each step leads from one layout to the next, and is given the folder of the library.
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
from deref.store.reading import BUSY_SECONDS, CHUNKS, FIX, ROOM

if TYPE_CHECKING:
    from sqlalchemy import Table

LAYOUT = "6"
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
                LEFT[layout](connection, catalogue.parent)
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


def _remember_former_documents(connection: sqlite3.Connection, _folder: Path) -> None:
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


def _index_names(connection: sqlite3.Connection, _folder: Path) -> None:
    from deref.store import schema, statements
    from deref.store.names import names_of, rows_of, trigram_rows

    _make(connection, schema.names)
    _make(connection, schema.name_trigrams)
    aliases: dict[str, list[str]] = {}
    for doc, alias in connection.execute(statements.ALIASES):
        aliases.setdefault(doc, []).append(alias)
    for doc, name, title in connection.execute("SELECT id, name, title FROM documents").fetchall():
        for row, words in rows_of(doc, names_of(name, title, aliases.get(doc, ()))):
            connection.execute("INSERT INTO names VALUES (:doc, :n, :number, :name, :trigrams)", row)
            grams = trigram_rows(row["number"], words)
            connection.executemany("INSERT INTO name_trigrams VALUES (:trigram, :name)", grams)


_SECTIONS = (
    "SELECT id, label, title, line_start, line_end, parent, word FROM sections WHERE doc = ? ORDER BY n"
)


def _know_where_passages_stand(connection: sqlite3.Connection, folder: Path) -> None:
    import json
    import zlib

    from deref.store import schema
    from deref.store.facts import SectionRow, passage_columns
    from deref.store.passages import ChunkIndex
    from deref.store.standing import restate, stated_rows

    for step in (
        "ALTER TABLE documents ADD COLUMN successor TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE documents ADD COLUMN status_why TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE passages ADD COLUMN paths TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE passages ADD COLUMN page INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE passages ADD COLUMN end_page INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE passages ADD COLUMN kinds TEXT NOT NULL DEFAULT ''",
    ):
        connection.execute(step)
    _make(connection, schema.stated)
    _make(connection, schema.marks)
    places = ChunkIndex(folder / CHUNKS).places()
    for doc, revision, body in connection.execute("SELECT id, revision, body FROM documents").fetchall():
        lines = json.loads(zlib.decompress(body))["lines"]
        items = connection.execute(
            "SELECT kind, line_start, line_end FROM items WHERE doc = ?", [doc]
        ).fetchall()
        mine = places.get(revision, [])
        sections = [SectionRow(*row) for row in connection.execute(_SECTIONS, [doc])]
        columns = passage_columns([(start, end) for _, start, end in mine], lines["page"], items, sections)
        for (passage, _, _), row in zip(mine, columns, strict=True):
            connection.execute(
                "UPDATE passages SET paths = :paths, page = :page, end_page = :end_page, kinds = :kinds "
                "WHERE doc = :doc AND id = :passage",
                {"doc": doc, "passage": passage, **row},
            )
        front = [t for t, page in zip(lines["text"], lines["page"], strict=True) if page == lines["page"][0]]
        connection.executemany(
            "INSERT INTO stated VALUES (:doc, :n, :what, :names, :line, :words)", stated_rows(doc, front)
        )
    restate(connection.execute)


_AT_ONCE = 200
"""Documents whose passages are read together."""


def _cut_passages_out(connection: sqlite3.Connection, folder: Path) -> None:
    from deref.store import statements
    from deref.store.cut_out import cut_columns
    from deref.store.passages import ChunkIndex
    from deref.store.rows import card_of, document_of

    for step in (
        "ALTER TABLE passages ADD COLUMN line_start INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE passages ADD COLUMN line_end INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE passages ADD COLUMN section TEXT",
        "ALTER TABLE passages ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE passages ADD COLUMN path TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE passages ADD COLUMN header_start INTEGER",
        "ALTER TABLE passages ADD COLUMN header_end INTEGER",
        "ALTER TABLE passages ADD COLUMN cut_out INTEGER NOT NULL DEFAULT 0",
    ):
        connection.execute(step)
    index = ChunkIndex(folder / CHUNKS)
    every = connection.execute("SELECT id, revision FROM documents ORDER BY id").fetchall()
    for start in range(0, len(every), _AT_ONCE):
        for doc, chunks in index.of_documents(dict(every[start : start + _AT_ONCE])).items():
            row = connection.execute(statements.DOCUMENT, {"doc": doc}).fetchone()
            document = document_of(card_of(row[:9], ()), row[9], (), (), (), ())
            connection.executemany(
                "UPDATE passages SET line_start = :line_start, line_end = :line_end, section = :section, "
                "tokens = :tokens, path = :path, header_start = :header_start, header_end = :header_end, "
                "cut_out = :cut_out WHERE doc = :doc AND n = :n",
                [{"doc": doc, "n": n, **cut_columns(document, c)} for n, c in enumerate(chunks)],
            )


LEFT: Mapping[str, Callable[[sqlite3.Connection, Path], None]] = {
    "2": _remember_former_documents,
    "3": _index_names,
    "4": _know_where_passages_stand,
    "5": _cut_passages_out,
}
"""The layouts that `bring_up` knows how to leave, each with the step to the next."""
