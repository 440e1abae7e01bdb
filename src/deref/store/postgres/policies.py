"""Row-level security: what the database lets a transaction see and write, whatever statement it runs.

A transaction sees the documents of the collections that it was told (`connecting.CALLER`), and of every other table the
rows that belong to them; one that was told nothing sees nothing. The policies bind the owner of the tables as well. Only a
superuser, and a role with BYPASSRLS, goes round them: a library is not opened as one (see `opening`).

What belongs to a document is seen through `documents`, whose own policy holds in there too: it is one place that says who
sees what. Functions stand in a subquery, so that they are asked once in a statement and not for each row; what a row belongs
to is looked up by a key, so that no shelf is too large for it.

Rows are hidden, not columns. So what may name a document of another collection is in a row that is seen by who sees each document
that it names: a mark, and what `standings` has of one that is superseded.
"""

from __future__ import annotations

from collections.abc import Iterator

from deref.store import schema
from deref.store.postgres.connecting import CALLER, EVERY_COLLECTION

FUNCTIONS = (
    f"""
CREATE FUNCTION told_collections() RETURNS text LANGUAGE sql STABLE
RETURN coalesce(current_setting('{CALLER}', true), '')
""",
    f"""
CREATE FUNCTION sees_everything() RETURNS boolean LANGUAGE sql STABLE
RETURN told_collections() = '{EVERY_COLLECTION}'
""",
    f"""
CREATE FUNCTION seen_collections() RETURNS text[] LANGUAGE sql STABLE
RETURN CASE WHEN told_collections() IN ('', '{EVERY_COLLECTION}') THEN ARRAY[]::text[]
       ELSE ARRAY(SELECT jsonb_array_elements_text(told_collections()::jsonb)) END
""",
)

_OF_COLLECTION = "collection = ANY ((SELECT seen_collections())::text[])"
_OF_THE_LIBRARY = "(SELECT told_collections()) <> ''"


def _of_document(table: str, column: str = "doc") -> str:
    return f"EXISTS (SELECT FROM documents WHERE documents.id = {table}.{column})"


SEEN_WHEN = {
    "documents": _OF_COLLECTION,
    "former": _OF_COLLECTION,
    **{name: _of_document(name) for name in (*(t.name for t in schema.BELONGING), "files", "names")},
    "standings": f"""
{_of_document("standings")} AND NOT EXISTS (
    SELECT FROM jsonb_array_elements_text(standings.named::jsonb) AS other
    WHERE NOT EXISTS (SELECT FROM documents WHERE documents.id = other)
)""",
    "marks": f"{_of_document('marks')} AND (successor = '' OR {_of_document('marks', 'successor')})",
    "name_words": "EXISTS (SELECT FROM names WHERE names.number = name_words.name)",
    "vectors": "EXISTS (SELECT FROM passages WHERE passages.text_hash = vectors.text_hash)",
    # Layout and generation, and the random names of writes: nothing of a document.
    "properties": _OF_THE_LIBRARY,
    "revisions": _OF_THE_LIBRARY,
}
"""When a row of each table is seen by who does not see everything."""


def policies() -> Iterator[str]:
    """Yield the statements that put every table under its policy."""
    for table, seen in SEEN_WHEN.items():
        yield from policy(table, seen)


def policy(table: str, seen: str) -> Iterator[str]:
    """Yield the statements that put a table under its policy; `seen` is when a row is seen by who does not see everything."""
    condition = f"(SELECT sees_everything()) OR {seen}"
    yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
    yield f"CREATE POLICY seen_by_caller ON {table} USING ({condition}) WITH CHECK ({condition})"
