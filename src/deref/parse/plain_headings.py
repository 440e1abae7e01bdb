"""Headings that the form of a plain text makes certain.

Underlined: a row, then a row of one repeated sign about as long. The first sign met is the top level, as in reStructuredText.
Hanging: where nearly all text is indented, a short row at column 0 with white space on both sides is a heading, before the
first indented row only with a number;
its level is the number of parts of its number. This is the form of RFCs, Internet-Drafts and manual pages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from deref.parse.rows import Row
from deref.values import Mark, MarkKind

_RULE = re.compile(r"^\s*([=\-~^\"'`#*+_])\1{2,}\s*$")
_NUMBERED = re.compile(r"^(\d{1,3}(?:\.\d{1,3}){0,7})\.?\s{1,4}\S")
_APPENDIX = re.compile(r"^(?:Appendix|APPENDIX|Annex|ANNEX)\s+([A-Z0-9]+(?:\.\d+)*)\b")
_LETTERED = re.compile(r"^([A-Z](?:\.\d{1,3})+)\.?\s{1,4}\S")
_UNNUMBERED = re.compile(r"^[A-Z\"“'][^\t.;]{1,70}[^\s.,;:]$")
_RFC = re.compile(
    r"^\s*(?:Request for Comments:\s*\d|Internet-Draft\b|INTERNET-DRAFT\b|Network Working Group\b)"
)
_WORD = re.compile(r"\w")
_GAP = re.compile(r"[^\s.]\s{3,}\S")
_SMALL = re.compile(r"[a-z]")
_INDENTED = 0.8
_FRONT = 40


def underlined(
    live: Sequence[Row], gaps: Sequence[bool], but: Collection[int] = ()
) -> tuple[dict[int, int], frozenset[int]]:
    """Return the level of each underlined row, by index, and the indexes of the underlines. Rows `but` are code."""
    signs: list[str] = []
    titles: dict[int, int] = {}
    rules: set[int] = set()
    for i in range(1, len(live)):
        match = _RULE.match(live[i].text)
        if not match or gaps[i] or i in but or i - 1 in rules or not _can_be_underlined(live, gaps, i - 1):
            continue
        title, rule = live[i - 1].text.strip(), live[i].text.strip()
        if (
            not 0.7 * len(title) <= len(rule) <= 1.3 * len(title) + 4
            or live[i].indent > live[i - 1].indent + 2
        ):
            continue
        sign = match.group(1)
        if sign not in signs:
            signs.append(sign)
        titles[i - 1] = signs.index(sign) + 1
        rules.add(i)
    return titles, frozenset(rules)


def _can_be_underlined(live: Sequence[Row], gaps: Sequence[bool], i: int) -> bool:
    title = live[i].text.strip()
    alone = gaps[i] or bool(_RULE.match(live[i - 1].text))
    # "Name    Amount" over "----    ------" is a table, and so is anything with columns.
    return (
        alone
        and len(title) <= 120
        and any(c.isalpha() for c in title)
        and not re.search(r"\S\s{3,}\S|\t|\|", title)
    )


def is_rfc(live: Sequence[Row]) -> bool:
    """Tell whether the first rows are those of an RFC or an Internet-Draft."""
    return any(_RFC.match(row.text) for row in live[:_FRONT])


def hanging_headings(live: Sequence[Row], gaps: Sequence[bool]) -> list[Mark]:
    """Return the headings of a text that keeps column 0 for them; none when it does not."""
    if not live or not _hangs(live):
        return []
    first = next((i for i, row in enumerate(live) if row.indent >= 2), 0)
    out: list[Mark] = []
    for i, row in enumerate(live):
        if row.indent or not gaps[i] or (i < first and not _NUMBERED.match(row.text)):
            continue
        end = _block_end(gaps, i)
        level = _level(row.text.rstrip())
        if level is not None and end - i <= 3 and all(r.indent for r in live[i + 1 : end]):
            out.append(Mark(kind=MarkKind.HEADING, start=i, end=end, level=level))
    return out


def _hangs(live: Sequence[Row]) -> bool:
    share = sum(1 for r in live if r.indent >= 2) / len(live)
    numbered = sum(1 for r in live if not r.indent and _NUMBERED.match(r.text))
    return share >= 0.6 if is_rfc(live) else share >= _INDENTED and numbered >= 3


def _block_end(gaps: Sequence[bool], start: int) -> int:
    return next((i for i in range(start + 1, len(gaps)) if gaps[i]), len(gaps))


def _level(text: str) -> int | None:
    if _runs_on(text):
        return None
    for pattern in (_NUMBERED, _APPENDIX, _LETTERED):
        match = pattern.match(text)
        if match:
            return match.group(1).count(".") + 1
    plain = _UNNUMBERED.match(text) and "   " not in text and len(text.split()) <= 10
    return 1 if plain else None


def _runs_on(text: str) -> bool:
    """Tell whether a row holds more than a heading: "1. MUST   This word means ..." has its text after it."""
    word = _WORD.search(text)
    gap = _GAP.search(text, word.end()) if word else None
    return gap is not None and _SMALL.search(text, gap.end()) is not None


def title_of(live: Sequence[Row], gaps: Sequence[bool]) -> str | None:
    """Return the title of an RFC: the first centred block after its front matter. None for other texts."""
    if not is_rfc(live):
        return None
    front = next(i for i, row in enumerate(live) if _RFC.match(row.text))
    start = next(
        (i for i in range(front + 1, min(len(live), _FRONT)) if gaps[i] and live[i].indent >= 4), None
    )
    if start is None:
        return None
    return " ".join(" ".join(row.text.split()) for row in live[start : _block_end(gaps, start)]) or None
