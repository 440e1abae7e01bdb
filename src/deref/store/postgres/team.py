"""A library of a team: each caller reads through a reader of its own, which the database gives nothing but what they may see.

For each set of collections there is one `ReadLibrary`, and all that it remembers (documents, names, vectors, choices of
filters) is what its reader was given. So what is out of scope is not there to be shown, even by code that forgets to ask.
Writing, and reading for who sees everything, are those of `LibraryStore`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deref.ports import FileRecord, Past, Progress, Ranking, Shelf, Vectors
from deref.store.library import LibraryStore
from deref.store.lock import WriterLock
from deref.store.postgres.place import Place
from deref.store.postgres.reading import Changes, PostgresReader, SharedConnection
from deref.store.read_library import ReadLibrary
from deref.store.reading import Reader
from deref.values import Chunk, Hit, Reference, Scope, Span, TitleHit

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from deref.values.filters import Filter
    from deref.values.standing import Standing, StatusMark

_MOST_CALLERS = 16
"""Sets of collections of which readers, and what they remember, are kept."""


class TeamLibrary(LibraryStore):
    """`Store` on a folder and a schema of a PostgreSQL database. Safe to share by threads."""

    def __init__(
        self,
        folder: Path,
        *,
        place: Place,
        schemas: str,
        changes: Changes,
        lock: WriterLock,
        engine: Callable[[], Engine],
        model: str = "none",
        collection: str = "default",
        history_seconds: float = 30 * 86_400.0,
        history_bytes: int = 200 * 2**20,
    ) -> None:
        """Take the parts: `opening.open_team_library` is the way in."""
        self._shared = SharedConnection(place)
        super().__init__(folder, reader=PostgresReader(self._shared, schemas, changes, None), lock=lock, model=model, collection=collection,
                         history_seconds=history_seconds, history_bytes=history_bytes, engine=engine)  # fmt: skip
        self._named = str(place)
        self._place, self._schemas, self._changes = place, schemas, changes
        self._turns = threading.Lock()
        self._callers: OrderedDict[frozenset[str], ReadLibrary] = OrderedDict()

    @property
    def reader(self) -> Reader:
        """What reads for who sees everything."""
        return self._reader

    def _for(self, scope: Scope) -> ReadLibrary | None:
        """Return what reads for a caller, None for one who sees every collection: this library itself."""
        collections = scope.collections
        if collections is None:
            return None
        with self._turns:
            known = self._callers.get(collections)
            if known is None:
                reader = PostgresReader(self._shared, self._schemas, self._changes, collections)
                known = self._callers[collections] = ReadLibrary(
                    self._folder, reader=reader, model=self._model
                )
            self._callers.move_to_end(collections)
            if len(self._callers) > _MOST_CALLERS:
                self._callers.popitem(last=False)
            return known

    def passes(self, where: Filter, scope: Scope) -> bool:
        """Tell whether a filter leaves anything. Raises UsageError for a document or collection that is not there."""
        caller = self._for(scope)
        return super().passes(where, scope) if caller is None else caller.passes(where, scope)

    def standings(self, scope: Scope) -> Mapping[str, Standing]:
        """Return the documents that are not active, by id."""
        caller = self._for(scope)
        return super().standings(scope) if caller is None else caller.standings(scope)

    def files(self, scope: Scope) -> Sequence[FileRecord]:
        """Return the file records, by path."""
        caller = self._for(scope)
        return super().files(scope) if caller is None else caller.files(scope)

    def marks(self, scope: Scope) -> Sequence[StatusMark]:
        """Return what was said of the standing of documents, by name; not what names a document that the caller does not see."""
        caller = self._for(scope)
        return super().marks(scope) if caller is None else caller.marks(scope)

    def collections(self, scope: Scope) -> Mapping[str, str]:
        """Return the collection of each document, by id."""
        caller = self._for(scope)
        return super().collections(scope) if caller is None else caller.collections(scope)

    def shelf(self, scope: Scope) -> Shelf:
        """Return the registry as this caller may see it."""
        caller = self._for(scope)
        return super().shelf(scope) if caller is None else caller.shelf(scope)

    def past(self, at_ns: int, scope: Scope) -> Past:
        """Return the registry as this caller would have seen it at a time. Raises UsageError for one that is too early."""
        caller = self._for(scope)
        return super().past(at_ns, scope) if caller is None else caller.past(at_ns, scope)

    def references(self, doc: str, scope: Scope, within: Span | None = None) -> Sequence[Reference]:
        """Return the references found in a document, in order; those that begin in the lines `within` when these are given."""
        caller = self._for(scope)
        return (
            super().references(doc, scope, within)
            if caller is None
            else caller.references(doc, scope, within)
        )

    def chunks(self, doc: str, scope: Scope, where: Filter | None = None) -> Sequence[Chunk]:
        """Return the chunks of a document that pass a filter, in order."""
        caller = self._for(scope)
        return super().chunks(doc, scope, where) if caller is None else caller.chunks(doc, scope, where)

    def read_ahead(self, docs: Collection[str], scope: Scope) -> None:
        """Read several documents with their chunks and references at once, so that they are at hand."""
        caller = self._for(scope)
        return super().read_ahead(docs, scope) if caller is None else caller.read_ahead(docs, scope)

    def lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks that pass a filter, by BM25, best first, ties by chunk id. Any text is safe."""
        caller = self._for(scope)
        return (
            super().lexical(text, k, scope, where)
            if caller is None
            else caller.lexical(text, k, scope, where)
        )

    def dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks that pass a filter, by cosine among those that have a vector; ties by chunk id."""
        caller = self._for(scope)
        return (
            super().dense(vector, k, scope, where)
            if caller is None
            else caller.dense(vector, k, scope, where)
        )

    def rank_lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `lexical` finds without reading it: (id, score), in its order."""
        caller = self._for(scope)
        return (
            super().rank_lexical(text, k, scope, where)
            if caller is None
            else caller.rank_lexical(text, k, scope, where)
        )

    def rank_dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `dense` finds without reading it: (id, score), in its order."""
        caller = self._for(scope)
        return (
            super().rank_dense(vector, k, scope, where)
            if caller is None
            else caller.rank_dense(vector, k, scope, where)
        )

    def passages(self, ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        """Return chunks by id; those that are not there for this caller are left out."""
        caller = self._for(scope)
        return super().passages(ids, scope) if caller is None else caller.passages(ids, scope)

    def titles(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[TitleHit]:
        """Return the best k documents by the name that is most like a text, best first, ties by document."""
        caller = self._for(scope)
        return (
            super().titles(text, k, scope, where) if caller is None else caller.titles(text, k, scope, where)
        )

    def progress(self, scope: Scope, where: Filter | None = None) -> Progress:
        """Return how many chunks have their vector, of the documents of which a filter leaves some passage."""
        caller = self._for(scope)
        return super().progress(scope, where) if caller is None else caller.progress(scope, where)

    def close(self) -> None:
        """Let go of files and connections."""
        super().close()
        self._shared.close()
