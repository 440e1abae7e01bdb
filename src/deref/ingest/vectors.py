"""Vectors in the background: in batches, each kept as soon as it is there, so that it can stop at any moment and go on."""

from __future__ import annotations

import time
from collections.abc import Callable

from deref.errors import LibraryBusy, LibraryMismatch
from deref.ports import Clock, Embedder, Progress, Store
from deref.trace.events import VectorsComputed
from deref.values import EVERYTHING

_BATCH = 32


def embed_missing(
    store: Store,
    embedder: Embedder,
    emit: Callable[[VectorsComputed], None],
    *,
    seconds: float | None = None,
    clock: Clock = time.monotonic,
) -> Progress:
    """Compute the vectors that are missing, for at most about `seconds` (None: until all are there).

    Returns how far they are.
    Raises ModelError, LibraryDamaged, LibraryMismatch when the store counts the vectors of another embedder, and
    LibraryBusy when a batch could not be kept.
    """
    counted = store.describe()["embedder"]
    if counted != embedder.identity:
        raise LibraryMismatch(
            f"the library was opened for vectors of {counted}, not of {embedder.identity}; open it with this embedder"
        )
    begun = clock()
    progress = store.progress(EVERYTHING)
    while progress.embedded < progress.chunks and (seconds is None or clock() - begun < seconds):
        at, generation = clock(), store.generation()
        chunks = store.missing_vectors(_BATCH)
        store.vectors(chunks, embedder)
        after = store.progress(EVERYTHING)
        emit(VectorsComputed(done=after.embedded, total=after.chunks, seconds=clock() - at))
        # Documents that have left the shelf meanwhile took theirs along.
        if after.embedded <= progress.embedded and store.generation() == generation:
            raise LibraryBusy(
                f"{store.describe()['place']}: vectors cannot be kept; wait until no other process is writing, "
                "and check that the disk has room and the library is writable"
            )
        progress = after
    return progress
