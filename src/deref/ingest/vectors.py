"""Vectors in the background: in batches, each kept as soon as it is there, so that it can stop at any moment and go on."""

from __future__ import annotations

import time
from collections.abc import Callable

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

    Returns how far they are. Stops early when a whole batch could not be kept, for then another process is writing.
    Raises ModelError, LibraryDamaged.
    """
    begun = clock()
    progress = store.progress(EVERYTHING)
    while progress.embedded < progress.chunks and (seconds is None or clock() - begun < seconds):
        at = clock()
        chunks = store.missing_vectors(_BATCH)
        store.vectors(chunks, embedder)
        after = store.progress(EVERYTHING)
        emit(VectorsComputed(done=after.embedded, total=after.chunks, seconds=clock() - at))
        if after.embedded <= progress.embedded:
            return after
        progress = after
    return progress
