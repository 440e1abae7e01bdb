"""Does a claim say yes where what it rests on says no? As far as one word tells: the one that "not" stands before.

"The tenant shall not paint the wall" denies *paint*. A claim that has this word and no negation says the opposite, and so does
one that denies a word which its evidence has without a negation. Only the sentences that have most of the claim's words are
looked at, and only when they have most of them; where one of them bears the claim out, it stands. A claim or sentence with
another word that turns or narrows what is said ("only", "unless", "prohibited") is left alone: what it comes to takes a reader.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deref.text.lazy import lazy
from deref.text.tokens import sentences, stem, stems_of, words

CLOSE = 0.6
"""Share of the stems of a claim that a sentence has to have for its polarity to tell."""
_NOT = lazy(r"\b(?:not|never|cannot|can['’]t)\b|n['’]t\b", re.IGNORECASE)
_NO_DENIAL = lazy(r"\bnot only\b|\bwhether or not\b|\bor not\b|\bif not\b", re.IGNORECASE)
_TURNS = lazy(
    r"\b(?:no|nor|none|nobody|nothing|neither|without|only|unless|except\w*|until|if|but|however|un[a-z]{4,}|"
    r"prohibit\w*|forbid\w*|forbade\w*|refus\w*|fail\w*|lack\w*|exclud\w*|den(?:y|ied|ies)|prevent\w*|avoid\w*|ban\w*|waive\w*|"
    r"exempt\w*|cease\w*|void|absen\w*|rather|instead|less|more|least|most)\b",
    re.IGNORECASE,
)
_AUXILIARY = frozenset(
    ["be", "been", "have", "has", "had", "also", "ever", "yet", "in", "any", "a", "an", "the", "to", "so"]
)


class _Said(NamedTuple):
    stems: frozenset[str]
    denied: frozenset[str]
    turns: bool


def opposite(claim: str, texts: Sequence[str]) -> str:
    """Return the stem that a claim affirms and its evidence denies, or the other way round; "" when there is none."""
    parts = [_said(claim[a:b]) for a, b in sentences(claim)]
    there = [_said(text[a:b]) for text in texts for a, b in sentences(text)] if parts else []
    return next((found for part in parts if (found := _opposite(part, there))), "")


def _opposite(claim: _Said, there: Sequence[_Said]) -> str:
    if claim.turns or not claim.stems:
        return ""
    shares = [(len(claim.stems & s.stems) / len(claim.stems), s) for s in there]
    most = max((share for share, _ in shares), default=0.0)
    if most < CLOSE:
        return ""
    wrong = ""
    for _, one in (s for s in shares if s[0] == most):
        turned = (
            (one.denied & claim.stems) - claim.denied
            if not claim.denied
            else claim.denied & one.stems - one.denied
        )
        if one.turns or not turned:
            return ""
        wrong = min(turned)
    return wrong


def _said(text: str) -> _Said:
    denied = set()
    for match in _NOT.finditer(_NO_DENIAL.sub(" ", text)) if _NOT.search(text) else ():
        after = words(_NO_DENIAL.sub(" ", text)[match.end() : match.end() + 60].casefold())
        word = next((w for w in after if w not in _AUXILIARY), None)
        if word is not None:
            denied.add(stem(word))
    return _Said(stems_of(text), frozenset(denied), _TURNS.search(text) is not None)
