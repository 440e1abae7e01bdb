"""Where in a text a reference may begin: offsets with what may begin there, found by few and fast patterns.

Each pattern begins with a literal, or with one of few rare characters: `re` then passes over all others without trying.

- Words in capitals are told in one scan by the tree of their letters; what a word may be, and what has to follow it for
  that, is looked up behind it.
- Label words in small letters stand behind a character that is part of no word, and before a number or a capital.
- Numbers are looked for by their dot, or by the capitals before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from deref.references.label_words import LABEL_WORDS, alternation
from deref.references.words import DESIGNATORS, DIRECTIONS, INSTRUMENTS, SCOPES
from deref.text.lazy import lazy

WORD, BRACKET, CAPITAL, TITLE, HOUSE, RELATIVE_WORD, FEDERAL, BARE, ACT = range(9)
TONGUE = 100
"""From here on: twice the place of a `Tongue` among those given, and one more for a whole relative pointer."""

Trigger = tuple[int, int, int]
"""The offset of a trigger, what it is, and the offset behind it."""

_SIGN = lazy(r"§§?(?=\s*[\dA-Z(])")
_SMALL_WORD = lazy(
    lambda: rf"[^A-Za-z0-9/.\\-]({alternation(w for w in LABEL_WORDS if w[0].islower())})(?=\s*[\dA-Z(])"
)
_CAPITALS: dict[str, list[int]] = {}
for _what, _words in (
    (WORD, [w for w in LABEL_WORDS if w[0].isupper()]),
    (CAPITAL, DESIGNATORS),
    (TITLE, INSTRUMENTS),
):
    for _word in _words:
        _CAPITALS.setdefault(_word, []).append(_what)
_CAPITAL_WORD = lazy(lambda: rf"(?:{alternation(_CAPITALS)})(?:(?<=\.)|(?![^\W\d_]))")
_BEHIND = {
    WORD: lazy(r"\s*[\dA-Z(]"),
    CAPITAL: lazy(r"[ \xa0\n/-][A-Za-z\d(]"),
    TITLE: lazy(r"[\s,.;:)\"”’'\0\]]|$"),
}
"""What follows a word that is a label word, the start of a designator, the end of a name."""
_UNITS = alternation([*SCOPES, *(s.capitalize() for s in SCOPES), *(s.upper() for s in SCOPES)])
_OTHERS: tuple[tuple[int, int, re.Pattern[str]], ...] = (
    (BRACKET, 0, lazy(r"\[(?=[A-Z\d])")),
    (TITLE, 0, lazy(r"Document:[ \n](?=[A-Z])")),
    (ACT, 0, lazy(r"Act[ \xa0\n](?:of[ \xa0\n])?(?=(?:1[6-9]|20)\d\d(?!\d))")),
    (RELATIVE_WORD, 1, lazy(rf"his\s(?:{_UNITS})(?!\w)")),
    (RELATIVE_WORD, 1, lazy(rf"hat\s(?:{_UNITS})(?!\w)")),
    (RELATIVE_WORD, 1, lazy(rf"he same (?:{_UNITS})(?!\w)")),
    (RELATIVE_WORD, 1, lazy(rf"he (?:immediately )?(?:{'|'.join(DIRECTIONS)})\s(?=[SscCpatTefrlLdF])")),
    (RELATIVE_WORD, 0, lazy(r"below(?!\w)")),
    (RELATIVE_WORD, 0, lazy(r"above(?!\w)")),
)  # the number is what to go back to reach the first letter
_CODES = (lazy(r"U\.? ?S\.? ?C"), lazy(r"C\.? ?F\.? ?R"))
_DECIMALS = lazy(r"\.(?<=\d\.)\d+")
_PARTED = lazy(r"\((?<=\d\()")
_HOUSE_BEHIND = lazy(r"[A-Z]{2,7}[ \xa0](?:Rules? )?[A-Z]?\d{1,4}$")
_CUE_BEHIND = lazy(r"(?:see|See|in|under|per|cf\.)[ \xa0\n]\d{1,3}$")


class Triggers(Protocol):
    """The grammar of a language, as far as it is needed here."""

    def triggers(self, text: str) -> list[tuple[int, int, bool]]:
        """Return (offset, end of the trigger, whether it is a whole relative pointer)."""


def triggers(text: str, *, federal: bool, tongues: Sequence[Triggers] = ()) -> list[Trigger]:
    """Return all triggers of a text, in order.

    `federal` also takes bare numbers such as 9.406, `tongues` are the grammars of other languages than English.
    """
    found = [(m.start(1) - 1, WORD, m.end(1) - 1) for m in _SMALL_WORD.finditer("\0" + text)]
    found += [(m.start(), WORD, m.end()) for m in _SIGN.finditer(text)]
    found += _capital_words(text)
    for what, back, pattern in _OTHERS:
        found += [(max(0, m.start() - back), what, m.end()) for m in pattern.finditer(text)]
    found += _codes(text)
    found += _numbers(text, federal=federal)
    for n, tongue in enumerate(tongues):
        found += [(a, TONGUE + 2 * n + relative, b) for a, b, relative in tongue.triggers(text)]
    found.sort()
    return found


def _capital_words(text: str) -> Iterator[Trigger]:
    for match in _CAPITAL_WORD.finditer(text):
        start, end = match.span()
        for what in _CAPITALS[match.group()]:
            if _BEHIND[what].match(text, end) and (what != TITLE or _may_end_a_name(text, start)):
                yield start, what, end


def _may_end_a_name(text: str, start: int) -> bool:
    """Whether an instrument noun may end a name: not behind a plain word, as in "this Agreement" and "the Agreement"."""
    if text[start - 1 : start] == "-":
        return True
    before = text[max(0, start - 30) : start].rsplit(None, 1)
    if not before or not text[start - 1].isspace():
        return bool(before)
    word = before[-1].lstrip("(“\"‘'")
    return word[:1].isupper() or word in ("and", "of")


def _codes(text: str) -> Iterator[Trigger]:
    """Where the number of a title stands before a code of statutes: "15 U.S.C."."""
    for pattern in _CODES:
        for match in pattern.finditer(text):
            at = match.start()
            if at > 1 and text[at - 1] in " \xa0\n" and text[at - 2].isdigit():
                yield at - 2 - (at > 2 and text[at - 3].isdigit()), CAPITAL, at


def _numbers(text: str, *, federal: bool) -> Iterator[Trigger]:
    """Where a number tells a pointer: of a rulebook ("GEN 5.3"), in the way of the federal code, behind "see"."""
    for match in _PARTED.finditer(text):
        at = match.start()
        if house := _HOUSE_BEHIND.search(text, max(0, at - 20), at):
            yield house.start(), HOUSE, at
    for match in _DECIMALS.finditer(text):
        dot, end = match.span()
        if house := _HOUSE_BEHIND.search(text, max(0, dot - 20), dot):
            yield house.start(), HOUSE, dot
        if end - dot > 3 and (federal or "-" in text[dot + 4 : dot + 6]):
            yield dot - 1 - (dot > 1 and text[dot - 2].isdigit()), FEDERAL, dot + 4
        if text[end : end + 1] == "." and (cue := _CUE_BEHIND.search(text, max(0, dot - 10), dot)):
            yield cue.start(), BARE, dot
