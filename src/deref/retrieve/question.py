"""A question as it is typed → a Query: white space folded, its shape and the documents it names read off its words.

The shape decides how many places are quoted: few for a fact, more for a list or a comparison.
Rules, first match wins: condition ("under what condition", "when may", "what if"), comparison ("compare",
"difference", "versus"), list ("which … are", "list", "all", "what are the"), definition ("what is a …",
"what does … mean", "define"), else fact.
"""

from __future__ import annotations

import re

from deref.errors import UsageError
from deref.retrieve.intent import title_intent
from deref.text.tokens import words
from deref.values import EVERYTHING, Query, Scope, Shape

LONGEST_QUESTION = 8_000
"""Characters. A longer text is a document, not a question."""

_SHAPES: tuple[tuple[Shape, re.Pattern[str]], ...] = (
    (Shape.CONDITION, re.compile(r"\b(under what (conditions?|circumstances)|on what conditions?|what if|only if|what conditions?)\b|^\s*when may\b", re.I)),
    (Shape.COMPARISON, re.compile(r"\b(compar\w*|differ\w*|versus|vs\.?|better than|worse than)\b", re.I)),
    (Shape.LIST, re.compile(r"^\s*(list|enumerate|name (all|the))\b|\b(which (\w+ ){0,3}are|what are (the|all)|all (the )?\w+s\b)", re.I)),
    (Shape.DEFINITION, re.compile(r"\b(what does .{1,80} mean|meaning of|define[ds]?|definition of)\b|^\s*what is (a|an) ", re.I)),
)  # fmt: skip


def parse_question(
    text: str, *, scope: Scope = EVERYTHING, history: tuple[str, ...] = (), titles: bool = True
) -> Query:
    """Return the query of a question; `titles` says whether it is asked which documents it names.

    Raises UsageError for one without a word, or longer than 8,000 characters.
    """
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
    intent = title_intent(folded) if titles else None
    return Query(text=folded, scope=scope, history=history, shape=shape, intent=intent)
