"""Trigrams of names: how alike two names are, whatever their order of words, small slips and signs.

A name is folded to words (`name_words`); each word, with two spaces before it and one behind, gives its runs of three
characters. Likeness is the size of what two sets share over the size of both together, 0..1: the definition of
PostgreSQL's pg_trgm, so that every database gives the same figures for the same folded name.
"""

from __future__ import annotations

import re
import unicodedata

_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_POSSESSIVE = r"(?<=\w)['’]s?(?!\w)"
_WORD = re.compile(r"[^\W\d_]+|\d+")


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name as they are compared: accents and case folded, letters and digits parted.

    "HFABondMortgage_2019.05" → hfa bond mortgage 2019 5; zeros before a number go, and so does a possessive ending.
    """
    parted = _CAMEL.sub(" ", name)
    if "'" in parted or "’" in parted:
        parted = re.sub(_POSSESSIVE, "", parted).replace("'", "").replace("’", "")
    bare = parted.casefold()
    if not bare.isascii():
        bare = "".join(
            s for s in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(s)
        ).casefold()
    words = _WORD.findall(bare)
    return tuple(word.lstrip("0") or "0" if word.isdigit() else word for word in words)


def trigrams(words: tuple[str, ...]) -> frozenset[str]:
    """Return the trigrams of folded words, each of three characters; none of no words."""
    padded = (f"  {word} " for word in words)
    return frozenset(word[n : n + 3] for word in padded for n in range(len(word) - 2))


def likeness(shared: int, one: int, other: int) -> float:
    """Return how alike two sets of trigrams are, 0..1, from what they share and their sizes."""
    return shared / (one + other - shared) if shared else 0.0
