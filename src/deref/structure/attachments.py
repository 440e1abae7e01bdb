"""Exhibits, schedules, annexes, appendices: items over the whole of their section, or over the whole file.

A file that is an exhibit says so at its top ("EXHIBIT B – Fee Schedule", "Schedule 2.1 to the Credit Agreement"): the item
covers the file, and the file answers to "Exhibit B". A stub ("EXHIBIT A", "[see separate file]") keeps its few lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from deref.structure.headings import Heading
from deref.structure.items import Draft
from deref.structure.look import Look
from deref.structure.numbering import CONTAINERS, Number, read_numbers
from deref.values import ItemKind, Section

KINDS = {word: ItemKind(word) for word in sorted(CONTAINERS)}
_ENCLOSURES = CONTAINERS - {"appendix"}
_TOP_LINES = 8
_ATTACHED = re.compile(r"^\W*(?:to|of|zu|zum|zur|à|al|del)\b", re.IGNORECASE)


def attachment_items(sections: Sequence[Section]) -> list[Draft]:
    """Return an item for each section that is an exhibit or the like, in order."""
    return [
        Draft(kind=KINDS[s.word], label=s.label, caption=s.title, start=s.lines.start, end=s.lines.end)
        for s in sections
        if s.word in CONTAINERS
    ]


def whole_file(look: Look, headings: Sequence[Heading], closed: Collection[int]) -> tuple[Number, str] | None:
    """Return the number and title of the exhibit that the whole file is, or None.

    It stands in the first lines, before any sentence and any other heading with a number, and no other one of its kind
    comes later. `closed` are lines of printed lists.
    """
    for n in range(min(_TOP_LINES, len(look.texts))):
        text = look.texts[n].strip("*#_ ")
        if n in closed:
            return None
        if not text:
            continue
        number = next((r for r in read_numbers(text) if r.word in _ENCLOSURES), None)
        if number is None:
            if len(text) > 100 or text.endswith(".") or any(h.line == n and h.number for h in headings):
                return None
            continue
        rest = text[number.end :]
        if rest[:1].islower() and not _ATTACHED.match(rest):
            return None
        if any(h.number and h.number.word == number.word and h.line > n + 1 for h in headings):
            return None
        if n and any(h.number is not None and h.line < n for h in headings):
            return None
        return number, rest.strip(" .:–—-*")
    return None
