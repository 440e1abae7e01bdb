"""Contents lists that a file sets in one line: "ARTICLE I TERMS 1 ARTICLE II FEES 4 ARTICLE III NOTICE 7".

Each label of the row is followed by a title and none is led to by a sentence: such labels stand for their places in a
list, and point nowhere. Four in a row, each the next of the one before, tell it.
"""

from __future__ import annotations

from collections.abc import Sequence

from deref.references.hit import Hit
from deref.text.labels import is_roman, roman_value
from deref.text.lazy import lazy
from deref.values import ReferenceKind

_FEWEST = 4
_TITLE = lazy(r":? {1,4}[A-Z\"“]")
_LED_TO = lazy(r"(?:(?:^|\s)[a-z][\w’'-]*[”\"]?|[,;(]) $")


def listed(text: str, hits: Sequence[Hit]) -> frozenset[int]:
    """Return the places, in `hits`, of those that stand in such a row, papers in its titles too. `hits` are those of one text, in order."""
    if len(hits) < _FEWEST:
        return frozenset()
    out: set[int] = set()
    row: list[int] = []
    for n, hit in enumerate(hits):
        if hit.kind is ReferenceKind.DOCUMENT or not _is_titled(text, hit):
            continue
        if row and not _follows(hits[row[-1]], hit):
            row = []
        row.append(n)
        if len(row) >= _FEWEST:
            out.update(row)
            out.update(m for m in range(row[0], n) if hits[m].kind is ReferenceKind.DOCUMENT)
    return frozenset(out)


def _is_titled(text: str, hit: Hit) -> bool:
    return (
        len(hit.labels) == 1
        and text[hit.start].isupper()
        and _TITLE.match(text, hit.end) is not None
        and not _LED_TO.search(text, max(0, hit.start - 20), hit.start)
    )


def _follows(before: Hit, hit: Hit) -> bool:
    """Whether a label is the next one of its kind: II after I, D after C, 2.2 after 2.1."""
    first, last = before.labels[0], hit.labels[0]
    if before.kind is not hit.kind:
        return False
    if len(first) == len(last) == 1 and ord(last) == ord(first) + 1:
        return True
    if is_roman(first) and is_roman(last):
        return roman_value(last) == roman_value(first) + 1
    root, number = first[: -len(_digits(first)) or None], _digits(first)
    return bool(number) and last == f"{root}{int(number) + 1}"


def _digits(label: str) -> str:
    return label[len(label.rstrip("0123456789")) :]
