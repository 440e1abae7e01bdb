"""Exhibits, schedules and the like that count their own 1, 2, 3, in a document that counts so itself.

"Section 4" said outside of such a one is none of its sections, be it the only 4 in the document, and "clause 3 of this
Agreement" said in a schedule is none of the schedule. An exhibit that is a paper with sections of its own by its title
("Form of Lease", "Agreement Terms") may be what is meant by both.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from deref.references.places import Places, Spot
from deref.references.words import INSTRUMENTS
from deref.text.lazy import lazy
from deref.values import Item

_PAPER = lazy(
    rf"\b(?:terms|(?:general|standard|special) conditions|form of|{'|'.join(INSTRUMENTS)})\b", re.IGNORECASE
)

_ROOT_END = lazy(r"[.(-]")


def counted_apart(places: Places, spot: Spot, line: int | None) -> Item | None:
    """Return the exhibit or the like that counts its own numbers from 1 up to a section, seen from a line outside of it; else None.

    The rest of the document has a 1 of that kind too. None is a reader from outside the document.
    """
    section = spot.section
    root = _ROOT_END.split(section.label or "")[0] if section is not None else ""
    item = places.enclosure(spot.lines.start, spot) if section is not None and root.isdigit() else None
    if (
        section is None
        or item is None
        or (line is not None and line in item.lines)
        or not hangs_on(places, item)
    ):
        return None
    if item.lines not in places.counted_within:
        inside = (s for s in places.document.sections if s.lines.start in item.lines)
        places.counted_within[item.lines] = frozenset((s.word, s.label) for s in inside)
    own = places.counted_within[item.lines]
    if int(root) > len(own) or any((section.word, str(n)) not in own for n in range(1, int(root) + 1)):
        return None
    firsts = (s for s in places.sections("1") if s.word == section.word)
    return item if any(places.enclosure(s.lines.start) is None for s in firsts) else None


def hangs_on(places: Places, item: Item) -> bool:
    """Tell whether an exhibit or the like hangs on what stands before it, and is no paper with sections of its own by its title.

    The title is its own or the one right below that.
    """
    sections = places.document.sections
    first = bisect_left(sections, item.lines.start, key=lambda s: s.lines.start)
    if not any(s.label and item.lines.start not in s.lines for s in sections[:first]):
        return False
    below = bisect_right(sections, item.lines.start, first, key=lambda s: s.lines.start)
    titles = (item.caption, *(s.title for s in sections[below : below + 1] if s.label is None))
    return not any(_PAPER.search(title) for title in titles)
