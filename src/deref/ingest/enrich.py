"""Enrichment: each passage of a library gets its preamble, in batches that are kept one by one.

A passage without a preamble is one that is still to do, so a run that was ended goes on where it stopped: what is lost is
one batch. A document is written anew with each of its batches, as one revision that replaces the last, so it is visible
throughout. Text, lines and references are written as they were, into the collection in which they were; only the preambles are
new. Preambles may take their time, and others may write meanwhile: then the document is read again before it is written, and
one that has left the shelf stays away. An enricher that has nothing to say of a passage leaves the whereabouts, so that the
passage counts as done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from deref.ports import Clock, Enricher, Entry, FileRecord, Store
from deref.trace.events import Enriched
from deref.values import EVERYTHING, Chunk, Document

BATCH = 64
"""Passages whose preambles are made between two writes."""
UNSAID = "-"
"""The preamble of a passage of which nothing can be said: a document without title or sections."""


def enrich_missing(
    store: Store,
    enricher: Enricher,
    where: Callable[[Document, Chunk], str],
    emit: Callable[[Enriched], None],
    *,
    batch: int = BATCH,
    clock: Clock = time.monotonic,
) -> int:
    """Give every passage that has none its preamble: `where` and then what the enricher says; return how many were given.

    Raises ModelError, LibraryBusy, LibraryDamaged; what was kept until then stays.
    """
    entries = _Entries(store)
    given = 0
    for doc in store.unenriched():
        entry = entries.of(doc)
        done = 0
        while missing := _missing(entry)[:batch]:
            assert entry is not None
            begun = clock()
            said = {c.id: _said(entry.document, c, enricher, where) for c in missing}
            if entries.are_stale():
                entry = entries.of(doc)
            if entry is None:
                break
            chunks = [replace(c, preamble=said.get(c.id, c.preamble)) for c in entry.chunks]
            entry = replace(entry, chunks=chunks)
            entries.put(entry)
            given, done = given + len(said), done + len(said)
            total = done + len(_missing(entry))
            emit(Enriched(document=entry.document.name, done=done, total=total, seconds=clock() - begun))
    if given:
        store.fold()
    return given


class _Entries:
    """The documents of a store with all that belongs to them, as they are now."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._generation = ""
        self._files: Mapping[str, FileRecord] = {}
        self._collections: Mapping[str, str] = {}

    def are_stale(self) -> bool:
        """Tell whether anybody else has written since the last document was read or written."""
        return self._store.generation() != self._generation

    def of(self, doc: str) -> Entry | None:
        """Return a document, None when it is not there any more."""
        store = self._store
        if self.are_stale():
            self._generation = store.generation()
            self._files = {f.doc: f for f in reversed(store.files(EVERYTHING)) if f.doc is not None}
            self._collections = store.collections(EVERYTHING)
        document = store.shelf(EVERYTHING).document(doc)
        if document is None or doc not in self._files:
            return None
        return Entry(
            document=document, chunks=store.chunks(doc, EVERYTHING), references=store.references(doc, EVERYTHING),
            file=self._files[doc], collection=self._collections[doc],
        )  # fmt: skip

    def put(self, entry: Entry) -> None:
        """Write a document."""
        self._store.put_all([entry])
        self._generation = self._store.generation()


def _missing(entry: Entry | None) -> list[Chunk]:
    return [] if entry is None else [chunk for chunk in entry.chunks if not chunk.preamble]


def _said(
    document: Document, chunk: Chunk, enricher: Enricher, where: Callable[[Document, Chunk], str]
) -> str:
    parts = dict.fromkeys((where(document, chunk), enricher.preamble(document, chunk).strip()))
    return "\n".join(part for part in parts if part) or UNSAID
