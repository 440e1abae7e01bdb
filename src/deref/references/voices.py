"""Which language a pointer is read in: that of the document, and another where the words around it are of that other.

A document in English is read by the grammar of English alone. Any other is read by the grammar of each of its languages
and by that of English, and each pointer by the one whose small words lead in its paragraph, or in the quotation around
it ("„Section 4.2 of the Credit Agreement“" in a German contract).
"""

from __future__ import annotations

from deref.references.tongue import Tongue, tongue
from deref.text.languages import small_words
from deref.text.lazy import lazy

_AROUND = 400
_CLOSES = {"„": "“”", "«": "»", "“": "”", "‚": "‘’", "‘": "’"}
_QUOTED = lazy(r"[„«][^„“”«»]*[“”»]|“[^“”]*”")
_CLEARLY = 3
"""Small words of a language that a document is not written in, before a paragraph of it counts as being in that language."""


class Voices:
    """The languages of a document, the main one first, as `Document.language` says them: "de", "de, en"."""

    def __init__(self, spoken: str) -> None:
        """Take the languages; those without a table are read for what every language writes alike."""
        self._own = tuple(spoken.split(", "))
        self._codes = tuple(dict.fromkeys((*self._own, "en")))
        self._text = ""
        self._quotes = False
        self._heard: dict[int, str] = {}
        self.tongues: tuple[Tongue, ...] = tuple(t for t in map(tongue, self._own) if t is not None)

    def heard(self, text: str, start: int) -> str:
        """Return the code of the language that the pointer at `start` is to be read in."""
        if text is not self._text:
            self._text, self._heard = text, {}
            self._quotes = any(sign in text for sign in _CLOSES)
        quoted = _quotation(text, start) if self._quotes else ""
        if quoted:
            return self._loudest(quoted, quoted=True)
        # Pointers that stand close together have nearly the same words around them.
        place = start // _AROUND
        if place not in self._heard:
            around = text[max(0, (place - 1) * _AROUND) : (place + 2) * _AROUND]
            self._heard[place] = self._loudest(_QUOTED.sub(" ", around), quoted=False)
        return self._heard[place]

    def _loudest(self, around: str, *, quoted: bool) -> str:
        main = self._own[0]
        words, _ = small_words(around, self._codes)
        counts = {code: len(words.get(code, ())) for code in self._codes}
        best = max(self._codes, key=lambda code: (counts[code], code == main))
        if best == main or counts[best] <= counts[main]:
            return main
        least = 1 if quoted or best in self._own else _CLEARLY
        return best if counts[best] >= least else main


def _quotation(text: str, start: int) -> str:
    """The words in the quotation marks around an offset, "" when it stands in none."""
    low = max(0, start - _AROUND)
    opened: tuple[str, int] | None = None
    for at in range(low, start):
        sign = text[at]
        if opened is not None and sign in _CLOSES[opened[0]]:
            opened = None
        elif sign in _CLOSES and opened is None:
            opened = (sign, at)
    if opened is None:
        return ""
    ends = [e for e in (text.find(c, start, start + _AROUND) for c in _CLOSES[opened[0]]) if e >= 0]
    return text[opened[1] + 1 : min(ends)] if ends else ""
