"""A reference in the words that the resolver knows, which are English ones."""

from __future__ import annotations

from deref.values import Document, Reference


def in_english(reference: Reference, document: Document) -> Reference:
    """Return a reference of a document as an English one of the same place; the same object for one in English."""
    if document.language == "en":
        return reference
    # The tables of languages are loaded for the documents in them, never for a question on English ones.
    from deref.references.translated import translated

    return translated(reference, document)
