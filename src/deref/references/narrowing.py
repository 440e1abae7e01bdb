"""From a section or table to the lines that are meant: sub-paragraphs "(2)(b)", rows and columns, "second paragraph".

A sub-paragraph begins at a line that starts with its mark, "(b)", "b)" or "2.", and ends where the next mark of its
series begins, never outside the part it belongs to. A mark in the middle of a line gives that line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deref.references.words import ORDINALS
from deref.text.labels import expand_range, is_roman, normalize_label, roman_value, to_roman
from deref.text.lazy import lazy
from deref.values import Document, Item, Span

_LEAD = r"^[\s#>*_\[–—•-]*"
_TAG = lazy(r"\([\w.+-]{1,6}\)|[“\"‘'][^”\"’']+[”\"’']|[\w.+-]+\+?")
_ROW_WORD = lazy(
    r"(?P<word>rows?|columns?|lines?|entry|entries|cells?|items?|\w{3,14}(?=\s+\())\s+(?P<tags>.+)$",
    re.IGNORECASE,
)
_ORDINAL = lazy(r"(?P<nth>\w+) (?P<piece>[\w-]+?)s?$")


class Narrowed(NamedTuple):
    """The lines picked out, the header that belongs to them, and what was not found, in words."""

    focus: tuple[Span, ...] = ()
    header: Span | None = None
    missing: str = ""


def sub_paragraph(
    document: Document, span: Span, parts: Sequence[str], *, bracketed: bool = False
) -> Span | None:
    """Return the lines of a sub-paragraph of the lines `span` ("2", "b" for "(2)(b)"), or None when it is not there.

    `bracketed` takes only marks in brackets, "(2)", for such.
    """
    inside = span
    for part in parts:
        found = _marked(document, inside, part, bracketed)
        if found is None:
            return None
        inside = found
    return inside


def _marked(document: Document, span: Span, part: str, bracketed: bool) -> Span | None:
    mark = _mark(part, bracketed)
    following = _next(part)
    start = None
    lines = document.lines
    for n in range(span.start, span.end):
        if mark.match(lines[n].text):
            start = n
            break
    if start is None:
        inline = re.compile(
            rf"(?<![\w)])(?<!aragraph )(?<!lause )(?<!oint )(?<!oints )(?<!aragraphs )\({re.escape(part)}\)(?=\s|\()"
        )
        at = next((n for n in range(span.start, span.end) if inline.search(lines[n].text)), None)
        return None if at is None else Span(doc=span.doc, start=at, end=at + 1)
    stop = span.end
    marks = [_mark(f, bracketed) for f in following]
    for n in range(start + 1, span.end):
        if any(m.match(lines[n].text) for m in marks):
            stop = n
            break
    return Span(doc=span.doc, start=start, end=stop)


def marked_lines(document: Document, span: Span, part: str) -> list[int]:
    """Return the lines of a span that begin with a mark."""
    mark = _mark(part, bracketed=False)
    return [n for n in range(span.start, span.end) if mark.match(document.lines[n].text)]


def _mark(part: str, bracketed: bool) -> re.Pattern[str]:
    p = re.escape(part)
    dotted = rf"|{p}\.(?!\d)|{p}\)" if not bracketed and (part.isdigit() or len(part) == 1) else ""
    return re.compile(
        rf"{_LEAD}(?:(?:\d{{1,3}}\.|\w{{1,3}}\)|\([A-Za-z\d]{{1,4}}\)) ?)?(?:\({p}\){dotted}|§ ?{p}\b)"
    )


def _next(part: str) -> tuple[str, ...]:
    out: list[str] = []
    if part.isdigit():
        return (str(int(part) + 1),)
    if len(part) == 1 and part.isalpha() and part.lower() != "z":
        out.append(chr(ord(part) + 1))
    if is_roman(part) and roman_value(part) < 60:
        roman = to_roman(roman_value(part) + 1)
        out.append(roman if part.isupper() else roman.lower())
    return tuple(out)


def select(document: Document, span: Span, item: Item | None, selector: str) -> Narrowed:
    """Return what a selector picks in an item or a section."""
    row = _ROW_WORD.match(selector.strip())
    if (
        row is not None
        and item is not None
        and (item.selectors or row.group("word").lower()[:3] in ("row", "col"))
    ):
        return _rows(item, row.group("word").lower(), row.group("tags"), selector)
    ordinal = _ORDINAL.match(selector.strip())
    if ordinal is not None:
        picked = _nth(document, span, item, ordinal.group("nth").lower(), ordinal.group("piece").lower())
        return (
            Narrowed(focus=(picked,), header=item.header if item is not None else None)
            if picked
            else Narrowed(missing=f"its {selector} could not be told apart")
        )
    parts = re.findall(r"\(([\w]{1,5})\)", selector)
    found = [s for s in (sub_paragraph(document, span, (p,)) for p in parts) if s]
    if parts and len(found) == len(parts):
        return Narrowed(focus=tuple(found))
    return Narrowed(missing=f"{selector} was not found in it")


def _rows(item: Item, word: str, tags: str, selector: str) -> Narrowed:
    kind = "column" if word.startswith("col") else "row"
    wanted = [t.strip("“”\"‘’' ") for t in _TAG.findall(re.sub(r"\b(?:and|or)\b|,", " ", tags))]
    if re.search(r"–| to ", tags) and len(wanted) >= 2:
        ends = [normalize_label(w) for w in wanted if w != "to"]
        wanted = list(expand_range(ends[0], ends[-1]))
    focus: list[Span] = []
    missing: list[str] = []
    for tag in wanted:
        label = normalize_label(tag).casefold()
        hits = [s for s in item.selectors if s.kind == kind and s.tag.casefold() == label]
        if not hits and kind == "column" and label.isdigit():
            columns = [s for s in item.selectors if s.kind == "column"]
            hits = columns[int(label) - 1 : int(label)] if int(label) else []
        focus += [h.lines for h in hits]
        if not hits:
            missing.append(tag)
    why = f"no {kind} {', '.join(missing)} was found in it" if missing or not wanted else ""
    return Narrowed(
        focus=tuple(dict.fromkeys(focus)),
        header=item.header,
        missing=why or ("" if focus else f"{selector} was not found in it"),
    )


def _nth(document: Document, span: Span, item: Item | None, nth: str, piece: str) -> Span | None:
    order = ORDINALS
    if nth not in order and not nth[:1].isdigit():
        return None
    number = (
        -1 if nth == "last" else (int(re.sub(r"\D", "", nth)) - 1 if nth[:1].isdigit() else order.index(nth))
    )
    if piece in ("row", "column") and item is not None:
        rows = [s for s in item.selectors if s.kind == piece]
        return rows[number].lines if rows and number < len(rows) else None
    if piece not in ("paragraph", "subparagraph", "sub-paragraph"):
        return None
    blocks = blocks_of(document, span)[1:]
    return blocks[number] if blocks and number < len(blocks) else None


def blocks_of(document: Document, span: Span) -> list[Span]:
    """Return the blocks (heading, paragraphs, list items) of a span of lines, in order."""
    starts = [n for n in range(span.start, span.end) if document.lines[n].starts_block or n == span.start]
    ends = [*starts[1:], span.end]
    return [Span(doc=span.doc, start=a, end=b) for a, b in zip(starts, ends, strict=True)]
