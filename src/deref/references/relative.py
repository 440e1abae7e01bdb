"""Pointers by direction: "this Section", "the preceding section", "the table below".

They resolve when the order of sections and items says it without doubt; "above" and "below" alone never do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from deref.references.enclosing import named_before, unit_around
from deref.references.outcome import resolution, target, whole
from deref.references.paragraphs import blocks_of
from deref.references.places import Spot, plain_word
from deref.references.view import View
from deref.references.words import DIRECTIONS
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import (
    Document,
    Item,
    ItemKind,
    Reference,
    ReferenceKind,
    Resolution,
    Section,
    Span,
    Status,
    Target,
    Tier,
)

_THIS = lazy(r"(?i)^(?P<this>this|that|the same) (?P<unit>[\w§]+)$")
_AWAY = lazy(r"(?i)^(?:the )?(?:immediately )?(?P<way>\w+) (?:(?P<many>two|three|four|five) )?(?P<unit>\w+)$")
_HERE = lazy(r"(?i)^(?:in )?(?:the )?(?P<unit>\w+?)(?P<many>s?) (?P<way>above|below)$")
_WAY = lazy(r"(?:^|[\s(“\"])(?P<before>[^\s(“\"][^(“\"]*?)[”\"]? (?P<way>above|below)$")
_TO_BE_WRITTEN = lazy(
    r"\b(?:add|adding|adds|append|insert|inserting|paste|put|type|write)(?: in)? $", re.IGNORECASE
)
"""What leads to lines of a file that the reader makes: "add the following section to the configuration file"."""
_COUNTED = lazy(r"(?:\w+\()?\d+\)?")
_SHORTEST_TITLE = 4
_LONGEST_TITLE = 90
_REACH = 120
_SECTIONS = frozenset(
    {"section", "clause", "article", "chapter", "part", "rule", "subsection", "appendix", "annex"}
)
_NAME_BEFORE = lazy(rf"(?:\w|[\w,] (?!(?:{'|'.join(sorted(_SECTIONS)).title()}) )[A-Z][\w’'&-]*,? )$")
"""What makes the words behind it a part of a longer name: "List" in "see Price List above"."""
_HIGH = frozenset({"book", "title", "part", "chapter", "article"})
_ITEMS = {
    k.value: k
    for k in (
        ItemKind.TABLE,
        ItemKind.FIGURE,
        ItemKind.EXAMPLE,
        ItemKind.EQUATION,
        ItemKind.LISTING,
        ItemKind.FOOTNOTE,
    )
}


def resolve_relative(
    view: View, home: Document, reference: Reference, resolve: Callable[[Reference], Resolution]
) -> Resolution:
    """Return what a relative reference means; UNRESOLVED, with the reason, where the structure does not say.

    `resolve` resolves the reference that "that Section" stands for.
    """
    text = " ".join(reference.text.split())
    line = reference.at.line
    if this := _THIS.match(text):
        return _this(view, home, reference, this.group("this").lower(), this.group("unit"), resolve)
    if (named := _titled(home, reference)) is not None:
        return named
    here = _HERE.match(text)
    if here is not None and (
        here.group("unit").lower() in _ITEMS or plain_word(here.group("unit")) in _SECTIONS
    ):
        step = 1 if here.group("way").lower() == "below" else -1
        unit = here.group("unit").lower()
        several = (
            here.group("many") and len(_items_that_way(home, _ITEMS[unit], step, line)) > 1
            if unit in _ITEMS
            else len(_beside(view, home, unit, step, line)) > 1
        )
        if several:
            return resolution(reference, Status.UNRESOLVED, f"“{text}” may be any {unit} that way")
        return _item_or_section(view, home, reference, unit, step, line)
    away = _AWAY.match(text)
    if away is not None and away.group("way").lower() in DIRECTIONS and away.group("many") is None:
        unit = away.group("unit").lower()
        if unit.endswith("s") and (unit[:-1] in (*_ITEMS, "paragraph") or plain_word(unit) in _SECTIONS):
            return resolution(reference, Status.UNRESOLVED, f"“{text}” does not say how many")
        step = DIRECTIONS[away.group("way").lower()]
        if step > 0 and _TO_BE_WRITTEN.search(home.lines[line].text, 0, reference.at.char_start):
            return resolution(
                reference, Status.UNRESOLVED, f"“{text}” is what is to be written, and no place here"
            )
        outcome = _item_or_section(view, home, reference, unit, step, line)
        if outcome.status is Status.RESOLVED or plain_word(unit) != "chapter":
            return outcome
        return _chapter_of_the_work(view, home, reference, step, resolve) or outcome
    return resolution(reference, Status.UNRESOLVED, f"“{text}” names no place; only a reader could tell")


def _titled(home: Document, reference: Reference) -> Resolution | None:
    """The section whose title stands right before "above" or "below": "(see SELECT List below)"."""
    at = reference.at
    way = _WAY.search(home.lines[at.last_line].text, max(0, at.char_end - _LONGEST_TITLE), at.char_end)
    if way is None or at.end_line is not None:
        return None
    before, below = way["before"], way["way"] == "below"
    found = [
        s
        for s in home.sections
        if len(s.title) >= _SHORTEST_TITLE
        and s.title[0].isupper()
        and before.endswith(s.title)
        and not _NAME_BEFORE.search(before, 0, len(before) - len(s.title))
        and (s.lines.start > at.line if below else s.lines.end <= at.line)
    ]
    longest = max((len(s.title) for s in found), default=0)
    meant = [s for s in found if len(s.title) == longest]
    if len(meant) != 1:
        return None
    why = f"it is the section “{meant[0].title}” {way['way']} it"
    return resolution(
        reference, Status.RESOLVED, why, tier=Tier.LABEL, targets=(target(Spot(meant[0], None)),)
    )


def _this(
    view: View,
    home: Document,
    reference: Reference,
    this: str,
    unit: str,
    resolve: Callable[[Reference], Resolution],
) -> Resolution:
    if this != "this":
        before = named_before(view, home, reference.at, unit)
        if before is not None:
            outcome = resolve(before)
            return replace(
                outcome,
                reference=reference,
                why=f"“{reference.text}” stands for {before.text}: {outcome.why}",
            )
        return resolution(
            reference, Status.UNRESOLVED, f"no {unit.lower()} is named just before “{reference.text}”"
        )
    if unit.lower() in ("paragraph", "subparagraph"):
        numbered = _numbered_paragraph(view, home, reference.at.line) if unit.lower() == "paragraph" else None
        return resolution(
            reference,
            Status.RESOLVED,
            f"it is the paragraph that it stands in{f', {numbered.label}' if numbered else ''}",
            tier=Tier.LABEL,
            targets=(target(Spot(numbered, None)) if numbered else _block(home, reference.at.line),),
        )
    spot = unit_around(view, home, reference.at.line, unit)
    if spot is None and unit.lower() in normalize_name(f"{home.title} {home.name}").split():
        why = f"it is this {unit.lower()} itself"
        return resolution(reference, Status.RESOLVED, why, tier=Tier.LABEL, targets=(whole(home),))
    if spot is None:
        return resolution(
            reference, Status.UNRESOLVED, f"it stands in no {unit.lower()} that could be told apart"
        )
    return resolution(
        reference,
        Status.RESOLVED,
        f"it stands in {unit.lower()} {spot.label or spot.title}",
        tier=Tier.LABEL,
        targets=(target(spot),),
    )


def _item_or_section(
    view: View, home: Document, reference: Reference, unit: str, step: int, line: int
) -> Resolution:
    word = "on" if step > 0 else "back"
    found: Target | None = None
    if unit in _ITEMS:
        found = _item(home, _ITEMS[unit], step, line)
    elif unit in ("paragraph", "subparagraph"):
        found = _paragraph(view, home, step, line)
    elif plain_word(unit) in _SECTIONS:
        found = _sibling(view, home, unit, step, line)
    if found is None:
        return resolution(
            reference, Status.UNRESOLVED, f"going {word} from here no single {unit} could be told apart"
        )
    named = f" {found.label}" if found.label else ""
    return resolution(
        reference,
        Status.RESOLVED,
        f"going {word} from here the first {unit} is{named or ' this one'}",
        tier=Tier.LABEL,
        targets=(found,),
    )


def _chapter_of_the_work(
    view: View, home: Document, reference: Reference, step: int, resolve: Callable[[Reference], Resolution]
) -> Resolution | None:
    """The chapter beside the one around a reference, by its number: it may be a file of its own."""
    numbered = [s.label for s in view.places(home).path(reference.at.line) if s.label]
    number = numbered[0].partition(".")[0] if numbered else ""
    if not number.isdigit():
        return None
    said = f"chapter {int(number) + step}"
    outcome = resolve(
        replace(reference, kind=ReferenceKind.CHAPTER, text=said, labels=(str(int(number) + step),))
    )
    if outcome.status is not Status.RESOLVED:
        return None
    why = f"Beside chapter {number}, “{reference.text}” is {said}: {outcome.why}"
    return replace(outcome, reference=reference, why=why)


def _items_that_way(home: Document, kind: ItemKind, step: int, line: int) -> list[Item]:
    """The items of a kind behind a line, or before it, within reach, the nearest first."""
    items = [i for i in home.items if i.kind is kind and line not in i.lines]
    if step > 0:
        return [i for i in items if 0 < i.lines.start - line <= _REACH]
    return [i for i in reversed(items) if 0 <= line - i.lines.end <= _REACH]


def _item(home: Document, kind: ItemKind, step: int, line: int) -> Target | None:
    there = _items_that_way(home, kind, step, line)
    return target(Spot(None, there[0])) if there else None


def _sibling(view: View, home: Document, unit: str, step: int, line: int) -> Target | None:
    beside = _beside(view, home, unit, step, line)
    return target(Spot(beside[0], None)) if beside else None


def _beside(view: View, home: Document, unit: str, step: int, line: int) -> list[Section]:
    """The sections beside the one around a line, those before it or behind it, the nearest first."""
    spot = unit_around(view, home, line, unit)
    if spot is not None and spot.section is not None:
        here = spot.section
    elif path := view.places(home).path(line):
        high = plain_word(unit) in _HIGH
        if high and home.format == "html" and path[0].label is None:
            return []  # pages of a manual: their headings without numbers are no chapters beside each other
        here = path[0] if high else path[-1]
    else:
        return []
    row: list[Section] = [s for s in home.sections if s.level == here.level and s.parent == here.parent]
    if here not in row:
        return []
    at = row.index(here)
    return row[at + 1 :] if step > 0 else row[:at][::-1]


def _numbered_paragraph(view: View, home: Document, line: int) -> Section | None:
    """The paragraph "2." of an article around a line, which may hold several blocks; None where it stands in no article."""
    path = view.places(home).path(line)
    article = next((n for n, s in enumerate(path) if plain_word(s.word) == "article"), len(path))
    inside = next(iter(path[article + 1 :]), None)
    counted = inside is not None and inside.word is None and _COUNTED.fullmatch(inside.label or "")
    return inside if counted else None


def _block(home: Document, line: int) -> Target:
    start = line
    while start > 0 and not home.lines[start].starts_block:
        start -= 1
    end = line + 1
    while end < len(home.lines) and not home.lines[end].starts_block:
        end += 1
    return Target(lines=Span(doc=home.id, start=start, end=end), kind="section", label=None, title="")


def _paragraph(view: View, home: Document, step: int, line: int) -> Target | None:
    path = view.places(home).path(line)
    span = path[-1].lines if path else Span(doc=home.id, start=0, end=len(home.lines))
    blocks = blocks_of(home, span)
    at = next((n for n, b in enumerate(blocks) if line in b), None)
    if at is not None and (1 if path else 0) <= at + step < len(blocks):
        return Target(lines=blocks[at + step], kind="section", label=None, title="")
    # A numbered paragraph of a law is a section of its own, and those beside it are too.
    numbered = path[-1] if path and path[-1].label and path[-1].word is None and path[-1].parent else None
    at_the_end = at == (0 if step < 0 else len(blocks) - 1)
    if numbered is None or not at_the_end:
        return None
    row = [s for s in home.sections if s.parent == numbered.parent and s.word is None and s.label]
    beside = row.index(numbered) + step
    return target(Spot(row[beside], None)) if 0 <= beside < len(row) else None
