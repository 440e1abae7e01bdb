"""From evidence to a typed answer: units, ranking, quotes, citations, conditions. No I/O, no model."""

from deref.answer.extract import ExtractiveWriter

__all__ = ["ExtractiveWriter"]
