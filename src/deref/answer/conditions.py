"""Conditions: sentences that say when the rest holds. They are stated in the answer, never decided."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deref.answer.cite import origin
from deref.text.clean import join_lines
from deref.text.lazy import lazy
from deref.text.tokens import sentences
from deref.values import Condition, Document, Point, Span

_CONDITION = lazy(
    r"\b(subject to|provided(?:,? (?:however|further|always),?)? that|only if|only where|only when|unless|"
    r"on (?:the )?condition that|conditional (?:up)?on|except (?:as|where|that|to the extent)|to the extent that|"
    r"notwithstanding|so long as|in the event that|if and only if|contingent (?:up)?on)\b",
    re.IGNORECASE,
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
        match = _CONDITION.search(joined.text, start, end)
        if match:
            line, char = joined.locate(match.start())
            at = Point(doc=document.id, line=line.n, char_start=char, char_end=char + 1)
            found.append(Condition(text=joined.text[start:end], at=origin(document, at)))
    return found


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
