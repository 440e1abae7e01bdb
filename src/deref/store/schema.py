"""The tables of the catalogue. Nothing here opens a connection.

A document is its row in `documents`, and is there exactly when that row is committed. Everything that is looked up
across documents has a table and an index of its own; the lines, which are only ever read all together, are one
compressed column. `revisions` names the rows of the chunk index that are not to be seen: those of a writer that has
not committed ("writing"; if no writer holds the lock, it died) and those that were replaced or removed ("dead").

`former` holds documents as they were: one that left the shelf or changed its name is there with its body, its
belonging rows packed, and the time from which and until which it stood on the shelf. `names` is what `store.names`
searches, with an index that each kind of database has in its own form, `name_trigrams` or `name_words`: made of what the
other tables have, and never packed. `marks` is what people said
of the standing of documents; it belongs to no document, so that one that comes back has its mark. `stated` is what front
pages say of it. What comes of both is `documents.status`; `standings` has the names in it, with the ids of the other documents
that they name, as JSON: a row of its own, since not all who see a document see those.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()

ONLY_ON = "only_on"
"""Where a table is told to be of one kind of database alone."""


def _text(length: int | None = None) -> TypeEngine[str]:
    """Text, in the order of its code points on every database. SQLite does not look at the length, and PostgreSQL has none."""
    alone: TypeEngine[str] = Text() if length is None else String(length)
    return alone.with_variant(Text(collation="C"), "postgresql")


def _doc() -> Column[str]:
    return Column("doc", _text(64), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)


properties = Table(
    "properties",
    metadata,
    Column("key", _text(64), primary_key=True),
    Column("value", _text(), nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("id", _text(64), primary_key=True),
    Column("revision", _text(32), nullable=False, unique=True),
    Column("collection", _text(128), nullable=False),
    Column("name", _text(), nullable=False),
    Column("title", _text(), nullable=False),
    Column("format", _text(32), nullable=False),
    Column("language", _text(35), nullable=False),
    Column("pages", Integer, nullable=False),
    Column("status", _text(32), nullable=False),
    Column("since_ns", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

former = Table(
    "former",
    metadata,
    Column("n", Integer, primary_key=True),
    Column("doc", _text(64), nullable=False),
    Column("collection", _text(128), nullable=False),
    Column("since_ns", BigInteger, nullable=False),
    Column("until_ns", BigInteger, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("name", _text(), nullable=False),
    Column("title", _text(), nullable=False),
    Column("format", _text(32), nullable=False),
    Column("language", _text(35), nullable=False),
    Column("pages", Integer, nullable=False),
    Column("status", _text(32), nullable=False),
    Column("belongings", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

files = Table(
    "files",
    metadata,
    Column("path", _text(), primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("mtime_ns", BigInteger, nullable=False),
    Column("seen_ns", BigInteger, nullable=False),
    Column("doc", _text(64), ForeignKey("documents.id"), nullable=True, index=True),
    Column("error", _text(), nullable=True),
)

aliases = Table(
    "aliases",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("alias", _text(), nullable=False),
)

names = Table(
    "names",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("name", _text(), nullable=False),
    Column("trigrams", Integer, nullable=False),
)

name_trigrams = Table(
    "name_trigrams",
    metadata,
    Column("trigram", _text(3), primary_key=True),
    Column("name", BigInteger, primary_key=True),
    sqlite_with_rowid=False,
    info={ONLY_ON: "sqlite"},
)

name_words = Table(
    "name_words",
    metadata,
    Column("name", BigInteger, primary_key=True, autoincrement=False),
    Column("words", _text(), nullable=False),
    Column("plain", Boolean, nullable=False),
    info={ONLY_ON: "postgresql"},
)

sections = Table(
    "sections",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("id", _text(64), nullable=False),
    Column("label", _text(), nullable=True),
    Column("label_key", _text(), nullable=True, index=True),
    Column("title", _text(), nullable=False),
    Column("level", Integer, nullable=False),
    Column("line_start", Integer, nullable=False),
    Column("line_end", Integer, nullable=False),
    Column("parent", _text(64), nullable=True),
    Column("word", _text(64), nullable=True),
)

items = Table(
    "items",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("id", _text(64), nullable=False),
    Column("kind", _text(32), nullable=False),
    Column("label", _text(), nullable=True),
    Column("label_key", _text(), nullable=True, index=True),
    Column("term_key", _text(), nullable=True, index=True),
    Column("caption", _text(), nullable=False),
    Column("line_start", Integer, nullable=False),
    Column("line_end", Integer, nullable=False),
    Column("header_start", Integer, nullable=True),
    Column("header_end", Integer, nullable=True),
)

selectors = Table(
    "selectors",
    metadata,
    _doc(),
    Column("item", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("kind", _text(16), nullable=False),
    Column("tag", _text(), nullable=False),
    Column("line_start", Integer, nullable=False),
    Column("line_end", Integer, nullable=False),
)

links = Table(
    "links",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("line", Integer, nullable=False),
    Column("char_start", Integer, nullable=False),
    Column("char_end", Integer, nullable=False),
    Column("end_line", Integer, nullable=True),
    Column("source", _text(16), nullable=False),
    Column("target_start", Integer, nullable=True),
    Column("target_end", Integer, nullable=True),
    Column("uri", _text(), nullable=True),
)

references = Table(
    "document_references",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("text", _text(), nullable=False),
    Column("kind", _text(32), nullable=False),
    Column("labels", _text(), nullable=False),
    Column("line", Integer, nullable=False),
    Column("char_start", Integer, nullable=False),
    Column("char_end", Integer, nullable=False),
    Column("end_line", Integer, nullable=True),
    Column("selector", _text(), nullable=True),
    Column("container", _text(), nullable=True),
    Column("effect", _text(16), nullable=False),
    Column("found_by", _text(16), nullable=False),
)

passages = Table(
    "passages",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("id", _text(64), nullable=False),
    Column("text_hash", _text(32), nullable=False, index=True),
    Column("paths", _text(), nullable=False, server_default=""),
    Column("page", Integer, nullable=False, server_default="1"),
    Column("end_page", Integer, nullable=False, server_default="1"),
    Column("kinds", _text(), nullable=False, server_default=""),
    Column("line_start", Integer, nullable=False, server_default="0"),
    Column("line_end", Integer, nullable=False, server_default="0"),
    Column("section", _text(64), nullable=True),
    Column("tokens", Integer, nullable=False, server_default="0"),
    Column("path", _text(), nullable=False, server_default=""),
    Column("header_start", Integer, nullable=True),
    Column("header_end", Integer, nullable=True),
    Column("cut_out", Integer, nullable=False, server_default="0"),
)

stated = Table(
    "stated",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("what", _text(16), nullable=False),
    Column("names", _text(), nullable=False),
    Column("line", Integer, nullable=False),
    Column("words", _text(), nullable=False),
)

standings = Table(
    "standings",
    metadata,
    _doc(),
    Column("successor", _text(), nullable=False),
    Column("why", _text(), nullable=False),
    Column("named", _text(), nullable=False),
)

marks = Table(
    "marks",
    metadata,
    Column("doc", _text(64), primary_key=True),
    Column("name", _text(), nullable=False),
    Column("status", _text(32), nullable=False),
    Column("successor", _text(64), nullable=False),
    Column("successor_name", _text(), nullable=False),
)

revisions = Table(
    "revisions",
    metadata,
    Column("revision", _text(32), primary_key=True),
    Column("state", _text(16), nullable=False),
)

vectors = Table(
    "vectors",
    metadata,
    Column("model", _text(128), primary_key=True),
    Column("text_hash", _text(32), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

BELONGING = (aliases, sections, items, selectors, links, references, passages, stated, standings)
"""The tables whose rows belong to one document."""


def tables_on(dialect: str) -> list[Table]:
    """Return the tables of a catalogue on a kind of database, in the order in which they are made."""
    return [table for table in metadata.sorted_tables if table.info.get(ONLY_ON, dialect) == dialect]
