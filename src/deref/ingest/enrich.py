"""Enrichment: each passage of a library gets its preamble, in batches that are kept one by one.

A passage without a preamble is one that is still to do, so a run that was ended goes on where it stopped: what is lost is
one batch. A document is written anew with each of its batches, as one revision that replaces the last, so it is visible
throughout. Text, lines and references are written as they were; only the preambles are new. An enricher that has nothing
to say of a passage leaves the whereabouts, so that the passage counts as done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from deref.ports import Clock, Enricher, Store
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
    todo = store.unenriched()
    if not todo:
        return 0
    files = {file.doc: file for file in reversed(store.files(EVERYTHING)) if file.doc is not None}
    shelf = store.shelf(EVERYTHING)
    done = 0
    for doc in todo:
        document = shelf.document(doc)
        if document is None or doc not in files:
            continue
        chunks = list(store.chunks(doc, EVERYTHING))
        references = store.references(doc, EVERYTHING)
        missing = [n for n, chunk in enumerate(chunks) if not chunk.preamble]
        for start in range(0, len(missing), batch):
            begun = clock()
            some = missing[start : start + batch]
            for n in some:
                chunks[n] = replace(chunks[n], preamble=_said(document, chunks[n], enricher, where))
            store.put(document, chunks, references, files[doc])
            done += len(some)
            told = start + len(some)
            emit(Enriched(document=document.name, done=told, total=len(missing), seconds=clock() - begun))
    if done:
        store.fold()
    return done


def _said(
    document: Document, chunk: Chunk, enricher: Enricher, where: Callable[[Document, Chunk], str]
) -> str:
    parts = dict.fromkeys((where(document, chunk), enricher.preamble(document, chunk).strip()))
    return "\n".join(part for part in parts if part) or UNSAID
