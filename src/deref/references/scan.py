"""Where a reference may begin: lines → passages with trigger positions, fast.

All lines are put into one string, a line end inside a block as "\\n", a block end as "\\0" (which no pattern crosses).
A few compiled patterns that start with rare characters run over it once; only the blocks they hit are looked at
again. A block with a hyphen at a line end goes through `text.clean.join_lines`; in all others each character keeps
its place, so offsets map back by bisection.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deref.references.label_words import LABEL_WORDS
from deref.references.triggers import Trigger, Triggers, triggers
from deref.text.clean import INVISIBLE, Joined, fold_spaces, join_lines, verbatim
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Line, Point

_BROKEN = lazy("\n(?<=[-\u00ad\u2010\ufffe]\n)")
_GAP = lazy(r"  (?<=[^\s.:;!?]  ) ?(?=\S)")
_ENTITY = "&nbsp;"
_FILLER = "\x1f"
_FILLED = lazy(f"{_FILLER}+")
_WRITTEN_BLANK = " " + _FILLER * (len(_ENTITY) - 1)
"""What an entity that is written out becomes: a blank, and filler (white space as well) that keeps every offset."""
_INVISIBLE = lazy(f"[{INVISIBLE}]")
_BROKEN_TAILS = tuple(
    w[:n] for w in ("section", "article", "table", "figure", "equation", "chapter", "exhibit", "schedule", "appendix",
                    "paragraph", "annex", "clause", "attachment", "footnote", "example", "listing", "algorithm",
                    "theorem", "proposition", "corollary", "definition", "assumption") for n in range(2, len(w))
)  # fmt: skip
_OPEN_END = lazy(r"[\s)](?:of|in|to|under|by|and|or|the|see|Document:)\s*$")
_LEAD_MARKS = lazy(r"[ \t#*_>=\[|\u00a0]*+")
_LIST_ITEM = lazy(r"\s*\d{1,3}(?:\.\s+[^\W\d_]|\)\s+[A-Z])")
_LABEL_AHEAD = lazy(r"$|[\d(]|[IVXLC]{1,7}[A-Z]?(?![^\W\d_])|[A-E](?![^\W\d_])")
"""What may be a label that was parted from its word by a line end; "Internally" is none."""
_WORD_AT_END = lazy(
    r"(?:(?<=[a-z\d,;:)]) |\()(?=([^\s(]+)(?:(?: [\dA-Z][\w.()-]*,?)+ (?:and|or|to|through|&))?\s*$)"
)
"""What may be a label word that a sentence leads to; behind a capital, or alone, it ends a title."""
_HEADING = lazy(r"\d{1,2}(?:\.\d{1,2})*\.? [A-Z][a-z]+")
"""A heading of one word, over "1.1": "1 Definitions"."""
_GOES_ON = frozenset(["and", "or", "to", "through", "&"])


@dataclass(slots=True)
class Passage:
    """One block of text with the places where a reference may begin, as (offset, what, end of the trigger)."""

    text: str
    triggers: list[Trigger]
    lines: Sequence[Line]
    starts: list[int]
    shifts: list[int]
    owners: list[int]
    joined: Joined | None = None
    _name: str | None = None

    @property
    def name(self) -> str:
        """The whole text as names of documents are compared; made once."""
        if self._name is None:
            self._name = normalize_name(self.text)
        return self._name

    def point(self, start: int, end: int) -> Point:
        """Return where characters start..end stand in the verbatim lines."""
        if self.joined is not None:
            return self.joined.point(start, end)
        a = bisect_right(self.starts, start) - 1
        b = bisect_right(self.starts, end - 1) - 1
        first, last = self.lines[self.owners[a]], self.lines[self.owners[b]]
        return Point(
            doc=first.doc,
            line=first.n,
            char_start=start - self.shifts[a],
            char_end=end - self.shifts[b],
            end_line=None if first is last else last.n,
        )

    def verbatim(self, at: Point) -> str:
        """Return the words at a point as people read them."""
        return as_read(self.lines, at)

    def line_start(self, at: Point) -> bool:
        """Tell whether nothing but marks ("#", "*", "[") and white space stands before a place in its line."""
        marks = _LEAD_MARKS.match(self.lines[at.line - self.lines[0].n].text)
        return marks is not None and marks.end() >= at.char_start


def as_read(lines: Sequence[Line], at: Point) -> str:
    """Return the words at a point of consecutive lines as people read them: a line end, and a written blank, as one space."""
    return verbatim(lines, at).replace(_ENTITY, " ")


def passages(
    lines: Sequence[Line],
    *,
    skip: Sequence[bool] | None = None,
    federal: bool = False,
    tongues: Sequence[Triggers] = (),
    wanted: re.Pattern[str] | None = None,
) -> Iterator[Passage]:
    """Yield the blocks of these consecutive lines in which a reference may begin, in order.

    `skip[i]` is true for lines (by position) that are not looked at. `federal` also takes bare numbers such as 9.406
    for labels, `tongues` are the grammars of other languages than English. `wanted` yields instead the blocks in which this pattern is found, without triggers.
    """
    big, offsets, pads = _one_text(lines)
    if wanted is not None:
        found = [(m.start(), -1, m.end()) for m in wanted.finditer(big)]
    else:
        found = triggers(big, federal=federal, tongues=tongues)
        found += _broken(big, any_word=bool(tongues))
        for sign in INVISIBLE:
            found += [(m.start(), -1, m.end()) for m in re.finditer(sign, big)]
        found.sort()
    yield from _blocks(big, offsets, pads, found, lines, skip, federal, tongues)


def _broken(big: str, *, any_word: bool) -> list[Trigger]:
    """The hyphens at line ends that break a label word; of languages that join their words, any hyphen."""
    return [
        (m.start() - 1, -1, m.end())
        for m in _BROKEN.finditer(big)
        if any_word or big[max(0, m.start() - 10) : m.start() - 1].lower().endswith(_BROKEN_TAILS)
    ]


def _blocks(
    big: str, offsets: list[int], pads: list[int], found: list[Trigger], lines: Sequence[Line],
    skip: Sequence[bool] | None, federal: bool, tongues: Sequence[Triggers],
) -> Iterator[Passage]:  # fmt: skip
    n = 0
    while n < len(found):
        start = big.rfind("\0", 0, found[n][0]) + 1
        end = big.find("\0", found[n][0])
        end = len(big) if end < 0 else end
        stop = n
        while stop < len(found) and found[stop][0] < end:
            stop += 1
        here, n = found[n:stop], max(stop, n + 1)
        first = bisect_right(offsets, start) - 1
        if skip is not None and skip[first]:
            continue
        yield _passage(big, start, end, here, lines, offsets, pads, first, federal, tongues)


def _passage(
    big: str, start: int, end: int, here: list[Trigger], lines: Sequence[Line], offsets: list[int],
    pads: list[int], first: int, federal: bool, tongues: Sequence[Triggers],
) -> Passage:  # fmt: skip
    last = bisect_right(offsets, end) - 1
    block = lines[first : last + 1]
    raw = big[start:end]
    if (not raw.isascii() and _INVISIBLE.search(raw)) or (first != last and _BROKEN.search(raw)):
        joined = join_lines(block)
        return Passage(
            joined.text, triggers(joined.text, federal=federal, tongues=tongues), block, [], [], [], joined
        )
    text = raw.replace("\n", " ")
    if not text.isascii():
        # A tab parts two cells of a table row: what stands in both belongs to no one reference, so it stays a tab.
        text = "\t".join(fold_spaces(cell) for cell in text.split("\t"))
    here = [(a - start, what, b - start) for a, what, b in here if what >= 0]
    if first == last and "  " not in text and _FILLER not in text:
        return Passage(text, here, block, [0], [-pads[first]], [0])
    starts = [o - start for o in offsets[first : last + 1]]
    shifts = [offsets[n] - start - pads[n] for n in range(first, last + 1)]
    owners = list(range(len(starts)))
    if "  " in text or _FILLER in text:
        return _closed_up(text, here, block, starts, shifts)
    return Passage(text, here, block, starts, shifts, owners)


def _closed_up(
    text: str, here: list[Trigger], block: Sequence[Line], starts: list[int], shifts: list[int]
) -> Passage:
    """The passage with the wide gaps of justified text, and written blanks, made single; gaps of a table (four and more) stay."""
    gaps = [(m.start() + 1, m.end()) for m in _GAP.finditer(text)]
    if _FILLER in text:
        gaps = sorted([*gaps, *(m.span() for m in _FILLED.finditer(text))])
    if not gaps:
        return Passage(text, here, block, starts, shifts, list(range(len(starts))))
    ends = [end for _, end in gaps]
    removed = [0]
    for a, b in gaps:
        removed.append(removed[-1] + b - a)

    def moved(offset: int) -> int:
        return offset - removed[bisect_right(ends, offset)]

    cuts = sorted(
        {(o, n) for n, o in enumerate(starts)} | {(end, bisect_right(starts, end) - 1) for end in ends}
    )
    parts = []
    at = 0
    for a, b in gaps:
        parts.append(text[at:a])
        at = b
    parts.append(text[at:])
    return Passage(
        "".join(parts),
        [(moved(a), what, moved(b)) for a, what, b in here],
        block,
        [moved(o) for o, _ in cuts],
        [shifts[n] - (o - moved(o)) for o, n in cuts],
        [n for _, n in cuts],
    )


def _one_text(lines: Sequence[Line]) -> tuple[str, list[int], list[int]]:
    """All lines as one text, without the white space around them; where each begins in it, and its indent."""
    parts: list[str] = []
    offsets: list[int] = []
    pads: list[int] = []
    size = 0
    before: Line | None = None
    blank = True
    for line in lines:
        text = line.text
        if "\0" in text or "\n" in text:
            text = text.replace("\0", " ").replace("\n", " ")
        right = text.rstrip()
        bare = right.lstrip()
        if before is not None:
            parts.append("\0" if blank or not bare or (line.starts_block and _begins(before, line)) else "\n")
            size += 1
        offsets.append(size)
        pads.append(len(right) - len(bare))
        parts.append(bare)
        size += len(bare)
        before, blank = line, not bare
    return "".join(parts).replace(_ENTITY, _WRITTEN_BLANK), offsets, pads


def _begins(before: Line, line: Line) -> bool:
    """Whether a line that starts a block does so for sure: not when it only continues over the end of a page or line."""
    text, ended = line.text, before.text
    if line.page == before.page and line.box is not None and _OPEN_END.search(ended[-12:]):
        return False
    text = text.lstrip()
    head = text[:1]
    if not _LABEL_AHEAD.match(text):
        return line.page == before.page or not (head.islower() and ended.rstrip()[-1:] not in ".:;!?")
    return bool(_LIST_ITEM.match(text)) or not _leads_to_label(ended[-50:].rstrip())


def _leads_to_label(ended: str) -> bool:
    """Whether a line ends in a label word that a sentence leads to, or in a list of its labels that goes on."""
    last = ended[ended.rfind(" ") + 1 :]
    if last not in _GOES_ON and last[last.rfind("(") + 1 :] not in LABEL_WORDS:
        return False
    if _HEADING.fullmatch(ended.strip()):
        return False
    return any(m[1] in LABEL_WORDS for m in _WORD_AT_END.finditer(ended))
