"""The text of an extractive answer: quotations in their order, each with its number, the followed ones under their pointer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from deref.answer.tables import is_rule
from deref.text.clean import join_lines
from deref.values import Arrived, Citation, Document, Line, Span

NOTHING = "Nothing on this shelf bears on the question."
"""The text of an answer that is `not_found`."""


class Quote(NamedTuple):
    """A citation and the document it is from."""

    document: Document
    citation: Citation


def compose(quotes: Sequence[Quote]) -> str:
    """Return the text; [1], [2], … are the citations in order. Rows of a table keep their lines, but for its rules.

    Lines that are quoted already are named and not quoted again. What was found and not followed stands apart
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
        parts.append(f"{_told_once(quotes, number - 1)} [{number}]")
    return "\n".join(parts)


def _told_once(quotes: Sequence[Quote], n: int) -> str:
    """Return the text of a quote; of the lines that one before it shows, the first one that does."""
    document, here = quotes[n].document, quotes[n].citation.lines
    shown: dict[int, int] = {}
    for number, quote in enumerate(quotes[:n], start=1):
        above = quote.citation.lines
        if above.doc == here.doc:
            for line in range(max(above.start, here.start), min(above.end, here.end)):
                shown.setdefault(line, number)
    runs = groupby(
        (line for line in range(here.start, here.end) if document.lines[line].text.strip()), key=shown.get
    )
    told = [(number, list(run)) for number, run in runs]
    if all(number is not None for number, _ in told):
        return "as quoted at " + " and ".join(f"[{number}]" for number, _ in told)
    return "\n".join(
        told_lines(document, Span(doc=here.doc, start=run[0], end=run[-1] + 1))
        if number is None
        else f"(as quoted at [{number}])"
        for number, run in told
    )


def told_lines(document: Document, lines: Span) -> str:
    """Return the text of lines: a line for each paragraph, and for each row of a table but its rules."""
    every = document.lines[lines.start : lines.end]
    blocks: list[list[Line]] = []
    for line in [line for line in every if not is_rule(line.text)] or every:
        if line.starts_block or not blocks:
            blocks.append([])
        blocks[-1].append(line)
    texts = [join_lines(block).text.strip() for block in blocks]
    return "\n".join(t for t in texts if t)
