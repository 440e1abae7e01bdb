"""The unit a line stands in: "this Section", "this Article", "hereof", and the last document or unit named before it."""

from __future__ import annotations

from heapq import merge
from itertools import islice

from deref.references.containers import LAW_TITLE
from deref.references.numbered_parts import own_part
from deref.references.places import SECTIONAL, Places, Spot, plain_word
from deref.references.view import View
from deref.text.lazy import lazy
from deref.values import Document, Point, Reference, ReferenceKind, Section

_LOOK_BACK = 12
_MOST_BEFORE = 200
"""References that are looked through for the one before: what is named earlier on a line as long as a book is not just before."""
_LONGEST_PARAGRAPH = 4000
"""Characters of a line in which a law is looked for: a page that came as one line is no paragraph."""
_HIGH = ("book", "title", "part", "chapter", "article")
"""Units that hold sections, the highest first."""
_APPENDED = ("exhibit", "schedule", "annex", "appendix", "attachment", "addendum")
_UNITS = frozenset((*(k.value for k in SECTIONAL), *_APPENDED))
_PLAIN_NOUNS = frozenset({"rule", "clause", "part", "article", "title", "book"})
"""What may as well be no unit of the text: "exceptions to this rule", "this part gives"."""
_WORD = lazy(r"[A-Za-z]+")
_POINTING = lazy(r"(?i)(?:this|that|such|said|thereof|hereof|the same)\b")


def unit_around(view: View, home: Document, line: int, word: str) -> Spot | None:
    """Return the innermost unit of this kind around a line, or None when the line stands in none.

    `word` is the English word for the kind, or "§". A heading that carries a word is that unit and no other; one with a
    number alone may be a section, a clause, a rule, or at the top an article, a chapter or a part that has no word anywhere. A "rule",
    "clause", "part" or "article" in small letters is one only where the document points at such by number. Nothing in a document
    that is a part of a work is "this Part".
    """
    places = view.places(home)
    wanted = plain_word(word) or "section"
    if wanted in _APPENDED:
        holding = [i for i in places.appended if line in i.lines and i.kind.value == wanted]
        if holding:
            return Spot(None, min(holding, key=lambda i: len(i.lines)))
    path = [s for s in places.path(line) if s.label is not None]
    exact = [s for s in path if plain_word(s.word) == wanted]
    if wanted == "section":
        exact = _by_sign(places, exact, signed=word == "§")
    if exact:
        return Spot(exact[-1], None)
    if word.islower() and wanted in _PLAIN_NOUNS and wanted not in _pointed_at(view, home):
        return None
    bare = [s for s in path if s.word is None]
    if wanted in ("section", "clause", "rule"):
        return Spot(_whole_section(bare), None) if bare else None
    if wanted == "part" and own_part(view, home) is not None:
        return None
    if wanted in _HIGH and not places.words.get(wanted):
        return _outermost(path, _HIGH[: _HIGH.index(wanted)])
    return None


def _pointed_at(view: View, home: Document) -> frozenset[str]:
    """The kinds of unit that a document points at by their number, kept."""
    if home.id not in view.kinds_pointed_at:
        found = view.found_in(home, 0, len(home.lines))
        view.kinds_pointed_at[home.id] = frozenset(r.kind.value for r in found if r.labels)
    return view.kinds_pointed_at[home.id]


def _outermost(path: list[Section], above: tuple[str, ...]) -> Spot | None:
    """The outermost section with a number of its own, when only units of these words stand above it: 7 in "Part 3"."""
    for section in path:
        word = plain_word(section.word)
        if word is None:
            top = section is path[0] or not any(sign in (section.label or "") for sign in ".(")
            return Spot(section, None) if top else None
        if word not in above:
            return None
    return None


def _by_sign(places: Places, sections: list[Section], *, signed: bool) -> list[Section]:
    """Those headed with the sign "§", or those without it. English reads the sign as "section", other languages do not."""
    worded = [s for s in sections if not places.is_signed(s)]
    if signed:
        return [s for s in sections if places.is_signed(s)]
    return worded or (sections if places.document.language == "en" else [])


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
        for r in islice(view.found_before(home, at.line, at.char_start, start), _MOST_BEFORE)
        if (r.at.last_line, r.at.char_end) <= (at.line, at.char_start)
    )
    unit = plain_word(noun) if noun else None
    law = _law_before(home, at, noun)
    if law is not None and unit not in _UNITS:
        before = merge((law,), before, key=_place, reverse=True)
    for reference in before:
        if unit in _UNITS:
            inner = _WORD.match(reference.container or "")
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
        elif reference.container and not _POINTING.match(reference.container):
            if not noun or noun.casefold() in reference.container.casefold():
                return reference
        elif not noun and reference.kind.value in _APPENDED and reference.labels:
            return reference
    return None
