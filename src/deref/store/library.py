"""One library: a folder with `catalogue.db`, `chunks.lance` and `writer.lock`.

Writing a document takes three steps, under the lock: its revision is announced in the catalogue, its chunks go to
the chunk index, and one transaction makes it visible and hides what it replaces. Killed in between, the announced
revision stays hidden, and the next `fold` sweeps it. A reader that finds the catalogue changed while it searched
searches again, so it never sees half of a change.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from deref.errors import LibraryDamaged
from deref.ports import Embedder, Entry, FileRecord, History, Past, Progress, Shelf, Vectors
from deref.store import statements
from deref.store.counts import Counts
from deref.store.cut_out import Passages
from deref.store.layout import LEFT, bring_up
from deref.store.lock import WriterLock
from deref.store.names_at_hand import NameSearch
from deref.store.on_demand import OnDemand
from deref.store.opening import check, check_name, create, there
from deref.store.passages import ChunkIndex
from deref.store.reading import CATALOGUE, CHUNKS, FIX, LOCK, Reader, SqliteReader
from deref.store.recent import Recent
from deref.store.rows import file_of, reference_of
from deref.store.shelf import CatalogueShelf
from deref.store.view import View, current, properties
from deref.values import EVERYTHING, Chunk, Document, Hit, Reference, Scope, TitleHit

if TYPE_CHECKING:
    from deref.store.dense import Matrix
    from deref.store.facts import Choice, Choices
    from deref.store.writing import CatalogueWriter
    from deref.values.filters import Filter
    from deref.values.standing import Standing, StatusMark

_KEPT_DOCUMENTS = 64
_ATTEMPTS = 5

T = TypeVar("T")


def open_library(
    folder: Path,
    *,
    fingerprint: str,
    model: str = "none",
    timeout: float = 30.0,
    collection: str = "default",
    history_seconds: float = 30 * 86_400.0,
    history_bytes: int = 200 * 2**20,
) -> LibraryStore:
    """Open the library in a folder, or make a new one there.

    `fingerprint` is that of the settings that change stored bytes, `model` the identity of the embedder whose vectors
    count, `timeout` the seconds to wait for another writer, `collection` where new documents go. Former documents are
    kept for `history_seconds`, the newest of them up to `history_bytes`.
    Raises UsageError for a path with control characters or not in UTF-8, LibraryMismatch, LibraryDamaged, LibraryBusy.
    """
    check_name(folder)
    lock = WriterLock(folder / LOCK, timeout=timeout)
    catalogue = folder / CATALOGUE
    if not there(catalogue):
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


class LibraryStore:
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
    ) -> None:
        """Take the parts. `open_library` is the way in."""
        self._folder = folder
        self._reader = reader
        self._lock = lock
        self._model = model
        self._collection = collection
        self._index = index or ChunkIndex(folder / CHUNKS)
        self._history_ns, self._history_bytes = int(history_seconds * 1e9), history_bytes
        self._state = threading.RLock()
        self._seen: View | None = None
        self._version: object = None
        self._kept: Recent[tuple[str, Document]] = Recent(_KEPT_DOCUMENTS)
        self._passages = Passages(reader, self._index, _KEPT_DOCUMENTS)
        self._references: Recent[Sequence[Reference]] = Recent(_KEPT_DOCUMENTS)
        self._counts = Counts(reader, model)
        self._matrix: tuple[tuple[str, str], Matrix] | None = None
        self._choices: Choices | None = None
        self._names = NameSearch(reader)
        self._catalogue: tuple[Any, CatalogueWriter] | None = None

    # Writing

    def _writer(self) -> CatalogueWriter:
        with self._state:
            if self._catalogue is None:
                from deref.store.writing import CatalogueWriter, local_engine

                engine = local_engine(self._folder / CATALOGUE)
                self._catalogue = (engine, CatalogueWriter(engine, str(self._folder)))
            return self._catalogue[1]

    def put(
        self, document: Document, chunks: Sequence[Chunk], references: Sequence[Reference], file: FileRecord
    ) -> None:
        """Add or replace a document with all that belongs to it. Raises LibraryBusy, LibraryDamaged."""
        self.put_all([Entry(document=document, chunks=chunks, references=references, file=file)])

    def put_all(self, entries: Sequence[Entry], *, at_ns: int | None = None) -> None:
        """Add or replace several documents in one write. Raises LibraryBusy, LibraryDamaged."""
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

    def note_file(self, file: FileRecord) -> None:
        """Record a file without a new document. Raises LibraryBusy, LibraryDamaged."""
        self.note_files([file])

    def note_files(self, files: Sequence[FileRecord], *, at_ns: int | None = None) -> None:
        """Record several files in one write. Raises LibraryBusy, LibraryDamaged."""
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

    # Reading

    def _view(self) -> View:
        with self._state:
            # Before the rest is read: what is written in between is then seen next time.
            version = self._reader.version()
            same = version is not None and version == self._version
            view = self._seen if same and self._seen else current(self._reader, self._seen)
            if self._seen is None or view.generation != self._seen.generation:
                self._index.refresh()
                self._kept.clear()
                self._passages.clear()
                self._references.clear()
            self._seen, self._version = view, version
            return view

    def generation(self) -> str:
        """Return the word that every change of documents or their standing changes."""
        return self._view().generation

    def _consistent(self, read: Callable[[View], T]) -> T:
        """Read with a view of the catalogue that is still true afterwards."""
        with self._state:
            for _ in range(_ATTEMPTS - 1):
                view = self._view()
                found = read(view)
                if self._view().generation == view.generation:
                    return found
            return read(self._view())

    def _choices_of(self, view: View) -> Choices:
        from deref.store.facts import Choices

        if self._choices is None or self._choices.view.generation != view.generation:
            self._choices = Choices(self._reader, view)
        return self._choices

    def _chosen(self, view: View, scope: Scope, where: Filter | None) -> Choice | None:
        return None if where is None else self._choices_of(view).of(scope, where)

    def passes(self, where: Filter, scope: Scope) -> bool:
        """Tell whether a filter leaves anything. Raises UsageError for a document or collection that is not there."""
        return self._consistent(lambda view: self._choices_of(view).checked(scope, where))

    def _limits(
        self, view: View, scope: Scope, where: Filter | None
    ) -> tuple[frozenset[str] | None, frozenset[str]]:
        """Return the documents that may be found as a whole, None for all, and the single passages of others."""
        chosen = self._chosen(view, scope, where)
        return (view.limit(scope), frozenset()) if chosen is None else (chosen.whole, chosen.passages())

    def marks(self) -> Sequence[StatusMark]:
        """Return what was said of the standing of documents, by name."""
        from deref.store.standing import marks_of

        return marks_of(self._reader.rows(statements.MARKS))

    def standings(self, scope: Scope) -> Mapping[str, Standing]:
        """Return the documents that are not active, by id."""
        view = self._view()
        if not view.aside:
            return {}
        from deref.store.standing import standing_of, tell_names

        found = {
            r[0]: standing_of(r) for r in self._reader.rows(statements.NOT_ACTIVE) if view.sees(r[0], scope)
        }
        return found if view.limit(scope) is None else tell_names(found, self.shelf(scope).cards())

    def collections(self, scope: Scope) -> Mapping[str, str]:
        """Return the collection of each document, by id."""
        return self._view().seen(scope)

    def files(self) -> Sequence[FileRecord]:
        """Return all file records, by path."""
        return tuple(file_of(row) for row in self._reader.rows(statements.FILES))

    def shelf(self, scope: Scope) -> Shelf:
        """Return the registry as this caller may see it."""
        return CatalogueShelf(self._reader, scope, self._view, self._kept)

    def history(self) -> History:
        """Return from when on the former states of the library are known, and when it last changed."""
        from deref.store.past import history

        return history(self._reader)

    def past(self, at_ns: int, scope: Scope) -> Past:
        """Return the registry as this caller would have seen it at a time. Raises UsageError for one that is too early."""
        from deref.store.past import CataloguePast, check_known

        check_known(at_ns, self.history())
        return self._consistent(
            lambda view: CataloguePast(
                self._reader, at_ns, scope, now=self.shelf(scope), view=view,
                references=lambda doc: self.references(doc, scope),
            )
        )  # fmt: skip

    def references(self, doc: str, scope: Scope) -> Sequence[Reference]:
        """Return the references found in a document, in order."""
        with self._state:
            if not self._view().sees(doc, scope):
                return ()
            known = self._references.get(doc)
            if known is None:
                rows = self._reader.rows(statements.REFERENCES_OF, {"doc": doc})
                known = self._references.keep(doc, OnDemand(len(rows), lambda n: reference_of(doc, rows[n])))
            return known

    def chunks(self, doc: str, scope: Scope, where: Filter | None = None) -> Sequence[Chunk]:
        """Return the chunks of a document that pass a filter, in order."""

        def read(view: View) -> Sequence[Chunk]:
            if not view.sees(doc, scope):
                return ()
            every = self._passages.of(doc, view.revisions[doc], self.shelf(EVERYTHING).document)
            chosen = self._chosen(view, scope, where)
            return every if chosen is None else tuple(c for c in every if chosen.holds(doc, c.id))

        return self._consistent(read)

    def read_ahead(self, docs: Collection[str], scope: Scope) -> None:
        """Read the chunks of several documents at once, so that `chunks` has them at hand."""

        def read(view: View) -> None:
            self._passages.read_ahead({doc: view.revisions[doc] for doc in docs if view.sees(doc, scope)})

        self._consistent(read)

    def unenriched(self) -> Sequence[str]:
        """Return the documents of which some passage has no preamble, by id."""
        return self._consistent(lambda view: self._index.unenriched(view.revisions))

    def lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks that pass a filter, by BM25, best first, ties by chunk id. Any text is safe."""

        def read(view: View) -> Sequence[Hit]:
            limit, some = self._limits(view, scope, where)
            if not view.revisions or (limit is not None and not limit and not some):
                return ()
            return tuple(self._index.search(text, k, documents=limit, passages=some,
                                            revisions=view.revisions, hidden=view.hidden))  # fmt: skip

        return self._consistent(read)

    def dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks that pass a filter, by cosine among those that have a vector; ties by chunk id."""

        def read(view: View) -> Sequence[Hit]:
            from deref.store.dense import Matrix

            if self._matrix is None or self._matrix[0] != (view.generation, view.vectors):
                self._matrix = ((view.generation, view.vectors), Matrix(self._reader, self._model))
            best = self._matrix[1].nearest(vector, k, *self._limits(view, scope, where))
            by_id = {c.id: c for c in self._index.by_ids([i for i, _ in best], revisions=view.revisions)}
            return tuple(Hit(chunk=by_id[i], score=score) for i, score in best if i in by_id)

        return self._consistent(read)

    def titles(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[TitleHit]:
        """Return the best k documents by the name that is most like a text, best first, ties by document.

        Only those of which a filter leaves some passage.
        """

        def read(view: View) -> Sequence[TitleHit]:
            chosen = self._chosen(view, scope, where)
            sees = (lambda doc: view.sees(doc, scope)) if chosen is None else chosen.touches
            return self._names.find(text, k, sees, generation=view.generation)

        return self._consistent(read)

    def vectors(self, chunks: Sequence[Chunk], embedder: Embedder) -> Vectors:
        """Return the vectors of these chunks, in order, computing and keeping those that are missing.

        Vectors that cannot be kept (another process is writing, the library is read-only) are returned all the same.
        """
        from deref.store.dense import vectors_of

        return vectors_of(chunks, embedder, self._reader,
                          lambda new: self._writer().keep_vectors(embedder.identity, new))  # fmt: skip

    def missing_vectors(self, limit: int) -> Sequence[Chunk]:
        """Return up to `limit` chunks without a vector of this library's embedder, by document name."""

        def read(view: View) -> Sequence[Chunk]:
            rows = self._reader.rows(statements.MISSING, {"model": self._model, "most": limit})
            order = {chunk: n for n, (_, chunk) in enumerate(rows)}
            found = self._index.by_ids(list(order), revisions=view.revisions)
            return tuple(sorted(found, key=lambda chunk: order[chunk.id]))

        return self._consistent(read)

    def progress(self, scope: Scope, where: Filter | None = None) -> Progress:
        """Return how many chunks have their vector, of the documents of which a filter leaves some passage."""
        with self._state:
            view = self._view()
            chosen = self._chosen(view, scope, where)
            return self._counts.of(view, scope, None if chosen is None else chosen.touches)

    def home(self) -> str | None:
        """Return the folder or file that the library is of; None before `claim`."""
        return properties(self._reader).get("home")

    def claim(self, home: str) -> None:
        """Make this the library of a folder or file. Raises LibraryBusy, LibraryDamaged."""
        with self._lock.held():
            self._writer().claim(home)

    def describe(self) -> Mapping[str, Any]:
        """Return place, layout, fingerprint, embedder, and the numbers of documents, files, chunks and vectors."""
        stored = properties(self._reader)
        documents, chunks, files = self._reader.rows(statements.COUNTS)[0]
        return {
            "place": str(self._folder),
            "layout": stored["layout"],
            "fingerprint": stored["fingerprint"],
            "embedder": self._model,
            "documents": documents,
            "files": files,
            "chunks": chunks,
            "embedded": self.progress(EVERYTHING).embedded,
        }

    def close(self) -> None:
        """Let go of files and connections."""
        self._reader.close()
        if self._catalogue is not None:
            self._catalogue[0].dispose()
