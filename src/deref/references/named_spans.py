"""The lines of a document that are named by number, page, section or item: what `deref show` prints and `open` of MCP gives."""

from __future__ import annotations

import re

from deref.errors import NoSuchSource, UsageError
from deref.text.labels import normalize_label
from deref.values import Document, ItemKind, Span

_QUOTES = " \"'“”„‘’«»"


def named_spans(
    document: Document,
    *,
    lines: str | None = None,
    page: int | None = None,
    section: str | None = None,
    item: str | None = None,
    option: str = "",
) -> list[Span]:
    """Return the spans that are named, in order; the whole document when nothing is named.

    `lines` is "A-B", 0-based, B not included; `page` is 1-based; `section` a label, `item` a kind and a label: "table 3";
    the label may be in quotes, as a defined term is in its document.
    Several sections or items may have one label: all are given. `option` stands before the names in messages: "--" for
    a command line. Raises UsageError for what cannot be understood, NoSuchSource for what is not there.
    """
    if sum(x is not None for x in (lines, page, section, item)) > 1:
        names = ", ".join(option + name for name in ("lines", "page", "section", "item"))
        raise UsageError(f"give one of {names}, not several")
    if lines is not None:
        return [_lines(document, lines, option)]
    if page is not None:
        on = [line.n for line in document.lines if line.page == page]
        if not on:
            raise NoSuchSource(f"{document.name}: no text on page {page}; it has {document.pages} page(s)")
        return [Span(doc=document.id, start=on[0], end=on[-1] + 1)]
    if section is not None:
        found = [s.lines for s in document.sections_labelled(normalize_label(section))]
        if not found:
            known = ", ".join(s.label for s in document.sections if s.label)[:200]
            raise NoSuchSource(
                f"{document.name}: no section {section}; it has {known or 'none with a label'}"
            )
        return found
    if item is not None:
        return _items(document, item, option)
    if not document.lines:
        raise NoSuchSource(f"{document.name}: no text in it; run OCR on its pages")
    return [Span(doc=document.id, start=0, end=len(document.lines))]


def _lines(document: Document, lines: str, option: str) -> Span:
    match = re.fullmatch(r"(\d{1,9})-(\d{1,9})", lines)
    if not match or not int(match[1]) < int(match[2]) <= len(document.lines):
        raise UsageError(
            f"{option}lines {lines}: write A-B with 0 <= A < B <= {len(document.lines)}, e.g. {option}lines 0-10"
        )
    return Span(doc=document.id, start=int(match[1]), end=int(match[2]))


def _items(document: Document, item: str, option: str) -> list[Span]:
    kind, _, label = item.partition(" ")
    label = label.strip(_QUOTES)
    if kind.casefold() not in {k.value for k in ItemKind} or not label:
        raise UsageError(f"{option}item {item!r}: write a kind and a label, e.g. {option}item 'table 3'")
    found = [i.lines for i in document.items_labelled(ItemKind(kind.casefold()), normalize_label(label))]
    if not found:
        known = ", ".join(f"{i.kind.value} {i.label}" for i in document.items if i.label)[:200]
        raise NoSuchSource(f"{document.name}: no {item}; it has {known or 'no items'}")
    return found
