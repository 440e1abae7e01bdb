"""Plain text to lines and marks: furniture out, blank rows out, and only what the form makes certain is marked.

The form of an RFC (and of any text that keeps column 0 for its headings) makes headings certain; a row underlined
with one repeated sign is a heading in any text. Otherwise headings are left to `structure`, which reads words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from deref.parse.page_furniture import furniture, paged
from deref.parse.plain_art import art_marks
from deref.parse.plain_headings import hanging_headings, title_of, underlined
from deref.parse.plain_lists import bibliography_marks, contents_marks, index_marks
from deref.parse.plain_markup import asciidoc_headings, fenced, literal_blocks
from deref.parse.rows import Row, rows_of
from deref.values import Line, Mark, MarkKind

_ITEM = re.compile(
    r"^\s*(?:\([a-zA-Z0-9]{1,5}\)|(?:\d{1,3}(?:\.\d{1,3}){0,5}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|[*•·▪‣–—o-])\s+\S"
)
_NUMBERED = re.compile(r"^\s*\d{1,3}(?:\.\d{1,3}){1,5}\s+[\"“‘(]?[^\W\d_a-z]")
"""A number of two parts or more without a sign behind it, and a capital: "2.1 Staff may"."""
_LABEL_CUT = re.compile(
    r"\b(?:sec|sect|art|no|nos|fig|figs|par|para|ch|cl|pp?|cf|vol|app|abs|nr|ziff)\.$", re.IGNORECASE
)
"""A row that ends so has its number in the next one."""
_SIGN_ITEM = re.compile(r"^\s*[*•·▪‣o-]\s+\S")
_LONG_ROW = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """What plain text is read as. `line_of[i]` is the line made from row i of the text, or None when it is not in the flow."""

    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    title: str | None
    pages: int
    rows: tuple[Row, ...]
    line_of: tuple[int | None, ...]


def read_plain(text: str, *, doc: str) -> Plain:
    """Read a text as pages of rows. Lines keep their rows verbatim."""
    rows, pages = paged(*rows_of(text))
    out = furniture(rows, pages)
    kept = [n for n, row in enumerate(rows) if not row.blank and n not in out]
    gaps = _gaps(rows, kept, out)
    whole = [rows[n] for n in kept]
    fences = fenced(whole, gaps)
    code = {i for a, b in fences for i in range(a, b)}
    titles, rules = underlined(whole, gaps, code)
    titles |= {i: level for i, level in asciidoc_headings(whole, gaps).items() if i not in code}
    gaps = [gap or i - 1 in rules for i, gap in enumerate(gaps)]
    level_of = {kept[i]: level for i, level in titles.items()}
    gaps = [gap for i, gap in enumerate(gaps) if i not in rules]
    fences = [(kept[a], kept[b - 1]) for a, b in fences]
    kept = [n for i, n in enumerate(kept) if i not in rules]
    live = [rows[n] for n in kept]
    contents = contents_marks(live, gaps)
    listed = {n for m in contents for n in range(m.start, m.end)}
    headings = [
        Mark(kind=MarkKind.HEADING, start=i, end=i + 1, level=level_of[n])
        for i, n in enumerate(kept)
        if n in level_of
    ]
    headings += [m for m in hanging_headings(live, gaps) if m.start not in listed]
    index = index_marks(live, headings)
    marks = [*contents, *index, *headings, *bibliography_marks(live, gaps, headings)]
    at = {n: i for i, n in enumerate(kept)}
    drawn = art_marks(live, gaps)
    kept_out = {i for m in drawn if m.kind is not MarkKind.CODE for i in range(m.start, m.end)}
    literal = [run for run in literal_blocks(live, gaps) if kept_out.isdisjoint(range(*run))]
    literal += [(at[first], at[last] + 1) for first, last in fences]
    in_code = {i for start, end in literal for i in range(start, end)}
    marks += [Mark(kind=MarkKind.CODE, start=start, end=end) for start, end in literal]
    marks += [m for m in drawn if m.start not in in_code]
    heads = {
        m.start
        for m in marks
        if m.kind in (MarkKind.HEADING, MarkKind.ROW, MarkKind.CAPTION, MarkKind.BIBLIOGRAPHY)
    }
    starts = _block_starts(live, gaps)
    lines = tuple(
        Line(
            doc=doc,
            n=i,
            page=r.page,
            row=r.row,
            text=r.text,
            starts_block=i in heads or i in listed or starts[i],
        )
        for i, r in enumerate(live)
    )
    line_of: list[int | None] = [None] * len(rows)
    for i, n in enumerate(kept):
        line_of[n] = i
    return Plain(
        lines=lines,
        marks=tuple(sorted(marks, key=lambda m: (m.start, -m.end))),
        title=title_of(live, gaps),
        pages=pages,
        rows=tuple(rows),
        line_of=tuple(line_of),
    )


def _gaps(rows: Sequence[Row], kept: Sequence[int], out: Set[int]) -> list[bool]:
    """Tell for each kept row whether white space parts it from the one before; over a page break, whether it reads so."""
    gaps: list[bool] = []
    for i, n in enumerate(kept):
        before = kept[i - 1] if i else None
        if before is None:
            gaps.append(True)
        elif rows[before].page != rows[n].page or any(between in out for between in range(before + 1, n)):
            gaps.append(not _runs_on(rows[before], rows[n]))
        else:
            gaps.append(n - before > 1)
    return gaps


def _runs_on(last: Row, first: Row) -> bool:
    if last.indent != first.indent or _ITEM.match(first.text):
        return False
    return first.text.lstrip()[:1].islower() or last.text.rstrip()[-1:] not in tuple('.:;!?)"”')


def _block_starts(live: Sequence[Row], gaps: Sequence[bool]) -> list[bool]:
    volume = sum(len(r.text) for r in live)
    unwrapped = sum(len(r.text) for r in live if len(r.text) > _LONG_ROW) > 0.2 * volume
    width = sorted(len(r.text) for r in live)[int(len(live) * 0.9)] if live else 0
    out: list[bool] = []
    for i, row in enumerate(live):
        starts = gaps[i] or unwrapped
        item = _ITEM.match(row.text)
        if not starts and (item or _NUMBERED.match(row.text)):
            # A wrapped row may begin with "4. " by chance; an item does not follow a full row that breaks off.
            before = live[i - 1].text.rstrip()
            headed = item or _ITEM.match(before) or _NUMBERED.match(before)
            starts = not _LABEL_CUT.search(before) and (
                bool(_SIGN_ITEM.match(row.text))
                or before[-1:] in tuple(".:;")
                or before.endswith((" and", " or"))
                or (headed is not None and len(before) < 0.6 * width)
            )
        out.append(starts)
    return out
