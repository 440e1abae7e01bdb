"""One library: a folder with `catalogue.db`, `chunks.lance` and `writer.lock`.

Writing a document takes three steps, under the lock: its revision is announced in the catalogue, its chunks go to
the chunk index, and one transaction makes it visible and hides what it replaces. Killed in between, the announced
revision stays hidden, and the next `fold` sweeps it.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deref.errors import LibraryDamaged
from deref.ports import Embedder, Entry, FileRecord, Vectors
from deref.store import statements
from deref.store.layout import LEFT, bring_up
from deref.store.lock import WriterLock
from deref.store.opening import check, check_name, create, there
from deref.store.passages import ChunkIndex
from deref.store.read_library import ReadLibrary
from deref.store.reading import CATALOGUE, CHUNKS, FIX, LOCK, PLACE, Reader, SqliteReader
from deref.store.view import properties
from deref.values import Chunk

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from deref.store.writing import CatalogueWriter
    from deref.values.standing import StatusMark


def open_library(
    folder: Path,
    *,
    fingerprint: str,
    model: str = "none",
    timeout: float = 30.0,
    collection: str = "default",
    history_seconds: float = 30 * 86_400.0,
    history_bytes: int = 200 * 2**20,
    database: str = "",
) -> LibraryStore:
    """Open the library in a folder, or make a new one there.

    `fingerprint` is that of the settings that change stored bytes, `model` the identity of the embedder whose vectors
    count, `timeout` the seconds to wait for another writer, `collection` where new documents go. Former documents are
    kept for `history_seconds`, the newest of them up to `history_bytes`. `database` is the address of the PostgreSQL database in
    which a new library has its catalogue, "" for a file in the folder; one that is there stays where it is.
    Raises UsageError for a path with control characters or not in UTF-8, LibraryMismatch, LibraryDamaged, LibraryBusy.
    """
    check_name(folder)
    lock = WriterLock(folder / LOCK, timeout=timeout)
    catalogue = folder / CATALOGUE
    if not there(catalogue):
        if database or (folder / PLACE).exists():
            from deref.store.postgres.opening import open_team_library

            return open_team_library(
                folder, address=database, fingerprint=fingerprint, timeout=timeout, model=model, collection=collection,
                history_seconds=history_seconds, history_bytes=history_bytes,
            )  # fmt: skip
        if (folder / CHUNKS).exists():
            raise LibraryDamaged(f"{catalogue}: the catalogue of this library is missing; {FIX}")
        create(folder, lock, fingerprint)
    reader = SqliteReader(catalogue)
    try:
        if properties(reader).get("layout") in LEFT:
            bring_up(catalogue, lock)
        check(folder, reader, fingerprint)
    except BaseException:
        reader.close()
        raise
    return LibraryStore(folder, reader=reader, lock=lock, model=model, collection=collection,
                        history_seconds=history_seconds, history_bytes=history_bytes)  # fmt: skip


class LibraryStore(ReadLibrary):
    """`Store` on a folder. Safe to share by threads; several processes may have it open."""

    def __init__(
        self,
        folder: Path,
        *,
        reader: Reader,
        lock: WriterLock,
        model: str = "none",
        collection: str = "default",
        index: ChunkIndex | None = None,
        history_seconds: float = 30 * 86_400.0,
        history_bytes: int = 200 * 2**20,
        engine: Callable[[], Engine] | None = None,
    ) -> None:
        """Take the parts; `engine` makes what writes the catalogue where that is no file in the folder.

        `open_library` is the way in.
        """
        super().__init__(folder, reader=reader, model=model, index=index)
        self._lock = lock
        self._named = str(folder)
        self._collection = collection
        self._history_ns, self._history_bytes = int(history_seconds * 1e9), history_bytes
        self._make_engine = engine
        self._catalogue: tuple[Engine, CatalogueWriter] | None = None

    def _writer(self) -> CatalogueWriter:
        with self._state:
            if self._catalogue is None:
                from deref.store.writing import CatalogueWriter, local_engine

                make = self._make_engine
                engine = local_engine(self._folder / CATALOGUE) if make is None else make()
                self._catalogue = (engine, CatalogueWriter(engine, self._named))
            return self._catalogue[1]

    def put_all(self, entries: Sequence[Entry], *, at_ns: int | None = None) -> None:
        """Add or replace documents, with all that belongs to them, in one write. Raises LibraryBusy, LibraryDamaged."""
        last = {entry.document.id: entry for entry in entries}
        revisions = [uuid.uuid4().hex for _ in last]
        if not last:
            return
        at_ns = time.time_ns() if at_ns is None else at_ns
        with self._lock.held():
            writer = self._writer()
            writer.announce(revisions)
            with self._state:
                self._index.refresh()
                self._index.append(list(last.values()), revisions)
            writer.commit(list(last.values()), revisions, self._collection, at_ns)
            writer.note_files([e.file for e in entries if last[e.document.id] is not e], at_ns)

    def note_files(self, files: Sequence[FileRecord], *, at_ns: int | None = None) -> None:
        """Record files without a new document, in one write. Raises LibraryBusy, LibraryDamaged."""
        if files:
            with self._lock.held():
                self._writer().note_files(files, time.time_ns() if at_ns is None else at_ns)

    def forget_files(self, paths: Iterable[str], *, at_ns: int | None = None) -> Sequence[str]:
        """Remove files; return the ids of documents that went. Raises LibraryBusy, LibraryDamaged."""
        with self._lock.held():
            return self._writer().forget_files(paths, time.time_ns() if at_ns is None else at_ns)

    def mark(self, marks: Sequence[StatusMark]) -> None:
        """Keep what was said of the standing of documents. Raises LibraryBusy, LibraryDamaged."""
        with self._lock.held():
            self._writer().mark(marks)

    def fold(self) -> None:
        """Sweep what is not to be seen, and bring new rows into the full-text index. Raises LibraryBusy, LibraryDamaged.

        Former documents that are too old, or too many, go.
        """
        with self._lock.held():
            # Whoever announced a revision and still lives holds the lock: every one that is left is to be swept.
            hidden = [revision for (revision,) in self._reader.rows(statements.HIDDEN)]
            visible = {revision for _, revision, *_ in self._reader.rows(statements.VISIBLE)}
            with self._state:
                self._index.refresh()
                self._index.sweep(sorted(self._index.revisions() - visible))
                self._index.fold()
            if hidden:
                self._writer().swept(hidden)
            self._writer().drop_old(time.time_ns() - self._history_ns, self._history_bytes)

    def vectors(self, chunks: Sequence[Chunk], embedder: Embedder) -> Vectors:
        """Return the vectors of these chunks, in order, computing and keeping those that are missing.

        Vectors that cannot be kept (another process is writing, the library is read-only) are returned all the same.
        """
        from deref.store.dense import vectors_of

        return vectors_of(chunks, embedder, self._reader,
                          lambda new: self._writer().keep_vectors(embedder.identity, new))  # fmt: skip

    def claim(self, home: str) -> None:
        """Make this the library of a folder or file. Raises LibraryBusy, LibraryDamaged."""
        with self._lock.held():
            self._writer().claim(home)

    def describe(self) -> Mapping[str, Any]:
        """Return what `ReadLibrary` tells, and where the catalogue is."""
        return {
            **super().describe(),
            "catalogue": self._named if self._make_engine else str(self._folder / CATALOGUE),
        }

    def close(self) -> None:
        """Let go of files and connections."""
        super().close()
        if self._catalogue is not None:
            self._catalogue[0].dispose()
