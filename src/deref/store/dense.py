"""Vectors: kept in the catalogue by the hash of the text and the model, ranked exactly in memory.

Keyed so, a vector outlives the replacement of its document, a change of embedder only makes vectors missing, and
two documents with one text pay once. Ranking is one matrix product: 100,000 vectors of 384 numbers take 7 ms, where
a flat search in Lance takes 100 to 280; the matrix is read once per generation of the catalogue. The product is numpy's
own and not that of BLAS: it is bound by memory, so further threads bring nothing, and those of BLAS go on waiting for work
for some 30 ms of the processor; and a score does not depend on how many of them there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from deref.ports import Embedder, Vectors
from deref.store import statements
from deref.store.reading import MOST_IN_LIST, Reader
from deref.store.rows import embedding_text, text_hash
from deref.values import Chunk

_SMALL_PART = 8
"""One in so many rows, or fewer, are copied to be multiplied alone."""


def vectors_of(
    chunks: Sequence[Chunk], embedder: Embedder, reader: Reader, keep: Callable[[dict[str, bytes]], object]
) -> Vectors:
    """Return (len(chunks), dimensions) unit vectors, in order; `keep` is given those that had to be computed."""
    hashes = [text_hash(chunk) for chunk in chunks]
    found = _kept(sorted(set(hashes)), embedder.identity, reader)
    missing = {key: chunk for key, chunk in zip(hashes, chunks, strict=True) if key not in found}
    if missing:
        computed = embedder.passages([embedding_text(chunk) for chunk in missing.values()])
        new = {key: computed[n].astype("<f4").tobytes() for n, key in enumerate(missing)}
        keep(new)
        found |= new
    out = np.zeros((len(chunks), embedder.dimensions), dtype=np.float32)
    for n, key in enumerate(hashes):
        out[n] = np.frombuffer(found[key], dtype="<f4")
    return out


def _kept(hashes: Sequence[str], model: str, reader: Reader) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for start in range(0, len(hashes), MOST_IN_LIST):
        part = hashes[start : start + MOST_IN_LIST]
        keys = {f"h{n}": key for n, key in enumerate(part)}
        rows = reader.rows(statements.vectors_by_hash(len(part)), {"model": model, **keys})
        found.update({key: bytes(vector) for key, vector in rows})
    return found


class Matrix:
    """The vectors of all chunks that have one, in order of chunk id. Never written to after it was read."""

    def __init__(self, reader: Reader, model: str) -> None:
        """Read them all."""
        rows = reader.rows(statements.VECTORS_OF_ALL, {"model": model})
        # Here, not there: the database would move the vectors about.
        rows.sort(key=lambda row: (row[1], row[0]))
        self._docs = [doc for doc, _, _ in rows]
        self._ids = [chunk for _, chunk, _ in rows]
        joined = b"".join(vector for _, _, vector in rows)
        self._matrix = np.frombuffer(joined, dtype="<f4").reshape(len(rows), -1) if rows else None

    def nearest(
        self, vector: Vectors, k: int, documents: Collection[str] | None, passages: Collection[str] = ()
    ) -> list[tuple[str, float]]:
        """Return (chunk id, cosine) of the best k, best first, ties by chunk id.

        Only in `documents` (None: all) or among `passages`.
        """
        if self._matrix is None or k < 1:
            return []
        if documents is None:
            allowed: Sequence[int] = range(len(self._ids))
        else:
            both = enumerate(zip(self._docs, self._ids, strict=True))
            allowed = [n for n, (doc, chunk) in both if doc in documents or chunk in passages]
        if not allowed:
            return []
        # To copy a part takes longer than to multiply all, unless it is a small one.
        if documents is None or len(allowed) * _SMALL_PART < len(self._ids):
            matrix = self._matrix if documents is None else self._matrix[allowed]
            scores = np.einsum("ij,j->i", matrix, vector)
        else:
            scores = np.einsum("ij,j->i", self._matrix, vector)[allowed]
        k = min(k, len(scores))
        near = np.flatnonzero(scores >= np.partition(scores, -k)[-k])
        # Stable, and the rows are in order of chunk id: equal scores stay in that order.
        best = near[np.argsort(-scores[near], kind="stable")[:k]]
        return [(self._ids[allowed[n]], float(scores[n])) for n in best]
