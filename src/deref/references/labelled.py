"""One label → its place in a document: the exact place, else its base with the lines of the sub-paragraph.

A mark in brackets ("paragraph (2)", "clause (b)") is counted in the unit around the reference, from the innermost
section outwards. A label that the document does not have is dangling when the document numbers places of that
kind, and unresolved when it numbers none: then it may be counted elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from deref.references.containers import numbered_unit
from deref.references.inserted import licence_paragraph
from deref.references.kinds import HOLDING
from deref.references.label_words import LABEL_WORDS
from deref.references.narrowing import marked_lines, sub_paragraph
from deref.references.outcome import Where, target
from deref.references.places import SECTIONAL, Places, Spot, plain_word
from deref.references.titled import quoted_title
from deref.references.told import told_apart, words_behind
from deref.references.view import View
from deref.text.labels import split_sub
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Reference, ReferenceKind, Section, Span, Status, Target, Tier

_SIGNED = lazy(r"[^\w§]*§")
_WORD = lazy(r"§+|[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?")
_LETTERED = (lazy(r"(.*\d)\.([a-z])$"), lazy(r"(.*\d)[.-]?([A-Za-z])$"))
_OF_LICENCES = frozenset({ReferenceKind.SECTION, ReferenceKind.CLAUSE, ReferenceKind.PARAGRAPH})
_GLUED = lazy(r"(.*\d)([a-z])")
_IN_PIECES = frozenset({ReferenceKind.FIGURE, ReferenceKind.TABLE})
"""What is printed in pieces that a letter right behind the number tells: "Figure 1a"."""


class Found(NamedTuple):
    """What became of one label."""

    status: Status
    targets: tuple[Target, ...] = ()
    why: str = ""
    tier: Tier = Tier.LABEL
    lacking: str = ""
    """The part in brackets that was not found in the place, which is given whole."""


def word_of(reference: Reference) -> str | None:
    """Return the label word that a reference is written with, as a plain singular: "Subparts" → "subpart"."""
    return _word_in(reference.text, reference.kind)


@lru_cache(maxsize=256)
def _word_in(text: str, kind: ReferenceKind) -> str | None:
    for match in _WORD.finditer(text):
        known = LABEL_WORDS.get(match.group()) or LABEL_WORDS.get(match.group().rstrip("."))
        if known is not None and known.row.kind is kind:
            return plain_word(match.group())
    return None


def find_label(view: View, where: Where, home: Document, reference: Reference, label: str) -> Found:
    """Return the place of one label of a reference, counted in `where`."""
    places = view.places(where.document)
    word = word_of(reference)
    line = reference.at.line if where.document is home else None
    if quoted_title(reference) is not None:
        return _titled(places, where, reference, label, line)
    if _is_mark(reference, label):
        return _mark(places, where, reference, label, line)
    base, subs = split_sub(label)
    # A sign names another unit than the word where a law has both: "§ 1" in "Abschnitt 1".
    sign = (
        "§"
        if word == "section" and _SIGNED.match(reference.text.removeprefix(reference.container or ""))
        else word
    )
    spots, note = places.find(reference.kind, sign, base, where.span)
    parts: tuple[str, ...] = subs
    if base.isdigit() and line is not None and where.span is None and reference.kind in _OF_LICENCES:
        own = licence_paragraph(places, line, base)
        if own is not None and not any(s.lines.start in own[0].lines for s in spots):
            why = f"it is paragraph {base} of “{own[0].title}”, which counts its own"
            return Found(
                status=Status.RESOLVED, targets=(target(Spot(own[0], None), focus=(own[1],)),), why=why
            )
    if not spots and subs:
        spots, note = places.find(reference.kind, word, label, where.span)
        parts = ()
    if not spots and where.span is not None and reference.kind not in SECTIONAL:
        spots, note = places.find(reference.kind, word, label)
        note = note or f"it stands outside {where.said}" if spots else ""
    if not spots and (lettered := _LETTERED[reference.kind in _IN_PIECES].match(base)):
        spots, note = places.find(reference.kind, word, lettered.group(1), where.span)
        parts = (lettered.group(2), *subs) if spots else parts
    if not spots and reference.kind in SECTIONAL and (glued := _GLUED.fullmatch(base)):
        # "6b" is 6(b) where 6 has such a paragraph.
        there, _ = places.find(reference.kind, word, glued[1], where.span)
        spots = [
            s
            for s in there
            if _child(places, s, glued[2]) or sub_paragraph(places.document, s.lines, glued[2])
        ]
        parts = (glued[2], *subs) if spots else parts
    container = (reference.container or "").casefold()
    loose = container.startswith("this ") or container.endswith(f" {base.partition('.')[0].casefold()}")
    if not spots and where.span is not None and loose and re.search(r"\d[.-]\d", base):
        spots, note = places.find(reference.kind, word, base)
        parts, note = subs, f"outside {where.said}"
    if not spots and where.span is not None and reference.kind in SECTIONAL:
        found = _mark(places, where, reference, label, line)
        return found if found.status is Status.RESOLVED else _unnumbered(places, where, label) or found
    if not spots and (parts_of := _parts_of(places, reference, base, where)) is not None:
        return parts_of
    if not spots:
        return _missing(places, where, reference, word, label)
    if len(spots) > 1:
        spots = _told(home, reference, label, places.document, spots)
    return _one(places, where, reference, label, spots, parts, note, line)


def _told(
    home: Document, reference: Reference, label: str, document: Document, spots: Sequence[Spot]
) -> list[Spot]:
    """Those of several places that the page or the title behind the last label tells."""
    if label != reference.labels[-1]:
        return list(spots)
    return told_apart(
        spots,
        words_behind(home, reference),
        of=lambda _: document,
        start=lambda spot: spot.lines.start,
        title=lambda spot: spot.title,
    )


def _titled(places: Places, where: Where, reference: Reference, title: str, line: int | None) -> Found:
    """The section of this title, in whatever case; of several the nearest."""
    key = normalize_name(title)
    spots = [
        Spot(s, None)
        for s in places.document.sections
        if normalize_name(s.title) == key and (where.span is None or s.lines.start in where.span)
    ]
    if not spots:
        why = f"no section of {where.said} has the title “{title}”"
        return Found(status=Status.DANGLING, tier=where.tier, why=why)
    return _one(places, where, reference, f"“{title}”", spots, (), "", line)


def _unnumbered(places: Places, where: Where, label: str) -> Found | None:
    """The unit that the container names, where it numbers nothing: what stands apart, or is still to be written, is in there."""
    span = where.span
    if (
        span is None
        or where.document is not places.document
        or (where.unit is not None and where.unit.kind == "section")
    ):
        return None
    inside = [s for s in places.document.sections if span.start < s.lines.start < span.end]
    appended = next((i for i in places.appended if i.lines == span), None)
    if appended is None or any(s.label for s in inside):
        return None
    why = f"{where.said} numbers no parts, so it is given whole for {label}"
    return Found(status=Status.RESOLVED, targets=(target(Spot(None, appended)),), tier=where.tier, why=why)


def _one(
    places: Places, where: Where, reference: Reference, label: str, spots: Sequence[Spot], parts: tuple[str, ...], note: str,
    line: int | None,
) -> Found:  # fmt: skip
    best = places.nearest(spots, line)
    tier = where.tier
    if len(best) > 1:
        rows = ", ".join(f"line {s.lines.start + 1}" for s in best)
        return Found(status=Status.AMBIGUOUS, targets=tuple(target(s) for s in best), tier=tier,
                     why=f"{len(best)} places are called {reference.kind.value} {label} in {where.said}: {rows}")  # fmt: skip
    spot = best[0]
    if not parts:
        return Found(
            status=Status.RESOLVED,
            targets=(target(spot),),
            tier=tier,
            why=_why(places, spot, where, note, len(spots) > 1),
        )
    child = _child(places, spot, parts)
    focus = child.lines if child is not None else sub_paragraph(places.document, spot.lines, parts)
    sub = "".join(f"({p})" for p in parts)
    said = _why(places, spot, where, note, len(spots) > 1)
    if focus is None:
        return Found(
            status=Status.RESOLVED,
            targets=(target(spot),),
            tier=tier,
            why=f"{said}; its part {sub} could not be told apart, so it is given whole",
            lacking=sub,
        )
    return Found(
        status=Status.RESOLVED, targets=(target(spot, focus=(focus,)),), tier=tier, why=f"{said}, part {sub}"
    )


def _why(places: Places, spot: Spot, where: Where, note: str, chosen: bool) -> str:
    title = f" “{spot.title}”" if spot.title and len(spot.title) < 70 else ""
    place = f" in {where.said}" if where.outside or where.span is not None else " in this document"
    nearest = ", the nearest of those so called" if chosen else ""
    label = f" {spot.label}" if spot.label else ""
    word = places.printed_word(spot.item) if spot.item else None
    return f"it is {word or spot.kind}{label}{title}{place}{nearest}{', ' + note if note else ''}"


def _child(places: Places, spot: Spot, parts: Sequence[str]) -> Spot | None:
    """A sub-paragraph that is a section of its own below the base, labelled "5.1(b)" or just "b"."""
    here = spot.section
    label = here.label or "" if here is not None else ""
    for n, part in enumerate(parts):
        if here is None:
            return None
        full = label + "".join(f"({p})" for p in parts[: n + 1])
        inside = [s for s in places.sections(full) if here.lines.start <= s.lines.start < here.lines.end]
        parent = here.id
        below = inside or [s for s in places.sections(part) if s.parent == parent and _is_small(s)]
        here = below[0] if len(below) == 1 else None
    return Spot(here, None) if here is not None else None


def _is_small(section: Section) -> bool:
    """Whether a section can be a paragraph: "1." can, "Part 1" and "Article 1" cannot."""
    word = LABEL_WORDS.get(section.word or "")
    return word is None or (word.row.kind not in HOLDING and word.row.kind is not ReferenceKind.ARTICLE)


def _deeper(places: Places, span: Span, label: str) -> list[Spot]:
    """The paragraphs of this label in the parts of a unit that has none itself: "paragraph 1" of a schedule in parts."""
    found = [
        s
        for s in places.sections(label)
        if span.start < s.lines.start and s.lines.end <= span.end and _is_small(s)
    ]
    top = min((s.level for s in found), default=0)
    return [Spot(s, None) for s in found if s.level == top]


def _is_mark(reference: Reference, label: str) -> bool:
    if reference.kind is ReferenceKind.PARAGRAPH:
        return "." not in label
    if reference.kind not in SECTIONAL:
        return False
    return label.startswith("(") or (label.isalpha() and label.islower())


def _mark(places: Places, where: Where, reference: Reference, label: str, line: int | None) -> Found:
    """A mark counted in the units around: one that is a section of its own, one in brackets, then any other.

    A bare number ("Paragraph 10") may also be what the document calls its sections; those come before a mere "10."
    at the start of some line.
    """
    parts = tuple(re.findall(r"[^()\s]+", label))
    scopes = _scopes(places, where, line)
    bare = parts[0].isdigit() and where.span is None and reference.kind is ReferenceKind.PARAGRAPH
    for bracketed in (True, False) if bare else (False,):
        for section in scopes:
            if (found := _mark_in(places, where, section, reference, parts, bracketed, line)) is not None:
                return found
        if bare and bracketed:
            spots, note = places.find(reference.kind, "paragraph", parts[0])
            spots = [s for s in spots if line is None or not _starts_over_elsewhere(places, s, line)]
            if spots:
                return _one(places, where, reference, label, spots, parts[1:], note, line)
    if lettered := re.fullmatch(r"(\d+)([a-z])", label):
        spots, note = places.find(reference.kind, "paragraph", lettered.group(1), where.span)
        if spots:
            return _one(places, where, reference, label, spots, lettered.groups()[1:], note, line)
    if where.unit is not None and numbered_unit(reference.container or "") is not None:
        why = f"it is in {where.said}, whose part {label} could not be told apart, so it is given whole"
        return Found(status=Status.RESOLVED, targets=(where.unit,), tier=where.tier, why=why, lacking=label)
    said = where.said if where.span is not None or where.outside else "the sections around it"
    return Found(
        status=Status.DANGLING, tier=where.tier, why=f"there is no {reference.kind.value} {label} in {said}"
    )


def _mark_in(
    places: Places, where: Where, section: Section | None, reference: Reference, parts: tuple[str, ...], bracketed: bool,
    line: int | None,
) -> Found | None:  # fmt: skip
    document = places.document
    spot = Spot(section, None) if section is not None else None
    span = section.lines if section is not None else Span(doc=document.id, start=0, end=len(document.lines))
    if where.span is not None and (section is None or where.span.start == section.lines.start):
        span = where.span
    child = _child(places, spot, parts) if spot is not None else None
    deeper = _deeper(places, span, parts[0]) if child is None and where.span is not None else []
    if len(deeper) > 1:
        rows = ", ".join(f"line {s.lines.start + 1}" for s in deeper)
        why = f"{where.said} has {len(deeper)} of {reference.kind.value} {parts[0]}: {rows}"
        return Found(status=Status.AMBIGUOUS, targets=tuple(map(target, deeper)), tier=where.tier, why=why)
    focus = child.lines if child is not None else sub_paragraph(document, span, parts, bracketed=bracketed)
    if focus is None or (child is None and _of_another_unit(places, span, focus, where, line, parts[0])):
        return None
    own = child is not None and "(" not in (child.label or "")
    if where.unit is not None and not own:
        hit = replace(where.unit, focus=(focus,))
    elif child is not None:
        hit = target(child)
    elif spot is not None:
        hit = target(spot, focus=(focus,))
    else:
        hit = Target(lines=span, kind="section", label=None, title="", focus=(focus,))
    said = parts[0] if len(parts) == 1 and parts[0].isdigit() else "".join(f"({p})" for p in parts)
    name = f"{section.word or 'section'} {section.label or section.title}" if section else where.said
    return Found(
        status=Status.RESOLVED,
        targets=(hit,),
        tier=where.tier,
        why=f"it is {reference.kind.value} {said} of {name}",
    )


def _of_another_unit(
    places: Places, span: Span, focus: Span, where: Where, line: int | None, part: str
) -> bool:
    """Whether lines that begin with a mark are counted in a unit inside `span` that is not meant, as each article counts its own "2.".

    Numbers that go through all units are not: there is one of them, or one "1", in all.
    """
    here = {s.id for s in places.path(line)} if line is not None else set()
    inner = [
        s
        for s in places.path(focus.start)
        if span.start < s.lines.start < focus.start and s.label and s.id not in here
    ]
    if not inner:
        return False
    if where.span is None:
        return not part.isdigit() or len(marked_lines(places.document, span, "1")) > 1
    return len(marked_lines(places.document, span, part)) > 1


def _starts_over_elsewhere(places: Places, spot: Spot, line: int) -> bool:
    """Whether a paragraph is one of a unit around which the line does not lie, where units count their own from 1."""
    around = places.path(spot.lines.start)[:-1]
    unit = next((s for s in reversed(around) if s.label), None)
    if unit is None or line in unit.lines:
        return False
    return sum(1 for s in places.sections("1") if _is_small(s)) > 1


def _scopes(places: Places, where: Where, line: int | None) -> list[Section | None]:
    """The units to look in, the innermost first; None is the whole of what the label is counted in."""
    if where.span is not None:
        own = [s for s in places.path(where.span.start) if where.span.end <= s.lines.end]
        return [own[-1]] if own and own[-1].lines.start == where.span.start else [None]
    if line is None:
        return [None]
    path = list(reversed(places.path(line)))
    return list(path)


def _parts_of(places: Places, reference: Reference, base: str, where: Where) -> Found | None:
    """A section whose heading was not found, though its parts were: "13" from 13.1 to 13.4, "4.2" from 4.2(1) to 4.2(3), when they stand together."""
    if reference.kind not in SECTIONAL or not base[-1:].isdigit() or where.span is not None:
        return None
    below = places.parts(base, "(")
    first = f"{base}(1)"
    if not any((s.label or "").startswith(f"{base}(1") for s in below):
        below = places.parts(base, ".") if base.isdigit() else ()
        first = f"{base}.1"
    if (
        not below
        or below[0].label != first
        or len({s.label for s in below}) != len(below)
        or len({s.parent for s in below}) != 1
    ):
        return None
    unit = next((s for s in places.sections(base) if s.id == below[0].parent), None)
    if unit is not None:
        why = f"it is {unit.word or 'section'} {base} “{unit.title}” in {where.said}"
        return Found(status=Status.RESOLVED, targets=(target(Spot(unit, None)),), tier=where.tier, why=why)
    if first[-2] == "." and places.is_fragment:
        return None
    start, end = below[0].lines.start, below[-1].lines.end
    between = [
        s
        for s in places.document.sections
        if start <= s.lines.start < end and s.level <= below[0].level and s not in below
    ]
    if between:
        return None
    place = Target(
        lines=Span(doc=places.document.id, start=start, end=end), kind="section", label=base, title=""
    )
    why = f"the heading of {base} was not found; its parts {below[0].label} to {below[-1].label} are given"
    return Found(status=Status.RESOLVED, targets=(place,), tier=where.tier, why=why)


def _missing(places: Places, where: Where, reference: Reference, word: str | None, label: str) -> Found:
    near = places.neighbours(reference.kind, word, label)
    name = f"{word or reference.kind.value} {label}"
    if where.span is not None or near or (where.outside and places.document.sections):
        return Found(
            status=Status.DANGLING,
            tier=where.tier,
            why=f"there is no {name} in {where.said}{'; ' + near if near else ''}",
        )
    numbered = any(s.label for s in places.document.sections) if reference.kind in SECTIONAL else True
    if numbered:
        return Found(
            status=Status.DANGLING,
            tier=where.tier,
            why=f"there is no {name} in {where.said}, and none of its kind",
        )
    return Found(
        status=Status.UNRESOLVED,
        tier=where.tier,
        why=f"{where.said} numbers no {reference.kind.value}s, so nothing tells where {name} is",
    )
