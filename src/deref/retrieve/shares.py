"""How much of a question a text tells: the share of its stems that the text has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.text.clean import INVISIBLE
from deref.text.tokens import STOPWORDS, stems_of, words
from deref.values import Chunk

LOOKED_AT = 8
"""Passages of a place that are scored: those whose text has most of the question's stems somewhere in it."""

_LINE_END = re.compile(r"-\s*\n")
_IN_PIECES = re.compile(r"(?<!\S)(\S++)(?<=[-\u2010])\s*\n\s*(\S++)")
"""A word that a sentence may have, and its passage, line by line, in two pieces, the hyphen with the first."""
_IN_MORE = re.compile(rf"[-\u2010]\s++\S++(?<=[-\u2010])\s|[{INVISIBLE}\ufffc]")
"""Where it may have one in more pieces."""


class Shares:
    """The shares of one question. A text is read once."""

    def __init__(self, question: str) -> None:
        """Take the question."""
        self._asked = stems_of(question)
        self._bare = all(w in STOPWORDS for w in words(question.casefold()))
        self._known: dict[str, float] = {}

    def of(self, text: str) -> float:
        """Return the share that a text tells, 0..1; 0 for a question without a word that carries meaning."""
        if text not in self._known:
            shared = self._asked & stems_of(text) if self._asked else ()
            self._known[text] = len(shared) / max(len(self._asked), 1)
        return self._known[text]

    def of_sentence_in(self, text: str) -> float:
        """Return the most that a sentence of a text can tell: what the text does, its words in pieces put together too.

        To a question of small words alone a sentence of small words tells what a longer text with words of meaning does not.
        """
        told = 1.0 if self._bare else self.of(text)
        if told == 1 or (text.isascii() and not _LINE_END.search(text)):
            return told
        if _IN_MORE.search(text):
            return 1.0
        whole = " ".join(a[:-1] + b for a, b in _IN_PIECES.findall(text))
        shared = self._asked & (stems_of(text) | stems_of(whole))
        return len(shared) / max(len(self._asked), 1)

    def likely(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """Return the passages that are worth a closer look: a stem is sought in the text as it is written."""
        if len(chunks) <= LOOKED_AT:
            return chunks

        def roughly(chunk: Chunk) -> int:
            text = chunk.text.casefold()
            return sum(stem in text for stem in self._asked)

        return sorted(chunks, key=lambda chunk: (-roughly(chunk), chunk.lines))[:LOOKED_AT]
