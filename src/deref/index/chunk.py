"""Cut a document into passages.

1. The lines fall into *runs*: neighbours with the same innermost section. Printed contents lists are left out, for
   they would outrank what they point at, unless they are more than half of the document and so its matter.
2. A run smaller than a third of the limit is too small to be found, or understood, alone. It joins the next run when
   that is its child (a heading that has only headings below it), the first section after a title page, or a sibling
   that fits with it (two clauses of one line each). Where a contents list stands between the two, it becomes the
   header of the next run instead. Nothing else crosses a section.
3. A run falls into *units*: a table is one when it fits, else one a row; other text gives one a block, and a block
   that is too long one a sentence, as far as sentences end with a line. A line is never cut.
4. Units are packed in order into the fewest passages that hold them, of about equal size. A passage that goes on
   with a table repeats its header rows, and says so in `Chunk.header`.

So each line that is not white space, outside contents lists, is in exactly one passage, in order: in its span, or,
for a heading before a contents list, in its header.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from deref.text.labels import heading_of
from deref.text.tokens import count_tokens, sentences
from deref.values import Chunk, Document, Item, ItemKind, Section, Span

_TINY = 3
"""A third of the limit."""

_MOST_HEADER = 3
"""Header rows over a third of the limit are not repeated: they would leave no room for what they head."""


@dataclass(slots=True)
class _Run:
    """Lines `start` to `end` (half-open) of one section, or of a few joined ones. `section` names them.

    `header` are the lines before a contents list that head the run.
    """

    start: int
    end: int
    section: Section | None
    tokens: int
    header: Span | None = None


@dataclass(slots=True)
class _Unit:
    """Lines `start` to `end` that stay together. `header` are lines elsewhere that a passage which begins here repeats."""

    start: int
    end: int
    tokens: int
    header: Span | None = None


def chunk(document: Document, *, max_tokens: int) -> tuple[Chunk, ...]:
    """Return the passages of a document in order of their lines, at most `max_tokens` words and signs each.

    A single line longer than that is a passage of its own. Repeated header rows count towards the limit.
    """
    tokens = [count_tokens(line.text) for line in document.lines]
    by_id = {section.id: section for section in document.sections}
    out: list[Chunk] = []
    for run in _joined(list(_runs(document, tokens)), document, max_tokens):
        path = _path(run.section, by_id)
        units = list(_units(document, run, tokens, max_tokens))
        if units and run.header is not None:
            units[0].header = run.header
        for first, last in _packed(units, tokens, max_tokens):
            passage = _passage(document, units[first : last + 1], run.section, path, tokens)
            if passage is not None:
                out.append(passage)
    return tuple(out)


def indexed_lines(document: Document) -> frozenset[int]:
    """Return the 0-based numbers of the lines that must be in some passage: not white space, not contents."""
    hidden = _contents(document)
    return frozenset(line.n for line in document.lines if line.text.strip() and line.n not in hidden)


def _contents(document: Document) -> frozenset[int]:
    hidden = {n for span in document.contents for n in range(span.start, span.end)}
    matter = sum(1 for line in document.lines if line.text.strip())
    listed = sum(1 for n in hidden if n < len(document.lines) and document.lines[n].text.strip())
    return frozenset(hidden) if 2 * listed <= matter else frozenset()


def _runs(document: Document, tokens: list[int]) -> Iterator[_Run]:
    """Yield the runs in order. Lines of contents lists are in none."""
    owner: list[Section | None] = [None] * len(document.lines)
    for section in sorted(document.sections, key=lambda s: (s.lines.start, -s.lines.end, s.level)):
        owner[section.lines.start : section.lines.end] = [section] * len(section.lines)
    hidden = _contents(document)
    start = 0
    count = len(document.lines)
    while start < count:
        if start in hidden:
            start += 1
            continue
        end = start + 1
        while end < count and owner[end] is owner[start] and end not in hidden:
            end += 1
        yield _Run(start=start, end=end, section=owner[start], tokens=sum(tokens[start:end]))
        start = end


def _joined(runs: list[_Run], document: Document, limit: int) -> list[_Run]:
    out: list[_Run] = []
    for run in runs:
        before = out[-1] if out else None
        if before is None or before.tokens * _TINY >= limit or before.header is not None:
            out.append(run)
        elif before.end == run.start:
            out[-1:] = _touching(before, run, limit)
        else:
            out[-1:] = _apart(before, run, document)
    return out


def _touching(before: _Run, run: _Run, limit: int) -> list[_Run]:
    both = before.tokens + run.tokens
    if _heads(before, run):
        return [_Run(start=before.start, end=run.end, section=run.section, tokens=both)]
    if both <= limit and _parent(before.section) == _parent(run.section):
        return [_Run(start=before.start, end=run.end, section=before.section, tokens=both)]
    return [before, run]


def _apart(before: _Run, run: _Run, document: Document) -> list[_Run]:
    """Make a heading that a contents list parts from its text the header of the run that follows."""
    follows = before.section is run.section or _heads(before, run)
    if before.tokens and follows and _trimmed(document, run.start, run.end):
        run.header = _trimmed(document, before.start, before.end)
        return [run]
    return [before, run]


def _heads(before: _Run, run: _Run) -> bool:
    """Tell whether a run stands right above another: its parent, or a title page above a first section."""
    if run.section is None:
        return False
    return run.section.parent == (before.section.id if before.section else None)


def _parent(section: Section | None) -> str | None:
    return section.parent if section else ""


def _units(document: Document, run: _Run, tokens: list[int], limit: int) -> Iterator[_Unit]:
    tables = [
        item
        for item in document.items
        if item.kind is ItemKind.TABLE and run.start <= item.lines.start and item.lines.end <= run.end
    ]
    at = run.start
    for table in tables:
        if table.lines.start < at:
            continue  # A table inside another one goes with it.
        yield from _blocks(document, at, table.lines.start, tokens, limit)
        yield from _table(document, table, tokens, limit)
        at = table.lines.end
    yield from _blocks(document, at, run.end, tokens, limit)


def _table(document: Document, table: Item, tokens: list[int], limit: int) -> Iterator[_Unit]:
    start, end = table.lines.start, table.lines.end
    whole = sum(tokens[start:end])
    if whole <= limit:
        yield _Unit(start=start, end=end, tokens=whole)
        return
    starts = {s.lines.start for s in table.selectors if s.kind == "row"}
    starts |= {line.n for line in document.lines[start:end] if line.starts_block}
    if len(starts) < 2:
        starts = set(range(start, end))
    edges = [start, *sorted(n for n in starts if start < n < end), end]
    header = table.header
    if header is not None and sum(tokens[header.start : header.end]) * _MOST_HEADER > limit:
        header = None
    if header is not None:  # Caption and header rows stay together, and lead the first rows.
        edges = [start, *(n for n in edges[1:] if not start < n < header.end or n == end)]
    for first, last in itertools.pairwise(edges):
        size = sum(tokens[first:last])
        above = _rows_above(header, first)
        room = limit - (sum(tokens[above.start : above.end]) if above else 0)
        if size <= room:
            yield _Unit(start=first, end=last, tokens=size, header=above)
        else:
            for unit in _split(document, first, last, tokens, room):
                unit.header = _rows_above(header, unit.start)
                yield unit


def _rows_above(header: Span | None, line: int) -> Span | None:
    return header if header is not None and line >= header.end else None


def _blocks(document: Document, start: int, end: int, tokens: list[int], limit: int) -> Iterator[_Unit]:
    first = start
    for n in range(start + 1, end + 1):
        if n == end or document.lines[n].starts_block:
            size = sum(tokens[first:n])
            if size <= limit:
                yield _Unit(start=first, end=n, tokens=size)
            else:
                yield from _split(document, first, n, tokens, limit)
            first = n


def _split(document: Document, start: int, end: int, tokens: list[int], limit: int) -> Iterator[_Unit]:
    """Cut a block that is too long where a sentence ends with its line, else where the limit falls."""
    ends = _sentence_ends(document, start, end)
    first = start
    size = 0
    for n in range(start, end):
        if n > first and size + tokens[n] > limit:
            yield _Unit(start=first, end=n, tokens=size)
            first, size = n, 0
        size += tokens[n]
        if n in ends:
            yield _Unit(start=first, end=n + 1, tokens=size)
            first, size = n + 1, 0
    if first < end:
        yield _Unit(start=first, end=end, tokens=size)


def _sentence_ends(document: Document, start: int, end: int) -> set[int]:
    """Return the lines that end with the end of a sentence."""
    offsets: dict[int, int] = {}
    size = 0
    parts = []
    for line in document.lines[start:end]:
        parts.append(line.text)
        size += len(line.text)
        offsets[size - (len(line.text) - len(line.text.rstrip()))] = line.n
        size += 1
    return {offsets[stop] for _, stop in sentences("\n".join(parts)) if stop in offsets}


def _packed(units: list[_Unit], tokens: list[int], limit: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) unit of each passage, both inclusive."""
    total = sum(unit.tokens for unit in units)
    even = total / max(1, math.ceil(total / limit))
    ends: list[int] = []
    first, size = 0, 0
    for n, unit in enumerate(units):
        header = _header_tokens(units[first], tokens)
        if n > first and (size + header + unit.tokens > limit or size >= even):
            ends.append(n)
            first, size = n, 0
        size += unit.tokens
    ends.append(len(units))
    _fill_last(ends, units, tokens, limit)
    starts = [0, *ends[:-1]]
    yield from ((start, end - 1) for start, end in zip(starts, ends, strict=True) if start < end)


def _fill_last(ends: list[int], units: list[_Unit], tokens: list[int], limit: int) -> None:
    """Move units from the last but one passage to a last one that is too small to stand alone."""
    if len(ends) < 2:
        return
    start = ends[-3] if len(ends) > 2 else 0
    size = sum(unit.tokens for unit in units[ends[-2] :])
    while size * _TINY < limit and ends[-2] - 1 > start:
        unit = units[ends[-2] - 1]
        size += unit.tokens
        if size + _header_tokens(unit, tokens) > limit:
            return
        ends[-2] -= 1


def _header_tokens(unit: _Unit, tokens: list[int]) -> int:
    return sum(tokens[unit.header.start : unit.header.end]) if unit.header else 0


def _passage(
    document: Document, units: list[_Unit], section: Section | None, path: str, tokens: list[int]
) -> Chunk | None:
    lines = _trimmed(document, units[0].start, units[-1].end)
    header = units[0].header
    if not lines:
        return None
    start, end = lines.start, lines.end
    text = document.text(lines)
    size = sum(tokens[start:end])
    if header is not None:
        text = f"{document.text(header)}\n{text}"
        size += sum(tokens[header.start : header.end])
    return Chunk(
        id=f"{document.id[:16]}:{start}-{end}",
        lines=lines,
        section=section.id if section else None,
        text=text,
        tokens=size,
        path=path,
        header=header,
    )


def _trimmed(document: Document, start: int, end: int) -> Span:
    """Return the lines without white space at either end."""
    while start < end and not document.lines[start].text.strip():
        start += 1
    while end > start and not document.lines[end - 1].text.strip():
        end -= 1
    return Span(doc=document.id, start=start, end=end)


def _path(section: Section | None, by_id: dict[str, Section]) -> str:
    names: list[str] = []
    while section is not None:
        names.append(heading_of(section.label, section.title, section.word))
        section = by_id.get(section.parent) if section.parent else None
    return " > ".join(reversed(names))
