"""An HTML tree to lines: one walk in document order, blocks flushed where a browser would break.

Every element that says something of its lines (a heading, a table, a footnote, a contents list) opens a region when
it begins and is marked when it ends. Text is gathered in one `Inline`; it becomes a block at each border of a block
element, except inside a row of a data table, where it becomes a cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from deref.parse import html_roles as roles
from deref.parse.flow import Flow
from deref.parse.html_bars import bars
from deref.parse.html_inline import Inline
from deref.parse.html_lists import Numbering, numbering_of
from deref.parse.html_table import CELLS, Grid, Shape, shape_of
from deref.values import LinkSource, MarkKind

_NOTE_MARK = re.compile(r"^\W*?([\w*†‡§]{1,4})(?:\W|$)")
_TAG = re.compile(r"^\s*\[([^\]]{1,60})\]")
_POWER = re.compile(r"^[-+−]?[\dn]")
_CALLED_BACK = re.compile(r"\s*\(\d+(?:,\s*\d+)*\)$")
_NOTE_HEAD = re.compile(r"\s*\(?(\d{1,3})\)?\s*")


@dataclass(slots=True)
class _Region:
    element: Any
    kind: MarkKind
    start: int
    level: int | None = None
    label: str | None = None


@dataclass(slots=True)
class _Table:
    shape: Shape
    grid: Grid = field(default_factory=Grid)


@dataclass(slots=True)
class Walker:
    """Walks a tree once. `own_name` is the file name, by which a page may link to itself."""

    flow: Flow
    own_name: str = ""
    _inline: Inline = field(default_factory=Inline)
    _regions: list[_Region] = field(default_factory=list)
    _tables: list[_Table] = field(default_factory=list)
    _lists: list[Numbering] = field(default_factory=list)
    _marker: str = ""
    _pre: int = 0
    _contents: int = 0
    _boxes: int = 0
    _entry: _Region | None = None
    _note: _Region | None = None
    _in_row: bool = False
    _linked: set[Any] = field(default_factory=set)
    _bars: frozenset[Any] = frozenset()

    def walk(self, root: Any) -> None:
        """Read the tree under `root` into the flow."""
        self._bars = bars(root)
        if not self._begin(root):
            return
        stack: list[tuple[Any, Iterator[Any]]] = [(root, iter(root))]
        while stack:
            element, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._end(element)
                if stack and element.tail:
                    self._text(element.tail)
                continue
            if isinstance(child.tag, str) and self._begin(child):
                stack.append((child, iter(child)))
            elif child.tail:
                self._text(child.tail)
        self._flush()

    def _text(self, text: str) -> None:
        if self._marker and not text.isspace():
            marker, self._marker = self._marker, ""
            if self._inline.empty:
                self._inline.put(marker)
        if self._pre and not self._in_row:
            self._inline.verbatim(text)
        else:
            self._inline.text(text)

    def _flush(self) -> tuple[int, int]:
        if self._in_row:
            self._inline.gap()
            return self.flow.n, self.flow.n
        bold = not self._inline.empty and not self._inline.plain and not self._pre
        block = self._inline.take(**({"width": 0} if self._pre else {}))
        in_heading = self._in_title()
        start, end = self.flow.add(block, own_anchors=in_heading)
        if bold and not in_heading and not self._contents:
            self.flow.mark(MarkKind.BOLD, start)
        return start, end

    def _in_title(self) -> bool:
        return any(r.kind in (MarkKind.HEADING, MarkKind.CAPTION) for r in self._regions)

    def _begin(self, element: Any) -> bool:
        """Begin an element; False when it and all in it are passed over."""
        tag = element.tag
        words = roles.tokens(element)
        if element in self._bars:
            for inside in element.iter():
                self._names(inside)
            return False
        if roles.is_dropped(element, tag, words):
            self._names(element)
            return False
        if tag in roles.BLOCKS:
            self._begin_block(element, tag, words)
        self._names(element)
        if tag == "br":
            self._inline.gap() if self._in_row else self._inline.line_break()
        elif tag == "a":
            self._begin_link(element)
        elif tag in roles.BOLD:
            self._inline.bold += 1
        elif tag == "dfn":
            self._inline.open_term()
        elif tag == "sup" and self._inline.last.isdigit() and _POWER.match(element.text or ""):
            self._inline.put("^")  # 2 to the 62nd must not read as 262
        if element.text:
            text = element.text
            if tag in roles.PREFORMATTED and text.startswith("\n"):
                text = text[1:]
            self._text(text)
        return True

    def _names(self, element: Any) -> None:
        for key in ("id", "name") if element.tag in ("a", "map") else ("id",):
            name = element.get(key)
            if name:
                self._inline.anchor(name)

    def _begin_link(self, element: Any) -> None:
        href = (element.get("href") or "").strip()
        if not href or href.lower().startswith("javascript:"):
            return
        path, _, fragment = href.partition("#")
        if path == self.own_name:
            href = f"#{fragment}"
        if href.startswith("#") and self._in_title() and _encloses(element, href[1:]):
            return  # the number of a heading or caption that links to itself
        self._linked.add(element)
        if self._marker and self._inline.empty:
            self._inline.put(self._marker)
            self._marker = ""
        if roles.calls_in_brackets(element):
            self._inline.text("[")
        self._inline.open_link(href, LinkSource.CONTENTS if self._contents else LinkSource.ANCHOR)

    def _begin_block(self, element: Any, tag: str, words: frozenset[str]) -> None:
        self._flush()
        if tag == "table" and not self._in_row:
            self._tables.append(_Table(shape_of(element)))
        elif self._tables and tag == "tr" and self._tables[-1].shape is not Shape.FLOW:
            self._in_row = True
            self._tables[-1].grid.begin_row()
        elif self._in_row and tag in ("td", "th"):
            self._begin_cell(element)
        elif tag in ("ol", "ul", "menu", "dir"):
            self._lists.append(numbering_of(element))
        elif tag == "li" and self._lists:
            self._marker = self._lists[-1].marker(element)
        if self._in_row:
            return
        if tag in roles.PREFORMATTED:
            self._pre += 1
        if roles.is_admonition(words) and tag in ("div", "aside", "section", "blockquote", "dl"):
            self._boxes += 1
        self._open_regions(element, tag, words)

    def _open_regions(self, element: Any, tag: str, words: frozenset[str]) -> None:
        level = roles.heading_level(element, tag)
        if level is not None:
            self._close_note()
            if note := _note_head(element):
                self._note = _Region(element, MarkKind.FOOTNOTE, self.flow.n, label=note)
                return
        if not self._contents and roles.is_contents(element, tag, words):
            self._contents += 1
            self._open(element, MarkKind.CONTENTS)
        elif level is not None and not self._contents:
            box = self._boxes > 0
            kind = MarkKind.BOLD if box else MarkKind.HEADING
            self._open(element, kind, level=None if box else level, label=roles.letter_apart(element))
        elif tag in roles.PREFORMATTED:
            self._open(element, MarkKind.CODE)
        elif roles.is_caption(element, tag, words):
            self._open(element, MarkKind.CAPTION)
        elif roles.is_footnote(element, tag, words):
            self._open(element, MarkKind.FOOTNOTE)
        elif roles.is_bibliography_entry(tag, words):
            self._open(element, MarkKind.BIBLIOGRAPHY)
        elif tag == "dt" and (listed := roles.listed_under(element)) is not None:
            self._close_entry()
            self._entry = _Region(element, listed, self.flow.n, label=_term("".join(element.itertext())))

    def _open(self, element: Any, kind: MarkKind, level: int | None = None, label: str | None = None) -> None:
        self._regions.append(_Region(element, kind, self.flow.n, level=level, label=label))

    def _begin_cell(self, cell: Any) -> None:
        table = self._tables[-1]
        borders = table.grid.begin_cell(cell)
        if table.shape is Shape.ROWS:
            self._inline.gap()
        else:
            for _ in range(borders):
                self._inline.put(CELLS)

    def _end(self, element: Any) -> None:
        tag = element.tag
        if tag in roles.BLOCKS:
            self._end_block(element, tag)
        elif tag == "a" and element in self._linked:
            self._linked.discard(element)
            self._inline.close_link()
            if roles.calls_in_brackets(element):
                self._inline.text("]")
        elif tag in roles.BOLD:
            self._inline.bold -= 1
        elif tag == "dfn":
            self._inline.close_term(" ".join("".join(element.itertext()).split()))

    def _end_block(self, element: Any, tag: str) -> None:
        if self._in_row and tag in ("td", "th"):
            self._end_cell()
        elif self._in_row and tag == "tr":
            self._end_row(element)
        else:
            self._flush()
        if tag in ("ol", "ul", "menu", "dir"):
            self._lists.pop()
        elif tag == "li":
            self._marker = ""
        elif tag == "dl":
            self._close_entry()
        if self._note is not None and element is self._note.element.getparent():
            self._close_note()
        if self._in_row:
            return
        if tag in roles.PREFORMATTED:
            self._pre -= 1
        if roles.is_admonition(roles.tokens(element)) and tag in (
            "div",
            "aside",
            "section",
            "blockquote",
            "dl",
        ):
            self._boxes -= 1
        if tag == "table":
            table = self._tables.pop()
            if table.shape is Shape.DATA and table.grid.first_line is not None:
                self.flow.mark(MarkKind.TABLE, table.grid.first_line)
        while self._regions and self._regions[-1].element is element:
            self._close(self._regions.pop())

    def _end_cell(self) -> None:
        table = self._tables[-1]
        extra = table.grid.end_cell()
        if table.shape is Shape.DATA:
            self._inline.put("")
            for _ in range(extra):
                self._inline.put(CELLS)

    def _end_row(self, row: Any) -> None:
        self._in_row = False
        table = self._tables[-1]
        if table.shape is Shape.ROWS:
            self._flush()
            return
        block = self._inline.take()
        if not block.text.replace("|", "").strip():
            block.text, block.links, block.terms = "", [], []
        start, end = self.flow.add(block, whole=True, own_anchors=True)
        if end > start:
            if table.grid.first_line is None:
                table.grid.first_line = start
            self.flow.mark(MarkKind.ROW, start, label="header" if table.grid.is_header(row) else None)

    def _close(self, region: _Region) -> None:
        if self.flow.n == region.start:
            return
        first = self.flow.lines[region.start].text
        if region.kind is MarkKind.CONTENTS:
            self._contents -= 1
        elif region.kind is MarkKind.FOOTNOTE and region.label is None:
            match = _NOTE_MARK.match(first)
            region.label = match.group(1) if match else None
        elif region.kind is MarkKind.BIBLIOGRAPHY and region.label is None:
            match = _TAG.match(first)
            region.label = match.group(1).strip() if match else None
        self.flow.mark(region.kind, region.start, level=region.level, label=region.label)

    def _close_note(self) -> None:
        if self._note is not None:
            self._close(self._note)
            self._note = None

    def _close_entry(self) -> None:
        if self._entry is not None:
            self._close(self._entry)
            self._entry = None


def _term(text: str) -> str | None:
    """Return the label of an entry from its term: "RFC9000" of "[RFC9000]", "3" of "[3](1,2)" with links back."""
    return _CALLED_BACK.sub("", " ".join(text.split())).strip("[] ") or None


def _note_head(element: Any) -> str | None:
    """Return the number of the footnote that a heading is: "(6)", which leads back to where it is called."""
    head = _NOTE_HEAD.fullmatch("".join(element.itertext()))
    if head is None or not any((a.get("href") or "").startswith("#") for a in element.iter("a")):
        return None
    return head.group(1)


def _encloses(element: Any, name: str) -> bool:
    return any(parent.get("id") == name for parent in element.iterancestors())
