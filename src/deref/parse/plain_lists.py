"""Printed contents lists and lists of references in plain text.

Contents: after a row that says so, entries that end in a page number or come again later as rows of their own; or,
without such a row, a long run of short rows each of which comes again exactly once, later, in the same order, scattered; single
rows between them may be missing in the text.
References: after a row that says so, entries that begin with a tag in brackets.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from deref.parse.rows import Row
from deref.values import Mark, MarkKind

_CONTENTS = re.compile(
    r"^\s*(?:table\s+of\s+)?contents\s*:?\s*$|^\s*list\s+of\s+(?:tables|figures|exhibits)\s*$", re.IGNORECASE
)
_PAGED = re.compile(
    r"(?:\.\s?){3,}\s*\S{0,6}\s*$|\S\s*\t+\s*\d{1,4}\s*$|\S\s{2,}(?:\d{1,4}|[ivxl]{1,6})\s*$|^\s*(?:\d|[A-Z]|Art|Sec).*\D\s\d{1,4}\s*$"
)
_PAGE_WORD = re.compile(r"^\s*page(?:\s+no\.?)?\s*$", re.IGNORECASE)
_TAGGED = re.compile(r"^\s{0,8}\[([^\]\[]{1,48})\](?:\s+\S.*)?\s*$")
_REFERENCES = re.compile(
    r"^\s*(?:(?:\d{1,2}(?:\.\d{1,2})*|[A-Z](?:\.\d+)*)\.?\s+)?(?:(?:normative|informative|non-normative|selected)\s+)?"
    r"(?:references|bibliography|works cited|literature)\s*:?\s*$",
    re.IGNORECASE,
)
_LONGEST_ENTRY = 200
_LONGEST_LEADERS = 1000
"""Characters of a row, leaders included, that may be an entry: looking for them takes the square of that."""
_RUN = 8
_MISSES = 3


_REFERS = re.compile(
    r"\b(?:section|table|figure|appendix|chapter|article|clause)s? [\dA-Z][\w.]*+\W*(?:[;,]|$)", re.IGNORECASE
)


def contents_marks(live: Sequence[Row], gaps: Sequence[bool]) -> list[Mark]:
    """Return a mark for each printed contents list, its heading included."""
    keys = [_key(row) for row in live]
    last = {key: i for i, key in enumerate(keys)}
    later = [last[key] for key in keys]
    twice = {key for key, times in Counter(keys).items() if times == 2}
    again = [
        at if key in twice and len(row.text) <= _LONGEST_ENTRY else -1
        for row, key, at in zip(live, keys, later, strict=True)
    ]
    runs = _runs(_bridged(again, live))
    out: list[Mark] = []
    i = 0
    while i < len(live):
        end = _after_heading(live, gaps, i, later) if _CONTENTS.match(live[i].text) else runs[i]
        if end is None:
            i += 1
            continue
        out.append(Mark(kind=MarkKind.CONTENTS, start=i, end=end))
        i = end
    return out


def _key(row: Row) -> str:
    text = row.text
    if len(text) <= _LONGEST_LEADERS:
        text = re.sub(r"(?:\.\s?){3,}\s*\S{0,6}\s*$|\s{2,}\d{1,4}\s*$", "", text)
    return " ".join(text.split()).casefold()


def _after_heading(live: Sequence[Row], gaps: Sequence[bool], start: int, later: Sequence[int]) -> int | None:
    entries, last = 0, start
    indented = start + 1 < len(live) and live[start + 1].indent > live[start].indent
    for i in range(start + 1, len(live)):
        row = live[i]
        if len(row.text) > _LONGEST_ENTRY or _CONTENTS.match(row.text):
            break
        # Entries set in under their heading end where a row comes out to the heading's own column.
        if indented and gaps[i] and row.indent <= live[start].indent and not _PAGED.search(row.text):
            break
        if _PAGED.search(row.text) or later[i] > i or _PAGE_WORD.match(row.text):
            entries, last = entries + (not _PAGE_WORD.match(row.text)), i
        elif i - last > _MISSES:
            break
    return last + 1 if entries >= 3 else None


def _bridged(again: Sequence[int], live: Sequence[Row]) -> list[float]:
    """`again` with each short row that comes nowhere, between two that come again in order, set right before the second."""
    out: list[float] = list(again)
    for i in range(1, len(again) - 1):
        if again[i] < 0 and i < again[i - 1] < again[i + 1] and len(live[i].text) <= _LONGEST_ENTRY:
            out[i] = again[i + 1] - 0.5
    return out


def _runs(again: Sequence[float]) -> list[int | None]:
    """Return for each row the end of the run from there of rows that come again once, later, in order and in other company.

    `again` is where a row comes again, -1 where it does not, or not once. None where no run begins.
    """
    ends = [i + (at > i) for i, at in enumerate(again)]
    for i in range(len(again) - 2, -1, -1):
        if ends[i] > i and again[i + 1] > max(i + 1, again[i]):
            ends[i] = ends[i + 1]
    apart = [0, *itertools.accumulate(b - a > 1 for a, b in itertools.pairwise(again))]
    out: list[int | None] = []
    for start, end in enumerate(ends):
        size = end - start
        told = size >= _RUN and apart[end - 1] - apart[start] >= size / 2 and again[start] >= end
        out.append(end if told else None)
    return out


def index_marks(live: Sequence[Row], headings: Sequence[Mark]) -> list[Mark]:
    """Return a CONTENTS mark for each back-of-the-book index that stands under a heading of that name.

    One that leads to sections and tables instead of pages is none: its entries are pointers as any others.
    """
    starts = sorted(m.start for m in headings)
    ends = [*starts[1:], len(live)]
    return [
        Mark(kind=MarkKind.CONTENTS, start=a + 1, end=b)
        for a, b in zip(starts, ends, strict=False)
        if live[a].text.strip().casefold() == "index"
        and b > a + 1
        and sum(bool(_REFERS.search(row.text)) for row in live[a + 1 : b]) < 0.3 * (b - a - 1)
    ]


def bibliography_marks(live: Sequence[Row], gaps: Sequence[bool], headings: Sequence[Mark]) -> list[Mark]:
    """Return a mark for each tagged entry of the lists of references, its tag as label."""
    lists = [i for i, row in enumerate(live) if _REFERENCES.match(row.text)]
    stops = sorted({*lists, *(m.start for m in headings), len(live)})
    out: list[Mark] = []
    for i in lists:
        out += _entries(live, gaps, i + 1, stops[bisect_right(stops, i)])
    return out


def _entries(live: Sequence[Row], gaps: Sequence[bool], start: int, end: int) -> list[Mark]:
    starts = [i for i in range(start, end) if _TAGGED.match(live[i].text)]
    if not starts or starts[0] > start + 6:
        return []
    indent = live[starts[0]].indent
    starts = [i for i in starts if abs(live[i].indent - indent) <= 1]
    out: list[Mark] = []
    for i, following in zip(starts, [*starts[1:], end], strict=True):
        stop = next((n for n in range(i + 1, following) if gaps[n] and live[n].indent <= indent), following)
        tag = _TAGGED.match(live[i].text)
        out.append(
            Mark(kind=MarkKind.BIBLIOGRAPHY, start=i, end=stop, label=tag.group(1).strip() if tag else None)
        )
        if stop < following:
            break
    return out
