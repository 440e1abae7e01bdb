"""A document: its lines, sections, items, definitions and links, with look-ups by label."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from deref.quick_dataclass import dataclass
from deref.values.parsed import LinkSource, Problem
from deref.values.places import Line, Point, Region, Span


class ItemKind(StrEnum):
    """The kinds of item that a reference can name and a caption can announce."""

    TABLE = "table"
    FIGURE = "figure"
    EQUATION = "equation"
    EXHIBIT = "exhibit"
    SCHEDULE = "schedule"
    ANNEX = "annex"
    APPENDIX = "appendix"
    ATTACHMENT = "attachment"
    ADDENDUM = "addendum"
    DEFINITION = "definition"
    FOOTNOTE = "footnote"
    BIBLIOGRAPHY = "bibliography"
    EXAMPLE = "example"
    LISTING = "listing"
    BOX = "box"
    THEOREM = "theorem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section. `label` is its normalised number ("3.2.2", "IV", "A.1") or None; `level` 1 is the top.

    `lines` starts at the heading and ends at the line where the next peer or ancestor starts.
    `word` is the lower-case word the heading carries before its number ("article", "chapter", "part"), or None.
    `parent` is the id of the enclosing section.
    """

    id: str
    label: str | None
    title: str
    level: int
    lines: Span
    parent: str | None = None
    word: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A row or column of an item that a reference can pick out by its tag: row "(E)", column "BLEU", row "65+".

    `kind` is "row" or "column"; `tag` is normalised as `text.labels.normalize_label` does; `lines` are the lines
    that carry it (a row over several lines, a row group under one tag).
    """

    kind: str
    tag: str
    lines: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A table, figure, exhibit, definition, bibliography entry, …

    `label` is normalised ("3", "A", "2.1", the term of a definition, the tag of a bibliography entry) or None.
    `caption` is one line of text, without the label. `lines` covers caption and body; `header` the header rows of
    a table, or None.
    """

    id: str
    kind: ItemKind
    label: str | None
    caption: str
    lines: Span
    selectors: tuple[Selector, ...] = ()
    header: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A native link: `at` says where it is written, `target` where it goes (a span here, or a URI elsewhere)."""

    at: Point
    target: Span | str
    source: LinkSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document. `id` is the hash of its bytes, `name` its path in the shelf, `aliases` what others call it.

    `lines[n].n == n`; a store may make each line, and each section, as it is asked for. `sections` are in order of their first line, `items` too. `contents` are the lines of printed
    contents lists, `code` those that are no prose: references are not looked for in either. `fingerprint` is that
    of the settings that made it. `language` is a two-letter code, or two with the main one first: "de, en". `anchors` maps link names to lines.
    """

    id: str
    name: str
    title: str
    aliases: tuple[str, ...]
    lines: Sequence[Line]
    sections: Sequence[Section]
    items: tuple[Item, ...]
    links: tuple[Link, ...]
    fingerprint: str
    format: str = "text"
    language: str = "en"
    pages: int = 1
    page_labels: tuple[str, ...] = ()
    anchors: Mapping[str, int] = field(default_factory=dict)
    contents: tuple[Span, ...] = ()
    code: tuple[Span, ...] = ()
    problems: tuple[Problem, ...] = ()

    def sections_labelled(self, label: str) -> tuple[Section, ...]:
        """Return the sections with this normalised label, in order: none, one or many."""
        wanted = label.casefold()
        return tuple(s for s in self.sections if s.label is not None and s.label.casefold() == wanted)

    def items_labelled(self, kind: ItemKind, label: str) -> tuple[Item, ...]:
        """Return the items of this kind with this normalised label, in order: none, one or many."""
        wanted = label.casefold()
        return tuple(
            i for i in self.items if i.kind == kind and i.label is not None and i.label.casefold() == wanted
        )

    def section_at(self, line: int) -> Section | None:
        """Return the innermost section that holds the 0-based line, or None."""
        at = self._innermost(line)
        return self.sections[at] if at >= 0 else None

    def section_path(self, line: int) -> tuple[Section, ...]:
        """Return the sections that hold the 0-based line, outermost first."""
        at = self._innermost(line)
        path: list[Section] = []
        wanted = self.sections[at].id if at >= 0 else None
        while at >= 0 and wanted is not None:
            if self.sections[at].id == wanted:
                path.append(self.sections[at])
                wanted = self.sections[at].parent
            at -= 1
        return tuple(reversed(path))

    def _innermost(self, line: int) -> int:
        """Return the index of the innermost section that holds the line, or -1: the last one that starts before it."""
        at = bisect_right(self.sections, line, key=lambda s: s.lines.start) - 1
        while at >= 0 and line not in self.sections[at].lines:
            at -= 1
        return at

    def card(self) -> Card:
        """Return the document as a shelf lists it."""
        return Card(
            id=self.id, name=self.name, title=self.title, aliases=self.aliases, format=self.format,
            language=self.language, pages=self.pages,
        )  # fmt: skip

    def places(self) -> tuple[Place, ...]:
        """Return every labelled section and item, by first line, the wider before the narrower."""
        found = [
            Place(doc=self.id, kind="section", label=s.label, title=s.title, lines=s.lines, word=s.word)
            for s in self.sections
            if s.label is not None
        ]
        found += [
            Place(doc=self.id, kind=i.kind.value, label=i.label, title=i.caption, lines=i.lines)
            for i in self.items
            if i.label is not None
        ]
        return tuple(sorted(found, key=lambda p: (p.lines.start, -p.lines.end, p.kind)))

    def titled_sections(self) -> tuple[Place, ...]:
        """Return every section that has a title as a place, in order of lines; its label is "" where it has none."""
        return tuple(
            Place(doc=self.id, kind="section", label=s.label or "", title=s.title, lines=s.lines, word=s.word)
            for s in self.sections
            if s.title
        )

    def text(self, span: Span) -> str:
        """Return the verbatim lines of a span, joined by newlines."""
        # What is stored gives the texts of its lines without making lines of them.
        texts: Callable[[int, int], Sequence[str]] | None = getattr(self.lines, "texts", None)
        if texts is not None:
            return "\n".join(texts(span.start, span.end))
        return "\n".join(line.text for line in self.lines[span.start : span.end])

    def regions(self, span: Span) -> tuple[Region, ...]:
        """Return a region for each line of the span that has a box, in order."""
        return tuple(
            Region(page=line.page, box=line.box)
            for line in self.lines[span.start : span.end]
            if line.box is not None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A document as the shelf lists it: enough to be named and found, without its lines.

    `status` is a value of `DocumentStatus`; `successor` names what supersedes it, "" when nothing is known to, and
    `status_why` says how the status is known.
    """

    id: str
    name: str
    title: str
    aliases: tuple[str, ...]
    format: str
    language: str
    pages: int
    status: str = "active"
    successor: str = ""
    status_why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A labelled place on the shelf: one row of the label registry.

    `kind` is "section" or an `ItemKind`; `word` as in `Section`; `label` is normalised, and "" only for a section that
    was looked up by its title; `title` is the section's title or the item's caption.
    """

    doc: str
    kind: str
    label: str
    title: str
    lines: Span
    word: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage as it is indexed. `text` is verbatim with headings kept; `section` the id of its section or None.

    `lines` covers the passage; `header` the header rows of the table it continues, which are part of `text` but
    stand elsewhere; `tokens` counts words and signs. `path` is the section path, " > " between titles. `preamble` says
    where the passage stands, for BM25 and embedding alone: it is no part of the document. "" unless enriched.
    """

    id: str
    lines: Span
    section: str | None
    text: str
    tokens: int
    path: str = ""
    header: Span | None = None
    preamble: str = ""
