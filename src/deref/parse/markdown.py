"""Markdown to lines: the source rows as they stand, and what markdown-it says of them.

A row of the source is a line of the document, its number the row. Out of the flow, though counted, are blank rows,
front matter, comments, rules and the underlines of headings. Headings get the anchors that GitHub gives them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from deref.parse.encoding import decode
from deref.parse.flow import Flow
from deref.parse.markdown_links import Found, bare_links, html_links, inline_links, names_in, placing_parser
from deref.values import LinkSource, MarkKind, Parsed

_ROW = re.compile("\r\n|\r|\n")
_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|lang|language):[ \t]*(\S(?:.*\S)?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FOOTNOTE = re.compile(r"^ {0,3}\[\^([^\]\s]+)\]:")
_NOTE_MARK = re.compile(r"\[\^([^\[\]\s]++)\](?!:)")
_BOLD_ROW = re.compile(
    r"^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(\*\*\*|\*\*|__)(?=\S)((?:(?!\1).)+)\1[.:]?\s*\\?$"
)
_EXPLICIT = re.compile(r"\{#([^\s{}]++)[^{}]*+\}\s*+#*+\s*+$")
_CONTENTS_ROW = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+\[.*\]\(#[^)]{0,1000}\)\s*$")
_INVISIBLE = re.compile(r"\s*<(?:!--|script\b|style\b)", re.IGNORECASE)
_PROSE_WORDS = 5


@dataclass(slots=True)
class _Reading:
    """Facts by source row, gathered from the tokens."""

    out: set[int] = field(default_factory=set)
    code: set[int] = field(default_factory=set)
    blocks: set[int] = field(default_factory=set)
    marks: list[tuple[MarkKind, int, int, int | None, str | None]] = field(default_factory=list)
    anchors: list[tuple[int, str]] = field(default_factory=list)
    links: list[Found] = field(default_factory=list)
    title: str | None = None
    slugs: dict[str, int] = field(default_factory=dict)


def parse_markdown(data: bytes, *, doc: str, name: str, password: str | None = None) -> Parsed:
    """Parse Markdown in any encoding. `password` is not used.

    Raises UnsupportedFile when the bytes are no text.
    """
    decoded = decode(data, name=name)
    text = _ROW.sub("\n", decoded.text.replace("\x00", "\ufffd"))
    front = _FRONT.match(text)
    fields = {k.lower(): v.strip("\"'") for k, v in _FIELD.findall(front.group(1) or "")} if front else {}
    if front:
        text = "\n" * front.group().count("\n") + text[front.end() :]
    rows = text.split("\n")
    reading = _read(placing_parser().parse(text), rows)
    _read_rows(reading, rows)
    flow = Flow(doc=doc)
    flow.problems += decoded.problems
    line_of = _lines(flow, reading, rows)
    _place(flow, reading, line_of)
    title = fields.get("title") or reading.title
    return flow.parsed("markdown", title=title, language=fields.get("lang") or fields.get("language"))


def _read(tokens: Sequence[Token], rows: Sequence[str]) -> _Reading:
    reading = _Reading()
    heading: Token | None = None
    cursors: dict[int, int] = {}
    in_head = False
    for token in tokens:
        if token.type == "inline" and token.map:
            row = token.map[0]
            in_row = token.map[1] - row == 1
            reading.links += inline_links(token, rows, cursors.get(row, 0) if in_row else 0)
            cursors[row] = max(0, rows[row].find(token.content, cursors.get(row, 0))) + len(token.content)
            _inline_anchors(reading, token)
            if heading is not None:
                _heading(reading, heading, token, rows)
        elif token.type in ("heading_open", "heading_close"):
            heading = token if token.type == "heading_open" else None
        elif token.type in ("thead_open", "thead_close"):
            in_head = token.type == "thead_open"
        elif token.map:
            _block(reading, token, rows, in_head)
    return reading


def _block(reading: _Reading, token: Token, rows: Sequence[str], in_head: bool) -> None:
    start, end = token.map or [0, 0]
    if token.type in ("paragraph_open", "list_item_open", "blockquote_open"):
        reading.blocks.add(start)
    elif token.type == "fence" or (token.type == "code_block" and not _is_prose(token.content)):
        reading.code |= set(range(start, end))
        reading.blocks.add(start)
        reading.marks.append((MarkKind.CODE, start, end, None, None))
    elif token.type == "table_open":
        reading.marks.append((MarkKind.TABLE, start, end, None, None))
    elif token.type == "tr_open":
        reading.blocks.add(start)
        reading.marks.append((MarkKind.ROW, start, end, None, "header" if in_head else None))
    elif token.type == "hr":
        reading.out |= set(range(start, end))
    elif token.type == "html_block":
        _html_block(reading, token, rows)
    elif token.type in ("bullet_list_open", "ordered_list_open") and token.level == 0:
        filled = [row for row in rows[start:end] if row.strip()]
        if len(filled) >= 3 and sum(1 for r in filled if _CONTENTS_ROW.match(r)) >= 0.8 * len(filled):
            reading.marks.append((MarkKind.CONTENTS, start, end, None, None))


def _is_prose(code: str) -> bool:
    """Tell whether an indented block is a paragraph that its author set in, as legal texts do, and no program."""
    filled = [row for row in code.split("\n") if row.strip()]
    words = sum(len(row.split()) for row in filled)
    letters = sum(1 for c in code if c.isalpha() or c.isspace())
    return (
        words >= _PROSE_WORDS * len(filled)
        and letters >= 0.78 * len(code)
        and not re.search(r"[{};]\s*$", code, re.MULTILINE)
    )


def _html_block(reading: _Reading, token: Token, rows: Sequence[str]) -> None:
    start, end = token.map or [0, 0]
    if _INVISIBLE.match(token.content):
        reading.out |= set(range(start, end))
        return
    reading.blocks.add(start)
    for row in range(start, min(end, len(rows))):
        reading.links += html_links(rows[row], row)
        reading.anchors += [(row, name) for name in names_in(rows[row])]


def _inline_anchors(reading: _Reading, token: Token) -> None:
    for child in token.children or ():
        if child.type == "html_inline" and token.map:
            row = token.map[0] + token.content.count("\n", 0, child.meta.get("start", 0))
            reading.anchors += [(row, name) for name in names_in(child.content)]


def _heading(reading: _Reading, opened: Token, inline: Token, rows: Sequence[str]) -> None:
    start, end = opened.map or [0, 0]
    if opened.markup in ("=", "-"):
        reading.out.add(end - 1)
        end -= 1
    level = int(opened.tag[1])
    reading.blocks.add(start)
    reading.marks.append((MarkKind.HEADING, start, end, level, None))
    text = "".join(
        c.content if c.type in ("text", "code_inline") else " " if c.type == "softbreak" else ""
        for c in inline.children or ()
    )
    if explicit := _EXPLICIT.search(rows[end - 1]):
        reading.anchors.append((start, explicit.group(1)))
        text = text[: text.rfind("{#")].rstrip()
    if level == 1 and reading.title is None:
        reading.title = " ".join(text.split())
    slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    again = reading.slugs.get(slug, 0)
    reading.slugs[slug] = again + 1
    reading.anchors.append((start, f"{slug}-{again}" if again else slug))


def _read_rows(reading: _Reading, rows: Sequence[str]) -> None:
    """Gather what is plain from a row alone: footnotes, bold rows, written-out addresses."""
    covered = {n for _, start, end, _, _ in reading.marks for n in range(start, end)}
    by_row: dict[int, list[Found]] = {}
    for link in reading.links:
        by_row.setdefault(link.row, []).append(link)
    for n, row in enumerate(rows):
        if n in reading.code or n in reading.out or not row.strip():
            continue
        if note := _FOOTNOTE.match(row):
            end = n + 1
            while end < len(rows) and rows[end].startswith(("    ", "\t")):
                end += 1
            reading.marks.append((MarkKind.FOOTNOTE, n, end, None, note.group(1)))
            reading.anchors.append((n, f"fn:{note.group(1)}"))
            reading.blocks.add(n)
        for mark in _NOTE_MARK.finditer(row):
            reading.links.append(
                Found(row=n, start=mark.start(), end_row=n, end=mark.end(), href=f"#fn:{mark.group(1)}")
            )
        if n not in covered and _BOLD_ROW.match(row):
            reading.marks.append((MarkKind.BOLD, n, n + 1, None, None))
        reading.links += bare_links(row, n, by_row.get(n, ()))


def _lines(flow: Flow, reading: _Reading, rows: Sequence[str]) -> list[int]:
    """Add the rows that are in the flow; return for each row the line it became, or the next one."""
    line_of: list[int] = []
    gap = True
    for n, row in enumerate(rows):
        line_of.append(flow.n)
        if not row.strip() or n in reading.out:
            flow.skip_row()
            gap = True
            continue
        flow.line(row, starts_block=n in reading.blocks or (gap and n not in reading.code))
        gap = False
    line_of.append(flow.n)
    return line_of


def _place(flow: Flow, reading: _Reading, line_of: Sequence[int]) -> None:
    for kind, start, end, level, label in reading.marks:
        first, last = line_of[min(start, len(line_of) - 1)], line_of[min(end, len(line_of) - 1)]
        if last > first:
            flow.add_mark(kind, first, last, level=level, label=label)
    for row, name in reading.anchors:
        flow.anchors.setdefault(name, line_of[row])
    listed = {n for m in flow.marks if m.kind is MarkKind.CONTENTS for n in range(m.start, m.end)}
    for link in reading.links:
        if link.row in reading.out or link.row in reading.code:
            continue
        line, last = line_of[link.row], line_of[link.end_row]
        source = LinkSource.CONTENTS if line in listed else LinkSource.ANCHOR
        flow.add_link(line, link.start, link.end, link.href, source, last)
