"""An embedder that remembers the last question and the texts of a session.

One question is embedded for the dense leg, for the pointers and for long places; the sentences that hold pointers come
back with every question about the same pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deref.ports import Embedder, Vectors

MOST_TEXTS = 20_000
"""Texts remembered; at 384 dimensions 30 MB."""


class Remembering:
    """The Embedder port around another embedder. Vectors are those of the other, bit by bit."""

    def __init__(self, inner: Embedder) -> None:
        """Take the embedder that computes."""
        self._inner = inner
        self._last: tuple[str, Vectors] | None = None
        self._texts: dict[str, Vectors] = {}

    @property
    def identity(self) -> str:
        """That of the embedder within."""
        return self._inner.identity

    @property
    def dimensions(self) -> int:
        """That of the embedder within."""
        return self._inner.dimensions

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, kept until the next one. Raises ModelError."""
        if self._last is None or self._last[0] != text:
            self._last = (text, self._inner.query(text))
        return self._last[1]

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimensions) vectors, in order; they are not remembered: the library keeps them."""
        return self._inner.passages(texts)

    def sentences(self, texts: Sequence[str], kept: Callable[[Sequence[str]], Vectors]) -> Vectors:
        """Return (len(texts), dimensions) vectors, in order, remembered for the session.

        `kept` gives those that are not remembered: the library keeps them from one session to the next. Raises ModelError.
        """
        missing = [t for t in dict.fromkeys(texts) if t not in self._texts]
        if len(self._texts) + len(missing) > MOST_TEXTS:
            self._texts.clear()
            missing = list(dict.fromkeys(texts))
        if missing:
            self._texts.update(zip(missing, kept(missing), strict=True))
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._texts[t] for t in texts])
