"""The unit a line stands in: "this Section", "this Article", "hereof", and the last document or unit named before it."""

from __future__ import annotations

import re
from heapq import merge

from deref.references.containers import LAW_TITLE
from deref.references.places import SECTIONAL, Spot, plain_word
from deref.references.view import View
from deref.values import Document, Point, Reference, ReferenceKind, Section

_LOOK_BACK = 12
_LONGEST_PARAGRAPH = 4000
"""Characters of a line in which a law is looked for: a page that came as one line is no paragraph."""
_APPENDED = ("exhibit", "schedule", "annex", "appendix", "attachment", "addendum")


def unit_around(view: View, home: Document, line: int, word: str) -> Spot | None:
    """Return the innermost unit of this kind around a line: "section" is the innermost numbered one, never a part or chapter."""
    places = view.places(home)
    wanted = plain_word(word) or "section"
    if wanted in _APPENDED:
        holding = [i for i in places.appended if line in i.lines and i.kind.value == wanted]
        if holding:
            return Spot(None, min(holding, key=lambda i: len(i.lines)))
    path = [s for s in places.path(line) if s.label is not None]
    exact = [s for s in path if plain_word(s.word) == wanted]
    if exact:
        return Spot(exact[-1], None)
    if wanted in ("section", "clause", "rule", "subsection"):
        bare = [s for s in path if plain_word(s.word) in (None, "section", "clause", "rule", "article")]
        return Spot(_whole_section(bare), None) if bare else None
    if wanted in ("article", "chapter", "part") and path and not places.words.get(wanted):
        return Spot(path[0], None)
    return None


def _whole_section(path: list[Section]) -> Section:
    """The innermost section whose label is a number of its own, not a mere paragraph mark such as "a"."""
    path = [s for s in path if "(" not in (s.label or "")] or path
    numbered = [s for s in path if s.word or any(c.isdigit() for c in s.label or "")]
    return (numbered or path)[-1]


def _law_before(home: Document, at: Point, noun: str) -> Reference | None:
    """The last law called by name in the paragraph before a place: laws alone are no references, yet "thereof" means them."""
    for n in range(at.line, max(at.line - 3, -1), -1):
        text = home.lines[n].text
        end = at.char_start if n == at.line else len(text)
        laws = LAW_TITLE.finditer(text, max(0, end - _LONGEST_PARAGRAPH), end)
        found = [m for m in laws if not noun or noun.casefold() in m.group().casefold()]
        if found:
            point = Point(
                doc=home.id, line=n, char_start=found[-1].start("title"), char_end=found[-1].end("title")
            )
            return Reference(
                text=found[-1].group("title"),
                kind=ReferenceKind.DOCUMENT,
                labels=(found[-1].group("title"),),
                at=point,
            )
        if home.lines[n].starts_block:
            return None
    return None


def _place(reference: Reference) -> tuple[int, int]:
    return reference.at.line, reference.at.char_start


def named_before(view: View, home: Document, at: Point, noun: str) -> Reference | None:
    """Return the last reference before a place that names a document (or unit) which `noun` can mean; "" is any."""
    start = max(0, at.line - _LOOK_BACK)
    before = (
        r
        for r in view.found_before(home, at.line, at.char_start, start)
        if (r.at.last_line, r.at.char_end) <= (at.line, at.char_start)
    )
    unit = plain_word(noun) if noun else None
    law = _law_before(home, at, noun)
    if law is not None and unit not in {k.value for k in SECTIONAL} | set(_APPENDED):
        before = merge((law,), before, key=_place, reverse=True)
    for reference in before:
        if unit is not None and unit in {k.value for k in SECTIONAL} | set(_APPENDED):
            inner = re.match(r"[A-Za-z]+", reference.container or "")
            if reference.labels and (
                reference.kind.value == unit or (inner is not None and plain_word(inner.group()) == unit)
            ):
                return reference
            continue
        if reference.kind in (ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL, ReferenceKind.BIBLIOGRAPHY):
            if (
                not noun
                or noun.casefold() in reference.text.casefold()
                or reference.kind is ReferenceKind.BIBLIOGRAPHY
            ):
                return reference
        elif reference.container and not re.match(
            r"(?i)(this|that|such|said|thereof|hereof|the same)\b", reference.container
        ):
            if not noun or noun.casefold() in reference.container.casefold():
                return reference
        elif not noun and reference.kind.value in _APPENDED and reference.labels:
            return reference
    return None
