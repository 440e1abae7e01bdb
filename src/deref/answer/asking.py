"""What a question asks for: its words, the words of the sentence that asks, and the kind of value that would answer it.

A question of several sentences says in the first where the matter stands and in the last what is wanted of it ("The fee
is set in a schedule. How much is it?"). The last sentence that asks counts besides the whole.

The kind of value is told by the words that ask, first match wins: *share* ("what percentage"), *duration* ("how long",
"how soon", "within what time"), *date* ("when", "on what date"), *money* ("how much", "what fee"), *number* ("how
many", "how large", "which code"). A text that holds such a value may answer, one that holds none hardly does.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from deref.answer.rank import asked_stems
from deref.text.asked_term import CLOSE, OPEN, terms_asked
from deref.text.lazy import lazy
from deref.text.tokens import sentences


class Value(StrEnum):
    """Kinds of value."""

    SHARE = "share"
    DURATION = "duration"
    DATE = "date"
    MONEY = "money"
    NUMBER = "number"


_ASKED: tuple[tuple[Value, re.Pattern[str]], ...] = (
    (Value.SHARE, lazy(r"\b(what|which) (\w+ ){0,2}(percentage|per ?cent|share|proportion|fraction)\b|\bhow many per ?cent\b", re.I)),
    (Value.DURATION, lazy(
        r"\bhow (long|soon|quickly|fast|far (ahead|in advance|beforehand)|much (time|warning|notice)|often)\b|"
        r"\b(within|in|for) (what|which|how much) (time|period)|\bwhat (is the )?(time ?limit|notice period|longest life|term)\b|"
        r"\bhow many (\w+ )?(seconds|minutes|hours|days|weeks|months|years)\b|\bby how (long|much) (time )?(later|earlier)\b", re.I)),
    (Value.DATE, lazy(
        r"(^|[,;] |\band )(and )?(by |since |until |from )?when (do|does|did|is|are|was|were|must|may|can|could|will|shall|should|has|have|had)\b|\b(by|since|until|from) when\b|^(and )?when\?|\b(what|which) (\w+ )?(date|day|year|month)\b|\bhow (late|early)\b", re.I)),
    (Value.MONEY, lazy(
        r"\bhow much (does|do|did|is|are|was|were|must|may|can|will|shall|has|have)? ?.{0,60}\b(pay|paid|cost|costs|owe|due|charged?|worth|fee)\b|"
        r"\b(what|which) (is the |was the |are the |sum|total )?(\w+ ){0,2}(sum|price|price tag|cost|fee|fees|amount|charge|salary|fine|rent)\b|\bfor how much\b", re.I)),
    (Value.NUMBER, lazy(
        r"\bhow (many|much|large|high|big|wide|small|strong|deep|far|old)\b|"
        r"\b(what|which) (\w+ |\w+-\w+ ){0,3}(number|numbers|numeric|code|codes|size|value|port|index|exponent|ratio|rate|score|perplexity|threshold|limit|ceiling|floor|maximum|minimum|margin|temperature|pressure)\b", re.I)),
)  # fmt: skip

_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_FEW = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|half)"
# Sources, compiled when first sought: a question asks for one kind of value at the most.
_HELD = {
    Value.SHARE: (r"\d\s?(?:%|per ?cent\b)|\b(?:per ?cent|percentage|half|third|quarter)\b|\d+/\d+"),
    Value.DURATION: (
        rf"\b(?:\d[\d,.]*|{_FEW})(?:\s*\(\d+\))?[\s-]+(?:\w+\s+)?(?:ms|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|quarters?)\b|"
        r"\b(?:anniversary|annual(?:ly)?|monthly|weekly|daily|birthday|immediately|without (?:undue )?delay)\b"),
    Value.DATE: (
        rf"\b{_MONTH}\.?\s+\d|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?{_MONTH}\b|\b(?:19|20)\d\d\b|\b\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}\b|"
        r"\b(?:day|date|month|year|anniversary|quarter|birthday|when|upon|after|before|until)\b"),
    Value.MONEY: (
        r"[$€£¥]\s?\d|\b(?:GBP|USD|EUR|SEK|CHF|JPY|AUD|CAD)\b|\d[\d,.]*\s?(?:dollars?|euros?|pounds?|pence|cents|crowns?|shillings?|million|billion)\b|\d{1,3}(?:,\d{3})+"),
    Value.NUMBER: (rf"\d|\b{_FEW}\b"),
}  # fmt: skip


_NEXT_PART = lazy(
    r"[,;]?\s+and\s+(?=(?:how|what|which|who|whom|whose|where|when|why|(?:by|at|to|in|on|for|under|from|within) (?:what|which|whom|how)|"
    r"(?:did|does|do|is|are|was|were|has|have|may|must|can|could|will|shall|should) (?:the|a|an|it|they|he|she|that|this|these|those|any|its|their)) )|\?\s+",
    re.IGNORECASE,
)
_LEAST_PART = 2
"""Stems. A part that says less hangs on the part before it."""


class Asking(NamedTuple):
    """What a question asks for. `asks` is the sentence that asks, `stems` are those of the whole question, `core` those of that
    sentence; `value` the kind of value, None when it asks for no such thing; `parts` its questions when it asks several things,
    none otherwise; `terms` what it may ask the meaning of.
    """

    text: str
    asks: str
    stems: frozenset[str]
    core: frozenset[str]
    value: Value | None
    parts: tuple[str, ...]
    terms: tuple[str, ...] = ()

    def introduced_by(self, text: str) -> bool:
        """Tell whether a text has a term whose meaning is asked for in quotation marks, as it has where it is introduced."""
        said = "|".join(re.escape(term).replace(r"\ ", r"\s+") for term in self.terms)
        return bool(said) and bool(re.search(rf"[{OPEN}](?:{said})s?,?[{CLOSE}]", text, re.I))

    def held_by(self, text: str) -> bool:
        """Tell whether a text holds a value of the kind that is asked for; True when none is."""
        return self.value is None or bool(re.search(_HELD[self.value], text, re.I))


def asking(question: str) -> Asking:
    """Return what a question asks for."""
    parts = [question[a:b].strip() for a, b in sentences(question)] or [question]
    core = next((p for p in reversed(parts) if p.endswith("?")), parts[-1])
    value = next((value for value, pattern in _ASKED if pattern.search(core)), None)
    terms = tuple(dict.fromkeys(one.term for one in terms_asked(core)))
    return Asking(question, core, asked_stems(question), asked_stems(core), value, _parts(core), terms)


def _parts(core: str) -> tuple[str, ...]:
    """Return what one sentence asks side by side ("how high is it, and who pays it?"), nothing when it asks one thing."""
    parts = [part for part in _NEXT_PART.split(core) if len(asked_stems(part)) >= _LEAST_PART]
    return tuple(parts) if len(parts) > 1 else ()
