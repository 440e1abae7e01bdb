"""Lines and marks → a document with sections, items, definitions, links and names. Pure."""

from deref.structure.build import build_document

__all__ = ["build_document"]
