"""Documents as they were: one that leaves the shelf, or changes its name, is packed into one row of `former`.

Each is remembered with the time from which and until which it stood on the shelf, so the shelf of any moment is what
stands there since before it, and of the former ones those whose time holds it. Times are those of runs, and never run
backwards, whatever the clock does; what was there only between two writes of one run was never on the shelf.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select, text, update

from deref.store import schema, statements
from deref.store.reading import MOST_IN_LIST
from deref.store.statements import BELONGINGS

_KEPT = ("collection", "since_ns", "name", "title", "format", "language", "pages", "status", "body")


def moment(connection: Connection, at_ns: int) -> int:
    """Return the time under which a write is remembered: `at_ns`, or the last one on record if that is later."""
    begins, since, until = connection.execute(text(statements.HISTORY)).one()
    return max(at_ns, int(begins), since or 0, until or 0)


def keep(connection: Connection, doc: str, until_ns: int) -> None:
    """Pack a document as it now stands in the catalogue."""
    table = schema.documents
    row = connection.execute(select(*(table.c[name] for name in _KEPT)).where(table.c.id == doc)).one()
    if row.since_ns >= until_ns:
        return
    belongings = {
        name: [list(r) for r in connection.execute(text(statement), {"doc": doc})]
        for name, statement in BELONGINGS.items()
    }
    packed = zlib.compress(json.dumps(belongings, separators=(",", ":")).encode("ascii"), 3)
    values = dict(zip(_KEPT, row, strict=True))
    connection.execute(
        insert(schema.former),
        {
            **values,
            "doc": doc,
            "until_ns": until_ns,
            "bytes": len(packed) + len(row.body),
            "belongings": packed,
        },
    )


def drop_old(connection: Connection, before_ns: int, most_bytes: int) -> None:
    """Drop what ended before a time, and the oldest of what is left until it fits; note from when on all is known."""
    table = schema.former
    size, dropped, begins = 0, [], 0
    newest_first = select(table.c.n, table.c.until_ns, table.c.bytes).order_by(
        table.c.until_ns.desc(), table.c.n.desc()
    )
    for n, until_ns, count in connection.execute(newest_first):
        size += count
        if until_ns < before_ns or size > most_bytes:
            dropped.append(n)
            begins = max(begins, until_ns)
    _delete(connection, dropped)
    if dropped:
        properties = schema.properties
        connection.execute(update(properties).where(properties.c.key == "history").values(value=str(begins)))


def _delete(connection: Connection, numbers: Sequence[int]) -> None:
    table = schema.former
    for start in range(0, len(numbers), MOST_IN_LIST):
        connection.execute(delete(table).where(table.c.n.in_(numbers[start : start + MOST_IN_LIST])))
