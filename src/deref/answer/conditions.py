"""Conditions: sentences that say when the rest holds. They are stated in the answer, never decided.

Of a sentence that is a list, a condition inside one point is that point; one before the points is the whole list.
What somebody is liable to ("subject to a fine") is no condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from deref.answer.cite import origin
from deref.text.clean import Joined, join_lines
from deref.text.labels import is_roman, roman_value, to_roman
from deref.text.lazy import lazy
from deref.text.tokens import sentences
from deref.values import Condition, Document, Point, Span

_CONDITION = lazy(
    r"\b(subject to|provided(?:,? (?:however|further|always),?)? that|only if|only where|only when|unless|"
    r"on (?:the )?condition that|conditional (?:up)?on|except (?:as|where|that|to the extent)|to the extent that|"
    r"notwithstanding|so long as|in the event that|if and only if|contingent (?:up)?on)\b",
    re.IGNORECASE,
)


_TAG = lazy(r"\s*(?:\((?:[a-z]{1,5}|[A-Z]|\d{1,3})\)|(?:[a-z]|[ivx]{1,5}|\d{1,3})[.)]|[-•–*])(?:\s|$)")
_LIABLE = lazy(
    r"(?i)subject to (?:(?:an?|the|such|any|all|other|administrative|civil|criminal|monetary|applicable|additional) ){0,3}"
    r"(?:fines?|penalt(?:y|ies)|sanctions?|prosecution|imprisonment|(?:income )?tax(?:es|ation)?|liabilit(?:y|ies)|damages)\b"
)
_SAID = ("subject to", "provided", "only ", "unless", "condition", "except ", "to the extent", "notwithstanding", "so long as",
         "in the event", "if and", "contingent")  # fmt: skip
"""What each of them says, for a first look: hardly any text says one of these."""
_LETTERS_BESIDE = "ſıİK"
"""Letters that the pattern takes for others, and small letters do not."""


def conditions_in(document: Document, lines: Span) -> list[Condition]:
    """Return the sentences in these lines that state a condition, in order."""
    joined = join_lines(document.lines[lines.start : lines.end])
    if not _may_stand_in(joined.text):
        return []
    found = []
    for start, end in sentences(joined.text):
        for match in _CONDITION.finditer(joined.text, start, end):
            if _LIABLE.match(joined.text, match.start()):
                continue
            line, char = joined.locate(match.start())
            at = Point(doc=document.id, line=line.n, char_start=char, char_end=char + 1)
            begin, stop = _point_of_list(joined, start, match.start(), end)
            found.append(Condition(text=joined.text[begin:stop], at=origin(document, at)))
            break
    return found


def _point_of_list(joined: Joined, start: int, at: int, end: int) -> tuple[int, int]:
    """Return the part of a sentence that is the point of a list with what stands at an offset; the whole when none is.

    A point begins at a line that begins with its tag and continues no other, and ends before the next one of its list, or of one that this is in. A tag that has a line to itself is one with the next.
    """
    tags = [
        (max(begin, start), match.group().strip(" ()."))
        for begin, (line, char) in zip(joined.starts, joined.pieces, strict=True)
        if begin < end and char == 0 and line.starts_block and (match := _TAG.match(line.text))
    ]
    open_tags = [(begin, tag) for begin, tag in tags if start <= begin <= at]
    if not open_tags:
        return start, end
    next_ones = {name for _, tag in open_tags for name in _next_tags(tag)}
    begin = open_tags[-1][0]
    stop = next((other for other, tag in tags if other > at and tag in next_ones), end)
    return begin, begin + len(joined.text[begin:stop].rstrip())


def _next_tags(tag: str) -> set[str]:
    """Return what the point behind one may be called: "j" or "ii" behind "i", and the same behind a bullet."""
    if tag.isdecimal():
        return {str(int(tag) + 1)}
    found = {chr(ord(tag) + 1)} if len(tag) == 1 and tag.isalpha() else set()
    if is_roman(tag):
        found.add(to_roman(roman_value(tag) + 1).lower())
    return found or {tag}


def _may_stand_in(text: str) -> bool:
    folded = text.lower()
    return any(said in folded for said in _SAID) or any(odd in text for odd in _LETTERS_BESIDE)


def each_once(conditions: Iterable[Condition]) -> list[Condition]:
    """Return the conditions in order, without those that are the end of another of the same line, or have it as their end."""
    kept: list[Condition] = []
    for one in conditions:
        same = [k for k in kept if (k.at.source, k.at.line) == (one.at.source, one.at.line)]
        if not any(k.text.endswith(one.text) or one.text.endswith(k.text) for k in same):
            kept.append(one)
    return kept


def conditions_of(quotes: Iterable[tuple[Document, Span]]) -> list[Condition]:
    """Return the conditions in quotes, given as (document, lines), in order, each once."""
    return each_once(c for document, lines in quotes for c in conditions_in(document, lines))
