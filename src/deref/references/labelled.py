"""One label → its place in a document: the exact place, else its base with the lines of the sub-paragraph.

A mark in brackets ("paragraph (2)", "clause (b)") is counted in the unit around the reference, from the innermost
section outwards. A label that the document does not have is dangling when the document numbers places of that
kind, and unresolved when it numbers none: then it may be counted elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deref.references.chosen import child_of, chosen
from deref.references.inserted import licence_paragraph
from deref.references.label_words import LABEL_WORDS
from deref.references.marks_around import mark_of
from deref.references.narrowing import sub_paragraph
from deref.references.outcome import Found, Where, target
from deref.references.places import SECTIONAL, Places, Spot, plain_word
from deref.references.titled import is_called_so, quoted_title
from deref.references.told import told_apart, words_behind
from deref.references.view import View
from deref.text.labels import split_sub
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Reference, ReferenceKind, Span, Status, Target

_SIGNED = lazy(r"[^\w§]*§")
_WORD = lazy(r"§+|[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?")
_LETTERED = (lazy(r"(.*\d)\.([a-z])$"), lazy(r"(.*\d)[.-]?([A-Za-z])$"))
_OF_LICENCES = frozenset({ReferenceKind.SECTION, ReferenceKind.CLAUSE, ReferenceKind.PARAGRAPH})
_PLAIN = ("section", "clause", "rule", "paragraph", "article")
_NO_MARKS = frozenset({ReferenceKind.PART, ReferenceKind.CHAPTER})
"""What has a heading: a mere "3." at the start of a line is no part 3."""
_GLUED = lazy(r"(.*\d)([a-z])")
_IN_PIECES = frozenset({ReferenceKind.FIGURE, ReferenceKind.TABLE})
"""What is printed in pieces that a letter right behind the number tells: "Figure 1a"."""


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
    line = reference.at.line if where.document is home and not where.body else None
    if quoted_title(reference) is not None:
        return _titled(places, where, reference, label, line)
    if _is_mark(reference, label):
        return mark_of(places, where, reference, label, line)
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
            if child_of(places, s, glued[2]) or sub_paragraph(places.document, s.lines, glued[2])
        ]
        parts = (glued[2], *subs) if spots else parts
    container = (reference.container or "").casefold()
    loose = container.startswith("this ") or container.endswith(f" {base.partition('.')[0].casefold()}")
    if not spots and where.span is not None and loose and re.search(r"\d[.-]\d", base):
        spots, note = places.find(reference.kind, word, base)
        parts, note = subs, f"outside {where.said}"
    if not spots and where.span is not None and reference.kind in SECTIONAL:
        return _in_a_unit(places, where, reference, word, label, line)
    if not spots and (parts_of := _parts_of(places, reference, base, where)) is not None:
        return parts_of
    if not spots:
        return _missing(places, where, reference, word, label)
    if len(spots) > 1:
        spots = _told(home, reference, label, places.document, spots)
    return chosen(places, where, reference, label, spots, parts, note, line)


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
        status = Status.DANGLING if is_called_so(reference) else Status.UNRESOLVED
        return Found(status=status, tier=where.tier, why=why)
    return chosen(places, where, reference, f"“{title}”", spots, (), "", line)


def _in_a_unit(
    places: Places, where: Where, reference: Reference, word: str | None, label: str, line: int | None
) -> Found:
    """What became of a label that no heading of the unit has in which it is counted."""
    if reference.kind not in _NO_MARKS:
        found = mark_of(places, where, reference, label, line)
    elif where.unit is not None and not places.words.get(word):
        why = f"it is in {where.said}, whose {word} {label} could not be told apart, so it is given whole"
        return Found(status=Status.RESOLVED, targets=(where.unit,), tier=where.tier, why=why, lacking=label)
    else:
        why = f"there is no {word} {label} in {where.said}"
        found = Found(status=Status.DANGLING, tier=where.tier, why=why)
    return found if found.status is Status.RESOLVED else _unnumbered(places, where, label) or found


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


def _is_mark(reference: Reference, label: str) -> bool:
    if reference.kind is ReferenceKind.PARAGRAPH:
        return "." not in label
    if reference.kind not in SECTIONAL:
        return False
    return label.startswith("(") or (label.isalpha() and label.islower())


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
    counted = reference.kind not in SECTIONAL or _counts_sections(places.document, word, label)
    if where.span is not None or near or (where.outside and places.document.sections and counted):
        return Found(
            status=Status.DANGLING,
            tier=where.tier,
            why=f"there is no {name} in {where.said}{'; ' + near if near else ''}",
        )
    if counted:
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


def _counts_sections(document: Document, word: str | None, label: str) -> bool:
    """Whether a document numbers anything that a label may be of: a "section 4" is of none that counts chapters and appendices alone."""
    labelled = (s for s in document.sections if s.label)
    if word not in _PLAIN or not label[:1].isdigit():
        return any(labelled)
    return any(plain_word(s.word) in (None, *_PLAIN) and s.label and s.label[0].isdigit() for s in labelled)
