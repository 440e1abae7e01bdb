"""Rank units against a question.

coverage(unit) = Σ weight(q) for the stems q of the question in the unit, plus half of it for those only in the headings
above, over Σ weight(q); weight(q) = ln(1 + N / n(q)) over the N units at hand, so that a word in every unit says little.
score = coverage + 0.3 / (1 + rank of its passage): retrieval has seen meaning that the words do not show.

Inside a place that a pointer led to, the words of the pointer's own sentence count too: what is asked for stands there
in the target's words, and the pointer's sentence is the bridge. The words of the question that only say where the pointer
stands have done their work by then and count less than those of the sentence that asks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from deref.answer.units import Unit
from deref.text.tokens import stems_of

_RANK_WEIGHT = 0.3
_HEADING_WEIGHT = 0.5
_BRIDGE_WEIGHT = 0.7
_ASIDE_WEIGHT = 0.5

FILLER = stems_of("one ones thing things kind called named document section state stated happen according")


def asked_stems(question: str) -> frozenset[str]:
    """Return the stems of the question that carry meaning."""
    stems = stems_of(question)
    return (stems - FILLER) or stems


class Ranking:
    """The weights of one question over one set of units."""

    def __init__(
        self,
        asked: frozenset[str],
        units: Sequence[Unit],
        bridge: frozenset[str] = frozenset(),
        aside: frozenset[str] = frozenset(),
    ) -> None:
        """Count in how many units each stem stands; `bridge` and `aside` are further stems, which count less."""
        self.asked = asked | bridge | aside
        self._weights = {}
        for stem in self.asked:
            count = sum(1 for u in units if stem in u.stems or stem in u.context)
            full = math.log(1 + (len(units) + 1) / (count + 0.5))
            share = 1.0 if stem in asked else _BRIDGE_WEIGHT if stem in bridge else _ASIDE_WEIGHT
            self._weights[stem] = share * full
        self._total = sum(self._weights.values()) or 1.0

    def coverage(self, stems: frozenset[str], context: frozenset[str] = frozenset()) -> float:
        """Return the weighted share, 0..1, of the question that these stems cover."""
        own = sum(w for q, w in self._weights.items() if q in stems)
        above = sum(w for q, w in self._weights.items() if q in context and q not in stems)
        return (own + _HEADING_WEIGHT * above) / self._total

    def score(self, unit: Unit) -> float:
        """Return the score of a unit, higher is better."""
        return self.coverage(unit.stems, unit.context) + prior(unit.rank)


def prior(rank: int) -> float:
    """Return what the 0-based rank of a passage is worth."""
    return _RANK_WEIGHT / (1 + rank)
