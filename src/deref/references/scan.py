"""Where a reference may begin: lines → passages with trigger positions, fast.

All lines are put into one string, a line end inside a block as "\\n", a block end as "\\0" (which no pattern crosses).
A few compiled patterns that start with rare characters run over it once; only the blocks they hit are looked at
again. A block with a hyphen at a line end goes through `text.clean.join_lines`; in all others each character keeps
its place, so offsets map back by bisection.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from deref.references.grammar import PATTERNED, WORDED, Row
from deref.references.lazy import lazy
from deref.references.words import DIRECTIONS, INSTRUMENTS, SCOPES
from deref.text.clean import INVISIBLE, Joined, fold_spaces, join_lines
from deref.text.languages import ENGLISH
from deref.text.names import normalize_name
from deref.values import Line, Point


class LabelWord(NamedTuple):
    """A label word as written: the row it belongs to, and whether it is a plural."""

    row: Row
    plural: bool


def _label_words() -> dict[str, LabelWord]:
    out: dict[str, LabelWord] = {}
    for row in WORDED:
        for n, group in enumerate(ENGLISH.labels[row.name].split("|")):
            for word in group.split():
                for form in (word, word[:1].upper() + word[1:], word.upper()):
                    out.setdefault(form, LabelWord(row=row, plural=n == 1))
    return out


LABEL_WORDS = _label_words()
"""Each form of each label word of English ("Section", "SECTIONS", "§") and what it is."""


def is_joined(text: str, start: int) -> bool:
    """Tell whether an underline joins a word to the one before it: "my_section 4" it does, "_Section 4_" it only sets off."""
    return text[start - 1] == "_" and start > 1 and (text[start - 2].isalnum() or text[start - 2] == "_")


def alternation(forms: Iterable[str]) -> str:
    """Return a pattern for any of these words, the longest first, written as a tree of their letters: few are tried at a place."""
    tree = _Tree()
    for form in forms:
        node = tree
        for sign in form:
            node = node.setdefault(sign, _Tree())
        node[""] = _Tree()
    return _branches(tree)


class _Tree(dict[str, "_Tree"]):
    """The letters that may come next; an empty one where a word ends."""


def _branches(tree: _Tree) -> str:
    return "|".join(re.escape(sign) + _rest(node) for sign, node in sorted(tree.items()) if sign)


def _rest(tree: _Tree) -> str:
    further = _branches(tree)
    if not further:
        return ""
    if "" in tree:
        return f"(?:{further})?"
    return further if len(tree) == 1 else f"(?:{further})"


_PATTERN = {row.name: row for row in PATTERNED}
WORD, BRACKET, CAPITAL, TITLE, HOUSE, RELATIVE_WORD, FEDERAL, BARE, ACT = range(9)
TONGUE = 100
"""From here on: twice the place of a `Tongue` among those given, and one more for a whole relative pointer."""

_ANY_WORD = lazy(lambda: rf"({alternation(list(LABEL_WORDS))})\s*(?=[\dA-Z(])")
_TRIGGERS: tuple[tuple[int, re.Pattern[str]], ...] = (
    (BRACKET, lazy(r"\[(?=[A-Z\d])")),
    (
        CAPITAL,
        lazy(
            r"(?:RFCs?|BCP|STD|ISO|IEC|IEEE|ANSI|ASTM|DIN|EN|ETSI|PCI|ITU|FIPS|NIST|SP|NISTIR|IR|Special|Regulation|Directive|"
            r"Decision|Framework|Executive|E\.O\.|Public Law|Pub\.|P\.L\.|OMB)[ \xa0\n/-](?=[A-Za-z\d(])"
        ),
    ),
    (TITLE, lazy(r"Document:[ \n](?=[A-Z])")),
    (TITLE, lazy(rf"(?:{alternation(INSTRUMENTS)})(?=[\s,.;:)\"”’'\0\]]|$)")),
    (ACT, lazy(r"Act[ \xa0\n](?:of[ \xa0\n])?(?=(?:1[6-9]|20)\d\d(?!\d))")),
)  # fmt: skip
_UNITS = alternation([*SCOPES, *(s.capitalize() for s in SCOPES), *(s.upper() for s in SCOPES)])
_RELATIVE: tuple[tuple[int, re.Pattern[str]], ...] = (
    (1, lazy(rf"his\s(?:{_UNITS})(?!\w)")),
    (1, lazy(rf"hat\s(?:{_UNITS})(?!\w)")),
    (1, lazy(rf"he same (?:{_UNITS})(?!\w)")),
    (1, lazy(rf"he (?:immediately )?(?:{'|'.join(DIRECTIONS)})\s(?=[SscCpatTefrlLdF])")),
    (0, lazy(r"below(?!\w)")),
    (0, lazy(r"above(?!\w)")),
)  # each with a literal head, which `re` finds fast; the number is what to add to reach the first letter
_CODES = (lazy(r"U\.? ?S\.? ?C"), lazy(r"C\.? ?F\.? ?R"))
_NUMBER = lazy(r"\d+(?:\.\d+|(?=\())")
_HOUSE_BEHIND = lazy(r"[A-Z]{2,7}[ \xa0](?:Rules? )?[A-Z]?$")
_CUE_BEHIND = lazy(r"(?:see|See|in|under|per|cf\.)[ \xa0\n]$")
_BROKEN = lazy("[-\u00ad\u2010\ufffe]\n")
_GAP = lazy(r"  (?: |)(?=\S)")  # begins with a literal, which `re` finds fast
_ENTITY = "&nbsp;"
_FILLER = "\x1f"
_FILLED = lazy(f"{_FILLER}+")
_WRITTEN_BLANK = " " + _FILLER * (len(_ENTITY) - 1)
"""What an entity that is written out becomes: a blank, and filler (white space as well) that keeps every offset."""
_INVISIBLE = lazy(f"[{INVISIBLE}]")
_BROKEN_TAILS = tuple(
    w[:n] for w in ("section", "article", "table", "figure", "equation", "chapter", "exhibit", "schedule", "appendix",
                    "paragraph", "annex", "clause", "attachment", "footnote", "example", "listing") for n in range(2, len(w))
)  # fmt: skip
_OPEN_END = lazy(r"[\s)](?:of|in|to|under|by|and|or|the|see|Document:)\s*$")
_LEAD_MARKS = lazy(r"[ \t#*_>\[|\u00a0]*+")
_LIST_ITEM = lazy(r"\s*\d{1,3}(?:\.\s+[^\W\d_]|\)\s+[A-Z])")
_WORD_AT_END = lazy(
    r"(?:(?<=[a-z\d,;:)]) |\()(?=([^\s(]+)(?:(?: [\dA-Z][\w.()-]*,?)+ (?:and|or|to|through|&))?\s*$)"
)
"""What may be a label word that a sentence leads to; behind a capital, or alone, it ends a title."""
_GOES_ON = frozenset(["and", "or", "to", "through", "&"])


class Triggers(Protocol):
    """The grammar of a language, as far as it is needed here."""

    def triggers(self, text: str) -> list[tuple[int, int, bool]]:
        """Return (offset, end of the trigger, whether it is a whole relative pointer)."""


@dataclass(slots=True)
class Passage:
    """One block of text with the places where a reference may begin, as (offset, what, end of the trigger)."""

    text: str
    triggers: list[tuple[int, int, int]]
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
        """Return the words at a point as people read them: a line end as one space."""
        base = self.lines[0].n
        first = self.lines[at.line - base].text
        if at.end_line is None:
            return first[at.char_start : at.char_end].replace(_ENTITY, " ")
        middle = [self.lines[n - base].text.strip() for n in range(at.line + 1, at.end_line)]
        last = self.lines[at.end_line - base].text[: at.char_end].lstrip()
        return " ".join([first[at.char_start :].rstrip(), *middle, last]).replace(_ENTITY, " ")

    def line_start(self, start: int) -> bool:
        """Tell whether nothing but marks ("#", "*", "[") and white space stands before an offset in its line."""
        at = self.point(start, start + 1)
        marks = _LEAD_MARKS.match(self.lines[at.line - self.lines[0].n].text)
        return marks is not None and marks.end() >= at.char_start


def triggers(text: str, *, federal: bool, tongues: Sequence[Triggers] = ()) -> list[tuple[int, int, int]]:
    """Return all (offset, what, end of trigger) of a text, in order."""
    found = [(m.start(), WORD, m.end(1)) for m in _ANY_WORD.finditer(text)]
    found += [
        (m.start(), what, m.end())
        for what, pattern in _TRIGGERS
        for m in pattern.finditer(text)
        if what != TITLE or _may_end_a_name(text, m.start())
    ]
    found += [(max(0, m.start() - n), RELATIVE_WORD, m.end()) for n, p in _RELATIVE for m in p.finditer(text)]
    found += _codes(text)
    found += _numbers(text, federal=federal)
    for n, tongue in enumerate(tongues):
        found += [(a, TONGUE + 2 * n + relative, b) for a, b, relative in tongue.triggers(text)]
    found.sort()
    return found


def _may_end_a_name(text: str, start: int) -> bool:
    """Whether an instrument noun may end a name: not behind a plain word, as in "this Agreement" and "the Agreement"."""
    if text[start - 1 : start] == "-" or text.startswith("Document:", start):
        return True
    before = text[max(0, start - 30) : start].split()
    if not before or not text[start - 1].isspace():
        return bool(before)
    word = before[-1].lstrip("(“\"‘'")
    return word[:1].isupper() or word in ("and", "of")


def _codes(text: str) -> Iterator[tuple[int, int, int]]:
    """Where the number of a title stands before a code of statutes: "15 U.S.C."."""
    for pattern in _CODES:
        for match in pattern.finditer(text):
            at = match.start()
            if at > 1 and text[at - 1] in " \xa0\n" and text[at - 2].isdigit():
                yield at - 2 - (at > 2 and text[at - 3].isdigit()), CAPITAL, at


def _numbers(text: str, *, federal: bool) -> Iterator[tuple[int, int, int]]:
    """Where a number tells a pointer: of a rulebook ("GEN 5.3"), in the way of the federal code, behind "see"."""
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        before = text[start - 1 : start]
        if (
            (before == " " or before == "\xa0" or before.isupper())
            and (house := _HOUSE_BEHIND.search(text, max(0, start - 16), start)) is not None
            and end - start < 10
        ):
            yield house.start(), HOUSE, start
        dot = text.find(".", start, end)
        if dot < 0:
            continue
        if end - dot > 3 and (federal or text.find("-", dot + 4, dot + 6) >= 0):
            yield max(start, dot - 2), FEDERAL, dot + 4
        if text[end : end + 1] == "." and (cue := _CUE_BEHIND.search(text, max(0, start - 6), start)):
            yield cue.start(), BARE, start


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
        if not big.isascii():
            found += [(m.start(), -1, m.end()) for m in _INVISIBLE.finditer(big)]
        found.sort()
    yield from _blocks(big, offsets, pads, found, lines, skip, federal, tongues)


def _broken(big: str, *, any_word: bool) -> list[tuple[int, int, int]]:
    """The hyphens at line ends that break a label word; of languages that join their words, any hyphen."""
    return [
        (m.start(), -1, m.end())
        for m in _BROKEN.finditer(big)
        if any_word or big[max(0, m.start() - 9) : m.start()].lower().endswith(_BROKEN_TAILS)
    ]


def _blocks(
    big: str, offsets: list[int], pads: list[int], found: list[tuple[int, int, int]], lines: Sequence[Line],
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
    big: str, start: int, end: int, here: list[tuple[int, int, int]], lines: Sequence[Line], offsets: list[int],
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
    starts = [o - start for o in offsets[first : last + 1]]
    shifts = [offsets[n] - start - pads[n] for n in range(first, last + 1)]
    owners = list(range(len(starts)))
    if "  " in text or _FILLER in text:
        return _closed_up(text, here, block, starts, shifts)
    return Passage(text, here, block, starts, shifts, owners)


def _closed_up(
    text: str, here: list[tuple[int, int, int]], block: Sequence[Line], starts: list[int], shifts: list[int]
) -> Passage:
    """The passage with the wide gaps of justified text, and written blanks, made single; gaps of a table (four and more) stay."""
    gaps = [
        (m.start() + 1, m.end())
        for m in _GAP.finditer(text)
        if m.start() and text[m.start() - 1] not in ".:;!?" and not text[m.start() - 1].isspace()
    ]
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
    head = text.lstrip()[:1]
    if not (head.isdigit() or head in "(IVXABCDE"):
        return line.page == before.page or not (head.islower() and ended.rstrip()[-1:] not in ".:;!?")
    return bool(_LIST_ITEM.match(text)) or not _leads_to_label(ended[-50:].rstrip())


def _leads_to_label(ended: str) -> bool:
    """Whether a line ends in a label word that a sentence leads to, or in a list of its labels that goes on."""
    last = ended[ended.rfind(" ") + 1 :]
    if last not in _GOES_ON and last[last.rfind("(") + 1 :] not in LABEL_WORDS:
        return False
    return any(m[1] in LABEL_WORDS for m in _WORD_AT_END.finditer(ended))
