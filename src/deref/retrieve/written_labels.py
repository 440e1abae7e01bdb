"""Which of some labels are written in a text: "4.5.1" is in "Rule 4.5.1(a)", and not in "4.5.12" or "4.5.1.2".

Of labels that begin at one place the longest counts, and what it covers is part of no other. Plain text is looked through
by the labels themselves, some dozen strings; a pattern of them takes longer to make ready than a question has texts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property


class WrittenLabels:
    """Labels in small letters, to be found in several texts."""

    def __init__(self, labels: Collection[str]) -> None:
        """Take the labels; case does not count."""
        self._longest_first = sorted(labels, key=lambda label: (-len(label), label))

    def found_in(self, text: str) -> set[str]:
        """Return the labels that are written in a text, in small letters."""
        if not self._longest_first:
            return set()
        if not text.isascii():
            return {match.casefold() for match in self._pattern.findall(text)}
        lowered = text.lower()
        found: set[str] = set()
        end = 0
        for start, _, label in sorted(self._places(lowered)):
            if start >= end:
                found.add(label)
                end = start + len(label)
        return found

    def _places(self, text: str) -> Iterator[tuple[int, int, str]]:
        for rank, label in enumerate(self._longest_first):
            start = text.find(label)
            while start >= 0:
                if _stands_alone(text, start, start + len(label)):
                    yield start, rank, label
                start = text.find(label, start + 1)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        either = "|".join(map(re.escape, self._longest_first))
        return re.compile(rf"(?<![\w.])(?:{either})(?!\.?\w)", re.IGNORECASE)


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, behind = text[start - 1 : start], text[end : end + 1]
    if before == "." or _of_a_word(before) or _of_a_word(behind):
        return False
    return behind != "." or not _of_a_word(text[end + 1 : end + 2])


def _of_a_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
