"""What a parser hands over: lines, and what the file itself says of them.

A parser reads bytes and interprets as little as it can. Whatever the file states outright travels as marks (a
heading with its level, a table and its rows, code, contents) and native links; `structure` turns both, together
with the look of the lines, into a `Document`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from deref.quick_dataclass import dataclass
from deref.values.places import Line


class MarkKind(StrEnum):
    """What a format can say outright of some lines.

    HEADING  `level` 1 = top; `label` is the automatic number when the format keeps it apart from the text.
             A bookmark of a PDF outline is a heading mark too (`from_outline`).
    TABLE    all rows of one table, header included.   ROW  one row of a table; `label` is "header" for header rows.
    CODE     preformatted text that is no prose.       CONTENTS  a printed table of contents or index.
    CAPTION  the caption of a table or figure.         FOOTNOTE  a footnote; `label` is its mark.
    TITLE    the title of the document (HTML <title>, DOCX Title style, PDF metadata has no lines: see Parsed.title).
    BOLD     every character of the lines is bold.
    DEFINED  a defined term (HTML <dfn>, DOCX bold in quotes); `label` is the term.
    BIBLIOGRAPHY  one entry of a list of references; `label` is its tag, without brackets.
    """

    HEADING = "heading"
    TABLE = "table"
    ROW = "row"
    CODE = "code"
    CONTENTS = "contents"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    TITLE = "title"
    BOLD = "bold"
    DEFINED = "defined"
    BIBLIOGRAPHY = "bibliography"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Lines `start` to `end` (half-open) are what `kind` says, by the file's own word.

    `title` is that of a heading whose line says more than it: a remark at the far end of the row, the entry behind the
    letter of an index.
    """

    kind: MarkKind
    start: int
    end: int
    level: int | None = None
    label: str | None = None
    from_outline: bool = False
    title: str | None = None


class LinkSource(StrEnum):
    """How a native link is written in the file. A call of a note is no link of the file's: it is read off the page."""

    ANNOTATION = "annotation"
    ANCHOR = "anchor"
    FIELD = "field"
    CONTENTS = "contents"
    CALL = "call"


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeLink:
    """A link that the author's tool wrote, at characters `char_start`..`char_end` of line `line`.

    Exactly one of these says where it goes: `target_line` (0-based, in the same document, already located) or
    `uri` (absolute, or relative to the file: "chapter-2.html#limits", "#anchor" never: that is a `target_line`,
    and an anchor that is not there is a `uri` of "#name").
    `end_line` as in `Point`.
    """

    line: int
    char_start: int
    char_end: int
    source: LinkSource
    target_line: int | None = None
    uri: str | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that went wrong or is missing, in words for people. `page` is 1-based, or None for the whole."""

    what: str
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The lines of one file in reading order, numbered 0.. without gaps, and what the file says of them.

    `anchors` maps the names that links can aim at (HTML ids, DOCX bookmarks, PDF named destinations) to lines.
    `page_labels` are the printed page labels by 0-based page index, "" for a page without one; empty where the file keeps
    none and none were made out that differ from the count of its pages.
    `pages` is the number of pages in the file, those without text included; 1 where the format has no pages.
    `raised` are the short numbers set above the baseline: line, first character, end.
    """

    format: str
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...] = ()
    links: tuple[NativeLink, ...] = ()
    anchors: Mapping[str, int] = field(default_factory=dict)
    title: str | None = None
    language: str | None = None
    pages: int = 1
    page_labels: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    raised: tuple[tuple[int, int, int], ...] = ()
