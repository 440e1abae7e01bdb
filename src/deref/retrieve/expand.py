"""Expand: give each candidate the lines around it, as context, within a budget of words.

A passage that is cut out of its section says less than the section. The context grows from the chunk to its whole
section when that fits, else to the neighbouring lines inside the section, one block at a time, after before before.
The chunk itself, its rank and its arrivals stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from deref.retrieve.stage import Stage
from deref.text.tokens import count_tokens
from deref.values import Candidates, Document, Query, Span


def expand(read: Callable[[str], Document | None], *, tokens: int) -> Stage:
    """Return the stage that sets `Candidate.context`, never over `tokens` words more than the chunk has."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        items = []
        for candidate in candidates:
            document = read(candidate.chunk.lines.doc)
            context = widen(document, candidate.chunk.lines, tokens) if document else None
            items.append(candidate if context is None else replace(candidate, context=context))
        new = tuple(items)
        return candidates if new == candidates.items else Candidates(new)

    return Stage("expand", run)


def widen(document: Document, span: Span, tokens: int) -> Span | None:
    """Return the span grown inside its section within `tokens` words, or None when nothing was added."""
    section = document.section_at(span.start)
    low = section.lines.start if section else 0
    high = section.lines.end if section else len(document.lines)
    start, end, left = span.start, span.end, tokens
    while True:
        grown = False
        if end < high:
            stop = end + 1
            while stop < high and not document.lines[stop].starts_block:
                stop += 1
            cost = count_tokens(document.text(Span(doc=span.doc, start=end, end=stop)))
            if cost <= left:
                end, left, grown = stop, left - cost, True
        if start > low:
            first = start - 1
            while first > low and not document.lines[first].starts_block:
                first -= 1
            cost = count_tokens(document.text(Span(doc=span.doc, start=first, end=start)))
            if cost <= left:
                start, left, grown = first, left - cost, True
        if not grown:
            break
    grown_span = Span(doc=span.doc, start=start, end=end)
    return grown_span if grown_span != span else None
