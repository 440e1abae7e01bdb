"""The languages whose references are read, one table a file: `english`, `german`, `french`, …

`language` loads the table of one language when it is first asked for. `small_words` finds the small words by which a text
is told to be in one language or another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import import_module

from deref.text.languages.english import ENGLISH
from deref.text.languages.table import Example, Language, Pointing

CODES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch",
}  # fmt: skip
"""Two-letter code → the file of the table, in which the language stands under its name in capitals."""

_WORD = re.compile(r"[^\W\d_]+")

__all__ = ["CODES", "ENGLISH", "Example", "Language", "Pointing", "every_language", "language", "small_words"]


@cache
def language(code: str) -> Language | None:
    """Return the table of a language by its two-letter code, or None when there is none."""
    name = CODES.get(code)
    if name is None:
        return None
    table = getattr(import_module(f"deref.text.languages.{name}"), name.upper())
    return table if isinstance(table, Language) else None


def every_language() -> tuple[Language, ...]:
    """Return all tables, English first."""
    return tuple(table for table in map(language, CODES) if table is not None)


@cache
def _tellers(codes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for code in codes:
        table = language(code)
        for word in sorted({w for w in table.small.split() if len(w) > 1}) if table else ():
            out[word] = (*out.get(word, ()), code)
    return out


def small_words(text: str, codes: Iterable[str] = tuple(CODES)) -> tuple[dict[str, list[str]], int]:
    """Return the small words of each of these languages that a text has, each as often as it has it, and how many words it has in all.

    Words of one letter tell nothing: they are variables and list marks too.
    """
    tellers = _tellers(tuple(codes))
    words = _WORD.findall(text.casefold())
    found: dict[str, list[str]] = {}
    for word, times in Counter(words).items():
        for code in tellers.get(word, ()):
            found.setdefault(code, []).extend([word] * times)
    return found, len(words)
