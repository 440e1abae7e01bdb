"""Letters and digits only: what of a text survives every rendering, with the way back to line and character."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Iterator, Sequence

from deref.values import Line

_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789§")


def squash(text: str) -> str:
    """Return the letters and digits of a text in small letters, marks over letters gone and ligatures apart."""
    return "".join(sign for sign, _ in _signs(text))


def _signs(text: str) -> Iterator[tuple[str, int]]:
    for n, char in enumerate(text):
        if char.isascii():
            small = char.lower()
            if small in _KEPT:
                yield small, n
        elif char == "§":
            yield char, n
        else:
            for part in unicodedata.normalize("NFKD", char).lower():
                if part in _KEPT:
                    yield part, n


class Squashed:
    """The lines of a document as one squashed string."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Squash the lines. Their numbers are those of the document."""
        self._lines = array("l")
        self._chars = array("l")
        self._starts = array("l")
        parts: list[str] = []
        for line in lines:
            self._starts.append(len(self._chars))
            for sign, n in _signs(line.text):
                parts.append(sign)
                self._lines.append(line.n)
                self._chars.append(n)
        self._starts.append(len(self._chars))
        self.text = "".join(parts)

    def reach(self, start: int, end: int) -> tuple[int, int]:
        """Return the part of the string that lines `start` to `end` (half-open, counted from the first line) make."""
        last = len(self._starts) - 1
        return self._starts[min(start, last)], self._starts[min(end, last)]

    def place(self, at: int) -> tuple[int, int]:
        """Return line and character of one sign of the string."""
        return self._lines[at], self._chars[at]
