"""Documents into passages: pure, and nothing but cutting."""

from deref.index.chunk import chunk

__all__ = ["chunk"]
