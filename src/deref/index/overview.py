"""The overview of a document, without a model: its title, its headings, its first definitions.

1. The title.
2. The headings in order, the widest level first, as many as fit in `HEADINGS` words; those that only number ("Article 5",
   "Annex B") say nothing on what the document is about and are left out.
3. The terms of its first definitions, as many as fit in `TERMS` words.
4. Where there are few headings, the text that opens the document, so that the whole has at least `LEAST` words.

At most about 160 words: what an embedder of 512 word pieces reads whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from deref.text.tokens import count_tokens
from deref.values import Document, ItemKind

HEADINGS = 90
TERMS = 30
LEAST = 40
"""Words."""


def overview(document: Document) -> str:
    """Return the overview, a line for each part; the title alone for a document without text."""
    headings = list(_within(HEADINGS, _headings(document)))
    terms = list(_within(TERMS, _terms(document)))
    parts = [document.title, "; ".join(headings), f"Defines {', '.join(terms)}" if terms else ""]
    missing = LEAST - sum(count_tokens(part) for part in parts)
    if missing > 0:
        parts.append(" ".join(_within(missing, _opening(document), at_least_one=True)))
    return "\n".join(part for part in parts if part)


def _within(most: int, said: Iterable[str], *, at_least_one: bool = False) -> Iterator[str]:
    left = most
    for text in said:
        left -= count_tokens(text)
        if left < 0 and not at_least_one:
            return
        at_least_one = False
        yield text


def _headings(document: Document) -> Iterator[str]:
    seen = {document.title.casefold()}
    for section in sorted(document.sections, key=lambda s: (s.level, s.lines.start)):
        text = " ".join(_title(section.title, section.label).split())
        if re.search(r"[^\W\d_]{3}", text) and text.casefold() not in seen:
            seen.add(text.casefold())
            yield text


def _title(title: str, label: str | None) -> str:
    """Return a heading without its number and the word before it."""
    if label is None:
        return title
    return re.sub(rf"^\W*(?:\w+\s+)?{re.escape(label)}(?!\w)[\s.):–—-]*", "", title, flags=re.IGNORECASE)


def _terms(document: Document) -> Iterator[str]:
    for item in document.items:
        if item.kind is ItemKind.DEFINITION and item.label:
            yield item.label


def _opening(document: Document) -> Iterator[str]:
    hidden = {n for span in document.contents for n in range(span.start, span.end)}
    for line in document.lines:
        if line.n not in hidden and line.text.strip():
            yield " ".join(line.text.split())
