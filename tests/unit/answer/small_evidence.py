"""Small documents for the answer brick, read by the real parsers, and passages over their lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deref.answer import ExtractiveWriter
from deref.parse import parse
from deref.references.find import find
from deref.references.resolve import Resolver
from deref.references.shelf import MemoryShelf
from deref.structure.build import build_document
from deref.values import Answer, Arrived, Document, Passage, Query, Reference, Shape, Span


def document(text: str, name: str = "a.md") -> Document:
    parsed = parse(text.encode(), doc=name, name=name)
    return build_document(parsed, doc=name, name=name, fingerprint="test")


def lines_with(doc: Document, words: str) -> Span:
    """Return the one line that holds the words."""
    (found,) = [line.n for line in doc.lines if words in line.text]
    return Span(doc=doc.id, start=found, end=found + 1)


def whole(doc: Document) -> Passage:
    return Passage(lines=Span(doc=doc.id, start=0, end=len(doc.lines)))


def references_in(doc: Document, lines: Span) -> Sequence[Reference]:
    return [r for r in find(doc) if r.at.line in lines]


def reader(*docs: Document) -> Callable[[str], Document]:
    return {d.id: d for d in docs}.__getitem__


def written(question: str, passages: Sequence[Passage], *docs: Document, shape: Shape = Shape.FACT) -> Answer:
    return ExtractiveWriter(references_in).write(Query(text=question, shape=shape), passages, reader(*docs))


def followed(home: Document, words: str, *others: Document) -> Passage:
    """Return the passage that following the reference with these words gives."""
    (reference,) = [r for r in find(home) if words in r.text]
    resolution = Resolver(MemoryShelf([home, *others]))(reference, home)
    (target,) = resolution.targets
    return Passage(
        lines=target.lines,
        arrived=Arrived.REFERENCE,
        resolution=resolution,
        focus=target.focus,
        header=target.header,
    )
