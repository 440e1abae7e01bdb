"""Connections to the database of a library, and what its errors are called here.

What a transaction may see is told to it as it begins, and ends with it (`SET LOCAL`), so that a connection that is shared,
by a pool here or by a pooler before the database, never carries the right of one caller over to the next.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, LiteralString

from deref.errors import LibraryBusy, LibraryDamaged, LibraryError, UsageError
from deref.store.reading import BUSY_SECONDS
from deref.store.rows import storable

if TYPE_CHECKING:
    from types import ModuleType

    from psycopg import Connection

    from deref.store.postgres.place import Place

CALLER = "deref.collections"
"""The setting that says what the caller may see: a JSON list of collections, or EVERY_COLLECTION. Not set: nothing."""

EVERY_COLLECTION = "*"

BEGIN: LiteralString = (
    "SELECT set_config('search_path', %(schemas)s, true), set_config('deref.collections', %(seen)s, true), "
    "set_config('lock_timeout', %(patience)s, true)"
)
"""The first statement of each transaction; `first_told` gives its parameters."""

_CONNECT_SECONDS = 10

_NOT_CONNECTED = ("08", "28", "3D", "57")
"""Classes of errors: no connection, not who one says one is, no such database, shut down or starting."""


def first_told(schemas: str, collections: Collection[str] | None) -> dict[str, str]:
    """Return what a transaction is told: where names are looked for, and the collections that it may see, None for all."""
    seen = EVERY_COLLECTION if collections is None else json.dumps(sorted(map(storable, collections)))
    return {"schemas": schemas, "seen": seen, "patience": f"{BUSY_SECONDS:g}s"}


def driver(place: Place) -> ModuleType:
    """Return the driver, psycopg. Raises UsageError when it is not installed."""
    try:
        import psycopg
    except ImportError:
        raise UsageError(
            f"{place}: reading it needs psycopg, which is not installed; install it with: pip install -e '.[postgres]' in the checkout of Deref"
        ) from None
    return psycopg


def connect(place: Place) -> Connection[Any]:
    """Return a connection in which each statement commits by itself. Raises LibraryError, UsageError."""
    psycopg = driver(place)
    try:
        made: Connection[Any] = psycopg.connect(
            place.address, autocommit=True, connect_timeout=_CONNECT_SECONDS, application_name="deref"
        )
    except psycopg.Error as error:
        raise told(place, error) from error
    return made


def told(place: object, error: BaseException) -> LibraryError:
    """Return what is raised for an error of the driver: busy, not reachable, not allowed, or damaged. `place` is for the message."""
    from psycopg import errors

    why = " ".join(str(error).split())
    if isinstance(error, errors.LockNotAvailable | errors.DeadlockDetected | errors.QueryCanceled):
        return LibraryBusy(f"{place}: others write to the catalogue ({why}); wait until they are done")
    if isinstance(error, errors.InsufficientPrivilege):
        return LibraryError(
            f"{place}: the role may not do this ({why}); have it granted, see docs/postgresql.md"
        )
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn | errors.UndefinedFunction):
        return LibraryDamaged(
            f"{place}: tables of the catalogue are missing ({why}); restore the schema, or build it again with: "
            "deref index PATH --rebuild"
        )
    if isinstance(error, errors.OperationalError) and (error.sqlstate or "08")[:2] in _NOT_CONNECTED:
        return LibraryError(
            f"{place}: the database cannot be reached ({why}); check that it runs, the address, and the password in "
            "PGPASSWORD or ~/.pgpass"
        )
    return LibraryError(f"{place}: the database cannot do this ({why}); ask whoever runs it")
