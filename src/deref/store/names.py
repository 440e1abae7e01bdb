"""The index of names: which documents are called by a name like this one.

Each name of a document (title, file, aliases, path) is a row of `names` with the number of its trigrams. In a file each
trigram is a row of `name_trigrams`, and a search counts, in the database, how many trigrams each name shares with the text; likeness
follows from the counts alone (`text.trigrams`), so the index leaves out nothing that is alike enough. On PostgreSQL the
words of each name are in `name_words`, and pg_trgm picks those that are alike; the figures are the same. A session that asks again and again counts in memory instead (`names_at_hand`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from deref.store import statements
from deref.store.reading import MOST_IN_LIST, Reader, Rows
from deref.text.names import file_stem, without_extension
from deref.text.trigrams import likeness, name_words, trigrams
from deref.values import TitleHit

if TYPE_CHECKING:
    from sqlalchemy import Connection

LEAST_ALIKE = 0.1
"""Names less alike than this are not found: a long name may hold all of a short one and be no more alike."""

_LONGEST = 120
"""Trigrams of the text that are looked for: hardly any name of a document has more."""


class Name(NamedTuple):
    """A name of a document; one that is not `sought` belongs to it, and no text is compared with it."""

    told: str
    sought: bool


def names_of(name: str, title: str, aliases: Iterable[str]) -> list[Name]:
    """Return what a document is called, once each: title, file, aliases; and its path, which is too long to be like one."""
    sought: dict[tuple[str, ...], str] = {}
    for told in (title, file_stem(name), *aliases):
        sought.setdefault(name_words(told), told)
    sought.pop((), None)
    found = [Name(told, True) for told in sought.values()]
    path = without_extension(name)
    return found if name_words(path) in sought else [*found, Name(path, False)]


def best_names(text: str, k: int, rows: Iterable[tuple[str, int, int]]) -> list[tuple[str, float]]:
    """Return the best k documents, with how alike each is, of rows (document, trigrams of a name, shared ones).

    Each document once, by its name that is most alike; best first, ties by document.
    """
    asked = len(wanted(text))
    best: dict[str, float] = {}
    for doc, grams, shared in rows:
        alike = likeness(shared, asked, grams)
        if alike >= LEAST_ALIKE and alike > best.get(doc, 0.0):
            best[doc] = alike
    return sorted(best.items(), key=lambda found: (-found[1], found[0]))[: max(k, 0)]


def wanted(text: str) -> list[str]:
    """Return the trigrams of a text that are looked for, in order."""
    return sorted(trigrams(name_words(text)))[:_LONGEST]


def find_names(reader: Reader, text: str, k: int, sees: Callable[[str], bool]) -> tuple[TitleHit, ...]:
    """Return the best k of the documents that `sees` lets through, which filters before anything is ranked."""
    asked = wanted(text)
    if not asked or k < 1:
        return ()
    best = best_names(text, k, (row for row in _names_like(reader, text, asked) if sees(row[0])))
    known = _known_as(reader, [doc for doc, _ in best])
    return tuple(TitleHit(doc=doc, names=known[doc], score=alike) for doc, alike in best)


def _names_like(reader: Reader, text: str, asked: Sequence[str]) -> Rows:
    if reader.dialect == "postgresql":
        from deref.store.postgres.alike import names_like

        return names_like(reader, text, asked, LEAST_ALIKE)
    parameters: dict[str, Any] = {f"g{n}": gram for n, gram in enumerate(asked)}
    parameters["least"] = ceil(LEAST_ALIKE * len(asked) - 1e-9)
    return reader.rows(statements.names_like(len(asked)), parameters)


def _known_as(reader: Reader, docs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    known: dict[str, list[str]] = {doc: [] for doc in docs}
    for start in range(0, len(docs), MOST_IN_LIST):
        part = docs[start : start + MOST_IN_LIST]
        statement = statements.names_by_documents(len(part))
        for doc, name in reader.rows(statement, {f"d{n}": d for n, d in enumerate(part)}):
            known[doc].append(name)
    return {doc: tuple(names) for doc, names in known.items()}


def trigrams_of_all(reader: Reader) -> Iterable[Sequence[Any]]:
    """Return (trigram, number of a name) of all names that are compared."""
    if reader.dialect == "postgresql":
        from deref.store.postgres.alike import trigrams_by_name

        return trigrams_by_name(reader)
    return reader.rows(statements.TRIGRAMS_OF_ALL)


def rows_of(doc: str, names: Sequence[Name]) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
    """Yield, for each name of a document, its row of `names` and the words by which it is compared, none for one that is not."""
    for n, (name, sought) in enumerate(names):
        number = int.from_bytes(blake2b(f"{doc} {n}".encode(), digest_size=8).digest()) >> 1
        words = name_words(name) if sought else ()
        yield {"doc": doc, "n": n, "number": number, "name": name, "trigrams": len(trigrams(words))}, words


def trigram_rows(number: int, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the rows of `name_trigrams` of a name."""
    return [{"name": number, "trigram": gram} for gram in sorted(trigrams(words))]


def put_names(connection: Connection, doc: str) -> None:
    """Index a document under the names that the catalogue now has for it, and no other."""
    from sqlalchemy import insert, select

    from deref.store import schema
    from deref.store.schema import aliases, documents, name_trigrams
    from deref.store.schema import names as table

    drop_names(connection, doc)
    name, title = connection.execute(
        select(documents.c.name, documents.c.title).where(documents.c.id == doc)
    ).one()
    known = connection.execute(select(aliases.c.alias).where(aliases.c.doc == doc).order_by(aliases.c.n))
    made = list(rows_of(doc, names_of(name, title, known.scalars())))
    if made:
        connection.execute(insert(table), [row for row, _ in made])
    compared = [(row["number"], words) for row, words in made if words]
    if not compared:
        return
    if connection.dialect.name == "postgresql":
        told = [(number, " ".join(words)) for number, words in compared]
        rows = [{"name": number, "words": words, "plain": words.isascii()} for number, words in told]
        connection.execute(insert(schema.name_words), rows)
    else:
        grams = [row for number, words in compared for row in trigram_rows(number, words)]
        connection.execute(insert(name_trigrams), grams)


def drop_names(connection: Connection, doc: str) -> None:
    """Take the names of a document out of the index."""
    from sqlalchemy import bindparam, delete, select

    from deref.store import schema
    from deref.store.schema import name_trigrams
    from deref.store.schema import names as table

    if connection.dialect.name == "postgresql":
        of_document = select(table.c.number).where(table.c.doc == doc)
        connection.execute(delete(schema.name_words).where(schema.name_words.c.name.in_(of_document)))
    else:
        known = select(table.c.number, table.c.name).where(table.c.doc == doc, table.c.trigrams > 0)
        told = connection.execute(known).all()
        gone = [{"g": g, "n": n} for n, name in told for g in trigrams(name_words(name))]
        if gone:
            # By the whole key: there is no index by name, which would double what is stored.
            one = (name_trigrams.c.trigram == bindparam("g")) & (name_trigrams.c.name == bindparam("n"))
            connection.execute(delete(name_trigrams).where(one), gone)
    connection.execute(delete(table).where(table.c.doc == doc))
