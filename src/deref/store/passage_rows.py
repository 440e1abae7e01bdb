"""Rows of the chunk index and back: the columns of the data set, and the chunk that a row holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deref.ports import Entry
from deref.store.on_demand import OnDemand
from deref.store.rows import storable
from deref.values import Chunk, Span

_PRIMARY_KEY = {b"lance-schema:unenforced-primary-key": b"true"}
COLUMNS = [
    "id", "doc", "start", "end", "section", "words", "text_at", "tokens", "path", "header_start", "header_end",
]  # fmt: skip
KEPT_COLUMNS = [*(name for name in COLUMNS if name != "words"), "revision", "n"]
"""All that tells rows apart and where they stand, without their texts."""
PREAMBLE = "preamble"


def current_rows(rows: list[dict[str, Any]], revisions: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rows whose revision is the one that `revisions` has for their document."""
    return [row for row in rows if revisions.get(row["doc"]) == row["revision"]]


def on_demand(columns: dict[str, list[Any]], places: list[int]) -> Sequence[Chunk]:
    """Return the chunks of the rows at these places, each made when it is asked for."""

    def chunk(n: int) -> Chunk:
        return chunk_of({name: column[places[n]] for name, column in columns.items()})

    return OnDemand(len(places), chunk)


def in_order(rows: list[dict[str, Any]], revisions: Mapping[str, str]) -> list[Chunk]:
    """Return the chunks of rows whose revision counts, by document and place."""
    return [
        chunk_of(row) for row in sorted(current_rows(rows, revisions), key=lambda row: (row["doc"], row["n"]))
    ]


def any_of(column: str, values: Iterable[str]) -> str:
    """Return a filter that holds for these values. Quotes are doubled, as SQL has it; no value gives one that is false."""
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})" if quoted else "false"


def schema_of(pyarrow: Any, *, enriched: bool) -> Any:
    """Return the columns of the data set."""
    text, number = pyarrow.string(), pyarrow.int32()
    field = pyarrow.field
    return pyarrow.schema([
        field("key", text, nullable=False, metadata=_PRIMARY_KEY), field("revision", text, nullable=False),
        field("doc", text, nullable=False), field("n", number, nullable=False),
        field("id", text, nullable=False), field("start", number, nullable=False),
        field("end", number, nullable=False), field("section", text), field("words", text, nullable=False),
        field("text_at", number, nullable=False), field("tokens", number, nullable=False),
        field("path", text, nullable=False), field("header_start", number), field("header_end", number),
        *([field(PREAMBLE, text)] if enriched else []),
    ])  # fmt: skip


def row_of(entry: Entry, n: int, chunk: Chunk, revision: str) -> dict[str, Any]:
    """Return the row of the n-th chunk of a document."""
    heading = storable(chunk.preamble or f"{entry.document.title}\n{chunk.path}") + "\n"
    enriched = {PREAMBLE: storable(chunk.preamble)} if chunk.preamble else {}
    return {
        "key": f"{revision}:{n}", "revision": revision, "doc": entry.document.id, "n": n, "id": chunk.id,
        "start": chunk.lines.start, "end": chunk.lines.end, "section": chunk.section,
        "words": heading + storable(chunk.text), "text_at": len(heading), "tokens": chunk.tokens, "path": storable(chunk.path),
        "header_start": chunk.header.start if chunk.header else None,
        "header_end": chunk.header.end if chunk.header else None, **enriched,
    }  # fmt: skip


def chunk_of(row: dict[str, Any]) -> Chunk:
    """Return the chunk in a row."""
    doc = row["doc"]
    header = row["header_start"]
    return Chunk(
        id=row["id"],
        lines=Span(doc=doc, start=row["start"], end=row["end"]),
        section=row["section"],
        text=row["words"][row["text_at"] :],
        tokens=row["tokens"],
        path=row["path"],
        header=None if header is None else Span(doc=doc, start=header, end=row["header_end"]),
        preamble=row.get(PREAMBLE) or "",
    )
