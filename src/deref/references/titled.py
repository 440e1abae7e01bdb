"""Sections named by their title in quotes: 'the section entitled “Risk Factors”', '“Risk Factors” section', 'see “Risk Factors”'.

Behind "section entitled" a title is a pointer whatever it says; elsewhere only a title that the document has, and only beside the
word for a unit or behind a verb of looking. A title that stands behind a label ('Section 4.2, “Fees”') only explains it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deref.references.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Line, Point, Reference, ReferenceKind

_UNIT = r"(?:sections?|sub-?sections?|chapters?|paragraphs?|clauses?|articles?|headings?|parts?)"
_QUOTED = r"(?:“(?P<curly>[^”“\n]{2,90})”|\"(?P<straight>[^\"\n]{2,90})\")"
_ENTITLED = lazy(
    rf"\b(?:the )?{_UNIT} (?:entitled|titled|headed|captioned|called|named|with the (?:title|heading)) {_QUOTED}",
    re.IGNORECASE,
)
_LED_TO_A_QUOTE = lazy(r"[“\"](?<=(?:ed|le|ng) [“\"])", re.IGNORECASE)
_FURTHER = lazy(rf"(?:, (?:and |or )?| (?:and|or) ){_QUOTED}")
_BESIDE = lazy(
    rf"(?:\b(?P<led>{_UNIT} |see(?: also)? |refer to |(?:described|discussed|set forth|set out|listed|given|defined|explained) (?:in|under) |under (?:the heading )?))?"
    rf"{_QUOTED}(?P<unit> {_UNIT}(?![\w]))?",
    re.IGNORECASE,
)
_BEHIND_A_LABEL = lazy(r"\d[\w.()-]*,? ?\(?$")


def section_titles(document: Document) -> frozenset[str]:
    """Return the titles of the sections of a document, as `normalize_name` compares them, those of two letters or more."""
    return frozenset(key for s in document.sections if len(key := normalize_name(s.title)) > 1)


def named_sections(
    lines: Sequence[Line], skip: Sequence[bool], titles: frozenset[str]
) -> Iterator[Reference]:
    """Yield the sections that are named by a title in consecutive lines. `titles` are the document's `section_titles`."""
    for n, line in enumerate(lines):
        text = line.text
        if skip[n] or ('"' not in text and "“" not in text):
            continue
        floor = 0
        for match in _ENTITLED.finditer(text) if _LED_TO_A_QUOTE.search(text) else ():
            floor = match.end()
            yield _reference(line, match)
            while (further := _FURTHER.match(text, floor)) is not None and _is_plural(match):
                floor = further.end()
                yield _reference(line, further, quoted=True)
        if not titles:
            continue
        for match in _BESIDE.finditer(text, floor):
            title = match.group("curly") or match.group("straight")
            if not (match.group("led") or match.group("unit")) or normalize_name(title) not in titles:
                continue
            if not _BEHIND_A_LABEL.search(text, max(0, match.start() - 12), match.start()):
                yield _reference(line, match)


def _is_plural(match: re.Match[str]) -> bool:
    """Whether the word for a unit is a plural: "sections entitled “A” and “B”"."""
    return match.group().removeprefix("the ").partition(" ")[0].endswith("s")


def quoted_title(reference: Reference) -> str | None:
    """Return the title in quotes that a reference names its section by; None for one with a number."""
    if reference.kind is not ReferenceKind.SECTION or len(reference.labels) != 1:
        return None
    label = reference.labels[0]
    return label if f"“{label}" in reference.text or f'"{label}' in reference.text else None


def _reference(line: Line, match: re.Match[str], *, quoted: bool = False) -> Reference:
    """The section that a match names; `quoted` takes its title alone and not what stands before it."""
    title = match.group("curly") or match.group("straight")
    start = match.start("curly" if match.group("curly") else "straight") - 1 if quoted else match.start()
    at = Point(doc=line.doc, line=line.n, char_start=start, char_end=match.end())
    return Reference(
        text=line.text[start : match.end()], kind=ReferenceKind.SECTION, labels=(title.strip(" .,"),), at=at
    )
