"""A reranker without a model: the share of the question's words that a passage holds. Deterministic, and poor on purpose.

It is the double of `Reranker`: enough to run everything that takes one offline.
"""

from __future__ import annotations

from collections.abc import Sequence

from deref.text.tokens import content_stems, words


class OverlapReranker:
    """The double of `Reranker`. A passage with every meaningful word of the question scores 1."""

    @property
    def identity(self) -> str:
        """Its name."""
        return "overlap"

    def load(self) -> None:
        """Do nothing: there is nothing to load."""

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Return the share, 0 to 1, for each passage, in order."""
        asked = set(content_stems(question)) if words(question) else set()
        return [
            len(asked & set(content_stems(text))) / len(asked) if asked and words(text) else 0.0
            for text in passages
        ]
