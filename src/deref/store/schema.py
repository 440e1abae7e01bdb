"""The tables of the catalogue. Nothing here opens a connection.

A document is its row in `documents`, and is there exactly when that row is committed. Everything that is looked up
across documents has a table and an index of its own; the lines, which are only ever read all together, are one
compressed column. `revisions` names the rows of the chunk index that are not to be seen: those of a writer that has
not committed ("writing"; if no writer holds the lock, it died) and those that were replaced or removed ("dead").

`former` holds documents as they were: one that left the shelf or changed its name is there with its body, its
belonging rows packed, and the time from which and until which it stood on the shelf. `names` and `name_trigrams` are
the index that `store.names` searches: made of what the other tables have, and never packed. `marks` is what people said
of the standing of documents; it belongs to no document, so that one that comes back has its mark. `stated` is what front
pages say of it.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()


def _doc() -> Column[str]:
    return Column("doc", String(64), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)


properties = Table(
    "properties",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("revision", String(32), nullable=False, unique=True),
    Column("collection", String(128), nullable=False),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("format", String(32), nullable=False),
    Column("language", String(35), nullable=False),
    Column("pages", Integer, nullable=False),
    Column("status", String(32), nullable=False),
    Column("successor", Text, nullable=False, server_default=""),
    Column("status_why", Text, nullable=False, server_default=""),
    Column("since_ns", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

former = Table(
    "former",
    metadata,
    Column("n", Integer, primary_key=True),
    Column("doc", String(64), nullable=False),
    Column("collection", String(128), nullable=False),
    Column("since_ns", BigInteger, nullable=False),
    Column("until_ns", BigInteger, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("format", String(32), nullable=False),
    Column("language", String(35), nullable=False),
    Column("pages", Integer, nullable=False),
    Column("status", String(32), nullable=False),
    Column("belongings", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

files = Table(
    "files",
    metadata,
    Column("path", Text, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("mtime_ns", BigInteger, nullable=False),
    Column("seen_ns", BigInteger, nullable=False),
    Column("doc", String(64), ForeignKey("documents.id"), nullable=True, index=True),
    Column("error", Text, nullable=True),
)

aliases = Table(
    "aliases",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("alias", Text, nullable=False),
)

names = Table(
    "names",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("trigrams", Integer, nullable=False),
)

name_trigrams = Table(
    "name_trigrams",
    metadata,
    Column("trigram", String(3), primary_key=True),
    Column("name", BigInteger, primary_key=True),
    sqlite_with_rowid=False,
)

sections = Table(
    "sections",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("id", String(64), nullable=False),
    Column("label", Text, nullable=True),
    Column("label_key", Text, nullable=True, index=True),
    Column("title", Text, nullable=False),
    Column("level", Integer, nullable=False),
    Column("line_start", Integer, nullable=False),
    Column("line_end", Integer, nullable=False),
    Column("parent", String(64), nullable=True),
    Column("word", String(64), nullable=True),
)

items = Table(
    "items",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("id", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("label", Text, nullable=True),
    Column("label_key", Text, nullable=True, index=True),
    Column("term_key", Text, nullable=True, index=True),
    Column("caption", Text, nullable=False),
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
    Column("kind", String(16), nullable=False),
    Column("tag", Text, nullable=False),
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
    Column("source", String(16), nullable=False),
    Column("target_start", Integer, nullable=True),
    Column("target_end", Integer, nullable=True),
    Column("uri", Text, nullable=True),
)

references = Table(
    "document_references",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("labels", Text, nullable=False),
    Column("line", Integer, nullable=False),
    Column("char_start", Integer, nullable=False),
    Column("char_end", Integer, nullable=False),
    Column("end_line", Integer, nullable=True),
    Column("selector", Text, nullable=True),
    Column("container", Text, nullable=True),
    Column("effect", String(16), nullable=False),
    Column("found_by", String(16), nullable=False),
)

passages = Table(
    "passages",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("id", String(64), nullable=False),
    Column("text_hash", String(32), nullable=False, index=True),
    Column("paths", Text, nullable=False, server_default=""),
    Column("page", Integer, nullable=False, server_default="1"),
    Column("end_page", Integer, nullable=False, server_default="1"),
    Column("kinds", Text, nullable=False, server_default=""),
    Column("line_start", Integer, nullable=False, server_default="0"),
    Column("line_end", Integer, nullable=False, server_default="0"),
    Column("section", String(64), nullable=True),
    Column("tokens", Integer, nullable=False, server_default="0"),
    Column("path", Text, nullable=False, server_default=""),
    Column("header_start", Integer, nullable=True),
    Column("header_end", Integer, nullable=True),
    Column("cut_out", Integer, nullable=False, server_default="0"),
)

stated = Table(
    "stated",
    metadata,
    _doc(),
    Column("n", Integer, primary_key=True),
    Column("what", String(16), nullable=False),
    Column("names", Text, nullable=False),
    Column("line", Integer, nullable=False),
    Column("words", Text, nullable=False),
)

marks = Table(
    "marks",
    metadata,
    Column("doc", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("status", String(32), nullable=False),
    Column("successor", String(64), nullable=False),
    Column("successor_name", Text, nullable=False),
)

revisions = Table(
    "revisions",
    metadata,
    Column("revision", String(32), primary_key=True),
    Column("state", String(16), nullable=False),
)

vectors = Table(
    "vectors",
    metadata,
    Column("model", String(128), primary_key=True),
    Column("text_hash", String(32), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

BELONGING = (aliases, sections, items, selectors, links, references, passages, stated)
"""The tables whose rows belong to one document."""
