"""Flowing text to lines, for formats that have no lines of their own (HTML, DOCX).

A block (a paragraph, a heading, a list item, a table row) arrives as one string with the places of its links and
anchors in it. It is cut into lines at word borders, so that a citation can name a line, and everything that was
counted in characters of the block is counted in characters of its lines. A link to an anchor is resolved when
all blocks are in; an anchor after the last text of a block belongs to the text that follows it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from operator import itemgetter
from urllib.parse import unquote

from deref.values import Line, LinkSource, Mark, MarkKind, NativeLink, Parsed, Problem

WIDTH = 112
"""Characters in a line at the most, where the text has a word border to cut at."""

_SPACES = re.compile(r"[ \t]+")
# Where scripts without spaces may be cut: the space that joins lines again does no harm after these.
_CJK_STOPS = re.compile(r"(?<=[。、，；：！？」』）】])(?=[^\s。、，；：！？」』）】])")
# Characters that end a line in one tool or another; a line holds none of them.
_BREAKS = dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), "\n")
_NO_BREAKS = _BREAKS | {ord("\n"): " "} | dict.fromkeys(_BREAKS, " ")
_NEVER_LAST = "-\u2010\u00ad"


@dataclass(slots=True, kw_only=True)
class Block:
    """The text of one block; "\\n" in it is a line break the author made.

    `links` are (start, end, href, source), `anchors` (offset, name) and `terms` (start, end, defined term), all in
    characters of `text`; `turns` are the offsets at which a new page begins. `width` of 0 keeps the author's lines.
    """

    text: str
    links: list[tuple[int, int, str, LinkSource]] = field(default_factory=list)
    anchors: list[tuple[int, str]] = field(default_factory=list)
    terms: list[tuple[int, int, str]] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    width: int = WIDTH


def cut(text: str, width: int = WIDTH) -> list[tuple[int, int]]:
    """Return (start, end) of the lines of a block, without the spaces and breaks between them; blank lines are dropped.

    No line ends in a hyphen that a reader could take for a broken word, and no-break spaces are no word borders.
    """
    pieces: list[tuple[int, int]] = []
    at = 0
    for part in text.split("\n"):
        pieces += _cut_one(text, at, at + len(part), width)
        at += len(part) + 1
    return pieces


def _cut_one(text: str, start: int, end: int, width: int) -> Iterable[tuple[int, int]]:
    while end > start and text[end - 1] in " \t":
        end -= 1
    if not text[start:end].strip():
        return
    if not width or end - start <= width:
        yield start, end
        return
    borders = [(m.start(), m.end()) for m in _SPACES.finditer(text, start, end) if m.start() > start]
    if not text.isascii():
        borders = sorted({*borders, *((m.start(), m.start()) for m in _CJK_STOPS.finditer(text, start, end))})
    last: tuple[int, int] | None = None
    for border in [*borders, (end, end)]:
        if border[0] - start > width and last is not None:
            yield start, last[0]
            start, last = last[1], None
        if text[border[0] - 1] not in _NEVER_LAST:
            last = border
    yield start, end


def _under(pieces: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """Return the first and the last piece that characters start..end touch; the first is past the last when none is."""
    return bisect_right(pieces, start, key=itemgetter(1)), bisect_left(pieces, end, key=itemgetter(0)) - 1


@dataclass(slots=True, kw_only=True)
class Flow:
    """Gathers blocks into lines, marks, links and anchors, in order."""

    doc: str
    page: int = 1
    lines: list[Line] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    anchors: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    _links: list[tuple[int, int, int, int, str, LinkSource]] = field(default_factory=list)
    _waiting: list[str] = field(default_factory=list)
    _rows: count[int] = field(default_factory=lambda: count(1))

    @property
    def n(self) -> int:
        """The number of the next line."""
        return len(self.lines)

    def _turn(self, turns: Sequence[int]) -> None:
        """Begin the next page once for each turn; rows count from 1 again."""
        for _ in turns:
            self.page += 1
            self._rows = count(1)

    def anchor(self, name: str) -> None:
        """Let a name stand for the next line."""
        self._waiting.append(name)

    def mark(self, kind: MarkKind, start: int, *, level: int | None = None, label: str | None = None) -> None:
        """Mark the lines from `start` to the last one so far; nothing when there are none."""
        if self.n > start:
            self.add_mark(kind, start, self.n, level=level, label=label)

    def add_mark(
        self, kind: MarkKind, start: int, end: int, *, level: int | None = None, label: str | None = None
    ) -> None:
        """Mark the lines `start` to `end` (half-open)."""
        self.marks.append(Mark(kind=kind, start=start, end=end, level=level, label=label))

    def add(self, block: Block, *, whole: bool = False, own_anchors: bool = False) -> tuple[int, int]:
        """Add a block and return the lines (start, end) it became; an empty block becomes none.

        `whole` keeps it on one line (a table row); `own_anchors` keeps anchors at its end with it (a heading).
        """
        block.text = block.text.translate(_BREAKS)
        pieces = [(0, len(block.text))] if whole and block.text.strip() else cut(block.text, block.width)
        start = self.n
        turns = sorted(block.turns)
        if not pieces:
            self._turn(turns)
            self._waiting += [name for _, name in block.anchors]
            return start, start
        for number, (a, b) in enumerate(pieces):
            while turns and turns[0] <= a:
                self._turn([turns.pop(0)])
            after_gap = number > 0 and block.text.count("\n", pieces[number - 1][1], a) > 1
            self.line(block.text[a:b], starts_block=number == 0 or after_gap)
        self._turn(turns)
        for offset, name in block.anchors:
            at = bisect_right(pieces, offset, key=itemgetter(1))
            if own_anchors and at == len(pieces):
                at = 0
            if at == len(pieces):
                self._waiting.append(name)
            else:
                self.anchors.setdefault(name, start + at)
        for link in block.links:
            self._add_link(start, pieces, *link)
        for a, b, term in block.terms:
            first, last = _under(pieces, a, b)
            if first <= last:
                self.add_mark(MarkKind.DEFINED, start + first, start + last + 1, label=term)
        return start, self.n

    def line(self, text: str, *, starts_block: bool) -> None:
        """Add one line as it is."""
        for name in self._waiting:
            self.anchors.setdefault(name, self.n)
        self._waiting.clear()
        row = next(self._rows)
        self.lines.append(
            Line(
                doc=self.doc,
                n=self.n,
                page=self.page,
                row=row,
                text=text.translate(_NO_BREAKS),
                starts_block=starts_block,
            )
        )

    def skip_row(self) -> None:
        """Count a row that is not in the flow."""
        next(self._rows)

    def _add_link(
        self,
        first: int,
        pieces: Sequence[tuple[int, int]],
        start: int,
        end: int,
        href: str,
        source: LinkSource,
    ) -> None:
        head, tail = _under(pieces, start, end)
        if head > tail:
            return
        a = max(start, pieces[head][0]) - pieces[head][0]
        b = min(end, pieces[tail][1]) - pieces[tail][0]
        self._links.append((first + head, a, first + tail, b, href, source))

    def add_link(
        self, line: int, start: int, end: int, href: str, source: LinkSource, last: int | None = None
    ) -> None:
        """Add a link from a character of a line to one of the line `last` (the same when None)."""
        self._links.append((line, start, line if last is None else last, end, href, source))

    def links(self) -> tuple[NativeLink, ...]:
        """Return the links with those to anchors of this document located, in order of place.

        A link to the very line it stands in (the number of a heading that links to itself) says nothing and is left out.
        """
        top = {"": 0, "top": 0} if self.lines else {}
        located = top | {name: min(line, max(0, self.n - 1)) for name, line in self.anchors.items()}
        out: list[NativeLink] = []
        for line, start, last, end, href, source in sorted(self._links, key=lambda link: link[:2]):
            target = located.get(href[1:], located.get(unquote(href[1:]))) if href.startswith("#") else None
            if target is not None and line <= target <= last:
                continue
            out.append(
                NativeLink(
                    line=line,
                    char_start=start,
                    char_end=end,
                    end_line=None if last == line else last,
                    source=source,
                    target_line=target,
                    uri=None if target is not None else href,
                )
            )
        return tuple(out)

    def parsed(self, form: str, *, title: str | None, language: str | None, pages: int = 1) -> Parsed:
        """Return what was gathered, marks in order of their first line, the wider one first."""
        for name in self._waiting:
            if self.lines:
                self.anchors.setdefault(name, self.n - 1)
        return Parsed(
            format=form,
            lines=tuple(self.lines),
            marks=tuple(sorted(self.marks, key=lambda m: (m.start, -m.end))),
            links=self.links(),
            anchors=dict(self.anchors),
            title=title or None,
            language=language or None,
            pages=max(pages, self.page),
            problems=tuple(self.problems),
        )
