"""What is read of one library through one reader: all that is remembered between two questions is what that reader was given.

A reader that finds the catalogue changed while it searched searches again, so it never sees half of a change.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from deref.ports import FileRecord, History, Past, Progress, Ranking, Shelf, Vectors
from deref.store import statements
from deref.store.counts import Counts
from deref.store.cut_out import Passages
from deref.store.names_at_hand import NameSearch
from deref.store.on_demand import OnDemand
from deref.store.passages import ChunkIndex
from deref.store.reading import CHUNKS, Reader
from deref.store.recent import Recent
from deref.store.rows import file_of, line_of, reference_of
from deref.store.shelf import CatalogueShelf, read_documents, rows_of_documents
from deref.store.view import View, current, properties
from deref.values import EVERYTHING, Chunk, Document, Hit, Reference, Scope, Span, TitleHit

if TYPE_CHECKING:
    from deref.store.dense import Matrix
    from deref.store.facts import Choice, Choices
    from deref.values.filters import Filter
    from deref.values.standing import Standing, StatusMark

_KEPT_DOCUMENTS = 64
_ATTEMPTS = 5

T = TypeVar("T")


class ReadLibrary:
    """The reading half of `Store`. Safe to share by threads: they search side by side, and take turns for all else."""

    def __init__(
        self, folder: Path, *, reader: Reader, model: str = "none", index: ChunkIndex | None = None
    ) -> None:
        """Take the folder, what reads the catalogue, and the identity of the embedder whose vectors count."""
        self._folder = folder
        self._reader = reader
        self._model = model
        self._index = index or ChunkIndex(folder / CHUNKS)
        self._state = threading.RLock()
        self._seen: View | None = None
        self._version: object = None
        self._kept: Recent[tuple[str, Document]] = Recent(_KEPT_DOCUMENTS)
        self._passages = Passages(reader, self._index, _KEPT_DOCUMENTS)
        self._references: Recent[tuple[Sequence[int], Sequence[Reference]]] = Recent(_KEPT_DOCUMENTS)
        self._counts = Counts(reader, model)
        self._matrix: tuple[tuple[str, str], Matrix] | None = None
        self._choices: Choices | None = None
        self._names = NameSearch(reader)

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
        """Read with a view of the catalogue that is still true afterwards, one thread at a time."""
        with self._state:
            return self._still_true(read)

    def _still_true(self, read: Callable[[View], T]) -> T:
        """Read with a view that is still true afterwards. Threads may do it side by side: `read` minds what they share."""
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
        with self._state:
            chosen = self._chosen(view, scope, where)
        return (view.limit(scope), frozenset()) if chosen is None else (chosen.whole, chosen.passages)

    def marks(self, scope: Scope) -> Sequence[StatusMark]:
        """Return what was said of the standing of documents, by name; not what names a document that the caller does not see."""
        from deref.store.standing import marks_of, marks_told

        limit = self._view().limit(scope)
        return marks_told(marks_of(self._reader.rows(statements.MARKS)), limit)

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

    def files(self, scope: Scope) -> Sequence[FileRecord]:
        """Return the file records, by path."""
        limit = self._view().limit(scope)
        every = (file_of(row) for row in self._reader.rows(statements.FILES))
        return tuple(one for one in every if limit is None or one.doc in limit)

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

    def references(self, doc: str, scope: Scope, within: Span | None = None) -> Sequence[Reference]:
        """Return the references found in a document, in order; those that begin in the lines `within` when these are given."""
        with self._state:
            if not self._view().sees(doc, scope):
                return ()
            known = self._references.get(doc)
            if known is None:
                rows = self._reader.rows(statements.REFERENCES_OF, {"doc": doc})
                known = self._references.keep(doc, _references_in(doc, rows))
            lines, every = known
            if within is None:
                return every
            return every[bisect_left(lines, within.start) : bisect_left(lines, within.end)]

    def chunks(self, doc: str, scope: Scope, where: Filter | None = None) -> Sequence[Chunk]:
        """Return the chunks of a document that pass a filter, in order."""

        def read(view: View) -> Sequence[Chunk]:
            if not view.sees(doc, scope):
                return ()
            chosen = self._chosen(view, scope, where)
            if chosen is not None and not chosen.touches(doc):
                return ()
            every = self._passages.of(doc, view.revisions[doc], self.shelf(EVERYTHING).document)
            return every if chosen is None else tuple(c for c in every if chosen.holds(doc, c.id))

        return self._consistent(read)

    def read_ahead(self, docs: Collection[str], scope: Scope) -> None:
        """Read several documents with their chunks and references at once, so that they are at hand."""

        def read(view: View) -> None:
            seen = [doc for doc in docs if view.sees(doc, scope)]
            self._passages.read_ahead({doc: view.revisions[doc] for doc in seen})
            unread = [doc for doc in seen if self._kept.get(doc) is None]
            for doc, document in read_documents(self._reader, unread).items():
                self._kept.keep(doc, (view.generation, document))
            unread = [doc for doc in seen if self._references.get(doc) is None]
            for doc, rows in rows_of_documents(self._reader, statements.REFERENCES_OF, unread).items():
                self._references.keep(doc, _references_in(doc, rows))

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

        return self._still_true(read)

    def dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks that pass a filter, by cosine among those that have a vector; ties by chunk id."""

        def read(view: View) -> Sequence[Hit]:
            best = self._matrix_of(view).nearest(vector, k, *self._limits(view, scope, where))
            by_id = {c.id: c for c in self._index.by_ids([i for i, _ in best], revisions=view.revisions)}
            return tuple(Hit(chunk=by_id[i], score=score) for i, score in best if i in by_id)

        return self._still_true(read)

    def rank_lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `lexical` finds without reading it: (id, score), in its order."""

        def read(view: View) -> Ranking:
            limit, some = self._limits(view, scope, where)
            if not view.revisions or (limit is not None and not limit and not some):
                return ()
            return tuple(self._index.rank(text, k, documents=limit, passages=some,
                                          revisions=view.revisions, hidden=view.hidden))  # fmt: skip

        return self._still_true(read)

    def rank_dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `dense` finds without reading it: (id, score), in its order."""

        def read(view: View) -> Ranking:
            return tuple(self._matrix_of(view).nearest(vector, k, *self._limits(view, scope, where)))

        return self._still_true(read)

    def passages(self, ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        """Return chunks by id; those that are not there (any more) for this caller are left out."""

        def read(view: View) -> Mapping[str, Chunk]:
            found = self._index.by_ids(ids, revisions=view.revisions)
            return {chunk.id: chunk for chunk in found if view.sees(chunk.lines.doc, scope)}

        return self._still_true(read)

    def _matrix_of(self, view: View) -> Matrix:
        from deref.store.dense import Matrix

        with self._state:
            if self._matrix is None or self._matrix[0] != (view.generation, view.vectors):
                self._matrix = ((view.generation, view.vectors), Matrix(self._reader, self._model))
            return self._matrix[1]

    def titles(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[TitleHit]:
        """Return the best k documents by the name that is most like a text, best first, ties by document.

        Only those of which a filter leaves some passage.
        """

        def read(view: View) -> Sequence[TitleHit]:
            chosen = self._chosen(view, scope, where)
            sees = (lambda doc: view.sees(doc, scope)) if chosen is None else chosen.touches
            return self._names.find(text, k, sees, generation=view.generation)

        return self._consistent(read)

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


def _references_in(doc: str, rows: Sequence[Sequence[Any]]) -> tuple[Sequence[int], Sequence[Reference]]:
    """Return in which line each reference begins, and the references."""
    return [line_of(row) for row in rows], OnDemand(len(rows), lambda n: reference_of(doc, rows[n]))
