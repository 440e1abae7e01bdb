"""What stands at a place of a document in another language than English, read in the language that is heard there."""

from __future__ import annotations

from deref.references.bare import designator_at, tags_at
from deref.references.effects import SENTENCE_END
from deref.references.hit import Hit
from deref.references.tongue import Tongue
from deref.references.triggers import BRACKET, CAPITAL, TONGUE
from deref.references.voices import Voices
from deref.references.worded import leading, relative_phrase, worded_at
from deref.values import Effect

_WINDOW = 90
_BEHIND = 110
_NEAR = 45


class Foreign:
    """The grammars of the languages that a document is written in, and which of them is heard at a place."""

    def __init__(self, spoken: str) -> None:
        """Take the languages, as `Document.language` says them."""
        self._voices = Voices(spoken)
        self.tongues = self._voices.tongues
        self._tongue: Tongue | None = None

    def heard(self, text: str, start: int) -> str:
        """Return the code of the language at an offset; it is the one that `at` and `effect` read in from then on."""
        heard = self._voices.heard(text, start)
        self._tongue = next((t for t in self.tongues if t.code == heard), None)
        return heard

    def at(
        self, text: str, start: int, what: int, stop: int, floor: int, tags: frozenset[str] | None
    ) -> Hit | None:
        """Return the pointer at a trigger, or None. In a language without a table only tags and designators are read."""
        tongue = self._tongue
        if what >= TONGUE:
            of, relative = divmod(what - TONGUE, 2)
            if tongue is None or tongue is not self.tongues[of]:
                return None
            if relative:
                return relative_phrase(tongue, text, start, stop, floor)
            return worded_at(tongue, text, start, stop, floor)
        if what not in (BRACKET, CAPITAL):
            return None
        hit = tags_at(text, start, tags) if what == BRACKET else designator_at(text, start)
        return leading(tongue, text, hit) if tongue is not None else hit

    def effect(self, text: str, start: int, end: int) -> Effect:
        """Return the effect of the reference at characters start..end, by the cues of its language."""
        if self._tongue is None:
            return Effect.PLAIN
        before = text[max(0, start - _WINDOW) : start]
        cut = [m.end() for m in SENTENCE_END.finditer(before)]
        before = before[cut[-1] :] if cut else before
        best: tuple[int, Effect] | None = None
        for effect, pattern in self._tongue.effects.items():
            most = 0 if effect is Effect.DEFINITION else 1
            for cue in pattern.finditer(before):
                between = before[cue.end() :]
                if (
                    len(between) <= _NEAR
                    and between.count(",") <= most
                    and (best is None or cue.end() > best[0])
                ):
                    best = (cue.end(), effect)
        if best is not None:
            return best[1]
        behind = self._tongue.incorporated.match(text, end, end + _BEHIND)
        return Effect.INCORPORATION if behind else Effect.PLAIN
