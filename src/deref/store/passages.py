"""The chunk index: one Lance data set, with a BM25 index on the words of each chunk.

A row belongs to a *revision*, the name of one write of one document; the catalogue says which revisions count. Rows
are only ever appended, and removed by revision, so two writers cannot leave a key behind twice.

A question is handed over as bare words: punctuation, and with it all syntax, is dropped before Lance sees it. Index
and question go through the same ICU word breaker, which parts "4.2" and "ack_delay_exponent" at their signs and
Chinese or Japanese at words. Stop words are in the index and are left out of the question, unless there is nothing
else in it. Title and section path stand before the text in the column of words, and count like it: on the sets
measured that is as good as BM25F over two columns, and on 50,000 chunks ten times as fast (5 ms). A passage that has a
preamble has it in their place, and in a column of its own that only an enriched library has.

Measured on 200 chunks: opening 6 ms, the first search 8 ms, later ones 1 ms.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from deref.errors import LibraryDamaged
from deref.ports import Entry
from deref.store.on_demand import OnDemand
from deref.store.reading import FIX, ROOM
from deref.store.rows import storable
from deref.text.tokens import STOPWORDS
from deref.values import Chunk, Hit, Span

_PRIMARY_KEY = {b"lance-schema:unenforced-primary-key": b"true"}
_COLUMNS = [
    "id", "doc", "start", "end", "section", "words", "text_at", "tokens", "path", "header_start", "header_end",
]  # fmt: skip
_PREAMBLE = "preamble"
_TOKENIZER: dict[str, Any] = {
    "base_tokenizer": "icu/split",
    "language": "English",
    "stem": True,
    "remove_stop_words": False,
    "lower_case": True,
    "ascii_folding": True,
    "max_token_length": 80,
    "with_position": False,
}
_MOST_WORDS = 256
"""Different words of a question that are looked for; the rest of a question of 100 kB changes nothing."""

_TIES = 32
"""Rows asked for beyond k, so that equal scores at the edge are cut by chunk id and not by chance."""

_KEEP = timedelta(minutes=5)
"""Old versions stay this long for readers that hold them."""

_LISTED = 200
"""Documents and passages that a filter of the data set names; each costs what a row does that is ranked and left out."""

_PROBED = 1000
"""Rows that are ranked without a filter, to be sifted afterwards."""

_SCANNED = 3
"""Look-ups by id that go through the column of ids, 10 ms for 100,000; then it is kept, 80 ms once, and each takes 5."""

_SOURCE_LINE = re.compile(r",? ?/\S+\.rs:\d+:\d+")
"""Where in its own source Lance met an error."""

_NO_ROOM = re.compile(r"os error (?:13|28|30)\b")
"""Permission denied, no space left, read-only file system."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def bare_words(text: str) -> str:
    """Return the words that are looked for, once each, in order, with nothing between them but spaces."""
    every = list(dict.fromkeys(word.casefold() for word in _WORD.findall(storable(text))))
    kept = [word for word in every if word not in STOPWORDS]
    return " ".join((kept or every)[:_MOST_WORDS])


class ChunkIndex:
    """The data set in one folder. Lance is imported when it is first used."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of the data set, which need not be there yet."""
        # Lance takes "s3:/" and the like at the start for another kind of place.
        self._folder = folder.absolute()
        self._opened: Any = None
        self._places: tuple[int, Mapping[str, Sequence[int]]] | None = None
        self._ids: tuple[int, Mapping[str, Sequence[int]]] | None = None
        self._looked_up = 0

    def exists(self) -> bool:
        """Tell whether the data set is there."""
        return (self._folder / "_versions").is_dir()

    def refresh(self) -> None:
        """See what others wrote since."""
        if self._opened is not None:
            self._opened = None if not self.exists() else self._guarded(self._latest)

    def _latest(self) -> Any:
        self._opened.checkout_latest()
        return self._opened

    def _guarded(self, action: Any) -> Any:
        try:
            return action()
        except (OSError, ValueError, RuntimeError) as error:
            why = _SOURCE_LINE.sub("", str(error))
            fix = f"{ROOM}, else {FIX}" if _NO_ROOM.search(why) else FIX
            raise LibraryDamaged(f"{self._folder}: the chunk index cannot be used ({why}); {fix}") from error

    def _dataset(self) -> Any:
        if self._opened is None:
            import lance

            self._opened = self._guarded(lambda: lance.dataset(str(self._folder)))
        return self._opened

    def append(self, entries: Sequence[Entry], revisions: Sequence[str]) -> None:
        """Add the chunks of documents under their revisions. The indexes are made after the first rows."""
        rows = [
            _row(entry, n, chunk, revision)
            for entry, revision in zip(entries, revisions, strict=True)
            for n, chunk in enumerate(entry.chunks)
        ]
        if rows:
            self._guarded(lambda: self._append(rows))

    def _append(self, rows: list[dict[str, Any]]) -> None:
        import lance
        import pyarrow

        enriched = any(_PREAMBLE in row for row in rows)
        if self.exists():
            if enriched and not self._enriched():
                self._dataset().add_columns({_PREAMBLE: "CAST(NULL AS STRING)"})
            enriched = self._enriched()
        table = pyarrow.Table.from_pylist(rows, schema=_schema(pyarrow, enriched=enriched))
        if self.exists():
            self._opened = lance.write_dataset(table, str(self._folder), mode="append")
        else:
            shutil.rmtree(self._folder, ignore_errors=True)  # The rest of a first write that was cut short.
            self._opened = lance.write_dataset(table, str(self._folder), mode="create")
        self._ensure_indexes()

    def _enriched(self) -> bool:
        return _PREAMBLE in self._dataset().schema.names

    def _columns(self, *more: str) -> list[str]:
        return [*_COLUMNS, *more, *([_PREAMBLE] if self._enriched() else [])]

    def _ensure_indexes(self) -> None:
        have = {index.name for index in self._opened.describe_indices()}
        if "bm25" not in have:
            self._opened.create_scalar_index("words", "INVERTED", name="bm25", **_TOKENIZER)
        if "doc_ids" not in have:
            self._opened.create_scalar_index("doc", "BTREE", name="doc_ids")

    def sweep(self, revisions: Sequence[str]) -> None:
        """Remove the rows of these revisions."""
        if revisions and self.exists():
            self._guarded(lambda: self._dataset().delete(_any_of("revision", revisions)))

    def fold(self) -> None:
        """Bring new rows into the indexes, put small files together, and drop versions nobody reads."""
        if self.exists():
            self._guarded(self._fold)

    def _fold(self) -> None:
        dataset = self._dataset()
        dataset.checkout_latest()
        self._ensure_indexes()
        # Indexes first: files are only put together when the same indexes know them.
        dataset.optimize.optimize_indices()
        if len(dataset.get_fragments()) > 1:
            dataset.optimize.compact_files()
        dataset.cleanup_old_versions(older_than=_KEEP)
        dataset.checkout_latest()

    def search(
        self,
        text: str,
        k: int,
        *,
        documents: Collection[str] | None,
        passages: Collection[str] = (),
        revisions: Mapping[str, str],
        hidden: Sequence[str],
    ) -> list[Hit]:
        """Return the best k chunks by BM25 over title, path and text, best first, ties by chunk id.

        Only in `documents` (None: all) or among `passages`, and never in `hidden` revisions; all filter before ranking. A row whose
        revision is not the one that `revisions` has for its document does not count either.
        """
        wanted = bare_words(text)
        if not wanted or k < 1 or not self.exists():
            return []
        if documents is not None and len(documents) + len(passages) > _LISTED:
            found = self._sifted(wanted, k, documents, passages, revisions, hidden)
            if found is not None:
                return found
        conditions = _not_hidden(hidden)
        if documents is not None:
            some = sorted(passages)
            within = _any_of("doc", sorted(documents))
            conditions.append(f"({within} OR {_any_of('id', some)})" if some else within)
        rows = self._ranked(wanted, self._columns("revision"), conditions, k + _TIES)
        hits = [Hit(chunk=_chunk(row), score=float(row["_score"])) for row in _current(rows, revisions)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:k]

    def _ranked(
        self, wanted: str, columns: Sequence[str], conditions: Sequence[str], most: int
    ) -> list[dict[str, Any]]:
        from lance.query import MatchQuery

        found = self._guarded(
            lambda: (
                self._dataset()
                .scanner(
                    columns=[*columns, "_score"],
                    full_text_query=MatchQuery(wanted, "words"),
                    filter=" AND ".join(conditions) or None,
                    prefilter=True,
                    limit=most,
                )
                .to_table()
            )
        )
        return cast("list[dict[str, Any]]", found.to_pylist())

    def _sifted(
        self,
        wanted: str,
        k: int,
        documents: Collection[str],
        passages: Collection[str],
        revisions: Mapping[str, str],
        hidden: Sequence[str],
    ) -> list[Hit] | None:
        """Return what `search` does, ranked without the filter; None when too few of the first rows pass it."""
        rows = self._ranked(wanted, ("id", "doc", "revision"), _not_hidden(hidden), _PROBED)
        passing = {
            row["id"]: float(row["_score"])
            for row in _current(rows, revisions)
            if row["doc"] in documents or row["id"] in passages
        }
        if len(passing) < k + _TIES and len(rows) == _PROBED:
            return None
        best = sorted(passing, key=lambda one: (-passing[one], one))[:k]
        chunks = {chunk.id: chunk for chunk in self.by_ids(best, revisions=revisions)}
        return [Hit(chunk=chunks[one], score=passing[one]) for one in best]

    def revisions(self) -> set[str]:
        """Return the revisions that have rows."""
        if not self.exists():
            return set()
        table = self._guarded(lambda: self._dataset().scanner(columns=["revision"]).to_table())
        return set(table.column("revision").unique().to_pylist())

    def unenriched(self, revisions: Mapping[str, str]) -> list[str]:
        """Return the documents of which some passage has no preamble, by id; `revisions` as in `search`."""
        if not self.exists():
            return []
        missing = f"{_PREAMBLE} IS NULL" if self._guarded(self._enriched) else None
        table = self._guarded(
            lambda: self._dataset().scanner(columns=["doc", "revision"], filter=missing).to_table()
        )
        return sorted({row["doc"] for row in _current(table.to_pylist(), revisions)})

    def places(self) -> dict[str, list[tuple[str, int, int]]]:
        """Return (id, first line, end) of the chunks of each revision, in order."""
        if not self.exists():
            return {}
        columns = ["revision", "n", "id", "start", "end"]
        rows = self._guarded(lambda: self._dataset().scanner(columns=columns).to_table().to_pylist())
        found: dict[str, list[tuple[str, int, int]]] = {}
        for row in sorted(rows, key=lambda row: (row["revision"], row["n"])):
            found.setdefault(row["revision"], []).append((row["id"], row["start"], row["end"]))
        return found

    def of_documents(self, revisions: Mapping[str, str]) -> dict[str, Sequence[Chunk]]:
        """Return the chunks of documents, in order; `revisions` has the write of each that counts."""
        columns = self._guarded(lambda: self._rows_of_documents(revisions)) if self.exists() else {}
        places: dict[str, list[int]] = {doc: [] for doc in revisions}
        for n, (doc, revision) in enumerate(
            zip(columns["doc"], columns["revision"], strict=True) if columns else ()
        ):
            if revisions[doc] == revision:
                places[doc].append(n)
        return {
            doc: _on_demand(columns, sorted(some, key=lambda n: columns["n"][n]))
            for doc, some in places.items()
        }

    def _rows_of_documents(self, revisions: Mapping[str, str]) -> dict[str, list[Any]]:
        # By their places: half of what a search by the index of documents takes, and eight documents cost as two do.
        known = self._rows_of()
        places = [int(place) for doc in revisions for place in known.get(doc, ())]
        columns = self._columns("revision", "n")
        return self._dataset().take(places, columns=columns).to_pydict() if places else {}

    def _rows_of(self) -> Mapping[str, Sequence[int]]:
        """Return where the rows of each document are among all rows, in one version of the data set."""
        dataset = self._dataset()
        if self._places is None or self._places[0] != dataset.version:
            import numpy

            column = dataset.scanner(columns=["doc"]).to_table().column("doc").combine_chunks()
            coded = column.dictionary_encode()
            order = numpy.argsort(coded.indices.to_numpy(), kind="stable")
            ends = numpy.cumsum(numpy.bincount(coded.indices.to_numpy()))
            parts = numpy.split(order, ends[:-1]) if len(order) else []
            known = dict(zip(coded.dictionary.to_pylist(), parts, strict=True))
            self._places = (dataset.version, known)
        return self._places[1]

    def by_ids(self, ids: Sequence[str], *, revisions: Mapping[str, str]) -> list[Chunk]:
        """Return the chunks with these ids whose revision counts, by document and place."""
        if not ids or not self.exists():
            return []
        self._looked_up += 1
        look_up = self._scanned if self._looked_up <= _SCANNED else self._taken
        return _in_order(self._guarded(lambda: look_up(ids)), revisions)

    def _scanned(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        columns = self._columns("revision", "n")
        found = self._dataset().scanner(columns=columns, filter=_any_of("id", ids)).to_table()
        return cast("list[dict[str, Any]]", found.to_pylist())

    def _taken(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        known = self._rows_by_id()
        places = sorted({place for one in ids for place in known.get(one, ())})
        found = self._dataset().take(places, columns=self._columns("revision", "n")) if places else None
        return [] if found is None else cast("list[dict[str, Any]]", found.to_pylist())

    def _rows_by_id(self) -> Mapping[str, Sequence[int]]:
        """Return where the rows of each id are among all rows, in one version of the data set: one, or one a revision."""
        dataset = self._dataset()
        if self._ids is None or self._ids[0] != dataset.version:
            known: dict[str, tuple[int, ...]] = {}
            for n, one in enumerate(dataset.scanner(columns=["id"]).to_table().column("id").to_pylist()):
                known[one] = (*known[one], n) if one in known else (n,)
            self._ids = (dataset.version, known)
        return self._ids[1]


def _not_hidden(hidden: Sequence[str]) -> list[str]:
    return [f"NOT ({_any_of('revision', hidden)})"] if hidden else []


def _current(rows: list[dict[str, Any]], revisions: Mapping[str, str]) -> list[dict[str, Any]]:
    return [row for row in rows if revisions.get(row["doc"]) == row["revision"]]


def _on_demand(columns: dict[str, list[Any]], places: list[int]) -> Sequence[Chunk]:
    def chunk(n: int) -> Chunk:
        return _chunk({name: column[places[n]] for name, column in columns.items()})

    return OnDemand(len(places), chunk)


def _in_order(rows: list[dict[str, Any]], revisions: Mapping[str, str]) -> list[Chunk]:
    return [_chunk(row) for row in sorted(_current(rows, revisions), key=lambda row: (row["doc"], row["n"]))]


def _any_of(column: str, values: Iterable[str]) -> str:
    """Return a filter that holds for these values. Quotes are doubled, as SQL has it; no value gives one that is false."""
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})" if quoted else "false"


def _schema(pyarrow: Any, *, enriched: bool) -> Any:
    text, number = pyarrow.string(), pyarrow.int32()
    field = pyarrow.field
    return pyarrow.schema([
        field("key", text, nullable=False, metadata=_PRIMARY_KEY), field("revision", text, nullable=False),
        field("doc", text, nullable=False), field("n", number, nullable=False),
        field("id", text, nullable=False), field("start", number, nullable=False),
        field("end", number, nullable=False), field("section", text), field("words", text, nullable=False),
        field("text_at", number, nullable=False), field("tokens", number, nullable=False),
        field("path", text, nullable=False), field("header_start", number), field("header_end", number),
        *([field(_PREAMBLE, text)] if enriched else []),
    ])  # fmt: skip


def _row(entry: Entry, n: int, chunk: Chunk, revision: str) -> dict[str, Any]:
    heading = storable(chunk.preamble or f"{entry.document.title}\n{chunk.path}") + "\n"
    enriched = {_PREAMBLE: storable(chunk.preamble)} if chunk.preamble else {}
    return {
        "key": f"{revision}:{n}", "revision": revision, "doc": entry.document.id, "n": n, "id": chunk.id,
        "start": chunk.lines.start, "end": chunk.lines.end, "section": chunk.section,
        "words": heading + storable(chunk.text), "text_at": len(heading), "tokens": chunk.tokens, "path": storable(chunk.path),
        "header_start": chunk.header.start if chunk.header else None,
        "header_end": chunk.header.end if chunk.header else None, **enriched,
    }  # fmt: skip


def _chunk(row: dict[str, Any]) -> Chunk:
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
        preamble=row.get(_PREAMBLE) or "",
    )
