"""The text of an extractive answer: quotations in their order, each with its number, the followed ones under their pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deref.answer.tables import is_rule
from deref.text.clean import join_lines
from deref.values import Arrived, Citation, Document

NOTHING = "Nothing on this shelf bears on the question."
"""The text of an answer that is `not_found`."""


class Quote(NamedTuple):
    """A citation and the document it is from."""

    document: Document
    citation: Citation


def compose(quotes: Sequence[Quote]) -> str:
    """Return the text; [1], [2], … are the citations in order. Rows of a table keep their lines, but for its rules.

    What is quoted already is named and not quoted again. What was found and not followed stands apart
    from the followed text before it.
    """
    parts: list[str] = []
    pointer: tuple[str | None, str] | None = None
    for number, quote in enumerate(quotes, start=1):
        citation = quote.citation
        if citation.arrived is not Arrived.REFERENCE:
            parts += [""] * (pointer is not None)
            pointer = None
        elif (citation.reference, citation.source) != pointer:
            pointer = (citation.reference, citation.source)
            parts.append(f"{citation.reference} ({citation.source}, p. {citation.page}):")
        parts.append(f"{_shown_above(quotes, number - 1) or told_lines(quote)} [{number}]")
    return "\n".join(parts)


def _shown_above(quotes: Sequence[Quote], n: int) -> str | None:
    lines = quotes[n].citation.lines
    for number, quote in enumerate(quotes[:n], start=1):
        above = quote.citation.lines
        if above.doc == lines.doc and above.start <= lines.start and lines.end <= above.end:
            return f"as quoted at [{number}]"
    return None


def told_lines(quote: Quote) -> str:
    """Return the text of a quote: a line for each paragraph, and for each row of a table but its rules."""
    span = quote.citation.lines
    every = quote.document.lines[span.start : span.end]
    lines = [line for line in every if not is_rule(line.text)] or every
    blocks: list[list[int]] = []
    for line in lines:
        if line.starts_block or not blocks:
            blocks.append([])
        blocks[-1].append(line.n)
    texts = [join_lines([quote.document.lines[n] for n in block]).text.strip() for block in blocks]
    return "\n".join(t for t in texts if t)
