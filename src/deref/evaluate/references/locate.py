"""Where a mention and its target stand in our own lines.

A mention of a text stands at its character, as far as what stands there is what the row says. Any other is looked for by
letters and digits: its words between what stands before and after them, as much of both as is needed to find it, on the page
and nearest to the box that the link has, or in its rows. No two mentions of one kind take the same place, unless they are the
same words in the same surroundings, or no other place is left: a link is written twice now and then, a range is a row for each
of its ends.

A target is the line that, in this order, carries the anchor of the file; is the row of the text; bears the caption that the
target's kind and number begin ("Table 3", on the target's page or in the file); bears the text that the set says stands
there, nearest to the height of the link; lies at that height.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deref.evaluate.references.labelled import Goal, Mention
from deref.evaluate.references.squash import Squashed, squash
from deref.values import Document, Point

_AROUND = ((30, 30), (14, 14), (30, 0), (0, 30), (7, 7), (14, 0), (0, 14))
_SURE = ((30, 30), (14, 14))
_NEAR_BOX_PT = 14.0
_CAPTIONED = {
    "table": r"(?:table|tab\.)", "figure": r"(?:figure|fig\.)", "example": r"example", "listing": r"listing",
    "exhibit": r"exhibit", "appendix": r"appendix",
}  # fmt: skip
_SHORTEST_TEXT = 4


class Located:
    """One document, searched for mentions and targets. `raw` is its text when mentions count characters of it."""

    def __init__(self, document: Document, raw: str | None) -> None:
        """Take the document; what a search needs is made when the first one comes."""
        self.document = document
        self._raw = raw
        self._squashed: Squashed | None = None
        self._squashed_lines: list[str] | None = None
        self._goals: dict[Goal, int | None] = {}
        self._taken: dict[tuple[str, int, int], tuple[object, ...]] = {}
        self._pages: dict[int, tuple[int, int]] | None = None
        self._rows: list[int | None] | None = None

    # Mentions

    def mention(self, mention: Mention) -> Point | None:
        """Return where a mention stands, or None."""
        return self._by_offset(mention) or self._by_words(mention)

    def _by_offset(self, mention: Mention) -> Point | None:
        raw, at = self._raw, mention.offset
        if raw is None or at is None:
            return None
        label = (mention.label or "") + (mention.sub or "")
        for words in (mention.text, label, mention.label):
            if not words or raw[at : at + len(words)].casefold() != words.casefold():
                continue
            row = raw.count("\n", 0, at)
            column = at - (raw.rfind("\n", 0, at) + 1)
            line = self.line_of_row(row + 1, exactly=True)
            if line is None:
                return None
            written = self.document.lines[line].text
            if written[column : column + len(words)] != raw[at : at + len(words)]:
                column = written.find(raw[at : at + len(words)])
            if column < 0:
                return None
            return Point(doc=self.document.id, line=line, char_start=column, char_end=column + len(words))
        return None

    def _by_words(self, mention: Mention) -> Point | None:
        words = squash(mention.text)
        if not words:
            return None
        squashed = self._text()
        before, after = squash(mention.before), squash(mention.after)
        low, high = self._reach(mention)
        tries = [(left, right, low, high) for left, right in _AROUND]
        if mention.rows is not None and (before or after):
            # Rows are counted in a rendering that may not be ours: words that are surely the same count for more.
            tries += [(left, right, 0, len(squashed.text)) for left, right in _SURE]
        shared: list[int] = []
        for left, right, first, last in tries:
            head, tail = before[len(before) - left :] if left else "", after[:right]
            if not (head or tail) and (before or after):
                continue
            sought = head + words + tail
            starts = [at + len(head) for at in _occurrences(squashed.text, sought, first - len(head), last)]
            place = self._free(starts, len(words), mention)
            if place is not None:
                return place
            shared = shared or starts
        if mention.box is not None and not shared:
            near = list(_occurrences(squashed.text, words, low, high))
            return self._free(near, len(words), mention, close=True)
        # All places with these surroundings are taken: the same words are labelled again, with more or less around them.
        return (
            self._point(squashed.place(shared[0]), squashed.place(shared[0] + len(words) - 1))
            if shared
            else None
        )

    def _free(
        self, starts: Sequence[int], length: int, mention: Mention, *, close: bool = False
    ) -> Point | None:
        squashed = self._text()
        places = [(squashed.place(at), squashed.place(at + length - 1)) for at in starts]
        same = _words_of(mention)
        free = [p for p in places if self._taken.get((mention.kind, *p[0]), same) == same]
        if mention.box is not None:
            free.sort(key=lambda p: self._away(p[0], mention))
            if close:
                free = [p for p in free if self._away(p[0], mention) <= _NEAR_BOX_PT]
        if not free:
            return None
        (line, start), _ = free[0]
        self._taken[mention.kind, line, start] = same
        return self._point(*free[0])

    def _point(self, first: tuple[int, int], last: tuple[int, int]) -> Point:
        (line, start), (end_line, end) = first, last
        return Point(
            doc=self.document.id, line=line, char_start=start, char_end=end + 1,
            end_line=end_line if end_line != line else None,
        )  # fmt: skip

    def _away(self, place: tuple[int, int], mention: Mention) -> float:
        """How far a place is from the box of a link, in points: down the page, and where in its line it would stand."""
        line = self.document.lines[place[0]]
        assert mention.box is not None
        if line.box is None:
            return 1000.0
        x0, top, x1, bottom = mention.box
        height = max(0.0, line.box.top - bottom, top - line.box.bottom)
        along = line.box.x0 + (line.box.x1 - line.box.x0) * place[1] / max(1, len(line.text))
        return height + abs(along - (x0 + min(x1 - x0, 20.0) / 2)) / 12

    def _reach(self, mention: Mention) -> tuple[int, int]:
        squashed = self._text()
        if mention.page is not None:
            first = self._page(mention.page)
            return squashed.reach(*first) if first is not None else (0, 0)
        if mention.rows is not None:
            start = self.line_of_row(mention.rows[0])
            end = self.line_of_row(mention.rows[1])
            return squashed.reach(
                start or 0, len(self.document.lines) if end is None else max(end, (start or 0) + 1)
            )
        return 0, len(squashed.text)

    # Targets

    def goal(self, goal: Goal) -> int | None:
        """Return the line of a target in this document, or None when it is not to be found in it."""
        if goal not in self._goals:
            self._goals[goal] = self._goal(goal)
        return self._goals[goal]

    def _goal(self, goal: Goal) -> int | None:
        lines = self.document.lines
        if not lines:
            return None
        if goal.whole:
            return 0
        if goal.anchor is not None:
            found = self.document.anchors.get(goal.anchor)
            if found is not None:
                return self._caption_near(goal, found)
        if goal.row is not None:
            return self.line_of_row(goal.row)
        if goal.page is not None:
            return self._on_page(goal)
        return self._headed(goal)

    def _caption_near(self, goal: Goal, line: int) -> int:
        """An anchor stands before the thing: the caption, when it is the next thing."""
        caption = self._captioned(goal, line, min(line + 3, len(self.document.lines)))
        return line if caption is None else caption

    def _captioned(self, goal: Goal, start: int, end: int) -> int | None:
        """The line that begins with the kind and number of the target."""
        word = _CAPTIONED.get(goal.kind)
        if word is None or goal.label is None:
            return None
        sought = re.compile(
            rf"\W*{word}\s*{re.escape(goal.label)}(?![\w]|[.-]\w)(?P<caption>\s*(?:[:.–—|]|$))?",
            re.IGNORECASE,
        )
        found = [
            (n, m)
            for n in range(start, end)
            if (m := sought.match(self.document.lines[n].text)) and not self._listed(n)
        ]
        # "Figure 5 shows" begins a line of prose now and then.
        return self._best([n for n, m in found if m["caption"]] or [n for n, _ in found], goal)

    def _on_page(self, goal: Goal) -> int | None:
        assert goal.page is not None
        reach = self._page(goal.page)
        if reach is None:
            return None
        caption = self._captioned(goal, *reach)
        if caption is not None:
            return caption
        wanted = squash(goal.text)[:60]
        if len(wanted) >= _SHORTEST_TEXT:
            same = [n for n in range(*reach) if wanted in self._by_line()[n]]
            if same:
                return self._best(same, goal)
            begun = [n for n in range(*reach) if _begins(wanted, self._by_line()[n])]
            if begun:
                return self._best(begun, goal)
        return self._best(list(range(*reach)), goal)

    def _headed(self, goal: Goal) -> int | None:
        """The heading with the text of the target, or with the number that its anchor names ("section-4.9")."""
        lines = self.document.lines
        wanted = squash(goal.text)[:60]
        numbered = squash(goal.label or "") + wanted
        if len(wanted) >= _SHORTEST_TEXT:
            texts = [(n, text) for n, text in enumerate(self._by_line()) if text and not self._listed(n)]
            same = [n for n, text in texts if text[:60] in (wanted, numbered)]
            if same:
                return same[0]
            caption = self._captioned(goal, 0, len(lines))
            begun = [n for n, text in texts if _begins(wanted, text)] if caption is None else [caption]
            if begun:
                return begun[0]
        label = goal.label if not goal.text else None
        if label is not None:
            heading = re.compile(rf"(?:(?:appendix|section)\s+)?{re.escape(label)}\.?\s+[A-Z]", re.IGNORECASE)
            found = [n for n, line in enumerate(lines) if heading.match(line.text) and not self._listed(n)]
            if found:
                return found[-1]
        return (
            0 if goal.text and goal.anchor is None and goal.kind in ("chapter", "appendix", "part") else None
        )

    def _best(self, found: Sequence[int], goal: Goal) -> int | None:
        if not found:
            return None
        y = goal.y
        return found[0] if y is None else min(found, key=lambda n: self._below(n, y))

    def _below(self, n: int, y: float) -> float:
        """How far a line begins from a height, in points. A link aims a little above what it means."""
        box = self.document.lines[n].box
        if box is None:
            return 1000.0
        return (box.top - y) if box.top >= y - 6 else 3 * (y - box.top)

    def _listed(self, n: int) -> bool:
        return any(n in span for span in self.document.contents)

    # The raw rows and the pages of the document

    def line_of_row(self, row: int, *, exactly: bool = False) -> int | None:
        """Return our line made from a 1-based row of the raw text; else the next one that is kept, unless `exactly`."""
        if self._raw is None:
            return None
        if self._rows is None:
            self._rows = _rows_to_lines(self._raw.split("\n"), self.document)
        if exactly:
            return self._rows[row - 1] if 0 < row <= len(self._rows) else None
        return next((n for n in self._rows[max(0, row - 1) :] if n is not None), None)

    def _page(self, page: int) -> tuple[int, int] | None:
        if self._pages is None:
            self._pages = {}
            for line in self.document.lines:
                first, _ = self._pages.get(line.page, (line.n, 0))
                self._pages[line.page] = (first, line.n + 1)
        return self._pages.get(page)

    def _by_line(self) -> list[str]:
        if self._squashed_lines is None:
            self._squashed_lines = [squash(line.text) for line in self.document.lines]
        return self._squashed_lines

    def _text(self) -> Squashed:
        if self._squashed is None:
            self._squashed = Squashed(self.document.lines)
        return self._squashed


def _words_of(mention: Mention) -> tuple[object, ...]:
    return mention.text, mention.before, mention.after, mention.box


def _begins(wanted: str, written: str) -> bool:
    """Whether a line of some length begins the text that is sought: a heading that runs on."""
    return len(written) > 10 and wanted.startswith(written[:60])


def _occurrences(text: str, sought: str, low: int, high: int) -> Iterator[int]:
    at = max(low, 0) - 1
    while (at := text.find(sought, at + 1, high + len(sought))) >= 0 and at < high:
        yield at


def _rows_to_lines(rows: Sequence[str], document: Document) -> list[int | None]:
    """For each row of a text the line that was made from it. Where pages begin anew, rows are told by what they say."""
    found: list[int | None] = [None] * len(rows)
    if document.pages == 1:
        for line in document.lines:
            if line.row <= len(rows):
                found[line.row - 1] = line.n
        return found
    n = 0
    for at, row in enumerate(rows):
        if n < len(document.lines) and row.strip("\f ") == document.lines[n].text.strip():
            found[at] = n
            n += 1
    return found
