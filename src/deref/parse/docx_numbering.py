"""The automatic numbers of Word, computed as Word shows them.

Counters belong to an abstract numbering: all lists made from it count on, unless a list restarts a level with an
override of its own. A level counts up when a paragraph uses it, sets back the deeper levels (as far as their
restart rule says), and shows higher levels that have not been used at their start.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from deref.parse.docx_names import VAL, W, child_value, is_on, number
from deref.text.labels import to_roman

_LEVELS = 9
_LONGEST_TEXT = 100
"""Characters of the form of a number, which each paragraph of its level repeats. Word takes fewer."""
_PLACE = re.compile(r"%([1-9])")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONES = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_ORDINALS = _words(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level of a list. `restart` is the number of levels above whose use sets it back; None: any."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    restart: int | None = None
    style: str | None = None
    legal: bool = False
    gap: str = " "


@dataclass(slots=True)
class _List:
    abstract: str
    levels: dict[int, Level]
    restarts: dict[int, int]


@dataclass(slots=True)
class Numbers:
    """Counts through a document. Call `next` once for each numbered paragraph, in order."""

    _lists: dict[int, _List] = field(default_factory=dict)
    _counters: dict[str, list[int | None]] = field(default_factory=dict)
    _begun: set[tuple[int, int]] = field(default_factory=set)

    def level_of_style(self, ident: int, style: str | None) -> int:
        """Return the level of list `ident` that is tied to a paragraph style, or 0."""
        levels = self._lists[ident].levels if ident in self._lists else {}
        return next((n for n, level in levels.items() if style and level.style == style), 0)

    def next(self, ident: int, depth: int) -> tuple[str, str]:
        """Count a paragraph of list `ident` at `depth` (0-based); return its number as shown and what follows it.

        A bullet, and a list that is not there, show no number.
        """
        numbered = self._lists.get(ident)
        if numbered is None or depth not in numbered.levels:
            return "", ""
        counters = self._counters.setdefault(numbered.abstract, [None] * _LEVELS)
        level = numbered.levels[depth]
        if depth in numbered.restarts and (ident, depth) not in self._begun:
            counters[depth] = numbered.restarts[depth] - 1
        self._begun.add((ident, depth))
        before = counters[depth]
        counters[depth] = level.start if before is None else before + 1
        for deeper in range(depth + 1, _LEVELS):
            rule = numbered.levels[deeper].restart if deeper in numbered.levels else None
            if rule is None or depth < rule:
                counters[deeper] = None
        if level.form in ("bullet", "none") and not _PLACE.search(level.text):
            return ("" if level.form == "bullet" else level.text), level.gap
        return _PLACE.sub(
            lambda m: _shown(int(m.group(1)) - 1, numbered, counters, level), level.text
        ), level.gap


def _shown(depth: int, numbered: _List, counters: list[int | None], at: Level) -> str:
    level = numbered.levels.get(depth, Level())
    value = counters[depth]
    return _format(level.start if value is None else value, "decimal" if at.legal else level.form)


def read_numbering(root: Any) -> Numbers:
    """Read numbering.xml; no lists when it is not there."""
    numbers = Numbers()
    if root is None:
        return numbers
    abstracts = {e.get(f"{W}abstractNumId", ""): e for e in root.iter(f"{W}abstractNum")}
    by_link = {link: ident for ident, e in abstracts.items() if (link := child_value(e, "styleLink"))}
    for element in root.iter(f"{W}num"):
        ident = number(element.get(f"{W}numId"))
        abstract = child_value(element, "abstractNumId") or ""
        link = child_value(abstracts.get(abstract), "numStyleLink") if abstract in abstracts else None
        abstract = by_link.get(link or "", abstract)
        if ident is not None and abstract in abstracts:
            numbers._lists[ident] = _list(abstract, abstracts[abstract], element)
    return numbers


def _list(ident: str, abstract: Any, element: Any) -> _List:
    levels = _levels(abstract)
    restarts: dict[int, int] = {}
    for override in element.iter(f"{W}lvlOverride"):
        depth = number(override.get(f"{W}ilvl"))
        if depth is None or not 0 <= depth < _LEVELS:
            continue
        levels |= _levels(override)
        start = number(child_value(override, "startOverride"))
        if start is not None:
            restarts[depth] = start
            levels[depth] = replace(levels.get(depth, Level()), start=start)
    return _List(ident, levels, restarts)


def _levels(parent: Any) -> dict[int, Level]:
    out: dict[int, Level] = {}
    for element in parent.findall(f"{W}lvl"):
        depth = number(element.get(f"{W}ilvl"))
        if depth is None or not 0 <= depth < _LEVELS:
            continue
        form = element.find(f".//{W}numFmt")
        out[depth] = Level(
            start=number(child_value(element, "start")) or 0,
            form="decimal" if form is None else form.get(VAL, "decimal"),
            text=(child_value(element, "lvlText") or "")[:_LONGEST_TEXT],
            restart=number(child_value(element, "lvlRestart")),
            style=child_value(element, "pStyle"),
            legal=bool(is_on(element, "isLgl")),
            gap="" if child_value(element, "suff") == "nothing" else " ",
        )
    return out


def _letters(value: int) -> str:
    """Word writes a, b, …, z, aa, bb, …, zz, aaa."""
    return chr(97 + (value - 1) % 26) * ((value - 1) // 26 + 1) if 0 < value <= 780 else str(value)


def _roman(value: int) -> str:
    return to_roman(value) if 0 < value < 4000 else str(value)


def _ordinal(value: int) -> str:
    ending = "th" if 10 < value % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


_FORMS: dict[str, Callable[[int], str]] = {
    "upperRoman": _roman,
    "lowerRoman": lambda n: _roman(n).lower(),
    "upperLetter": lambda n: _letters(n).upper(),
    "lowerLetter": _letters,
    "decimalZero": lambda n: f"{n:02d}",
    "ordinal": _ordinal,
    "cardinalText": lambda n: _ONES[n].capitalize() if 0 <= n < len(_ONES) else str(n),
    "ordinalText": lambda n: _ORDINALS[n].capitalize() if 0 <= n < len(_ORDINALS) else _ordinal(n),
    "none": lambda _: "",
}


def _format(value: int, form: str) -> str:
    return _FORMS.get(form, str)(value)
