"""The version of tables and columns, and the way from those before to this one without reading a document again.

Each layout is a revision of Alembic in `migrations/versions`, whose name is the number that `properties` has of it: the one
place that says what a catalogue is, read by every opening without loading Alembic. A new library is made of `schema` as it is
now. One of a layout before climbs, revision by revision, when it is opened: in one transaction, so that a library that is
killed meanwhile has its old layout still. A test holds that both ways end in the same tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deref.errors import LibraryDamaged
from deref.store.lock import WriterLock
from deref.store.reading import BUSY_SECONDS, FIX, ROOM

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

LAYOUT = "7"
"""The version of tables and columns; what they hold is the business of the fingerprint."""

_OLDEST = 2
LEFT = frozenset(str(number) for number in range(_OLDEST, int(LAYOUT)))
"""The layouts from which there is a way to this one."""

MIGRATIONS = Path(__file__).with_name("migrations")
REVISIONS = (MIGRATIONS / "versions",)


def bring_up(catalogue: Path, lock: WriterLock) -> None:
    """Give a catalogue of one of the layouts in `LEFT` this layout. Raises LibraryBusy, LibraryDamaged."""
    from sqlalchemy.exc import DBAPIError

    engine = _climbing_engine(catalogue)
    try:
        with lock.held(), engine.begin() as connection:
            climb(connection, catalogue.parent)
    except DBAPIError as error:
        raise LibraryDamaged(
            f"{catalogue}: the catalogue cannot be given its new layout ({error.orig}); {ROOM}, else {FIX}"
        ) from error
    finally:
        engine.dispose()


def climb(connection: Connection, folder: Path, revisions: Sequence[Path] = REVISIONS) -> None:
    """Run the revisions that a catalogue lacks, in the transaction of a connection. `folder` is that of its library.

    One that lacks none, because somebody else was faster, is left as it is.
    """
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory
    from sqlalchemy import text

    scripts = ScriptDirectory(str(MIGRATIONS), version_locations=[str(place) for place in revisions])
    layout = connection.execute(text("SELECT value FROM properties WHERE key = 'layout'")).scalar_one()
    context = MigrationContext.configure(connection, opts={"folder": folder})
    with Operations.context(context):
        for step in reversed(list(scripts.iterate_revisions("head", layout))):
            step.module.upgrade()
            found = {"layout": step.revision}
            connection.execute(text("UPDATE properties SET value = :layout WHERE key = 'layout'"), found)


def _climbing_engine(catalogue: Path) -> Engine:
    """Return an engine whose transaction holds its changes of tables too, and begins with the right to write."""
    from sqlalchemy import URL, create_engine, event

    place = URL.create("sqlite", database=str(catalogue.absolute()))
    engine = create_engine(place, connect_args={"timeout": BUSY_SECONDS})

    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine
