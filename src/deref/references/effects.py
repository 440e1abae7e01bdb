"""What following a reference does to the statement that holds it, read from the words around it.

The cue must stand in the same sentence, close before the reference, except for incorporation, whose cue may follow.
"""

from __future__ import annotations

import re

from deref.references.label_words import alternation
from deref.text.lazy import lazy
from deref.values import Effect

_BEFORE = lazy(
    r"[^a-z](?:(?P<override>notwithstanding|in derogation (?:of|from)|by way of derogation from|supersed|prevails? over|instead of|in lieu of)|"
    r"(?P<definition>(?:as|terms? (?:are|is)|is|are|otherwise|such term is) defined (?:in|by|under|at)|"
    r"meanings? (?:given|set forth|set out|ascribed|assigned|specified|provided|attributed|of)|definitions? (?:of|in|at|set)|within the meaning of)|"
    r"(?P<condition>subject to|provided that|provided, however|conditional (?:on|upon)|\bif\b|\bunless\b|except (?:as|where|for|when|to the extent)|"
    r"to the extent|in the event|only (?:where|when|after)|conditions? (?:of|in|set|precedent))|"
    r"(?P<incorporation>incorporated (?:herein |hereby |hereto )?by (?:this )?reference|attached (?:hereto |to this \w+ )?as|annexed (?:hereto )?as|"
    r"incorporates? by reference|forms? (?:an integral )?part of|made (?:a )?part of))"
)
_AFTER = lazy(
    r"[^.;]{0,80}?(?:incorporated (?:herein |hereby |hereto )?by (?:this )?reference|forms? (?:an integral )?part|made (?:a )?part|"
    r"(?:is|are) attached|attached hereto)"
)
SENTENCE_END = lazy(r"[.;:!?] +(?=[A-Z(“\"])")
_CUES = (
    "subj", "notw", "provi", "prev", "part of", "defin", "dero", "mean", "if ", "in lieu", "incor", "inst", "unle", "exce", "exten",
    "event", "attac", "annex", "cond", "super", "only",
)  # fmt: skip
_QUICK = lazy(lambda: rf"[^a-z](?:{alternation(_CUES)})")
"""One of these begins a word of every cue before; to look for them takes a fifth of the time."""


def effect_of(text: str, start: int, end: int) -> Effect:
    """Return the effect of the reference at characters start..end of a passage."""
    window = " " + text[max(0, start - 90) : start].lower()
    if _QUICK.search(window):
        before = " " + text[max(0, start - 90) : start]
        cut = [m.end() for m in SENTENCE_END.finditer(before)]
        window = window[cut[-1] - 1 :] if cut else window
        cues = list(_BEFORE.finditer(window))
        if cues and cues[-1].lastgroup is not None and _close(cues[-1], window):
            return Effect(cues[-1].lastgroup)
    after = text[end : end + 110]
    if ("incorporated" in after or "part" in after or "attached" in after) and _AFTER.match(after):
        return Effect.INCORPORATION
    return Effect.PLAIN


def _close(cue: re.Match[str], window: str) -> bool:
    """Whether the cue governs the reference: nothing between but a few words, and no comma after a condition's clause."""
    between = window[cue.end() :]
    if cue.lastgroup == "condition" and cue.group("condition") in ("if", "unless"):
        return "," not in between
    limit = 60 if cue.lastgroup in ("condition", "definition") else 45
    return len(between) <= limit and between.count(",") <= 1
