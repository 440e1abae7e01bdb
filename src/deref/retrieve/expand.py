"""Expand: give each candidate the lines around it, as context, within a budget of words.

A passage that is cut out of its section says less than the section. The context grows from the chunk to its whole
section when that fits, else to the neighbouring lines inside the section, one block at a time, after before before.
A table is one block. The one that the chunk is a part of comes first, whole if it fits, else row by row; any other is
taken whole or not at all.
Where a filter lets some passages of a document pass and others not, nothing grows. A candidate that has its context
already keeps it.
The chunk itself, its rank and its arrivals stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from deref.retrieve.stage import Stage
from deref.text.tokens import count_tokens
from deref.values import Candidates, Document, ItemKind, Query, Span

LEAST = 30
"""Words. A place of fewer is read on from: it is the caption of a table that stands below, or a heading."""


def expand(read: Callable[[str], Document | None], *, tokens: int, first: int | None = None) -> Stage:
    """Return the stage that sets `Candidate.context`, never over `tokens` words more than the chunk has.

    Only of the `first` candidates, or of all.
    """

    def run(query: Query, candidates: Candidates) -> Candidates:
        if query.filter is not None and query.filter.tells_passages_apart():
            return candidates
        items = []
        for n, candidate in enumerate(candidates):
            if candidate.context is not None or (first is not None and n >= first):
                items.append(candidate)
                continue
            document = read(candidate.chunk.lines.doc)
            context = widen(document, candidate.chunk.lines, tokens) if document else None
            items.append(candidate if context is None else replace(candidate, context=context))
        new = tuple(items)
        return candidates if new == candidates.items else Candidates(new)

    return Stage("expand", run)


def widen(document: Document, span: Span, tokens: int) -> Span | None:
    """Return the span grown inside its section within `tokens` words, or None when nothing was added."""
    grown, _ = widened(document, span, tokens)
    return grown if grown != span else None


def widened(document: Document, span: Span, tokens: int) -> tuple[Span, int]:
    """Return the span grown inside its section within `tokens` words, and how many words were added."""
    section = document.section_at(span.start)
    low = section.lines.start if section else 0
    high = section.lines.end if section else len(document.lines)
    tables = _tables(document, low, high)
    start, end = span.start, span.end
    left = tokens
    for table in list(tables):
        if table.start < end and start < table.end:
            whole = Span(doc=span.doc, start=min(start, table.start), end=max(end, table.end))
            cost = _cost(document, whole.start, start) + _cost(document, end, whole.end)
            if cost <= left:
                start, end, left = whole.start, whole.end, left - cost
            else:
                tables.remove(table)
    while True:
        grown = False
        if end < high:
            stop = _block_end(document, end, high, tables)
            cost = _cost(document, end, stop)
            if cost <= left:
                end, left, grown = stop, left - cost, True
        if start > low:
            first = _block_start(document, start, low, tables)
            cost = _cost(document, first, start)
            if cost <= left:
                start, left, grown = first, left - cost, True
        if not grown:
            break
    return Span(doc=span.doc, start=start, end=end), tokens - left


def read_on(document: Document, span: Span, tokens: int) -> Span:
    """Return a place of fewer than LEAST words with the lines that follow in its section, until it has `tokens` words."""
    cost = _cost(document, span.start, span.end)
    if cost >= LEAST:
        return span
    section = document.section_at(span.start)
    end, last = span.end, section.lines.end if section is not None else len(document.lines)
    while end < last and cost < tokens:
        cost += count_tokens(document.lines[end].text)
        end += 1
    return Span(doc=span.doc, start=span.start, end=end)


def _tables(document: Document, low: int, high: int) -> list[Span]:
    """Return the tables that lie in these lines, in order."""
    tables = (i.lines for i in document.items if i.kind is ItemKind.TABLE)
    return [t for t in tables if low <= t.start and t.end <= high]


def _block_end(document: Document, end: int, high: int, tables: Sequence[Span]) -> int:
    """Return the end of the block that begins at a line: that of its table, if it is in one."""
    stop = end + 1
    while stop < high and not document.lines[stop].starts_block:
        stop += 1
    return max([stop, *(t.end for t in tables if t.start < stop and end < t.end)])


def _block_start(document: Document, start: int, low: int, tables: Sequence[Span]) -> int:
    """Return the start of the block that ends before a line: that of its table, if it is in one."""
    first = start - 1
    while first > low and not document.lines[first].starts_block:
        first -= 1
    return min([first, *(t.start for t in tables if t.start < start and first < t.end)])


def _cost(document: Document, start: int, end: int) -> int:
    return count_tokens(document.text(Span(doc=document.id, start=start, end=end))) if start < end else 0
