"""A mark, "paragraph (2)", "clause (b)", counted in the units around the reference, from the innermost section outwards."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from deref.references.chosen import child_of, chosen, is_small
from deref.references.containers import numbered_unit
from deref.references.narrowing import marked_lines, sub_paragraphs
from deref.references.outcome import Found, Where, target, told_by_line
from deref.references.places import Places, Spot
from deref.values import Reference, ReferenceKind, Section, Span, Status, Target


def mark_of(places: Places, where: Where, reference: Reference, label: str, line: int | None) -> Found:
    """Return what became of a mark counted in the units around: one that is a section of its own, one in brackets, then any other.

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
                return chosen(places, where, reference, label, spots, parts[1:], note, line)
    if lettered := re.fullmatch(r"(\d+)([a-z])", label):
        spots, note = places.find(reference.kind, "paragraph", lettered.group(1), where.span)
        if spots:
            return chosen(places, where, reference, label, spots, lettered.groups()[1:], note, line)
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
    child = child_of(places, spot, parts) if spot is not None else None
    deeper = _deeper(places, span, parts[0]) if child is None and where.span is not None else []
    if len(deeper) > 1:
        rows = told_by_line([s.lines for s in deeper])
        why = f"{where.said} has {len(deeper)} of {reference.kind.value} {parts[0]}: {rows}"
        return Found(status=Status.AMBIGUOUS, targets=tuple(map(target, deeper)), tier=where.tier, why=why)
    found = [child.lines] if child is not None else _parts_within(places, span, parts, bracketed, where, line)
    if not found:
        return None
    focus = found[0]
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
    if len(found) > 1:
        several = f"{name} has {len(found)} of {reference.kind.value} {said}: {told_by_line(found)}"
        if where.unit is not None:
            why = f"it is in {where.said}, which is given whole: {several}"
            return Found(status=Status.RESOLVED, targets=(where.unit,), tier=where.tier, why=why)
        hits = tuple(replace(hit, focus=(one,)) for one in found)
        return Found(status=Status.AMBIGUOUS, targets=hits, tier=where.tier, why=several)
    return Found(
        status=Status.RESOLVED,
        targets=(hit,),
        tier=where.tier,
        why=f"it is {reference.kind.value} {said} of {name}",
    )


def _deeper(places: Places, span: Span, label: str) -> list[Spot]:
    """The paragraphs of this label in the parts of a unit that has none itself: "paragraph 1" of a schedule in parts."""
    found = [
        s
        for s in places.sections(label)
        if span.start < s.lines.start and s.lines.end <= span.end and is_small(s)
    ]
    top = min((s.level for s in found), default=0)
    return [Spot(s, None) for s in found if s.level == top]


def _parts_within(
    places: Places, span: Span, parts: tuple[str, ...], bracketed: bool, where: Where, line: int | None
) -> Sequence[Span]:
    """The `sub_paragraphs` of lines that are counted there, and in no unit inside.

    Of units around the reference they are kept: no document is read again for each pointer to a mark that is not in it.
    """
    key = (span, parts, bracketed, True)
    if where.span is None and key in places.parts_within:
        return places.parts_within[key]
    here = {s.id for s in places.path(line)} if line is not None and where.span is not None else set()
    found = sub_paragraphs(
        places.document,
        span,
        parts,
        bracketed=bracketed,
        own=lambda n: not _of_another_unit(places, span, n, where, here, parts[0]),
    )
    if where.span is None:
        places.parts_within[key] = found
    return found


def _of_another_unit(
    places: Places, span: Span, begun: int, where: Where, here: Collection[str], part: str
) -> bool:
    """Whether a line that begins with a mark is counted in a unit inside `span` that is not meant, as each article counts its own "2.".

    Numbers that go through all units are not: there is one of them, or one "1", in all. `here` are the sections around the
    reference.
    """
    inner = any(
        span.start < s.lines.start < begun and s.label and s.id not in here for s in places.path(begun)
    )
    if not inner:
        return False
    if where.span is None:
        return not part.isdigit() or _marks_within(places, span, "1") > 1
    return _marks_within(places, span, part) > 1


def _marks_within(places: Places, span: Span, mark: str) -> int:
    """How many lines of a span begin with a mark, kept."""
    if (span, mark) not in places.marks_within:
        places.marks_within[span, mark] = len(marked_lines(places.document, span, mark))
    return places.marks_within[span, mark]


def _starts_over_elsewhere(places: Places, spot: Spot, line: int) -> bool:
    """Whether a paragraph is one of a unit around which the line does not lie, where units count their own from 1."""
    around = places.path(spot.lines.start)[:-1]
    unit = next((s for s in reversed(around) if s.label), None)
    if unit is None or line in unit.lines:
        return False
    return sum(1 for s in places.sections("1") if is_small(s)) > 1


def _scopes(places: Places, where: Where, line: int | None) -> list[Section | None]:
    """The units to look in, the innermost first; None is the whole of what the label is counted in."""
    if where.span is not None:
        own = [s for s in places.path(where.span.start) if where.span.end <= s.lines.end]
        return [own[-1]] if own and own[-1].lines.start == where.span.start else [None]
    if line is None:
        return [None]
    return list(reversed(places.path(line)))
