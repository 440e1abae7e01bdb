"""Defined terms in what is quoted: the words by which the same document defines them, told beside the answer.

A term counts when a quote has it as it is written in its definition, with a capital, when its definition says what it means
(a mere short name in brackets says whom it stands for), and when that definition is not quoted itself. Those of the first
quotes come first, a longer term before a shorter one that it holds; a few at the most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deref.answer.cite import origin
from deref.answer.units import at_structure, with_list
from deref.text.clean import join_lines
from deref.text.lazy import lazy
from deref.values import DefinedTerm, Document, Item, ItemKind, Point, Span

MOST = 3
_MOST_QUOTES = 4
_LONGEST = 1_200
"""Signs of a definition that are told."""
LONGEST_DEFINITION = 220
"""Words of a definition with the list that it leads in."""
_MEANS = lazy(
    r"\b(?:means?|meaning|shall mean|is defined as|refers? to|includes?|has the same meaning)\b|^[^.]{0,60}[:=]\s"
)


def defined_terms(quotes: Sequence[tuple[Document, Span]]) -> list[DefinedTerm]:
    """Return the defined terms of quotes, given as (document, lines) in their order, with the words that define them."""
    out: dict[str, DefinedTerm] = {}
    told: list[str] = []
    for document, lines in quotes[:_MOST_QUOTES]:
        text = document.text(lines)
        for term, place in sorted(_held(document, text), key=lambda one: (-len(one[0]), one[1].start)):
            if len(out) == MOST or any(term in longer for longer in told):
                continue
            told.append(term)
            if any(d.id == document.id and place.start in quoted for d, quoted in quotes):
                continue
            whole = whole_definition(document, place)
            words = join_lines(document.lines[whole.start : whole.end]).text
            if _MEANS.search(words) and len(words) <= _LONGEST:
                at = Point(doc=document.id, line=place.start, char_start=0, char_end=1)
                out[term] = DefinedTerm(term=term, text=words, at=origin(document, at))
    return list(out.values())


def whole_definition(document: Document, lines: Span) -> Span:
    """Return the lines of a definition with the list that it leads in ("means: (a) …"), as far as the next definition."""
    whole = with_list(document, lines, LONGEST_DEFINITION)
    ends = [
        i.lines.start
        for i in document.items
        if i.kind is ItemKind.DEFINITION and lines.end <= i.lines.start < whole.end and _opens(document, i)
    ]
    return at_structure(document, Span(doc=lines.doc, start=lines.start, end=min([whole.end, *ends])))


def _opens(document: Document, item: Item) -> bool:
    """Tell whether a definition begins with its term."""
    words = document.lines[item.lines.start].text
    return re.sub(r"^\W*(?:\(?\w{1,4}[).]\W*)?", "", words).startswith(item.label or words)


def _held(document: Document, text: str) -> Iterator[tuple[str, Span]]:
    """Yield the terms that a document defines and a text of it uses, with the lines of the first definition of each."""
    seen = set()
    for item in document.items:
        term = item.label or ""
        if item.kind is not ItemKind.DEFINITION or term in seen or term not in text or not term[:1].isupper():
            continue
        if re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text):
            seen.add(term)
            yield term, item.lines
