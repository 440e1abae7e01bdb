"""Some lines of a document, for what the whole of it would tell no better."""

from __future__ import annotations

from collections.abc import Sequence


def taken_evenly(texts: Sequence[str], characters: int) -> Sequence[str]:
    """Return lines from the whole of a document at even steps, in order: at most about `characters` together."""
    return texts[:: max(1, -(-sum(map(len, texts)) // characters))]
