"""What stands at a place of a document in another language than English, read in the language that is heard there."""

from __future__ import annotations

from collections.abc import Callable

from deref.references.bare import designator_at, note_at, tags_at
from deref.references.effects import SENTENCE_END
from deref.references.hit import Hit
from deref.references.tongue import Tongue
from deref.references.triggers import BRACKET, CAPITAL, TONGUE, WORD
from deref.references.voices import Voices
from deref.references.worded import leading, relative_phrase, worded_at
from deref.text.lazy import lazy
from deref.values import Effect, ReferenceKind

Labelled = Callable[[str, int, int], Hit | None]
"""Reads a pointer whose label word stands at start..stop of a text."""

_DOTTED = lazy(r"[A-Z]?\d*\.\d")
_TITLED = frozenset({ReferenceKind.CHAPTER, ReferenceKind.APPENDIX, ReferenceKind.ANNEX})
_TITLE = lazy(r", [„“«\"]?[^\W\d_]")
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
        self, text: str, start: int, what: int, stop: int, floor: int, tags: frozenset[str] | None,
        notes: frozenset[str] = frozenset(),
    ) -> Hit | None:  # fmt: skip
        """Return the pointer at a trigger, or None. In a language without a table only tags, notes and designators are read."""
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
        if what == BRACKET and notes and (note := note_at(text, start, notes)):
            return note
        hit = tags_at(text, start, tags) if what == BRACKET else designator_at(text, start)
        return leading(tongue, text, hit) if tongue is not None else hit

    def crossed(
        self, text: str, start: int, what: int, stop: int, numbers: frozenset[str], english: Labelled
    ) -> Hit | None:
        """Return the pointer at a trigger whose words are of another language than those around it, or None.

        Tools write "Section 5.7" into a German manual, and "Abschnitt 5.7" stands in a part that nobody has translated.
        Its number tells it: one with a dot, or one of the `numbers` of the document's own sections; or a chapter is followed by its
        title. `english` reads a label word of English.
        """
        if what >= TONGUE:
            of, relative = divmod(what - TONGUE, 2)
            hit = None if relative or self._tongue is not None else worded_at(self.tongues[of], text, start, stop, start)  # fmt: skip
        elif (
            what == WORD
            and text[start].isupper()
            and not any(text[start:stop] in t.words for t in self.tongues)
        ):
            hit = english(text, start, stop)
        else:
            return None
        if hit is None or not hit.labels:
            return None
        numbered = all(_DOTTED.match(x) or x.casefold() in numbers for x in hit.labels)
        return hit if numbered or (hit.kind in _TITLED and _TITLE.match(text, hit.end)) else None

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
