"""Units of evidence: what is quoted as one piece. A paragraph, a list item or a table row, never a cut line.

A passage is split at block starts; inside a table every line is a row of its own, and a label that stands on a line alone ("(b)")
goes with what it labels. A unit knows the whole lines it
stands on; a long paragraph can be narrowed to the run of sentences that matters. Headings are no units (they say
where, not what), but their words count for the units under them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from deref.answer.tables import body_rows, is_rule, table_at
from deref.text.clean import join_lines
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.text.tokens import count_tokens, sentences, stems_of, words
from deref.values import Document, Item, ItemKind, Passage, Section, Span

SHORT = 14
"""Words of a unit that says little alone."""
STANZA = 60
"""Words of short units that are quoted together."""
LONGEST_QUOTE = 90
"""Words. A longer paragraph is narrowed to a run of its sentences."""
LONGEST_LIST = 120
"""Words of a paragraph and of the blocks that it leads in."""
LONGEST_FIRST = 220
"""Words of the first of these blocks: to lead in nothing tells nothing."""


class Unit(NamedTuple):
    """One piece: `text` with line ends as spaces; `row` when it is a table row; `rank` that of its passage."""

    document: Document
    lines: Span
    text: str
    stems: frozenset[str]
    context: frozenset[str]
    row: bool
    rank: int
    passage: Passage


class Block(NamedTuple):
    """What of a unit the lines of its passage tell."""

    lines: Span
    text: str
    stems: frozenset[str]
    context: frozenset[str]
    row: bool


def units_of(document: Document, passage: Passage, rank: int) -> list[Unit]:
    """Return the units of a passage, in order of their lines."""
    return [Unit(document, *block, rank, passage) for block in blocks_of(document, passage.lines)]


def blocks_of(document: Document, lines: Span) -> list[Block]:
    """Return what will be the units of a passage with these lines, in order."""
    tables = [i for i in document.items if i.kind is ItemKind.TABLE and _overlap(i.lines, lines)]
    blocks = []
    headings: dict[str, frozenset[str]] = {}
    captions: dict[int, frozenset[str]] = {}
    for block in _split(document, lines, [t.lines for t in tables]):
        joined = join_lines(document.lines[block.start : block.end])
        text = joined.text.strip()
        section = document.section_at(block.start)
        table = next((t for t in tables if block.start in t.lines), None)
        row = table is not None
        stems = stems_of(text)
        if not stems or (not row and _says_nothing(document, section, block, text)):
            continue
        blocks.append(
            Block(
                lines=block,
                text=text,
                stems=stems,
                context=_path_stems(document, section, headings) | _table_stems(document, table, captions),
                row=row,
            )
        )
    return blocks


def longer_than(most: int, document: Document, spans: Iterable[Span]) -> bool:
    """Tell whether these lines have more than so many words. No more of them are read than that takes."""
    for span in spans:
        for n in range(span.start, min(span.end, len(document.lines))):
            most -= len(words(document.lines[n].text))
            if most < 0:
                return True
    return False


_SAYS = (".", ";", ",", ":", "!", "?", " and", " or", "。")
_LONGEST_HEADING = 25
"""Words."""


def _says_nothing(document: Document, section: Section | None, block: Span, text: str) -> bool:
    """Tell whether a block is a heading, the title of the document, or two words that end nowhere; not what is all its text."""
    if len(block) == len(document.lines):
        return False
    if section is not None and (is_heading(section, block, text) or _is_its_title(section, block, text)):
        return True
    ends = text.rstrip("*_ ").endswith(_SAYS)
    return not ends and (len(words(text)) < 3 or normalize_name(text) == normalize_name(document.title))


def is_heading(section: Section, block: Span, text: str) -> bool:
    """Tell whether a block is the bare heading of the section, with nothing said in it.

    A clause whose title is all of its text, and that has nothing behind it, says what it says.
    """
    if section.lines.start not in block or section.lines.end <= block.end:
        return False
    size = len(text.split())
    return size <= _LONGEST_HEADING and size <= len(section.title.split()) + 3


def _is_its_title(section: Section, block: Span, text: str) -> bool:
    """Tell whether a block is the title of its section on a line below the number, as in "Article 5" / "Principles"."""
    early = block.start - section.lines.start <= 2 and section.lines.end > block.end
    return early and normalize_name(text) == normalize_name(section.title)


def with_table(document: Document, span: Span) -> Span:
    """Return the lines of a table of LONGEST_FIRST words at the most for those of its caption or its header, which tell nothing alone."""
    table = table_at(document, span)
    if table is None:
        return span
    caption = " ".join(table.caption.split()) or "\n"
    rows = (n for n in body_rows(table, document) if caption not in " ".join(document.lines[n].text.split()))
    if any(n in span for n in rows):
        return span
    return span if longer_than(LONGEST_FIRST, document, [table.lines]) else table.lines


def is_title_alone(unit: Unit) -> bool:
    """Tell whether a unit is no more than the number and the title of a section, with something behind it or not."""
    section = unit.document.section_at(unit.lines.start)
    size = len(unit.text.split())
    return (
        section is not None
        and section.lines.start in unit.lines
        and size <= min(_LONGEST_HEADING, len(section.title.split()) + 3)
    )


def _path_stems(
    document: Document, section: Section | None, seen: dict[str, frozenset[str]]
) -> frozenset[str]:
    if section is None:
        return frozenset()
    if section.id not in seen:
        titles = " ".join(s.title for s in document.section_path(section.lines.start))
        seen[section.id] = stems_of(titles)
    return seen[section.id]


def _table_stems(document: Document, table: Item | None, seen: dict[int, frozenset[str]]) -> frozenset[str]:
    """Return the stems of the caption and the header of a table: a row is read under both."""
    if table is None:
        return frozenset()
    if table.lines.start not in seen:
        text = f"{table.caption} {document.text(table.header) if table.header is not None else ''}"
        seen[table.lines.start] = stems_of(text)
    return seen[table.lines.start]


def _overlap(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


_LABEL_ALONE = lazy(
    r"^\W*(?:\d{1,3}(?:\.\d{1,3})*|[a-z]{1,2}|[ivxl]{1,7})[).\]]+\W*$|^\s*[-–•·*]\s*$", re.IGNORECASE
)


def is_label_alone(text: str) -> bool:
    """Tell whether a line has the label of an item and nothing else ("(b)", "3.", "•")."""
    return len(text) < 20 and _LABEL_ALONE.match(text) is not None


def at_structure(document: Document, span: Span) -> Span:
    """Return lines with the label that stands alone above them, without the labels and headings at their end that belong to what
    comes after; of a table whole rows.
    """
    if (table := table_at(document, span)) is not None:
        return _whole_rows(document, span, table.lines)
    start, end = span.start, span.end
    if start and document.lines[start].starts_block and _is_labelled_by(document, start - 1):
        start -= 1
    while end > start + 1:
        last = end - 1
        section = document.section_at(last)
        if not is_label_alone(document.lines[last].text) or last + 1 == len(document.lines):
            if section is None or section.lines.start <= start:
                break
            block = Span(doc=span.doc, start=section.lines.start, end=end)
            if not is_heading(section, block, join_lines(document.lines[block.start : end]).text):
                break
            last = block.start
        end = last
    return Span(doc=span.doc, start=start, end=end)


def _whole_rows(document: Document, span: Span, table: Span) -> Span:
    """Return lines of a table with the rest of the rows that they begin or end in, of LONGEST_QUOTE words at the most."""
    start, end = span.start, span.end
    while start > table.start and not document.lines[start].starts_block:
        start -= 1
    while end < table.end and not document.lines[end].starts_block:
        end += 1
    while end > span.end and is_rule(document.lines[end - 1].text):
        end -= 1
    rest = [Span(doc=span.doc, start=start, end=span.start), Span(doc=span.doc, start=span.end, end=end)]
    return span if longer_than(LONGEST_QUOTE, document, rest) else Span(doc=span.doc, start=start, end=end)


def _split(document: Document, span: Span, tables: list[Span]) -> Iterator[Span]:
    start = span.start
    for n in range(span.start, span.end):
        alone = any(n in t for t in tables)
        if n > start and (alone or _ends(document, start, n) or any(n - 1 in t for t in tables)):
            yield Span(doc=span.doc, start=start, end=n)
            start = n
    if start < span.end:
        yield Span(doc=span.doc, start=start, end=span.end)


def _ends(document: Document, start: int, n: int) -> bool:
    """Tell whether a block that began at a line ends before another one."""
    return document.lines[n].starts_block and not (n - start == 1 and _is_labelled_by(document, start))


def _is_labelled_by(document: Document, line: int) -> bool:
    """Tell whether a line is the label of the one below it: that begins no section of its own."""
    if not is_label_alone(document.lines[line].text):
        return False
    below = document.section_at(line + 1)
    return below is None or below.lines.start != line + 1


def narrowed(unit: Unit, coverage: Callable[[frozenset[str]], float], limit: int = LONGEST_QUOTE) -> Span:
    """Return the lines of the unit, or of the run of its sentences, `limit` words at the most, that covers most.

    Of runs that cover the same the one with the most sentences behind its best start wins: what follows a statement
    belongs to it more often than what goes before.
    """
    if unit.row or count_tokens(unit.text) <= limit:
        return unit.lines
    joined = join_lines(unit.document.lines[unit.lines.start : unit.lines.end])
    spans = list(sentences(joined.text))
    sizes = [count_tokens(joined.text[a:b]) for a, b in spans]
    stems = [stems_of(joined.text[a:b]) for a, b in spans]
    best = (-1.0, 0, 0)
    for first in range(len(spans)):
        last, left, told = first, limit - sizes[first], stems[first]
        while last + 1 < len(spans) and sizes[last + 1] <= left:
            last += 1
            left -= sizes[last]
            told |= stems[last]
        best = max(best, (coverage(told), -first, last))
    first, last = -best[1], best[2]
    begin, _ = joined.locate(spans[first][0])
    end, _ = joined.locate(spans[last][1] - 1)
    return Span(doc=unit.lines.doc, start=begin.n, end=end.n + 1)


def with_short_ones(unit: Unit, units: Iterable[Unit], limit: int = STANZA) -> Span:
    """Return the lines of a unit and, when it has few words, of the short units that stand close around it, up to `limit` words.

    The head of a letter, a list of amounts, a record with a line for each field: one line of it says little alone.
    """
    span, left = unit.lines, limit - count_tokens(unit.text)
    if unit.row or count_tokens(unit.text) > SHORT:
        return span
    here = [u for u in units if u.document is unit.document and not u.row and count_tokens(u.text) <= SHORT]
    section = unit.document.section_at(span.start)
    before = {u.lines.end: u for u in here}
    behind = {u.lines.start: u for u in here}
    for side in (behind, before):
        while (beside := side.get(span.end if side is behind else span.start)) is not None:
            left -= count_tokens(beside.text)
            if left < 0 or unit.document.section_at(beside.lines.start) is not section:
                break
            span = Span(
                doc=span.doc,
                start=min(span.start, beside.lines.start),
                end=max(span.end, beside.lines.end),
            )
    return span


def leads_in(text: str) -> bool:
    """Tell whether a text ends in a colon or a dash, behind which a list begins."""
    return text.rstrip().endswith((":", "-", "–", "—"))


def with_list(document: Document, span: Span, limit: int = LONGEST_LIST) -> Span:
    """Return lines and, when they lead in a list, the blocks that they lead in, within `limit` words, of which the first may have
    LONGEST_FIRST.
    """
    if not leads_in(document.text(span)):
        return span
    stop = _list_end(document, span)
    end, left = span.end, limit
    while end < stop:
        after = end + 1
        while after < stop and not _ends(document, end, after):
            after += 1
        size = count_tokens(document.text(Span(doc=span.doc, start=end, end=after)))
        left -= size
        if left < 0 and (end > span.end or size > LONGEST_FIRST):
            break
        end = after
    return Span(doc=span.doc, start=span.start, end=end)


def _list_end(document: Document, span: Span) -> int:
    """Return the line that a list which these lines lead in ends before: the end of their section, or of the one around it when the
    points of the list are sections beside theirs.
    """
    path = document.section_path(span.start)
    if not path:
        return len(document.lines)
    if path[-1].lines.end > span.end or len(path) == 1:
        return path[-1].lines.end
    below = document.section_path(span.end)
    point = len(below) == len(path) and below[:-1] == path[:-1] and (below[-1].label or "").endswith(")")
    return path[-2].lines.end if point else span.end
