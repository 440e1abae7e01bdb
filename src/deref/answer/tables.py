"""Quoting tables: the row that is asked for means nothing without its header, and often without the row it departs from.

The *baseline row* is the first row whose first cell names the plain case by a word such as "base", "baseline" or
"default", when the caption or the pointing sentence uses that word too ("identical to those of the base model"), or when
it is the first row of the body.
"""

from __future__ import annotations

import re

from deref.text.lazy import lazy
from deref.values import Document, Item, ItemKind, Span

_PLAIN_CASE = frozenset(
    {"base", "baseline", "default", "control", "reference", "standard", "original", "none"}
)
_WORD = lazy(r"[^\W\d_]{3,}")
_RULE = lazy(r"^(?=.*[-=]{2})[\s|:+\-=]+$")


def table_at(document: Document, lines: Span) -> Item | None:
    """Return the table whose lines these are, or that holds them, or None."""
    return next(
        (
            i
            for i in document.items
            if i.kind is ItemKind.TABLE and i.lines.start <= lines.start and lines.end <= i.lines.end
        ),
        None,
    )


def body_rows(table: Item, document: Document) -> list[int]:
    """Return the lines of the table that are neither header nor caption, in order."""
    caption = set(table.caption.split())
    rows = []
    for n in range(table.lines.start, table.lines.end):
        text = document.lines[n].text
        if table.header is not None and n in table.header:
            continue
        if table.header is not None and table.header.start > n:
            continue
        told = text.split()
        if told and len(caption & set(told)) < max(3, len(told) * 0.8):
            rows.append(n)
    return rows


def baseline_row(table: Item, document: Document, focus: tuple[Span, ...], sentence: str) -> Span | None:
    """Return the row that the focused rows are to be read against, or None; never one of them."""
    told = {w.casefold() for w in _WORD.findall(f"{table.caption} {sentence}")}
    rows = body_rows(table, document)
    for n in rows:
        if any(n in f for f in focus):
            continue
        first = re.match(r"\W*([^\W\d_]{3,})\b", document.lines[n].text)
        word = first.group(1).casefold() if first else ""
        if word in _PLAIN_CASE and (word in told or n == rows[0]):
            return Span(doc=document.id, start=n, end=n + 1)
    return None


def is_rule(text: str) -> bool:
    """Tell whether a line is no more than a rule, as under the header of a table in Markdown ("|---|---|")."""
    return _RULE.match(text) is not None


def without_rule(header: Span, document: Document) -> Span:
    """Return the lines of a header without the rules below it."""
    end = header.end
    while end - 1 > header.start and is_rule(document.lines[end - 1].text):
        end -= 1
    return Span(doc=header.doc, start=header.start, end=end)


def joined_spans(spans: list[Span]) -> list[Span]:
    """Return the spans in order with neighbours and overlaps made one."""
    out: list[Span] = []
    for span in sorted(spans):
        if out and span.start <= out[-1].end:
            out[-1] = Span(doc=span.doc, start=out[-1].start, end=max(out[-1].end, span.end))
        else:
            out.append(span)
    return out
