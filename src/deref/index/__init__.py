"""Documents into passages: pure, and nothing but cutting."""

from deref.index.chunk import chunk, indexed_lines

__all__ = ["chunk", "indexed_lines"]
