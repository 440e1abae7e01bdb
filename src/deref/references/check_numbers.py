"""Rules about the numbering itself: a number that is missing in a row, and one that is given twice.

Only rows that are kept without fault everywhere else say anything. A document that starts counting anew in each part,
or leaves numbers out on purpose, has many "faults", and then none is one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from deref.references.check_subject import Draft, Subject
from deref.references.places import plain_word
from deref.text.labels import is_roman, roman_value, to_roman
from deref.text.lazy import lazy
from deref.values import Document, Item, ItemKind, Point, Section

_NUMBERED = frozenset({ItemKind.TABLE, ItemKind.FIGURE, ItemKind.EXAMPLE, ItemKind.LISTING, ItemKind.EXHIBIT, ItemKind.SCHEDULE,
                       ItemKind.ANNEX, ItemKind.APPENDIX})  # fmt: skip
_TAIL = lazy(r"^(?P<head>.*?[.-])?(?P<tail>\d{1,3}|[IVXL]{1,6})$")
_LEFT_OUT = lazy(r"\b(?:reserved|intentionally|deleted|omitted|repealed|not used|vacant)\b", re.IGNORECASE)
_SHORTEST_ROW = 4
_WIDEST_GAP = 2
_MOST_FAULTS = 3
_SHARE = 0.03
"""Of the numbers: more faults than that, and more than three, are the way of the document."""


@dataclass(frozen=True, slots=True)
class _Place:
    label: str
    lines: tuple[int, int]
    title: str
    group: tuple[object, ...]
    name: str


def _places(subject: Subject) -> list[_Place]:
    """The numbered places, each with the group that it is counted in."""
    document = subject.document
    out = [
        _Place(
            s.label,
            (s.lines.start, s.lines.end),
            s.title,
            ("section", plain_word(s.word), s.parent, _part(subject, s)),
            s.word or "section",
        )
        for s in document.sections
        if s.label is not None
    ]
    out += [
        _Place(
            i.label,
            (i.lines.start, i.lines.end),
            i.caption,
            (i.kind.value, _around(subject, i)),
            i.kind.value,
        )
        for i in document.items
        if i.label is not None and i.kind in _NUMBERED
    ]
    return out


def _part(subject: Subject, section: Section) -> str | None:
    holding = [i for i in subject.places.appended if section.lines.start in i.lines]
    return min(holding, key=lambda i: len(i.lines)).id if holding else None


def _around(subject: Subject, item: Item) -> str | None:
    holding = [i for i in subject.places.appended if item.lines.start in i.lines and i is not item]
    return min(holding, key=lambda i: len(i.lines)).id if holding else None


def duplicate_label(subject: Subject) -> Iterator[Draft]:
    """Yield numbers that two places of the same kind in the same part bear."""
    groups: dict[tuple[object, ...], list[_Place]] = defaultdict(list)
    places = _places(subject)
    for place in places:
        if _TAIL.match(place.label):
            groups[*place.group, place.label.casefold()].append(place)
    twice = [(a, b) for row in groups.values() for a, b in pairwise(row) if _differ(a, b)]
    if _is_way(len(twice), len(places)):
        return
    for first, second in twice:
        line = subject.document.lines[first.lines[0]]
        at = f"p. {line.page}, l. {line.row}" if subject.document.pages > 1 else f"l. {line.row}"
        yield Draft(
            at=_whole(subject.document, second.lines[0]),
            text=f"{second.name.capitalize()} {second.label}",
            message=f"There is another {second.name} {second.label} before it ({at}).",
            related=(_whole(subject.document, first.lines[0]),),
        )


def _differ(first: _Place, second: _Place) -> bool:
    """Whether two places are two things, and not one that goes on or was read twice."""
    one, other = (re.sub(r"[\W\d_]", "", p.title).casefold() for p in (first, second))
    return (
        bool(one and other)
        and one != other
        and not one.startswith(other)
        and not other.startswith(one)
        and (second.lines[0] >= first.lines[1])
    )


def numbering_gap(subject: Subject) -> Iterator[Draft]:
    """Yield places before which a number is missing in a row that is else without a gap."""
    rows: dict[tuple[object, ...], list[tuple[int, _Place]]] = defaultdict(list)
    places = _places(subject)
    for place in places:
        found = _TAIL.match(place.label)
        if found is not None:
            tail = found["tail"]
            value = int(tail) if tail.isdigit() else roman_value(tail) if is_roman(tail) else 0
            rows[*place.group, (found["head"] or "").casefold(), tail.isdigit()].append((value, place))
    gaps = [gap for row in rows.values() for gap in _gaps(subject, row)]
    if not _is_way(len(gaps), len(places)):
        for missing, place in gaps:
            yield Draft(
                at=_whole(subject.document, place.lines[0]),
                text=f"{place.name.capitalize()} {place.label}",
                message=f"There is no {place.name} {missing} before it, though the numbers go through else.",
            )


def _gaps(subject: Subject, row: Sequence[tuple[int, _Place]]) -> list[tuple[str, _Place]]:
    values = [value for value, _ in row]
    if len(row) < _SHORTEST_ROW or values[0] != 1 or values != sorted(set(values)):
        return []
    steps = [(a, b, place) for a, (b, place) in zip(values, row[1:], strict=False) if b > a + 1]
    if len(steps) != 1 or steps[0][1] - steps[0][0] - 1 > _WIDEST_GAP:
        return []
    low, high, place = steps[0]
    found = _TAIL.match(place.label)
    head = (found["head"] or "") if found else ""
    width = len(found["tail"]) if found and found["tail"].startswith("0") else 1
    labels = [
        head + (f"{n:0{width}}" if place.label[-1].isdigit() else to_roman(n)) for n in range(low + 1, high)
    ]
    parts = tuple(label + "." for label in labels)
    if any(s.label is not None and s.label.startswith(parts) for s in subject.document.sections):
        return []
    if any(_is_written(subject.document, place.name, label) for label in labels):
        return []
    return [(" or ".join(labels), place)]


def _is_written(document: Document, word: str, label: str) -> bool:
    """Whether the missing number stands somewhere as if it headed something, or is said to be left out."""
    number = re.compile(rf"(?<![\w.]){re.escape(label)}(?![\w]|\.\d)")
    first = re.compile(rf"[ #>*_(\[]*(?:{re.escape(word)}\s+)?{number.pattern}", re.IGNORECASE)
    return any(
        number.search(line.text) and (_LEFT_OUT.search(line.text) or first.match(line.text))
        for line in document.lines
        if label in line.text
    )


def _is_way(faults: int, places: int) -> bool:
    return faults > _MOST_FAULTS and faults > _SHARE * places


def _whole(document: Document, line: int) -> Point:
    return Point(doc=document.id, line=line, char_start=0, char_end=len(document.lines[line].text))
