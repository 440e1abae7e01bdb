"""Clauses that start in the middle of a long line, as texts have them whose line ends were lost.

"… of the Deliverables. 3.1.2 Payment of the Fees. XENO shall …" starts clause 3.1.2. Only a number of two parts or more (or with
its word), after the end of a sentence and before a capital, that is exactly the next one of the sequence is taken, so a
cross-reference is none. Its section starts on that line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from deref.structure.headings import Heading
from deref.structure.look import Look
from deref.structure.numbering import DIVISIONS, STEP, Number, read_numbers, successors
from deref.structure.titles import short_title

_LONG = 240
_INSIDE = re.compile(
    r"(?<=[.;:,)\]”\"A-Za-z])\s+(?=(?:(?:Section|SECTION|Article|ARTICLE)\s+(?:\d|[IVX])|\d{1,3}(?:\.\d{1,3}){1,5}\.?\s)[^\n]{0,12}\s*[\"“(\[]?[A-Z])"
)
_ASKS = re.compile(
    r"(?:\b(?:in|of|under|to|by|with|see|and|or|per|section|sections|article|articles|clause|paragraph|at|from|pursuant to|through)|[,(])$",
    re.IGNORECASE,
)


def find_embedded(look: Look, headings: Sequence[Heading], closed: Collection[int]) -> list[Heading]:
    """Return the headings with those inside long lines put between them, in order of lines and of place in the line."""
    if look.trusted or look.has_sizes or not any(len(t) > _LONG for t in look.texts):
        return list(headings)
    starts: dict[int, list[Heading]] = {}
    for heading in headings:
        starts.setdefault(heading.line, []).append(heading)
    known = {h.number.key for h in headings if h.number is not None and _counts(h.number)}
    out: list[Heading] = []
    expected: set[tuple[int, ...]] = {(STEP, STEP), (STEP,)}
    for n, text in enumerate(look.texts):
        for heading in starts.get(n, ()):
            out.append(heading)
            if heading.number is not None and _counts(heading.number):
                expected = set(successors(heading.number.key))
        if len(text) <= _LONG or n in closed:
            continue
        for at in _places(text, headed=n in starts):
            part = text[at : at + 200]
            number = next((r for r in read_numbers(part) if _counts(r)), None)
            if number is None or number.key not in expected or number.key in known:
                continue
            expected = set(successors(number.key))
            known.add(number.key)
            title = short_title(part[number.end :])
            out.append(Heading(line=n, end=n + 1, number=number, title=title))
    return out


def _places(text: str, *, headed: bool) -> Iterator[int]:
    """Where a clause could start in a line; at its very start too, unless that is known to be a heading."""
    if not headed and text[0].isalnum():
        yield 0
    for match in _INSIDE.finditer(text):
        if not _ASKS.search(text[max(0, match.start() - 16) : match.start()]):
            yield match.end()


def _counts(number: Number) -> bool:
    return number.family == "decimal" or number.family in DIVISIONS or number.word == "section"
