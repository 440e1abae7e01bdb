"""How much of a question a text tells: the share of its stems that the text has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deref.text.clean import INVISIBLE
from deref.text.tokens import STOPWORDS, stems_of, words
from deref.values import Chunk

LOOKED_AT = 8
"""Passages of a place that are scored: those whose text has most of the question's stems somewhere in it."""

_SOFT_ENDS = tuple(re.compile(rf"{sign}[^\S\n]*\n[^\S\n]*") for sign in "\u00ad\ufffe")
"""Line ends that a sentence has nothing of, though they stand in the middle of a word."""
_LINE_END = re.compile(r"-\s*\n\s*(\S+)")
_NO_WORD = 80
"""Characters in a row without a space."""


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
        more = _put_together(text) if told < 1 else ()
        if more is None:
            return 1.0
        return len(self._asked & (stems_of(text) | more)) / max(len(self._asked), 1) if more else told

    def likely(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """Return the passages that are worth a closer look: a stem is sought in the text as it is written."""
        if len(chunks) <= LOOKED_AT:
            return chunks

        def roughly(chunk: Chunk) -> int:
            text = chunk.text.casefold()
            return sum(stem in text for stem in self._asked)

        return sorted(chunks, key=lambda chunk: (-roughly(chunk), chunk.lines))[:LOOKED_AT]


@lru_cache(maxsize=1024)
def _put_together(text: str) -> frozenset[str] | None:
    """Return the stems that a sentence of a text may have and the text, line by line, has in two pieces; None for more pieces."""
    if "\ufffc" in text:
        return None
    read = text
    for sign in () if text.isascii() else INVISIBLE:
        if sign in read:
            for line_end in _SOFT_ENDS:
                read = line_end.sub("", read)
            read = read.replace(sign, "")
    read = read.replace("\u2010", "-")
    new = [] if read == text else list(set(read.split()) - set(text.split()))
    for match in _LINE_END.finditer(read):
        before = read[max(match.start() - _NO_WORD, 0) : match.start()]
        first = before.split()[-1] if before[-1:].strip() else ""
        if len(first) == _NO_WORD or match.group(1).endswith("-"):
            return None
        new.append(first + match.group(1))
    return stems_of(" ".join(new))
