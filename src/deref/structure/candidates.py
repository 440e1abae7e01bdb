"""Lines that could be headings, by their number and look, before the sequence judges them.

What repeats a number of the outline is left out. A plain line is doubted when lines of its depth, or of a greater one, are set bold
or large: headings do not get less prominent upwards.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from deref.structure.contents import merge, repeated_run
from deref.structure.look import Look
from deref.structure.marked import implied_numbers, marked_text
from deref.structure.numbering import CONTAINERS, DIVISIONS, STEP, Number, is_first, read_numbers
from deref.structure.sequence import Candidate
from deref.structure.titles import plain_text
from deref.structure.weigh import NEVER, weigh
from deref.values import Mark

MARKED = 4.0
"""From this weight on it is the file that says so."""

LEAST = -0.5
"""A lighter candidate is not worth a place in any sequence."""

_LONGEST_ENTRY = 4
_DATED = re.compile(r"[\s(\]–—-]*(?:19|20)\d\d([-/.])\d{1,2}\1\d{1,2}(?!\d)")
_WIDE = re.compile(r"\d+\.\d{3}")
_FEW_WIDE = 8
_IN_A_TABLE = 0.8
_DOUBT = 1.0
_PEERS = 2
_DOUBT_IN_LAW = 0.4


def find_candidates(
    look: Look, closed: frozenset[int], marked: dict[int, Mark], *, legal: bool
) -> list[Candidate]:
    """Return every reading of every line that could be a heading, in order of lines, those of marks at full weight.

    `closed` lines hold no heading unless a mark says so. The light ones are kept: they tell printed lists.
    """
    out: list[Candidate] = []
    implied = implied_numbers(look, marked)
    root = ""
    for n, raw in enumerate(look.texts):
        if n in implied:
            out.append(Candidate(n, implied[n], 6.0))
            continue
        if not raw or (not raw[0].isdigit() and not raw[0].isupper() and raw[0] not in "§第#*_[="):
            continue
        if n in closed and n not in marked and not (legal and n in look.guessed_rows and _is_wordy(raw)):
            continue
        mark = marked.get(n)
        if mark is not None and (len(mark.title or raw) < 3 and n in closed):
            continue
        if mark is not None:
            text = marked_text(look, mark)
        elif (
            look.trusted and not legal and not (root and raw.startswith(root) and look.lines[n].starts_block)
        ):
            continue
        else:
            text = plain_text(raw) if raw[0] in "#*_" else raw
        for number in read_numbers(text):
            if _DATED.match(text, number.end):
                continue  # a version in a list of changes
            if mark is not None:
                root = f"{number.label}."
                out.append(Candidate(n, number, 6.0 if number.word or number.depth > 1 else 4.0))
                continue
            weight = weigh(look, n, number, legal=legal) if text is raw else NEVER
            if n in closed:
                weight -= _IN_A_TABLE
            if weight > NEVER:
                out.append(Candidate(n, number, weight))
    return out


def without_lone_letters(look: Look, chosen: Sequence[Candidate], marked: dict[int, Mark]) -> list[Candidate]:
    """Return the candidates without marked headings that begin with a word of one letter: "A Larger Example", "R FAQ".

    A letter without a sign behind it is a number where the next or the last of its kind is there, a part of it ("A.1"), or,
    for the first, a numbered heading of its level before it.
    """
    keys = {c.number.key[:1] for c in chosen if c.number.word is None and c.number.depth == 1}
    parents = {c.number.key[:1] for c in chosen if c.number.depth > 1}
    out: list[Candidate] = []
    levels: set[int | None] = set()
    for c in chosen:
        mark = marked.get(c.line)
        number = c.number
        if (
            mark is not None
            and number.family in ("letter", "roman")
            and number.word is None
            and not number.sep
        ):
            key = number.key[0]
            beside = (key - STEP,) in keys or (key + STEP,) in keys
            first = is_first(number.key) and mark.level in levels
            alone = mark.label or look.texts[c.line] == number.label
            if len(number.label) == 1 and not (alone or beside or number.key in parents or first):
                continue
        elif mark is not None and number.family == "decimal":
            levels.add(mark.level)
        out.append(c)
    return out


def _is_wordy(text: str) -> bool:
    """Whether a row that starts with a number of two parts reads as a clause: many words, hardly a figure."""
    words = text.split()
    return (
        "." in words[0][:-1] and len(words) > 6 and sum(w[0].isalpha() for w in words) >= 0.8 * len(words) - 1
    )


def repeated_numbers(look: Look, candidates: Sequence[Candidate]) -> list[tuple[int, int]]:
    """Return the runs of lines whose numbers and titles come again later: contents without page numbers."""
    first: dict[int, str] = {}
    for candidate in candidates:
        if candidate.weight < MARKED:
            number = candidate.number
            title = look.texts[candidate.line][number.end : number.end + 20].rstrip(" .").casefold()
            if title[:1] in (",", ";"):
                continue  # an index that leads to sections: "Section 4.1, Paragraph 3; Table 2"
            first.setdefault(candidate.line, f"{number.word or ''} {number.label} {title}")
    return repeated_run(list(first.items()), frozenset(n for n in first if _is_sentence(look, n)))


def _is_sentence(look: Look, n: int) -> bool:
    """Whether the block that starts at line n is a sentence or more, and no title."""
    end = n + 1
    while (
        end < min(n + _LONGEST_ENTRY, len(look.texts))
        and look.texts[end]
        and not look.lines[end].starts_block
    ):
        end += 1
    size = sum(len(look.texts[i]) for i in range(n, end))
    return size > 160 or (size > 48 and look.texts[end - 1][-1:] in ".;?!")


def of_one_width(candidates: list[Candidate]) -> list[Candidate]:
    """Drop plain "25.1" where nearly all numbers are like "25.003": there it names another unit, in a table or a list."""
    paired = {
        c.line: c
        for c in candidates
        if c.number.word is None and c.number.family == "decimal" and "." in c.number.label
    }
    wide = sum(bool(_WIDE.match(c.number.label)) for c in paired.values())
    if wide < _FEW_WIDE or wide < 0.6 * len(paired):
        return candidates
    return [
        c for c in candidates if c.line not in paired or c.weight >= MARKED or _WIDE.match(c.number.label)
    ]


def listed_units(candidates: Sequence[Candidate]) -> list[tuple[int, int]]:
    """Exhibits and the like, four or more on lines one below the other: a list of them."""
    lines = sorted({c.line for c in candidates if c.number.word in CONTAINERS and c.weight < MARKED})
    runs = merge([(line, line + 1) for line in lines])
    return [(start, end) for start, end in runs if sum(start <= n < end for n in lines) >= 4]


def unless_in_outline(candidates: list[Candidate], marked: dict[int, Mark]) -> list[Candidate]:
    """Drop what repeats a number of the outline: where there is one, it says where its headings are."""
    if sum(mark.from_outline for mark in marked.values()) < 5:
        return candidates
    known = {(c.number.family, c.number.key) for c in candidates if c.weight >= MARKED}

    def is_known(number: Number) -> bool:
        same = number.family if number.family not in DIVISIONS else "decimal"
        return (number.family, number.key) in known or (same, number.key) in known

    return [c for c in candidates if c.weight >= MARKED or not is_known(c.number)]


def doubted(look: Look, candidates: list[Candidate], *, legal: bool) -> list[Candidate]:
    """Return the candidates with the plain ones made lighter where their peers stand out.

    What is attached is often typed in a plainer hand than the body: peers are those of the same exhibit, or of the body.
    """
    attached = [c for c in candidates if legal and c.number.word in CONTAINERS]
    borders = sorted({c.line for c in attached if c.weight >= MARKED or look.large(c.line)})
    strong: Counter[tuple[int, str, int]] = Counter()
    for c in candidates:
        if c.weight >= MARKED or c.line in look.bold or look.large(c.line):
            strong[bisect_right(borders, c.line), c.number.family, c.number.depth] += 1
    if not strong:
        return candidates
    deepest: dict[tuple[int, str], int] = {}
    for (part, family, depth), count in strong.items():
        if count >= _PEERS:
            deepest[part, family] = max(depth, deepest.get((part, family), 0))
    doubt = _DOUBT_IN_LAW if legal else _DOUBT
    out: list[Candidate] = []
    for c in candidates:
        peers = deepest.get((bisect_right(borders, c.line), c.number.family), 0)
        plain = c.weight < MARKED and c.line not in look.bold and not look.large(c.line)
        if plain and peers >= c.number.depth:
            c = Candidate(c.line, c.number, c.weight - doubt)
        out.append(c)
    return out
