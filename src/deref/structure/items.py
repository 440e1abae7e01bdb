"""Items from captions: tables with their rows, figures, equations, examples, …, each with its extent.

A caption that is printed again with "(continued)" lengthens the item it continues. A table that the file marks but
does not caption is an item without a label, so that its rows can be quoted with their header.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from deref.structure.captions import Caption
from deref.structure.look import Look, marks_of
from deref.structure.tables import body_above, body_below, header_of, selectors_of
from deref.values import ItemKind, MarkKind, Selector

_CONTINUED_LINES = 150


@dataclass(slots=True, kw_only=True)
class Draft:
    """An item that is not numbered yet: its id comes when all are in order of lines."""

    kind: ItemKind
    label: str | None
    caption: str
    start: int
    end: int
    selectors: tuple[Selector, ...] = ()
    header: tuple[int, int] | None = None


def captioned_items(
    look: Look, captions: Sequence[Caption], headings: Collection[int], doc: str
) -> list[Draft]:
    """Return the captioned items, in order of their captions."""
    stops = frozenset(headings) | {c.line for c in captions}
    above = _mostly_above(look, captions)
    art = _Art(look)
    out: list[Draft] = []
    latest: dict[tuple[str, str], Draft] = {}
    for caption in captions:
        # "Lemma 2" is no more of "Theorem 2", though both are of one kind; "Fig. 2 (continued)" is more of "Figure 2".
        row = caption.name if caption.kind in (ItemKind.THEOREM, ItemKind.LISTING) else caption.kind.value
        known = latest.get((row, caption.label))
        draft = _draft(look, caption, stops, above, art, doc)
        if (
            known is not None
            and (caption.continues or caption.line - known.end < 3)
            and (caption.line - known.end < _CONTINUED_LINES)
        ):
            known.end = max(known.end, draft.end)
            known.selectors += tuple(s for s in draft.selectors if s.kind == "row")
            continue
        out.append(draft)
        latest[row, caption.label] = draft
    return out


def _draft(look: Look, caption: Caption, stops: frozenset[int], above: bool, art: _Art, doc: str) -> Draft:
    draft = Draft(
        kind=caption.kind, label=caption.label, caption=caption.text, start=caption.line, end=caption.end
    )
    if caption.kind == ItemKind.TABLE:
        low, high = _body(look, caption, stops, above)
        if high > low:
            draft.start, draft.end = min(low, caption.line), max(high, caption.end)
            draft.header = header_of(look, low, high)
            draft.selectors = selectors_of(look, doc, low, high, draft.header)
    elif caption.kind in (ItemKind.FIGURE, ItemKind.EXAMPLE, ItemKind.LISTING):
        draft.start, draft.end = art.around(caption)
    elif caption.kind in (ItemKind.BOX, ItemKind.THEOREM):
        draft.end = _paragraph_end(look, caption.end - 1, stops)
    return draft


def _body(look: Look, caption: Caption, stops: frozenset[int], above: bool) -> tuple[int, int]:
    below = body_below(look, caption.end, stops - {caption.line})
    over = body_above(look, caption.line, stops)
    has_below, has_over = below - caption.end >= 1, caption.line - over >= 2
    if has_over and (not has_below or above):
        return over, caption.line
    return caption.end, below


def _mostly_above(look: Look, captions: Sequence[Caption]) -> bool:
    """Whether the tables of this file stand above their captions more often than below."""
    votes = 0
    for caption in captions[:60]:
        if caption.kind != ItemKind.TABLE:
            continue
        under = caption.end < len(look.lines) and (
            caption.end in look.tabular or caption.end + 1 in look.tabular
        )
        over = caption.line - 1 in look.tabular
        if under != over:
            votes += 1 if over else -1
    return votes > 0


class _Art:
    """The drawings and the code that the file marks, in order of lines."""

    def __init__(self, look: Look) -> None:
        self._marks = marks_of(look.parsed.marks, MarkKind.CODE)
        self._reach = list(itertools.accumulate((m.end for m in self._marks), max))

    def around(self, caption: Caption) -> tuple[int, int]:
        """Return the lines of a caption with what is marked right above or below it, or around it."""
        for n in range(bisect_left(self._reach, caption.line - 1), len(self._marks)):
            mark = self._marks[n]
            if 0 <= caption.line - mark.end <= 1:
                return mark.start, caption.end
            if 0 <= mark.start - caption.end <= 1 and caption.kind != ItemKind.FIGURE:
                return caption.line, mark.end
            if mark.start <= caption.line < mark.end:
                return mark.start, max(mark.end, caption.end)
            if mark.start > caption.end + 1:
                break
        return caption.line, caption.end


def _paragraph_end(look: Look, n: int, stops: frozenset[int]) -> int:
    end = n + 1
    while end < len(look.lines) and not look.lines[end].starts_block and end not in stops:
        end += 1
    return end


def uncaptioned_tables(look: Look, drafts: Sequence[Draft], doc: str) -> list[Draft]:
    """Return the tables that the file marks and no caption names, with their header and rows."""
    covered = frozenset(n for d in drafts if d.kind == ItemKind.TABLE for n in range(d.start, d.end))
    out: list[Draft] = []
    for mark in marks_of(look.parsed.marks, MarkKind.TABLE):
        if mark.start in covered or mark.end - 1 in covered or mark.end - mark.start < 2:
            continue
        header = header_of(look, mark.start, mark.end)
        out.append(
            Draft(
                kind=ItemKind.TABLE,
                label=None,
                caption="",
                start=mark.start,
                end=mark.end,
                header=header,
                selectors=selectors_of(look, doc, mark.start, mark.end, header),
            )
        )
    return out
