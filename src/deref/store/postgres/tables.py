"""What makes the catalogue of a new library on PostgreSQL: schema, tables, indexes, functions, policies, in one script."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from deref.store.postgres.policies import FUNCTIONS, policies
from deref.store.schema import tables_on


def script(name: str, dialect: Dialect) -> str:
    """Return the script that makes the catalogue in a schema, on whose name the search path begins."""
    return ";\n".join(_statements(name, dialect))


def _statements(name: str, dialect: Dialect) -> Iterator[str]:
    yield f"CREATE SCHEMA IF NOT EXISTS {name}"
    for table in tables_on("postgresql"):
        yield str(CreateTable(table).compile(dialect=dialect))
        yield from (str(CreateIndex(index).compile(dialect=dialect)) for index in table.indexes)
    yield from FUNCTIONS
    yield from policies()
