"""Whether a label that is missing should have been there: does the document count such things in such a way?

A label has a form, "N.N-N" for "9.406-1": its kinds of sign, without their values. A document that numbers its sections
"3.104-5" has no place for "Section 743", so a "Section 743" that is missing there is counted elsewhere: it is no
mistake of the author's. Of the same form are only numbers of about as many digits as those that are there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from deref.references.places import APPENDED, SECTIONAL, plain_word
from deref.text.labels import is_roman, split_sub
from deref.text.lazy import lazy
from deref.values import Document, Reference, ReferenceKind

_PIECE = lazy(r"\d+|[^\W\d_]+|[^\w\s]+|_+")
_OWN_WORD = frozenset({"article", "part", "chapter", "subpart", "subchapter"})
_FEW_DIGITS = 3
_SELDOM = 0.01
"""A form that fewer of the labels have is a slip of the reading, not a way of numbering."""


class Forms:
    """The forms of the labels of one document, by what they number."""

    def __init__(self, document: Document) -> None:
        """Read the forms of all labelled sections and items."""
        self._often: Counter[tuple[str, str]] = Counter()
        self._digits: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self.count: dict[str, int] = defaultdict(int)
        for section in document.sections:
            if section.label:
                word = plain_word(section.word)
                self._learn(word if word in _OWN_WORD else "", split_sub(section.label)[0])
        for item in document.items:
            if item.label:
                self._learn(item.kind.value, item.label)

    def _learn(self, of: str, label: str) -> None:
        self.count[of] += 1
        digits = [len(d) for d in re.findall(r"\d+", label)]
        for form in forms_of(label):
            self._often[of, form] += 1
            known = self._digits.setdefault((of, form), [(d, d) for d in digits])
            for n, d in enumerate(digits):
                known[n] = (min(known[n][0], d), max(known[n][1], d))

    def fits(self, reference: Reference, word: str | None, label: str) -> bool:
        """Tell whether a label is of a form in which the document numbers what the reference names."""
        base = split_sub(label)[0]
        digits = [len(d) for d in re.findall(r"\d+", base)]
        for of in self._numbering(reference, word):
            for form in forms_of(base):
                known = self._digits.get((of, form))
                if known is None or self._often[of, form] < _SELDOM * self.count[of]:
                    continue
                if all(
                    low <= d <= max(high + 1, _FEW_DIGITS)
                    for d, (low, high) in zip(digits, known, strict=True)
                ):
                    return True
        return False

    def _numbering(self, reference: Reference, word: str | None) -> Iterable[str]:
        kind = reference.kind
        if kind not in SECTIONAL:
            return [k.value for k in APPENDED] if kind in APPENDED else [kind.value]
        if word in _OWN_WORD:
            return [word] if self.count[word] or word != "article" else [""]
        return [""] if kind is not ReferenceKind.PARAGRAPH else ["", "article"]


def forms_of(label: str) -> tuple[str, ...]:
    """Return the forms that a label may have: "9.406-1" is "N.N-N", "C" is a letter or a roman number."""
    pieces = _PIECE.findall(label)
    plain = "".join("N" if p.isdigit() else _letters(p) for p in pieces)
    if any(is_roman(p) for p in pieces):
        return (plain, "".join("N" if p.isdigit() else "I" if is_roman(p) else _letters(p) for p in pieces))
    return (plain,)


def _letters(piece: str) -> str:
    if not piece.isalpha():
        return piece
    return ("A" if piece.isupper() else "a") if len(piece) == 1 else "W"
