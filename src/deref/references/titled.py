"""Sections named by their title in quotes: 'the section entitled “Risk Factors”', '“Risk Factors” section', 'see “Risk Factors”'.

Behind "section entitled" a title is a pointer whatever it says; elsewhere only a title that the document has, and only beside the
word for a unit or behind a verb of looking. A title that stands behind a label ('Section 4.2, “Fees”') only explains it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Line, Point, Reference, ReferenceKind

_UNIT = r"(?:sections?|sub-?sections?|chapters?|paragraphs?|clauses?|articles?|headings?|parts?)"
_QUOTED = r"(?:“(?P<curly>[^”“\n]{2,90})”|\"(?P<straight>[^\"\n]{2,90})\")"
_ENTITLED = lazy(
    rf"\b(?:the )?{_UNIT} (?:entitled|titled|headed|captioned|called|named|with the (?:title|heading)) {_QUOTED}",
    re.IGNORECASE,
)
_LED_TO_A_QUOTE = tuple(lazy(rf"{quote}(?<=(?:ed|le|ng) {quote})", re.IGNORECASE) for quote in '"“')
_FURTHER = lazy(rf"(?:, (?:and |or )?| (?:and|or) ){_QUOTED}")
_TITLE = lazy(_QUOTED)
_LED = lazy(
    rf"\b(?:{_UNIT} |see(?: also)? |refer to |(?:described|discussed|set forth|set out|listed|given|defined|explained) (?:in|under) |under (?:the heading )?)$",
    re.IGNORECASE,
)
_LONGEST_LEAD = 24
_UNIT_BEHIND = lazy(rf" {_UNIT}(?![\w])", re.IGNORECASE)
_BEHIND_A_LABEL = lazy(r"\d[\w.()-]*,? ?\(?$")


def section_titles(document: Document) -> frozenset[str]:
    """Return the titles of the sections of a document, as `normalize_name` compares them, those of two letters or more."""
    return frozenset(key for s in document.sections if len(key := normalize_name(s.title)) > 1)


def named_sections(
    lines: Sequence[Line], skip: Sequence[bool], is_title: Callable[[str], bool] | None
) -> Iterator[Reference]:
    """Yield the sections that are named by a title in consecutive lines. `is_title` tells the titles of the document's sections, if it has any."""
    for n, line in enumerate(lines):
        text = line.text
        if skip[n] or ('"' not in text and "“" not in text):
            continue
        floor = 0
        for match in _ENTITLED.finditer(text) if any(led.search(text) for led in _LED_TO_A_QUOTE) else ():
            floor = match.end()
            yield _reference(line, match, match.start(), floor)
            while (further := _FURTHER.match(text, floor)) is not None and _is_plural(match):
                floor = further.end()
                yield _reference(line, further, further.start(further.lastgroup or 0) - 1, floor)
        if is_title is None:
            continue
        for match in _TITLE.finditer(text, floor):
            start, end = match.span()
            led = _LED.search(text, max(floor, start - _LONGEST_LEAD), start)
            unit = _UNIT_BEHIND.match(text, end)
            start, floor = led.start() if led else start, unit.end() if unit else end
            if not (led or unit) or not is_title(_title(match)):
                continue
            if not _BEHIND_A_LABEL.search(text, max(0, start - 12), start):
                yield _reference(line, match, start, floor)


def _is_plural(match: re.Match[str]) -> bool:
    """Whether the word for a unit is a plural: "sections entitled “A” and “B”"."""
    return match.group().removeprefix("the ").partition(" ")[0].endswith("s")


def quoted_title(reference: Reference) -> str | None:
    """Return the title in quotes that a reference names its section by; None for one with a number."""
    if reference.kind is not ReferenceKind.SECTION or len(reference.labels) != 1:
        return None
    label = reference.labels[0]
    return label if f"“{label}" in reference.text or f'"{label}' in reference.text else None


def _title(match: re.Match[str]) -> str:
    return match.group("curly") or match.group("straight")


def _reference(line: Line, match: re.Match[str], start: int, end: int) -> Reference:
    """The section whose title a match holds, in words that stand at start..end."""
    at = Point(doc=line.doc, line=line.n, char_start=start, char_end=end)
    labels = (_title(match).strip(" .,"),)
    return Reference(text=line.text[start:end], kind=ReferenceKind.SECTION, labels=labels, at=at)
