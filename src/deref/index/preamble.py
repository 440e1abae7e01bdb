"""The preamble of a passage without a model: the title of its document and the path of its section.

It goes into what is embedded and into BM25, in the place of the path that stands there anyway; it is never shown, cited
or scanned for references.
"""

from __future__ import annotations

from deref.values import Chunk, Document


def whereabouts(document: Document, chunk: Chunk) -> str:
    """Return "title > section > section", "" when there is neither; a path that begins with the title does not repeat it."""
    title = " ".join(document.title.split())
    if not title or chunk.path.casefold().startswith(title.casefold()):
        return chunk.path
    return f"{title} > {chunk.path}" if chunk.path else title


class Whereabouts:
    """The `Enricher` that asks no model."""

    @property
    def identity(self) -> str:
        """Its name and version."""
        return "whereabouts-1"

    def preamble(self, document: Document, chunk: Chunk) -> str:
        """Return title and section path."""
        return whereabouts(document, chunk)
