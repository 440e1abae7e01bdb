"""The page numbers that are printed on the pages, for a file that keeps none: "page 7" of a text is the page that says 7.

Numbers at either end of the rows at the head and foot of a page are candidates ("8 First Things", "CONTENTS ix", "Page 7 of
20"). How far a page's place in the file is from its number is the same on every page of a count: the distance that most
pages agree on is the count, once for figures and once for the small roman numbers before them. Pages between those
that agree have the numbers between, and so have those before the first and behind the last.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from deref.text.labels import is_roman, roman_value, to_roman

_FIRST = re.compile(r"(?i)\W*(?:page |p\. ?)?(\d{1,4}|[ivxlc]{1,7})(?![\w.]|[-–/]\d)")
_LAST = re.compile(r"(?<![\w.$])(\d{1,4}|[ivxlc]{1,7})\W*$")
_OF = re.compile(r"(?i)\bpage (\d{1,4})(?: of \d{1,4})?\W*$")
_FEWEST = 3
_SHARE = 0.4
"""Of the pages between the first and the last that agree: fewer than that are no count."""


def printed_pages(edges: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the printed number of each page, "" where it has none; nothing when no count was made out.

    `edges` are the texts of the rows at the head and foot of each page, in order of pages. Where the numbers are the places
    of the pages in the file nothing is returned either: they say nothing new.
    """
    figures: dict[int, list[int]] = defaultdict(list)
    romans: dict[int, list[int]] = defaultdict(list)
    for place, rows in enumerate(edges, start=1):
        for number in dict.fromkeys(n for row in rows for n in _numbers(row)):
            if number.isdigit():
                figures[place - int(number)].append(place)
            elif is_roman(number):
                romans[place - roman_value(number)].append(place)
    labels = [""] * len(edges)
    counted = _count(figures)
    begin = len(edges)
    if counted is not None:
        away = counted[0]
        begin = max(away, 0)
        for place in range(begin + 1, len(edges) + 1):
            labels[place - 1] = str(place - away)
    before = _count({away: [p for p in places if p <= begin] for away, places in romans.items()})
    if before is not None:
        away, last = before
        for place in range(max(away, 0) + 1, (begin if counted is not None else last) + 1):
            labels[place - 1] = to_roman(place - away).lower()
    same = all(label in ("", str(place)) for place, label in enumerate(labels, start=1))
    return () if same else tuple(labels)


def _numbers(row: str) -> list[str]:
    found = (_OF.search(row), _FIRST.match(row), _LAST.search(row))
    return [match[1] for match in found if match and (match[1].isdigit() or match[1].islower())]


def _count(by_distance: dict[int, list[int]]) -> tuple[int, int] | None:
    """Return the distance that most pages agree on, and the last of them; None when too few do."""
    if not by_distance:
        return None
    away = max(by_distance, key=lambda d: (len(by_distance[d]), -abs(d)))
    places = by_distance[away]
    if len(places) < _FEWEST or len(places) < _SHARE * (places[-1] - places[0] + 1):
        return None
    return away, places[-1]
