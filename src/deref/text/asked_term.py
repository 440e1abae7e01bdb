"""The term whose meaning a question asks for: "What does “Net Sales” mean in the Supply Agreement?", "What is a processor?"

The words that ask give the term, and the paper behind them in which it is to be looked up. "What is a …?" is an ordinary question
too: it asks for the meaning of a term only where there is such a term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deref.text.lazy import lazy

OPEN, CLOSE = "\"“”„«‘'*", "\"“”»’'*"
_THE_TERM = r"(?:the (?:defined )?(?:terms?|words?|expressions?|phrases?|abbreviation|acronym) )?"
_TERM = rf"(?P<term>[{OPEN}]?[^?\"“”„«»]{{2,80}}?[{CLOSE}]?)"
_WHERE = r"(?:,? (?:as used |as defined )?(?:in|under|within|according to|for the purposes? of|by) (?P<where>[^?]{2,100}?))?"
_END = r"\s*[?.!]*\s*$"
_MEANING = (
    rf"\bwhat (?:does|do|did) {_THE_TERM}{_TERM} (?:mean|stand for|refer to|denote){_WHERE}{_END}",
    rf"\bwhat (?:is|are) meant by {_THE_TERM}{_TERM}{_WHERE}{_END}",
    rf"\b(?:definitions?|meanings?) of {_THE_TERM}{_TERM}{_WHERE}{_END}",
    rf"^\W*(?:please )?define {_THE_TERM}{_TERM}{_WHERE}{_END}",
    rf"\bhow (?:is|are) {_THE_TERM}{_TERM} defined{_WHERE}{_END}",
    rf"\bhow (?:does|do) (?P<where>[^?]{{2,100}}?) define {_THE_TERM}{_TERM}{_END}",
    rf"\bwas (?:bedeutet|bedeuten|heißt|ist gemeint mit|versteht man unter) (?:der begriff )?{_TERM}(?: (?:in|nach|im sinne) (?P<where>[^?]{{2,100}}?))?{_END}",
    rf"\b(?:que signifie|qu['’]entend-on par|¿?qué significa|¿?qué se entiende por) {_TERM}(?: (?:dans|selon|en|según) (?P<where>[^?]{{2,100}}?))?{_END}",
)
_BEING = (rf"^\W*(?:what|who) (?:is|are|counts as|qualifies as) (?:(?:an?) )?{_TERM}{_WHERE}{_END}",)
_ASKS = lazy(
    r"\bmean|\bdefin|^\W*(?:what|who) (?:is|are|counts|qualifies)\b|\bbedeut|\bheißt|gemeint|versteht man|signifi|qu.entend-on|entiende",
    re.IGNORECASE,
)


class AskedTerm(NamedTuple):
    """A term as it is written, the paper that it is looked up in (""), the words for both, and whether its meaning is asked for in
    so many words.
    """

    term: str
    where: str
    said: str
    explicit: bool


def terms_asked(question: str) -> Iterator[AskedTerm]:
    """Yield what a question may ask the meaning of, the longest term first; nothing when it asks for no meaning."""
    text = " ".join(question.split())
    if not _ASKS.search(text):
        return
    for explicit, patterns in ((True, _MEANING), (False, _BEING)):
        for pattern in patterns:
            found = re.search(pattern, text, re.IGNORECASE)
            if found is None:
                continue
            start, end = found.span("term")
            if found["where"] and found.start("where") > start:
                end = found.end("where")
                yield AskedTerm(_bare(text[start:end]), "", text[start:end], explicit)
            elif found["where"]:
                start = found.start("where")
            yield AskedTerm(_bare(found["term"]), found["where"] or "", text[start:end], explicit)
            if found["where"]:
                yield AskedTerm(_bare(found["term"]), "", text[start:end], explicit)


def _bare(term: str) -> str:
    return term.strip(f" ,.{OPEN}{CLOSE}")
