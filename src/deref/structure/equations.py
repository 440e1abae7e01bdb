"""Displayed equations with a number: "(5)" flush with the right edge of the text, or `\\tag{5}` where there is no layout.

1. A line that is no sentence, holds a formula or ends one, and ends in a number in brackets is a candidate.
2. Numbers are set flush with the edge of their column; one that is not counts only as the very next number.
3. Of what is left the longest row of rising numbers is taken, for each chapter or appendix its own: "(3)" at the end of a
   line that happens to look like a formula stands in no such row.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from deref.structure.items import Draft
from deref.structure.look import Look
from deref.structure.tables import is_prose
from deref.values import ItemKind

_NUMBER = r"\((?P<label>(?P<head>[A-Z]\.?|\d{1,3}\.)?(?P<last>\d{1,3})[a-z]?)\)$"
_AT_END = re.compile(rf"(?:^|\s){_NUMBER}")
_TAG = re.compile(r"\\tag\*?\{\(?(?P<label>(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?)\)?\}")
_MATH = re.compile(
    "[=≤≥≈∈∑∏∫√→←<>±×·−∥⟨⟩∂∇∞∀∃∝≡≠∼⊂⊆∪∩∧∨¬⇒⇔↦α-ωΓΔΘΛΞΠΣΦΨΩ\U0001d400-\U0001d7ff\uf8e5-\uf8fe]"
    r"|\b(?:max|min|exp|log|sin|cos|softmax)\b"
)
_FLUSH_PT = 3.0
_SHARE = 0.01
"""Of the lines: fewer that end at one place are no edge of the text."""
_SHORT, _PIECE = 8, 3
_FURTHEST = 9


class _Candidate(NamedTuple):
    line: int
    start: int
    label: str
    head: str
    last: int
    body: str
    flush: bool


def equations(look: Look, closed: Collection[int]) -> list[Draft]:
    """Return the numbered equations, in order."""
    if not look.has_sizes:
        return _tagged(look, closed)
    found = list(_candidates(look, closed))
    rows: dict[str, list[_Candidate]] = {}
    for one in found:
        row = rows.setdefault(one.head, [])
        if one.flush or one.last == (row[-1].last if row else 0) + 1:
            row.append(one)
    taken = {one.line for row in rows.values() for one in _rising(row)}
    return [
        Draft(
            kind=ItemKind.EQUATION,
            label=one.label,
            caption=one.body or look.texts[one.line - 1],
            start=one.start,
            end=one.line + 1,
        )
        for one in found
        if one.line in taken
    ]


def _candidates(look: Look, closed: Collection[int]) -> Iterator[_Candidate]:
    edges = _edges(look)
    for n, text in enumerate(look.texts):
        if text[-1:] != ")" or n in closed or n in look.tabular:
            continue
        match = _AT_END.search(text)
        box = look.lines[n].box
        if not match or box is None or is_prose(look, n):
            continue
        body = text[: match.start()]
        at = bisect_left(edges, box.x1 - _FLUSH_PT)
        flush = at < len(edges) and edges[at] <= box.x1 + _FLUSH_PT
        start = None if not body and not flush else _formula_start(look, n, body)
        if start is not None:
            yield _Candidate(n, start, match["label"], match["head"] or "", int(match["last"]), body, flush)


def _edges(look: Look) -> list[float]:
    """Return the x, rising, at which many lines end: the right edges of the columns."""
    ends = Counter(round(line.box.x1) for line in look.lines if line.box is not None)
    least = max(3, _SHARE * len(look.lines))
    return sorted(float(x) for x, count in ends.items() if count + ends[x - 1] + ends[x + 1] >= least)


def _rising(row: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the longest row of rising numbers among candidates in order of lines (patience sorting)."""
    tails: list[tuple[int, str]] = []
    ends: list[int] = []
    before: list[int] = []
    for n, one in enumerate(row):
        key = (one.last, one.label.lstrip(one.head).lstrip("0123456789"))
        at = bisect_left(tails, key)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [key]
        ends[at : at + 1] = [n]
    out: list[_Candidate] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        out.append(row[at])
        at = before[at]
    return out[::-1]


def _tagged(look: Look, closed: Collection[int]) -> list[Draft]:
    """Formulas with a tag, each from the start of its block, or from behind the tag before it."""
    out: list[Draft] = []
    start = 0
    for n, text in enumerate(look.texts):
        if look.lines[n].starts_block:
            start = n
        match = None if n in closed else _TAG.search(text)
        if match is None:
            continue
        formula = " ".join(look.texts[start : n + 1]).partition("\\tag")[0].strip(" $\\[")
        out.append(
            Draft(kind=ItemKind.EQUATION, label=match.group("label"), caption=formula, start=start, end=n + 1)
        )
        start = n + 1
    return out


def _formula_start(look: Look, n: int, body: str) -> int | None:
    """Where the formula that ends on line n starts, or None when there is none.

    A formula set in two dimensions comes as pieces: ")V (1)" under "softmax(", "QK", "√", "d".
    """
    start: int | None = n if _MATH.search(body) else None
    if start is None and len(body) > _SHORT:
        return None
    for above in range(n - 1, max(-1, n - _FURTHEST), -1):
        text = look.texts[above]
        if is_prose(look, above) or look.lines[above].page != look.lines[n].page or _AT_END.search(text):
            break
        if (_MATH.search(text) and len(text) > _PIECE) or (
            start is not None and (_MATH.search(text) or len(text) <= _PIECE)
        ):
            start = above
        elif start is not None and len(text) > _SHORT:
            break
    return start
