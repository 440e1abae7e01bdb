"""Labels: the numbers and letters by which sections, items and rows are called.

One normal form, used by the registry and by the resolver, so that "Sec. 4.2.", "(4.2)" and "4.2" meet:
Unicode dashes and spaces folded, outer brackets and trailing dots dropped, a leading "No." or "#" dropped,
letters kept in their case ("A.1", "IV", "b") and compared case-insensitively.
"""

from __future__ import annotations

import re
import unicodedata

from deref.text.lazy import lazy

_ROMAN = lazy(
    r"^(?=[MDCLXVI])M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})\Z", re.IGNORECASE | re.ASCII
)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_DASHES = str.maketrans({c: "-" for c in "‐‑‒–—―−﹘﹣-"})
_OUTER = lazy(r"^[(\[]([^()\[\]]*)[)\]]$")
# A word that merely begins so ("Notes", "North") is a label of its own.
_NUMBER_WORD = lazy(
    r"^\s*(?:nos?|nr)(?:\.\s*(?=[\dA-Za-z])|\s*(?=\d)|\s+(?=[A-Za-z](?![^\W_])))|^\s*(?:n°|#)\s*(?=[\dA-Za-z])",
    re.IGNORECASE,
)
_SUB = lazy(r"\(([^()\s]{1,8})\)")
_LETTERS = frozenset("LCDM")
"""What alone is no roman number but a letter."""
_LONGEST_RANGE = 200
_LONGEST_NUMBER = 18
"""Digits. A longer row of digits is no number that anything is counted by."""


def normalize_label(text: str) -> str:
    """Return the normal form of a label as it is written; "" when nothing is left.

    "4.2." → "4.2", "(E)" → "E", "No. 7" → "7", "58 (2)(b)" and "58.(2)(b)" → "58(2)(b)", "A–1" → "A-1".
    """
    label = unicodedata.normalize("NFKC", text).translate(_DASHES)
    label = label.replace("\u00ad", "").strip().strip(".,;:")
    match = _OUTER.match(label)
    if match:
        label = match.group(1)
    label = _NUMBER_WORD.sub("", label)
    return "".join(label.split()).replace(".(", "(").strip(".,;:")


def is_roman(label: str) -> bool:
    """Tell whether the label reads as a roman number of one case ("IV", "xii"); "" does not."""
    return bool(label) and (label.isupper() or label.islower()) and bool(_ROMAN.match(label))


def roman_value(label: str) -> int:
    """Return the value of a roman number.

    Raises ValueError when it is none.
    """
    if not is_roman(label):
        raise ValueError(f"{label!r} is not a roman number")
    values = [_ROMAN_VALUES[c] for c in label.lower()]
    return sum(-v if v < max(values[n + 1 :], default=0) else v for n, v in enumerate(values))


def to_roman(value: int) -> str:
    """Return 1..3999 as an upper-case roman number.

    Raises ValueError outside that range.
    """
    if not 0 < value < 4000:
        raise ValueError(f"{value} has no roman number; use 1 to 3999")
    steps = (
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
        (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    )  # fmt: skip
    out = ""
    for size, digits in steps:
        while value >= size:
            out += digits
            value -= size
    return out


def variants(label: str) -> tuple[str, ...]:
    """Return the label and the other ways to write the same number: "4" and "IV". The label itself is first.

    "C" is the letter: nobody counts a hundred places in roman numbers and writes it so.
    """
    other = ""
    if label.isascii() and label.isdigit() and len(label) <= _LONGEST_NUMBER and 0 < int(label) < 4000:
        other = to_roman(int(label))
    elif is_roman(label):
        other = str(roman_value(label))
    return (label,) if {label.upper(), other} & _LETTERS or not other else (label, other)


def split_sub(label: str) -> tuple[str, tuple[str, ...]]:
    """Split a normalised label into its base and its sub-paragraphs: "58(2)(b)" → ("58", ("2", "b"))."""
    at = label.find("(")
    if at <= 0:
        return label, ()
    return label[:at], tuple(_SUB.findall(label[at:]))


def expand_range(first: str, last: str) -> tuple[str, ...]:
    """Return every label from first to last when both differ in one last number or letter only.

    ("3.1", "3.4") → 3.1 3.2 3.3 3.4; ("A", "C") → A B C; ("IV", "VI") → IV V VI; ("58(2)(a)", "58(2)(c)") → three.
    Anything else, a falling range, or one over 200 labels long, gives both ends only: nothing is made up between them.
    """
    both = (first,) if first == last else (first, last)
    head_a, tail_a = _split_last(first)
    head_b, tail_b = _split_last(last)
    if head_a != head_b:
        return both
    close = ")" if head_a.endswith("(") else ""
    every = tuple(head_a + t + close for t in _tails(tail_a, tail_b))
    return every if every[:1] == (first,) and every[-1:] == (last,) else both


def _tails(a: str, b: str) -> tuple[str, ...]:
    if a.isascii() and b.isascii() and a.isdigit() and b.isdigit():
        if max(len(a), len(b)) > _LONGEST_NUMBER:
            return ()
        low, high = int(a), int(b)
        return tuple(str(n) for n in range(low, high + 1)) if 0 <= high - low < _LONGEST_RANGE else ()
    if (
        len(a) == len(b) == 1
        and a.isascii()
        and b.isascii()
        and a.isalpha()
        and b.isalpha()
        and a.isupper() == b.isupper()
    ) and not (a.lower() in "ivx" and b.lower() in "ivx"):
        return tuple(chr(c) for c in range(ord(a), ord(b) + 1)) if a <= b else ()
    if is_roman(a) and is_roman(b) and a.isupper() == b.isupper():
        low, high = roman_value(a), roman_value(b)
        if 0 <= high - low < _LONGEST_RANGE:
            out = (to_roman(n) for n in range(low, high + 1))
            return tuple(r if a.isupper() else r.lower() for r in out)
    return ()


_LAST = lazy(r"^(.*?[.\-(])?([^.\-()]+)\)?$")


def _split_last(label: str) -> tuple[str, str]:
    match = _LAST.match(label)
    return (match.group(1) or "", match.group(2)) if match else ("", label)


def sort_key(label: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that orders labels as people do: "2" < "10", "3.2" < "3.10", "A" < "B", "58(2)" < "58(10)"."""
    parts = re.findall(r"\d+|[^\W\d_]+", label)
    return tuple(_number_key(p) if p.isascii() and p.isdigit() else (1, 0, p.casefold()) for p in parts)


def _number_key(digits: str) -> tuple[int, int, str]:
    """Numbers without leading zeros are in the order of their length, then of their digits: no limit on how long they are."""
    plain = digits.lstrip("0")
    return (0, len(plain), plain)


def heading_of(label: str | None, title: str, word: str | None) -> str:
    """Return a heading as people know it: "Article 4.2 Fees"; the title alone when it begins with the label, or there is none."""
    if label is None or re.match(rf"{re.escape(label)}(?!\w)", title, re.IGNORECASE):
        return title
    return f"{f'{word.capitalize()} ' if word else ''}{label} {title}".strip()
