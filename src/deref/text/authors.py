"""Works cited by author and year: one label for the entry "Ann Peters, … 2018a. Title" and for "Peters et al. (2018a)".

The label is the last word of the first author's family name, without accents, with the year: "Peters2018a",
"Oord2016". TeX sets accents apart from their letters, so an accent and the space beside it are left out.
"""

from __future__ import annotations

import unicodedata

from deref.text.lazy import lazy

_APART = lazy(r"\s?[¨´`ˆ˜¸ˇ˘˚¯](?=\w)|[¨´`ˆ˜¸ˇ˘˚¯]")
_LETTERS = lazy(r"[^\W\d_]")
_PLAIN = str.maketrans({"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "đ": "d", "ð": "d"})  # fmt: skip


def accents_joined(text: str) -> str:
    """Return a text without the accents that stand apart from their letters: "Tackstr ¨om" is "Tackstrom"."""
    return _APART.sub("", text)


def author_label(family: str, year: str) -> str:
    """Return the label of a work by its first author's family name and its year; "" when no name is left."""
    words = accents_joined(family).translate(_PLAIN).split()
    plain = unicodedata.normalize("NFKD", words[-1]) if words else ""
    name = "".join(c for c in plain if _LETTERS.match(c) or c == "-").strip("-")
    return f"{name}{year}" if name else ""
