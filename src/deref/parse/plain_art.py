"""Drawn tables, figures and their captions in plain text.

A block is a run of rows without white space between. Drawn with "+---+" borders whose corners stand over its
upright bars, it is a table; drawn in any other way, or written in program code, it is no prose. A caption is a row
such as "Figure 3: ..." that is set in further than the text or stands beside such a block.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from deref.parse.rows import Row
from deref.values import Mark, MarkKind

_BORDER = re.compile(r"^\s*\+(?:[-=]+\+)+\s*$")
_CAPTION = re.compile(
    r"^\s*(Figure|Fig\.|Table|Listing|Equation|Example|Box)\s+[A-Z]?[\d.\-]*\d\s*(?:[:.\u2013\u2014-]\s*\S.*)?$"
)
_DRAWN = re.compile(
    r"[+|][-=+]{2}|--[+|>]|<--|^\s*[|+].*[|+]\s*$|[─-╿]|\|\s{2,}\||\|<?-+>?\||^\s*[|v^V/\\](?:\s+[|v^V/\\])*\s*$"
)
_CODE = re.compile(r"[{};]\s*$|^\s*[{}]\s*$|\s(?:=|:=|==|\+=|->)\s.*[;)]?$|\(\.\.\)|^\s*(?:#|//|/\*|\*/)")
_SPACED = re.compile(r"\S\s{3,}\S|<-|->|^\s{12,}\S")
_SURE_CODE = re.compile(r"[{}]\s*$|^\s*[{}]|\(\.\.\)|^[^=)]*[=)].*;\s*$")


def art_marks(live: Sequence[Row], gaps: Sequence[bool]) -> list[Mark]:
    """Return the marks of drawn tables (TABLE, ROW), drawings and code (CODE) and captions (CAPTION)."""
    if not live:
        return []
    blocks = _blocks(gaps)
    body = Counter(row.indent for row in live).most_common(1)[0][0]
    kinds = [_kind(live[a:b], body) for a, b in blocks]
    _draw_up_to_captions(live, blocks, kinds)
    out: list[Mark] = []
    for n, (a, b) in enumerate(blocks):
        near = kinds[n - 1] if n and kinds[n - 1] else kinds[n + 1] if n + 1 < len(blocks) else None
        match = _CAPTION.match(live[a].text)
        if match and b - a <= 4 and (live[a].indent > body + 2 or near):
            out.append(Mark(kind=MarkKind.CAPTION, start=a, end=b))
            continue
        figure = n + 1 < len(blocks) and live[blocks[n + 1][0]].text.lstrip().startswith("Fig")
        if kinds[n] == "table" and not figure:
            out += _table(live, a, b)
        elif kinds[n]:
            out.append(Mark(kind=MarkKind.CODE, start=a, end=b))
    return out


def _draw_up_to_captions(
    live: Sequence[Row], blocks: Sequence[tuple[int, int]], kinds: list[str | None]
) -> None:
    """What stands spaced out above a "Figure" caption is part of the drawing, however few lines it has."""
    drawn = 0  # up to here nothing is left to be drawn
    for n, (a, _) in enumerate(blocks):
        if not (_CAPTION.match(live[a].text) and live[a].text.lstrip().startswith("Fig")):
            continue
        for back in range(n - 1, drawn - 1, -1):
            rows = live[blocks[back][0] : blocks[back][1]]
            if kinds[back] is None and sum(1 for r in rows if _SPACED.search(r.text)) < 0.5 * len(rows):
                break
            kinds[back] = kinds[back] or "art"
        drawn = n


def _blocks(gaps: Sequence[bool]) -> list[tuple[int, int]]:
    starts = [i for i, gap in enumerate(gaps) if gap]
    return list(zip(starts, [*starts[1:], len(gaps)], strict=True))


def _kind(rows: Sequence[Row], body: int) -> str | None:
    if _is_table(rows):
        return "table"
    drawn = sum(1 for r in rows if _DRAWN.search(r.text))
    if len(rows) >= 2 and drawn >= 0.5 * len(rows):
        return "art"
    if (
        len(rows) >= 2
        and rows[-1].text.strip() in ("}", "};")
        and any(r.text.rstrip().endswith("{") for r in rows)
    ):
        return "code"
    set_in = all(r.indent > body for r in rows)
    code = sum(1 for r in rows if _CODE.search(r.text))
    if set_in and len(rows) >= 2 and code >= 0.6 * len(rows) and any(_SURE_CODE.search(r.text) for r in rows):
        return "code"
    return None


def _is_table(rows: Sequence[Row]) -> bool:
    borders = [r.text for r in rows if _BORDER.match(r.text)]
    if len(borders) < 3 or not _BORDER.match(rows[0].text) or not _BORDER.match(rows[-1].text):
        return False
    corners = [i for i, c in enumerate(borders[0]) if c == "+"]
    wide = max(b - a for a, b in itertools.pairwise(corners)) > 3
    same = all([i for i, c in enumerate(b) if c == "+"] == corners for b in borders)
    barred = all(all(r.text[i : i + 1] == "|" for i in corners) for r in rows if not _BORDER.match(r.text))
    return wide and same and barred


def _table(live: Sequence[Row], start: int, end: int) -> list[Mark]:
    borders = [i for i in range(start, end) if _BORDER.match(live[i].text)]
    out = [Mark(kind=MarkKind.TABLE, start=start, end=end)]
    groups = [(a + 1, b) for a, b in itertools.pairwise(borders) if b > a + 1]
    for number, (a, b) in enumerate(groups):
        label = "header" if number == 0 else None
        # Under a single rule below the header each row stands for itself; ruled off from each other, rows may be deep.
        deep = len(groups) > 2 or number == 0
        spans = [(a, b)] if deep else _single_rows(live, a, b)
        out += [Mark(kind=MarkKind.ROW, start=x, end=y, label=label) for x, y in spans]
    return out


def _single_rows(live: Sequence[Row], start: int, end: int) -> list[tuple[int, int]]:
    """A row whose first cell is empty goes on with the one before."""
    starts = [
        i for i in range(start, end) if i == start or live[i].text.strip().strip("|").split("|")[0].strip()
    ]
    return list(zip(starts, [*starts[1:], end], strict=True))
