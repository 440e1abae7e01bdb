"""The label words of English, told from the rows of `grammar`, and patterns for many words at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from deref.references.grammar import WORDED, Row
from deref.text.languages import ENGLISH


class LabelWord(NamedTuple):
    """A label word as written: the row it belongs to, and whether it is a plural."""

    row: Row
    plural: bool


def _label_words() -> dict[str, LabelWord]:
    out: dict[str, LabelWord] = {}
    for row in WORDED:
        for n, group in enumerate(ENGLISH.labels[row.name].split("|")):
            for word in group.split():
                for form in (word, word[:1].upper() + word[1:], word.upper()):
                    out.setdefault(form, LabelWord(row=row, plural=n == 1))
    return out


LABEL_WORDS = _label_words()
"""Each form of each label word of English ("Section", "SECTIONS", "§") and what it is."""


def is_joined(text: str, start: int) -> bool:
    """Tell whether an underline joins a word to the one before it: "my_section 4" it does, "_Section 4_" it only sets off."""
    return text[start - 1] == "_" and start > 1 and (text[start - 2].isalnum() or text[start - 2] == "_")


def alternation(forms: Iterable[str]) -> str:
    """Return a pattern for any of these words, the longest first, written as a tree of their letters: few are tried at a place."""
    tree = _Tree()
    for form in forms:
        node = tree
        for sign in form:
            node = node.setdefault(sign, _Tree())
        node[""] = _Tree()
    return _branches(tree)


class _Tree(dict[str, "_Tree"]):
    """The letters that may come next; an empty one where a word ends."""


def _branches(tree: _Tree) -> str:
    return "|".join(re.escape(sign) + _rest(node) for sign, node in sorted(tree.items()) if sign)


def _rest(tree: _Tree) -> str:
    further = _branches(tree)
    if not further:
        return ""
    if "" in tree:
        return f"(?:{further})?"
    return further if len(tree) == 1 else f"(?:{further})"
