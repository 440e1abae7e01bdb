"""A question as it is typed → a Query: white space folded, its shape and the documents it names read off its words.

The shape decides how many passages are read and places quoted: few for a fact, more for a list or a comparison.
Rules, first match wins: condition ("under what condition", "when may", "what if"), comparison ("compare",
"difference", "versus"), list ("which … are", "list", "all", "what are the"), definition ("what is a …",
"what does … mean", "define"), else fact.

A follow-up hangs on the questions before it when it begins as one ("and when?"), says a word that stands for something said
before ("it", "that fee"), or has hardly a word of its own. Then it is asked together with them, theirs first, back to the
one that stands alone; each stays a sentence of its own. A question that stands alone is asked alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.errors import UsageError
from deref.retrieve.intent import title_intent
from deref.text.lazy import lazy
from deref.text.tokens import content_stems, words
from deref.values import EVERYTHING, Query, Scope, Shape

LONGEST_QUESTION = 8_000
"""Characters. A longer text is a document, not a question."""

_SHAPES: tuple[tuple[Shape, re.Pattern[str]], ...] = (
    (Shape.CONDITION, lazy(r"\b(under what (conditions?|circumstances)|on what conditions?|what if|only if|what conditions?)\b|^\s*when may\b", re.I)),
    (Shape.COMPARISON, lazy(r"\b(compar\w*|differ\w*|versus|vs\.?|better than|worse than)\b", re.I)),
    (Shape.LIST, lazy(r"^\s*(list|enumerate|name (all|the))\b|\b(which (\w+ ){0,3}are|what are (the|all)|all (the )?\w+s\b)", re.I)),
    (Shape.DEFINITION, lazy(r"\b(what does .{1,80} mean|meaning of|define[ds]?|definition of)\b|^\s*what is (a|an) ", re.I)),
)  # fmt: skip


MOST_PASSAGES = 50


def passages_for(shape: Shape, passages: int) -> int:
    """Return how many passages are read for a question: those of a page for a fact, twice as many where an answer may
    stand in several places.
    """
    return min(2 * passages, MOST_PASSAGES) if shape in (Shape.LIST, Shape.COMPARISON) else passages


_GOES_ON = lazy(
    r"^\s*(and|but|or|so|then|also|what about|how about|why|when|where|who)\b(?=[\s?,]*(\?|$))|^\s*(and|but|or|so|also|what about|how about)\b",
    re.I,
)
_STANDS_FOR = lazy(
    r"\b(it|its|they|them|their|theirs|he|she|him|his|her|hers|those|these|the same|the (former|latter|first|second) one)\b|"
    r"\b(that|this)\b(?! (is|are|was|were|which|who|the|a|an|it|they|there|all|any|each|no|must|may|can|shall|should|will|would|has|have|had)\b)(?=[\s?.,;])",
    re.I,
)
_CLAUSE = lazy(
    r"\b(?:if|when|unless|until|before|after|while|because|that|which|who|whether|once|where|so|but|and)\b",
    re.I,
)
_NAMED = 1
"""Stems that the clause before a pronoun has at least when the pronoun may stand for what is said there."""
_LEAST_WORDS = 2
"""Stems that a question has which stands alone."""
_MOST_BEFORE = 3


def hangs_on_history(text: str) -> bool:
    """Tell whether a question is a follow-up that says too little alone."""
    if _GOES_ON.search(text) or any(not _stands_for_own(text, m.start()) for m in _STANDS_FOR.finditer(text)):
        return True
    return len(set(content_stems(text))) < _LEAST_WORDS


def _stands_for_own(text: str, at: int) -> bool:
    """Whether the pronoun at a place may stand for what an earlier clause of the same question names: "What does the tenant
    pay if it leaves?"
    """
    before = text[:at]
    ends = [m.start() for m in _CLAUSE.finditer(before)]
    return bool(ends) and len(set(content_stems(before[: ends[-1]]))) > _NAMED


def standalone(text: str, history: Sequence[str]) -> str:
    """Return the question as it stands without its history: with the questions that it hangs on, oldest first."""
    asked = [text]
    for before in reversed(history[-_MOST_BEFORE:]):
        if not hangs_on_history(asked[0]):
            break
        asked.insert(0, " ".join(before.split()))
    ended = (q if q.endswith(("?", ".", "!")) else f"{q}." for q in asked[:-1])
    return " ".join([*ended, text])


def parse_question(
    text: str, *, scope: Scope = EVERYTHING, history: tuple[str, ...] = (), titles: bool = True
) -> Query:
    """Return the query of a question, with those of its `history` that it hangs on; `titles` says whether it is asked which documents it names.

    Raises UsageError for one that is no text, without a word, or longer than 8,000 characters.
    """
    if not isinstance(text, str):  # From Python, where nothing holds the caller to the type.
        raise UsageError(f"a question is text, and this is {type(text).__name__}; ask in words")
    folded = " ".join(text.split())
    if not words(folded):
        raise UsageError(
            f'the question {folded[:40]!r} holds no word; ask with at least one, e.g. "termination fee"'
        )
    if len(folded) > LONGEST_QUESTION:
        raise UsageError(
            f"the question is {len(folded):,} characters long, more than {LONGEST_QUESTION:,}; "
            "put long text into a file of the shelf and ask about it"
        )
    shape = next((shape for shape, pattern in _SHAPES if pattern.search(folded)), Shape.FACT)
    whole = standalone(folded, history)
    intent = title_intent(whole) if titles else None
    return Query(text=whole, scope=scope, history=history, shape=shape, intent=intent)
