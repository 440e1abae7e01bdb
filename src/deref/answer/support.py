"""Does what a claim rests on say it? As far as code can tell: its figures stand there, and enough of its words do.

Words of the question prove nothing, so the rest of the claim is looked at, where it has a rest of two words or more; a figure
counts as a word. A claim
that brings its own matter ("France won in 1998") with a true quote of something else fails here, and so does one that drops
the "not" of what it cites (`polarity`). What it cannot tell is whether the words are put together rightly: that is what the
citation is for.
"""

from __future__ import annotations

from collections.abc import Sequence

from deref.answer.figures import Figures, figures_of
from deref.answer.polarity import opposite
from deref.text.tokens import stems_of

ENOUGH = 0.4
"""Share of the stems of a claim, but for those of the question, that have to stand in what it rests on."""
LEAST = 2
"""Stems. With fewer besides those of the question, all of the claim is looked at."""


def unsupported(claim: str, question: str, texts: Sequence[str]) -> str:
    """Return why these texts do not support a claim, in words; "" when they do, as far as code can tell."""
    lacking = Figures(texts).lacks(claim)
    if lacking:
        told = ", ".join(f"“{figure}”" for figure in lacking)
        return f"{told} {'do' if len(lacking) > 1 else 'does'} not stand in what it cites"
    said = _stems([claim])
    own = said - _stems([question])
    looked_at = own if len(own) >= LEAST else said
    figures = len(figures_of(claim))
    if not looked_at and not figures:
        return "it says nothing"
    if len(looked_at & _stems(texts)) + figures < ENOUGH * (len(looked_at) + figures):
        return "what it cites is about something else"
    if turned := opposite(claim, texts):
        return f"it and what it cites differ in a “not” before “{turned}”"
    return ""


def _stems(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(s for text in texts for s in stems_of(text) if not s.isdecimal())
