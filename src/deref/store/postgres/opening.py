"""Making, opening and removing a library whose catalogue is in a PostgreSQL database."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deref.errors import LibraryDamaged, LibraryError, LibraryMismatch
from deref.store.layout import LAYOUT, LEFT, REVISIONS, climb
from deref.store.lock import WriterLock
from deref.store.opening import check, make_folder
from deref.store.postgres.connecting import BEGIN, connect, driver, first_told, told
from deref.store.postgres.place import Place, keep_place, new_place, place_in
from deref.store.postgres.reading import Changes, PostgresReader, SharedConnection
from deref.store.postgres.team import TeamLibrary
from deref.store.reading import CHUNKS, FIX, LOCK, PLACE

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy import Engine

_EXTENSION_AT = (
    "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
    "WHERE e.extname = 'pg_trgm'"
)
_EXTENSIONS = "deref_extensions"
"""The schema that the extension goes into when the database does not have it: no library's, so that none takes it along."""

_WITHOUT_POLICY = """
SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY relname
"""

_ROLE = "SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"


def open_team_library(folder: Path, *, address: str, fingerprint: str, timeout: float, model: str, collection: str,
                      history_seconds: float, history_bytes: int) -> TeamLibrary:  # fmt: skip
    """Open the library in a folder whose catalogue is in a database: where the folder says, else a new one at `address`.

    The rest is as in `library.open_library`. Raises LibraryError, LibraryMismatch, LibraryDamaged, LibraryBusy, UsageError.
    """
    lock = WriterLock(folder / LOCK, timeout=timeout)
    place = place_in(folder) or _made(folder, address, fingerprint, lock)
    with _connected(place) as connection:
        _check_role(connection, place)
        if not _has_tables(connection, place):
            raise LibraryDamaged(f"{place}: the catalogue of the library {folder} is missing; {FIX}")
        schemas = _schemas(connection, place)
        if _layout(connection, place) in LEFT:
            bring_up_in_place(place, schemas, folder, lock)
    changes = Changes()
    library = TeamLibrary(
        folder, place=place, schemas=schemas, changes=changes, lock=lock, model=model, collection=collection,
        history_seconds=history_seconds, history_bytes=history_bytes,
        engine=partial(writing_engine, place, schemas, changes),
    )  # fmt: skip
    try:
        check(folder, library.reader, fingerprint)
    except BaseException:
        library.close()
        raise
    return library


@contextlib.contextmanager
def reading_everything(folder: Path) -> Iterator[PostgresReader]:
    """Yield what reads everything of the catalogue that a folder names. Raises LibraryError."""
    place = place_in(folder)
    if place is None:
        raise LibraryDamaged(f"{folder / PLACE}: the file that says where the catalogue is has gone; {FIX}")
    with contextlib.closing(SharedConnection(place)) as shared:
        yield PostgresReader(shared, place.schema, Changes(), None)


def writing_engine(place: Place, schemas: str, changes: Changes) -> Engine:
    """Return an engine whose transactions see and write everything; `changes` hears when one has ended."""
    from sqlalchemy import create_engine, event, text

    engine = create_engine(
        "postgresql+psycopg://", creator=partial(_in_transactions, place), pool_size=1, pool_pre_ping=True
    )
    begin = text(BEGIN.replace("%(", ":").replace(")s", ""))
    event.listen(engine, "begin", lambda c: c.execute(begin, first_told(schemas, None)))
    event.listen(engine, "checkin", changes.wrote)
    return engine


def _in_transactions(place: Place) -> psycopg.Connection[Any]:
    connection = connect(place)
    connection.autocommit = False
    return connection


def bring_up_in_place(
    place: Place, schemas: str, folder: Path, lock: WriterLock, revisions: Sequence[Path] = REVISIONS
) -> None:
    """Give the catalogue of a library the layout of now, in one transaction. Raises LibraryBusy, LibraryError."""
    from sqlalchemy.exc import DBAPIError

    engine = writing_engine(place, schemas, Changes())
    try:
        with lock.held(), engine.begin() as connection:
            climb(connection, folder, revisions)
            open_to_all = connection.exec_driver_sql(_WITHOUT_POLICY).scalars().all()
            if open_to_all:
                raise LibraryError(
                    f"{place}: a revision left tables without a policy ({', '.join(open_to_all)}), and was undone"
                )
    except DBAPIError as error:
        raise told(place, error.orig or error) from error
    finally:
        engine.dispose()


def remove_catalogue(folder: Path, *, timeout: float = 30.0) -> None:
    """Remove the schema of a library, and the file that names it; a folder that names none is left as it is.

    Raises LibraryBusy while another process writes, LibraryError when the database cannot be reached.
    """
    place = place_in(folder)
    if place is None:
        return
    with WriterLock(folder / LOCK, timeout=timeout).held():
        with _connected(place) as connection:
            connection.execute(f'DROP SCHEMA IF EXISTS "{place.schema}" CASCADE'.encode())
        (folder / PLACE).unlink(missing_ok=True)


@contextlib.contextmanager
def _connected(place: Place) -> Iterator[psycopg.Connection[Any]]:
    psycopg = driver(place)
    connection = connect(place)
    try:
        with connection:
            yield connection
    except psycopg.Error as error:
        raise told(place, error) from error


def _check_role(connection: psycopg.Connection[Any], place: Place) -> None:
    """Raise LibraryError for a role that row-level security does not bind, or a database whose text is not UTF-8."""
    row = connection.execute(_ROLE).fetchone()
    assert row is not None
    role, superuser, bypasses = row
    if superuser or bypasses:
        raise LibraryError(
            f"{place}: the role {role} {'is a superuser' if superuser else 'has BYPASSRLS'}, which no policy of the database "
            "binds; name an ordinary role that may create schemas, see docs/postgresql.md"
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise LibraryMismatch(
            f"{place}: the database stores {encoding}; make one with: CREATE DATABASE … ENCODING 'UTF8'"
        )


def _has_tables(connection: psycopg.Connection[Any], place: Place) -> bool:
    found = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [f"{place.schema}.properties"])
    return bool(found.fetchone() == (True,))


def _layout(connection: psycopg.Connection[Any], place: Place) -> str:
    with connection.transaction():
        connection.execute(BEGIN, first_told(place.schema, ()))
        row = connection.execute("SELECT value FROM properties WHERE key = 'layout'").fetchone()
    return str(row[0]) if row else ""


def _schemas(connection: psycopg.Connection[Any], place: Place) -> str:
    row = connection.execute(_EXTENSION_AT).fetchone()
    if row is None:
        raise LibraryDamaged(
            f"{place}: the extension pg_trgm is gone; have it made again: CREATE EXTENSION pg_trgm"
        )
    return f"{place.schema}, {row[0]}"


def _made(folder: Path, address: str, fingerprint: str, lock: WriterLock) -> Place:
    """Make an empty catalogue, and have the folder name it once it is whole; return where it is."""
    place = new_place(address, folder)
    if (folder / CHUNKS).exists():
        raise LibraryDamaged(f"{folder / PLACE}: the file that says where the catalogue is has gone; {FIX}")
    with _connected(place) as connection:
        _check_role(connection, place)
        make_folder(folder)
        with lock.held():
            others = place_in(folder)  # Somebody else may have made it meanwhile.
            if others is None:
                _create(connection, place, fingerprint)
                keep_place(folder, place)
    return others or place


def _create(connection: psycopg.Connection[Any], place: Place, fingerprint: str) -> None:
    """Make schema, tables and policies in one transaction, after the extension if the database lacks it."""
    from deref.store.postgres.tables import script
    from deref.store.writing import CatalogueWriter

    if connection.execute(_EXTENSION_AT).fetchone() is None:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_EXTENSIONS}".encode())
        connection.execute(f"CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA {_EXTENSIONS}".encode())
    engine = writing_engine(place, _schemas(connection, place), Changes())
    try:
        CatalogueWriter(engine, str(place)).create(
            {"layout": LAYOUT, "fingerprint": fingerprint}, script=script(place.schema, engine.dialect)
        )
    finally:
        engine.dispose()
