"""A licence that is printed whole inside another document, in an appendix of a manual: it counts sections of its own.

"Section 2" in it is its paragraph "2." and never section 2 of the manual around it. A unit is such a licence when its title is
the name of one, it is not most of the document, and lines in it begin with 1, 2 and 3.
"""

from __future__ import annotations

import re

from deref.references.places import Places
from deref.text.lazy import lazy
from deref.values import Document, Section, Span

_LICENCE = lazy(
    r"\b(?:Public|Documentation|Software|Document|Commons|Apache|MIT|BSD|Artistic|Project(?: Public)?) Licen[cs]e\b",
    re.IGNORECASE,
)
_NUMBERED = lazy(r"[\s*_#]*(\d{1,2})\.?(?=\s+[^\W\d_])")
_MOST = 0.6


def licence_paragraph(places: Places, line: int, label: str) -> tuple[Section, Span] | None:
    """Return the licence around a line with the lines of its paragraph of this number; None where there is no such thing."""
    document = places.document
    for section in reversed(places.path(line)):
        if len(section.lines) > _MOST * len(document.lines):
            return None
        if _LICENCE.search(section.title):
            begins = _numbered(document, section.lines)
            if not {"1", "2", "3", label} <= begins.keys():
                return None
            start = begins[label]
            end = min((n for n in begins.values() if n > start), default=section.lines.end)
            return section, Span(doc=document.id, start=start, end=end)
    return None


def _numbered(document: Document, lines: Span) -> dict[str, int]:
    """The lines that begin with a number and a dot, by number, the first of each."""
    begins: dict[str, int] = {}
    for n in range(lines.start, lines.end):
        if (mark := _NUMBERED.match(document.lines[n].text)) is not None:
            begins.setdefault(mark[1], n)
    return begins
