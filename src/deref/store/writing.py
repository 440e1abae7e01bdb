"""Writing the catalogue, through SQLAlchemy Core. Each public function is one transaction.

Everything but `_sqlite_pragmas`, `_insert_if_new` and the index of names is the same on every database.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, delete, event, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError

from deref.errors import LibraryDamaged, LibraryError
from deref.ports import Entry, FileRecord
from deref.store import former, schema
from deref.store.names import drop_names, put_names
from deref.store.reading import BUSY_SECONDS, FIX, MOST_IN_LIST, ROOM
from deref.store.rows import belonging_rows, document_row, file_row, storable
from deref.store.standing import restate
from deref.values.standing import StatusMark

_MAY_ONLY_READ = ("42501", "25006")
"""What PostgreSQL says to a role without the right, and where nothing may be written."""


def local_engine(path: Path) -> Engine:
    """Return an engine on a SQLite file, which is made if it is not there."""
    # A path in text may hold what a URL has a meaning for.
    place = URL.create("sqlite", database=str(path.absolute()))
    engine = create_engine(place, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _sqlite_pragmas)
    return engine


def _sqlite_pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class CatalogueWriter:
    """All that is written to the catalogue of one library."""

    def __init__(self, engine: Engine, place: str) -> None:
        """Take an engine, and the name of the library for messages."""
        self._engine = engine
        self._place = place

    @contextlib.contextmanager
    def _transaction(self, *, changes: bool = True) -> Iterator[Connection]:
        """Commit at the end, with a new generation, by which readers see that something changed."""
        try:
            with self._engine.begin() as connection:
                yield connection
                if changes:
                    _touch(connection, "generation")
        except DBAPIError as error:
            raise self._told(error) from error

    def _told(self, error: DBAPIError) -> LibraryError:
        if self._engine.dialect.name == "postgresql" and error.orig is not None:
            from deref.store.postgres.connecting import told

            return told(self._place, error.orig)
        return LibraryDamaged(
            f"{self._place}: the catalogue cannot be written ({error.orig}); {ROOM}, else {FIX}"
        )

    def create(self, properties: Mapping[str, str], *, script: str | None = None) -> None:
        """Make the tables that are not there, and set the properties of a new library.

        `script` is what makes tables, and more, on one kind of database: many statements in one message.
        """
        with self._transaction(changes=False) as connection:
            if script is None:
                schema.metadata.create_all(connection, schema.tables_on(connection.dialect.name))
            else:
                connection.exec_driver_sql(script)
            if connection.execute(select(schema.properties.c.key).limit(1)).first() is None:
                rows = {
                    **properties,
                    "generation": uuid.uuid4().hex,
                    "vectors": "none",
                    "history": str(time.time_ns()),
                }
                connection.execute(
                    insert(schema.properties), [{"key": k, "value": v} for k, v in rows.items()]
                )

    def claim(self, home: str) -> None:
        """Note what the library is of."""
        with self._transaction(changes=False) as connection:
            table = schema.properties
            connection.execute(delete(table).where(table.c.key == "home"))
            connection.execute(insert(table), {"key": "home", "value": home})

    def announce(self, revisions: Sequence[str]) -> None:
        """Name the revisions that are about to be written to the chunk index, so that none of them is seen."""
        with self._transaction() as connection:
            rows = [{"revision": r, "state": "writing"} for r in revisions]
            connection.execute(insert(schema.revisions), rows)

    def commit(self, entries: Sequence[Entry], revisions: Sequence[str], collection: str, at_ns: int) -> None:
        """Make documents visible, in one transaction; what they replace goes in the same one.

        `collection` is for those that name none.
        """
        with self._transaction() as connection:
            at_ns = former.moment(connection, at_ns)
            for entry, revision in zip(entries, revisions, strict=True):
                _put(connection, entry, revision, entry.collection or collection, at_ns)
            _delete_in(connection, schema.revisions, schema.revisions.c.revision, revisions)
            _drop_unheld(connection, at_ns)
            _rename(connection, [entry.file.path for entry in entries], at_ns)
            _restate(connection)

    def note_files(self, files: Sequence[FileRecord], at_ns: int) -> None:
        """Record files; documents that no file holds any more go."""
        if not files:
            return
        with self._transaction() as connection:
            at_ns = former.moment(connection, at_ns)
            for file in files:
                _put_file(connection, file)
            _drop_unheld(connection, at_ns)
            _rename(connection, [file.path for file in files], at_ns)
            _restate(connection)

    def forget_files(self, paths: Iterable[str], at_ns: int) -> list[str]:
        """Remove files; return the documents that went. A document that another file holds takes that file's name."""
        with self._transaction() as connection:
            at_ns = former.moment(connection, at_ns)
            wanted = sorted(set(paths))
            _delete_in(connection, schema.files, schema.files.c.path, wanted)
            gone = _drop_unheld(connection, at_ns)
            _rename(connection, wanted, at_ns)
            _restate(connection)
            return gone

    def mark(self, marks: Sequence[StatusMark]) -> None:
        """Keep what was said of the standing of documents, in the place of what was said before of each."""
        table = schema.marks
        with self._transaction() as connection:
            for mark in marks:
                connection.execute(delete(table).where(table.c.doc == mark.doc))
                connection.execute(
                    insert(table),
                    {
                        "doc": mark.doc,
                        "name": storable(mark.name),
                        "status": mark.status.value,
                        "successor": mark.successor,
                        "successor_name": storable(mark.successor_name),
                    },
                )
            _restate(connection)

    def drop_old(self, before_ns: int, most_bytes: int) -> None:
        """Drop former documents that ended before a time, and the oldest while all take more than `most_bytes`."""
        with self._transaction(changes=False) as connection:
            former.drop_old(connection, before_ns, most_bytes)

    def swept(self, revisions: Sequence[str]) -> None:
        """Strike revisions whose rows are gone from the chunk index, and vectors of texts that nobody has."""
        with self._transaction() as connection:
            _delete_in(connection, schema.revisions, schema.revisions.c.revision, revisions)
            vectors, passages = schema.vectors, schema.passages
            used = select(passages.c.n).where(passages.c.text_hash == vectors.c.text_hash).exists()
            connection.execute(delete(vectors).where(~used))

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> bool:
        """Keep vectors by text hash; return False when the database was busy, full or read-only and nothing was kept.

        Raises LibraryError for anything else.
        """
        # In order: two that write the same ones at once must not wait for each other.
        rows = [{"model": model, "text_hash": key, "vector": value} for key, value in sorted(vectors.items())]
        if not rows:
            return True
        try:
            with self._engine.begin() as connection:
                _insert_if_new(connection, rows)
                _touch(connection, "vectors")
        except DBAPIError as error:
            if isinstance(error, OperationalError) or getattr(error.orig, "sqlstate", None) in _MAY_ONLY_READ:
                return False
            raise self._told(error) from error
        return True


def _restate(connection: Connection) -> None:
    def execute(statement: str, parameters: dict[str, Any]) -> Sequence[Sequence[Any]]:
        found = connection.execute(text(statement), parameters)
        return [tuple(row) for row in found] if found.returns_rows else ()

    restate(execute)


def _touch(connection: Connection, key: str) -> None:
    table = schema.properties
    connection.execute(update(table).where(table.c.key == key).values(value=uuid.uuid4().hex))


def _put(connection: Connection, entry: Entry, revision: str, collection: str, at_ns: int) -> None:
    table = schema.documents
    doc = entry.document.id
    known = connection.execute(
        select(table.c.revision, table.c.name, table.c.since_ns).where(table.c.id == doc)
    ).first()
    row = document_row(entry.document, revision, collection)
    if known is None:
        connection.execute(insert(table), {**row, "since_ns": at_ns})
    else:
        old, name, since_ns = known
        if name != row["name"]:
            former.keep(connection, doc, at_ns)
            since_ns = at_ns
        row["since_ns"] = since_ns
        for belonging in schema.BELONGING:
            connection.execute(delete(belonging).where(belonging.c.doc == doc))
        connection.execute(update(table).where(table.c.id == doc).values(**row))
        connection.execute(insert(schema.revisions), {"revision": old, "state": "dead"})
    by_table = belonging_rows(entry.document, entry.chunks, entry.references)
    for belonging in schema.BELONGING:
        if by_table[belonging.name]:
            connection.execute(insert(belonging), by_table[belonging.name])
    put_names(connection, doc)
    _put_file(connection, entry.file)


def _put_file(connection: Connection, file: FileRecord) -> None:
    connection.execute(delete(schema.files).where(schema.files.c.path == file.path))
    connection.execute(insert(schema.files), file_row(file))


def _drop_unheld(connection: Connection, at_ns: int) -> list[str]:
    """Remove the documents that no file holds, and return their ids; their chunks become dead revisions."""
    table = schema.documents
    held = select(schema.files.c.path).where(schema.files.c.doc == table.c.id).exists()
    gone = connection.execute(select(table.c.id, table.c.revision).where(~held).order_by(table.c.id)).all()
    for doc, revision in gone:
        former.keep(connection, doc, at_ns)
        drop_names(connection, doc)
        for belonging in schema.BELONGING:
            connection.execute(delete(belonging).where(belonging.c.doc == doc))
        connection.execute(delete(table).where(table.c.id == doc))
        connection.execute(insert(schema.revisions), {"revision": revision, "state": "dead"})
    return [doc for doc, _ in gone]


def _rename(connection: Connection, paths: Sequence[str], at_ns: int) -> None:
    """Give each document that is named by one of these files, which does not hold it, the first name of one that does."""
    table, files = schema.documents, schema.files
    for start in range(0, len(paths), MOST_IN_LIST):
        held = select(files.c.path).where(files.c.path == table.c.name, files.c.doc == table.c.id).exists()
        misnamed = select(table.c.id).where(table.c.name.in_(paths[start : start + MOST_IN_LIST]), ~held)
        for (doc,) in connection.execute(misnamed).all():
            left = connection.execute(select(files.c.path).where(files.c.doc == doc)).scalars()
            former.keep(connection, doc, at_ns)
            values = {"name": min(left), "since_ns": at_ns}
            connection.execute(update(table).where(table.c.id == doc).values(**values))
            put_names(connection, doc)


def _delete_in(connection: Connection, table: Any, column: Any, values: Sequence[str]) -> None:
    for start in range(0, len(values), MOST_IN_LIST):
        connection.execute(delete(table).where(column.in_(values[start : start + MOST_IN_LIST])))


def _insert_if_new(connection: Connection, rows: list[dict[str, Any]]) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(schema.vectors).on_conflict_do_nothing(), rows)
