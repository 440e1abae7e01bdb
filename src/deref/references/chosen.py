"""Of the places that bear a label the nearest, and of that the part which the label names in brackets."""

from __future__ import annotations

from collections.abc import Sequence

from deref.references.enclosed import counted_apart
from deref.references.kinds import HOLDING
from deref.references.label_words import LABEL_WORDS
from deref.references.narrowing import sub_paragraphs
from deref.references.outcome import Found, Where, target, told_by_line
from deref.references.places import Places, Spot
from deref.values import Reference, ReferenceKind, Section, Span, Status


def chosen(
    places: Places, where: Where, reference: Reference, label: str, spots: Sequence[Spot], parts: tuple[str, ...], note: str,
    line: int | None,
) -> Found:  # fmt: skip
    """Return what became of a label that several places bear: the nearest, narrowed to its `parts`; AMBIGUOUS when two are equally near.

    DANGLING when all lie in exhibits or the like that count their own numbers.
    """
    apart = [counted_apart(places, spot, line) for spot in spots] if where.span is None else []
    if (item := next(iter(apart), None)) is not None and None not in apart:
        name = f"{reference.kind.value} {label}"
        return Found(status=Status.DANGLING, tier=where.tier,
                     why=f"the only {name} in {where.said} is that of {item.kind} {item.label}, which counts its own")  # fmt: skip
    best = places.nearest(spots, line)
    tier = where.tier
    if len(best) > 1:
        rows = told_by_line([s.lines for s in best])
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
    child = child_of(places, spot, parts)
    focus = child.lines if child is not None else _part_of(places, spot.lines, parts)
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


def _why(places: Places, spot: Spot, where: Where, note: str, several: bool) -> str:
    title = f" “{spot.title}”" if spot.title and len(spot.title) < 70 else ""
    place = f" in {where.said}" if where.outside or where.span is not None else " in this document"
    nearest = ", the nearest of those so called" if several else ""
    label = f" {spot.label}" if spot.label else ""
    word = places.printed_word(spot.item) if spot.item else None
    return f"it is {word or spot.kind}{label}{title}{place}{nearest}{', ' + note if note else ''}"


def _part_of(places: Places, span: Span, parts: tuple[str, ...]) -> Span | None:
    """The `sub_paragraph` of lines, kept: a line as long as a book is not read again for each pointer to it."""
    key = (span, parts, False, False)
    if key not in places.parts_within:
        places.parts_within[key] = sub_paragraphs(places.document, span, parts)
    found = places.parts_within[key]
    return found[0] if len(found) == 1 else None


def child_of(places: Places, spot: Spot, parts: Sequence[str]) -> Spot | None:
    """Return the sub-paragraph that is a section of its own below the base, labelled "5.1(b)" or just "b"; else None."""
    here = spot.section
    label = here.label or "" if here is not None else ""
    for n, part in enumerate(parts):
        if here is None:
            return None
        full = label + "".join(f"({p})" for p in parts[: n + 1])
        inside = [s for s in places.sections(full) if here.lines.start <= s.lines.start < here.lines.end]
        parent = here.id
        below = inside or [s for s in places.sections(part) if s.parent == parent and is_small(s)]
        here = below[0] if len(below) == 1 else None
    return Spot(here, None) if here is not None else None


def is_small(section: Section) -> bool:
    """Tell whether a section can be a paragraph: "1." can, "Part 1" and "Article 1" cannot."""
    word = LABEL_WORDS.get(section.word or "")
    return word is None or (word.row.kind not in HOLDING and word.row.kind is not ReferenceKind.ARTICLE)
