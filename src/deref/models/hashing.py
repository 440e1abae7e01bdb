"""An embedder without a model: each stem is hashed to a place and a sign. Deterministic, and poor on purpose.

It knows shared words and nothing else, which is enough to run everything that takes an `Embedder` offline.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from deref.ports import Vectors
from deref.text.tokens import content_stems


class HashingEmbedder:
    """The double of `Embedder`. Texts without a word get the same fixed unit vector."""

    def __init__(self, dimensions: int = 64) -> None:
        """Take the length of the vectors."""
        self._dimensions = dimensions

    @property
    def identity(self) -> str:
        """Name and length."""
        return f"hashing-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimensions) float32 unit vectors, in order."""
        out = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for n, text in enumerate(texts):
            out[n] = self.query(text)
        return out

    def query(self, text: str) -> Vectors:
        """Return one (dimensions,) float32 unit vector; no instruction, so a text finds itself."""
        vector = np.zeros(self._dimensions, dtype=np.float32)
        for stem in content_stems(text):
            digest = hashlib.blake2b(stem.encode(), digest_size=8).digest()
            place = int.from_bytes(digest[:4], "little") % self._dimensions
            vector[place] += 1.0 if digest[4] & 1 else -1.0
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            vector[0] = length = 1.0
        return (vector / length).astype(np.float32)
