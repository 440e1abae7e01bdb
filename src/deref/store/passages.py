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
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from deref.errors import LibraryDamaged
from deref.ports import Entry
from deref.store.passage_rows import (
    COLUMNS,
    PREAMBLE,
    any_of,
    chunk_of,
    current_rows,
    in_order,
    on_demand,
    row_of,
    schema_of,
)
from deref.store.reading import FIX, ROOM
from deref.store.rows import storable
from deref.store.rows_at_hand import ADDRESS, Row, RowsAtHand, places_by_document
from deref.text.tokens import STOPWORDS
from deref.values import Chunk, Hit

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

_SCANNED = 6
"""Look-ups that go through the column of ids, 10 ms for 100,000; a question makes two or three. See `rows_at_hand`."""

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
    """The data set in one folder. Lance is imported when it is first used. Threads may search side by side."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of the data set, which need not be there yet."""
        # Lance takes "s3:/" and the like at the start for another kind of place.
        self._folder = folder.absolute()
        self._lock = threading.RLock()
        self._opened: Any = None
        self._of_documents: tuple[int, Mapping[str, Sequence[int]]] | None = None
        self._rows: RowsAtHand | None = None
        self._looked_up = 0

    def exists(self) -> bool:
        """Tell whether the data set is there."""
        return (self._folder / "_versions").is_dir()

    def refresh(self) -> None:
        """See what others wrote since."""
        with self._lock:
            if self._opened is not None:
                self._opened = None if not self.exists() else self._guarded(self._latest)

    def _latest(self) -> Any:
        """Return a handle of its own on the newest version: to write or move on one that others search with is refused."""
        dataset = self._dataset()
        return dataset.checkout_version(dataset.latest_version)

    def _guarded(self, action: Any) -> Any:
        try:
            return action()
        except (OSError, ValueError, RuntimeError) as error:
            why = _SOURCE_LINE.sub("", str(error))
            fix = f"{ROOM}, else {FIX}" if _NO_ROOM.search(why) else FIX
            raise LibraryDamaged(f"{self._folder}: the chunk index cannot be used ({why}); {fix}") from error

    def _dataset(self) -> Any:
        with self._lock:
            if self._opened is None:
                import lance

                self._opened = self._guarded(lambda: lance.dataset(str(self._folder)))
            return self._opened

    def append(self, entries: Sequence[Entry], revisions: Sequence[str]) -> None:
        """Add the chunks of documents under their revisions. The indexes are made after the first rows."""
        rows = [
            row_of(entry, n, chunk, revision)
            for entry, revision in zip(entries, revisions, strict=True)
            for n, chunk in enumerate(entry.chunks)
        ]
        if rows:
            self._guarded(lambda: self._append(rows))

    def _append(self, rows: list[dict[str, Any]]) -> None:
        import lance
        import pyarrow

        enriched = any(PREAMBLE in row for row in rows)
        if self.exists():
            if enriched and not _is_enriched(self._dataset()):
                widened = self._latest()
                widened.add_columns({PREAMBLE: "CAST(NULL AS STRING)"})
                self._opened = widened
            enriched = _is_enriched(self._dataset())
        table = pyarrow.Table.from_pylist(rows, schema=schema_of(pyarrow, enriched=enriched))
        mode = "append" if self.exists() else "create"
        if mode == "create":
            shutil.rmtree(self._folder, ignore_errors=True)  # The rest of a first write that was cut short.
        dataset = lance.write_dataset(table, str(self._folder), mode=mode)
        _ensure_indexes(dataset)
        self._opened = dataset

    def sweep(self, revisions: Sequence[str]) -> None:
        """Remove the rows of these revisions."""
        if revisions and self.exists():
            self._guarded(lambda: self._sweep(any_of("revision", revisions)))

    def _sweep(self, which: str) -> None:
        dataset = self._latest()
        dataset.delete(which)
        self._opened = dataset

    def fold(self) -> None:
        """Bring new rows into the indexes, put small files together, and drop versions nobody reads."""
        if self.exists():
            self._guarded(self._fold)

    def _fold(self) -> None:
        dataset = self._latest()
        _ensure_indexes(dataset)
        # Indexes first: files are only put together when the same indexes know them.
        dataset.optimize.optimize_indices()
        if len(dataset.get_fragments()) > 1:
            dataset.optimize.compact_files()
        dataset.cleanup_old_versions(older_than=_KEEP)
        dataset.checkout_latest()
        self._opened = dataset

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
            order = self._sifted(wanted, k, documents, passages, revisions, hidden)
            if order is not None:
                chunks = {c.id: c for c in self.by_ids([one for one, _ in order], revisions=revisions)}
                # What another thread has swept meanwhile is gone; who asks sees that the catalogue changed, and asks again.
                return [Hit(chunk=chunks[one], score=score) for one, score in order if one in chunks]
        conditions = _within(documents, passages, hidden)
        dataset = self._dataset()
        rows = self._match(dataset, wanted, _columns(dataset, "revision"), conditions, k + _TIES)
        hits = [Hit(chunk=chunk_of(row), score=float(row["_score"])) for row in current_rows(rows, revisions)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:k]

    def rank(
        self,
        text: str,
        k: int,
        *,
        documents: Collection[str] | None,
        passages: Collection[str] = (),
        revisions: Mapping[str, str],
        hidden: Sequence[str],
    ) -> Sequence[tuple[str, float]]:
        """Return what `search` returns, by id."""
        wanted = bare_words(text)
        if not wanted or k < 1 or not self.exists():
            return ()
        if documents is not None and len(documents) + len(passages) > _LISTED:
            order = self._sifted(wanted, k, documents, passages, revisions, hidden)
            if order is not None:
                return order
        found = self._scored(wanted, _within(documents, passages, hidden), k + _TIES)
        return _best(((row.id, score) for row, score in found if revisions.get(row.doc) == row.revision), k)

    def _match(
        self, dataset: Any, wanted: str, columns: Sequence[str], conditions: Sequence[str], most: int
    ) -> list[dict[str, Any]]:
        from lance.query import MatchQuery

        scanned = self._guarded(
            lambda: dataset.scanner(
                columns=[*columns, "_score"],
                full_text_query=MatchQuery(wanted, "words"),
                filter=" AND ".join(conditions) or None,
                prefilter=True,
                limit=most,
            ).to_table()
        )
        return cast("list[dict[str, Any]]", scanned.to_pylist())

    def _scored(self, wanted: str, conditions: Sequence[str], most: int) -> list[tuple[Row, float]]:
        """Return the rows that match best, with their scores. A session that has looked up some asks for addresses alone."""
        self._looked_up += 1
        dataset = self._dataset()
        if self._looked_up <= _SCANNED:
            found = self._match(dataset, wanted, Row._fields, conditions, most)
            return [(Row(row["id"], row["doc"], row["revision"]), row["_score"]) for row in found]
        found = self._match(dataset, wanted, (ADDRESS,), conditions, most)
        rows = self._at_hand(dataset).at([row[ADDRESS] for row in found])
        return [(row, scored["_score"]) for row, scored in zip(rows, found, strict=True)]

    def _sifted(
        self,
        wanted: str,
        k: int,
        documents: Collection[str],
        passages: Collection[str],
        revisions: Mapping[str, str],
        hidden: Sequence[str],
    ) -> Sequence[tuple[str, float]] | None:
        """Return what `rank` does, ranked without the filter; None when too few of the first rows pass it."""
        found = self._scored(wanted, _not_hidden(hidden), _PROBED)
        passing = [
            (row.id, score)
            for row, score in found
            if revisions.get(row.doc) == row.revision and (row.doc in documents or row.id in passages)
        ]
        return None if len(passing) < k + _TIES and len(found) == _PROBED else _best(passing, k)

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
        missing = f"{PREAMBLE} IS NULL" if self._guarded(lambda: _is_enriched(self._dataset())) else None
        table = self._guarded(
            lambda: self._dataset().scanner(columns=["doc", "revision"], filter=missing).to_table()
        )
        return sorted({row["doc"] for row in current_rows(table.to_pylist(), revisions)})

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
            doc: on_demand(columns, sorted(some, key=lambda n: columns["n"][n]))
            for doc, some in places.items()
        }

    def _rows_of_documents(self, revisions: Mapping[str, str]) -> dict[str, list[Any]]:
        # By their places: half of what a search by the index of documents takes, and eight documents cost as two do.
        dataset = self._dataset()
        columns = _columns(dataset, "revision", "n")
        known = self._rows_of(dataset)
        places = [int(place) for doc in revisions for place in known.get(doc, ())]
        return dataset.take(places, columns=columns).to_pydict() if places else {}

    def _rows_of(self, dataset: Any) -> Mapping[str, Sequence[int]]:
        """Return where the rows of each document are among all rows of a handle."""
        if self._of_documents is None or self._of_documents[0] != dataset.version:
            self._of_documents = (dataset.version, places_by_document(dataset))
        return self._of_documents[1]

    def by_ids(self, ids: Sequence[str], *, revisions: Mapping[str, str]) -> list[Chunk]:
        """Return the chunks with these ids whose revision counts, by document and place."""
        if not ids or not self.exists():
            return []
        self._looked_up += 1
        look_up = self._scanned if self._looked_up <= _SCANNED else self._taken
        return in_order(self._guarded(lambda: look_up(ids)), revisions)

    def _scanned(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        dataset = self._dataset()
        columns = _columns(dataset, "revision", "n")
        found = dataset.scanner(columns=columns, filter=any_of("id", ids)).to_table()
        return cast("list[dict[str, Any]]", found.to_pylist())

    def _taken(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        dataset = self._dataset()
        known = self._at_hand(dataset)
        places = known.places(ids)
        if not places:
            return []
        texts = dataset.take(
            places, columns=["words", *([PREAMBLE] if _is_enriched(dataset) else [])]
        ).to_pylist()
        return [{**row, **text} for row, text in zip(known.rows(places), texts, strict=True)]

    def _at_hand(self, dataset: Any) -> RowsAtHand:
        """Return where the rows of a handle are: another thread may have put a newer one in its place."""
        with self._lock:
            if self._rows is None or self._rows.version != dataset.version:
                self._rows = self._guarded(lambda: RowsAtHand(dataset))
            return self._rows


def _is_enriched(dataset: Any) -> bool:
    return PREAMBLE in dataset.schema.names


def _columns(dataset: Any, *more: str) -> list[str]:
    return [*COLUMNS, *more, *([PREAMBLE] if _is_enriched(dataset) else [])]


def _ensure_indexes(dataset: Any) -> None:
    have = {index.name for index in dataset.describe_indices()}
    if "bm25" not in have:
        dataset.create_scalar_index("words", "INVERTED", name="bm25", **_TOKENIZER)
    if "doc_ids" not in have:
        dataset.create_scalar_index("doc", "BTREE", name="doc_ids")


def _best(scored: Iterable[tuple[str, float]], k: int) -> list[tuple[str, float]]:
    return sorted(scored, key=lambda one: (-one[1], one[0]))[:k]


def _within(documents: Collection[str] | None, passages: Collection[str], hidden: Sequence[str]) -> list[str]:
    """Return the conditions of a search; `documents` None lets all of them through."""
    conditions = _not_hidden(hidden)
    if documents is not None:
        some = sorted(passages)
        within = any_of("doc", sorted(documents))
        conditions.append(f"({within} OR {any_of('id', some)})" if some else within)
    return conditions


def _not_hidden(hidden: Sequence[str]) -> list[str]:
    return [f"NOT ({any_of('revision', hidden)})"] if hidden else []
