"""Whether an answer leans on one pointer: its best text says no more than where the matter stands.

When that place is off the shelf, nobody can read on from here, and the answer is partial. A question that asks for the place itself
("Under which act …?", "Where is … set out?") is answered by the pointer, and leans on nothing.
"""

from __future__ import annotations

import re

from deref.answer.asking import Asking
from deref.answer.pointers import Pointer
from deref.text.lazy import lazy

LEAST = 0.5
"""Share of the question that the sentence of the pointer tells: it is the answer, as far as there is one."""

_A_PLACE = (
    r"(?:acts?|statutes?|laws?|bye?-?laws|rules?|regulations?|standards?|catalog(?:ue)?s?|instruments?|codes?|treat(?:y|ies)|conventions?|directives?|"
    r"decisions?|provisions?|sections?|clauses?|articles?|paragraphs?|documents?|papers?|agreements?|contracts?|polic(?:y|ies)|guidelines?|"
    r"publications?|specifications?|rfcs?|exhibits?|schedules?|annex(?:es)?|appendi(?:x|ces)|tables?|lists?|registers?|manuals?|reports?)"
)
_ASKS_FOR_PLACE = lazy(
    rf"\b(?:which|what|whose)\s+(?:[\w’'-]+\s+){{0,3}}?{_A_PLACE}\b|\bwhere\b|"
    r"\bwelche[mnrs]?\s+(?:\w+\s+)?\w*(?:gesetz|vorschrift|verordnung|richtlinie|norm|doku\w+|vertrag|artikel|abschnitt)\w*|\bwo\b|\bworin\b|"
    r"\bquel(?:le)?s?\s+(?:\w+\s+)?(?:loi|règlement|directive|norme|document|contrat|article|disposition)s?\b|\boù\b",
    re.IGNORECASE,
)


def leans_on(pointer: Pointer, asked: Asking, text: str) -> bool:
    """Tell whether the answer to a question leans on a pointer of its best text: its sentence tells of the matter and hands it over,
    and what is asked for is neither the place nor a value that the text holds.
    """
    if not pointer.defers or pointer.told < LEAST or _ASKS_FOR_PLACE.search(asked.asks):
        return False
    return asked.value is None or not asked.held_by(text)
