"""What light markup makes certain in a plain text: AsciiDoc headings and fences, and literal blocks of reStructuredText.

A row "== Title" is a heading of AsciiDoc where the text holds two such rows, or other signs of it ("[[anchor]]", "include::…[]").
There, rows of one repeated "-" or "." that stand alone, two and two alike, fence code. In other texts what is set in further
behind a row that ends in "::" is literal, and behind a directive that says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.parse.rows import Row

_HEADING = re.compile(r"^(={1,6}) (?=[^\s=])(?:.*[^\s=])(?: \1)?\s*$")
_SIGNS = re.compile(
    r"^(?:\[\[[\w.-]+\]\]|include::\S+\[.*\])\s*$|\b(?:link(?:git)?|xref):[^\s\[]+\[|<<[\w.-]+(?:,[^>]*)?>>"
)
_FENCE = re.compile(r"^(-{4,}|\.{4,})\s*$")
_LITERAL = re.compile(r"^(?!\s*\.\. ).*(?<!:):: *$|^\s*\.\. (?:code-block|code|sourcecode|parsed-literal)::")
_FEWEST = 2


def asciidoc_headings(live: Sequence[Row], gaps: Sequence[bool]) -> dict[int, int]:
    """Return the level of each row "== Title", by index; none in a text that is not AsciiDoc."""
    found = {
        i: len(match[1])
        for i, row in enumerate(live)
        if row.text[:1] == "="
        and (match := _HEADING.match(row.text))
        and (gaps[i] or live[i - 1].text[:1] == "[")
    }
    return found if len(found) >= _FEWEST or (found and _is_asciidoc(live)) else {}


def fenced(live: Sequence[Row], gaps: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the runs of rows, half-open and with their fences, that AsciiDoc fences off as code; none in other texts."""
    marks = [i for i, row in enumerate(live) if _FENCE.match(row.text)]
    if len(marks) < _FEWEST or not _is_asciidoc(live):
        return []
    out: list[tuple[int, int]] = []
    opened: int | None = None
    for i in marks:
        if opened is not None:
            if live[i].text.rstrip() == live[opened].text.rstrip():
                out.append((opened, i + 1))
                opened = None
        elif gaps[i] or live[i - 1].text[:1] in ("+", "["):
            opened = i
    return out


def literal_blocks(live: Sequence[Row], gaps: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the runs of rows, half-open, that are set in behind a row that ends in "::"; none in AsciiDoc, where it ends a term."""
    if not any(_LITERAL.match(row.text) for row in live) or _is_asciidoc(live):
        return []
    out: list[tuple[int, int]] = []
    i = 0
    while i < len(live):
        here = live[i]
        i += 1
        if not _LITERAL.match(here.text) or i == len(live) or not gaps[i]:
            continue
        start = i
        while i < len(live) and live[i].indent > here.indent:
            i += 1
        if i > start:
            out.append((start, i))
    return out


def _is_asciidoc(live: Sequence[Row]) -> bool:
    return sum(1 for row in live if _SIGNS.search(row.text)) >= _FEWEST
