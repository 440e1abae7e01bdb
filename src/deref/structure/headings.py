"""Which lines are headings.

1. HEADING marks and the outline of a PDF are trusted; their number is read off the text (`marked`).
2. Every other line that starts with a number is a candidate (`candidates`); `weigh` judges its look, `judge` its number.
3. In a PDF without an outline, and in plain text, short lines that stand out are headings without a number
   (`unnumbered`).
"""

from __future__ import annotations

from collections.abc import Sequence

from deref.quick_dataclass import dataclass
from deref.structure.candidates import (
    LEAST,
    MARKED,
    doubted,
    find_candidates,
    listed_units,
    of_one_width,
    repeated_numbers,
    unless_in_outline,
    without_lone_letters,
)
from deref.structure.contents import merge
from deref.structure.judge import are_paragraphs, is_bare, judge
from deref.structure.look import Look
from deref.structure.marked import covered, heading_marks, marked_text
from deref.structure.numbering import Number, says_number
from deref.structure.titles import heading_text, plain_text, read_title
from deref.structure.unnumbered import find_unnumbered
from deref.values import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading: lines `line` to `end` (half-open), its number or None, its title.

    `level` is that of the mark it comes from, or None for one that was found by its look.
    """

    line: int
    end: int
    number: Number | None
    title: str
    level: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The headings in order of lines, and the printed lists that were recognised on the way.

    `numbered_paragraphs`: lines "1.", "2." under articles are paragraphs of them and no headings.
    """

    headings: tuple[Heading, ...]
    contents: tuple[tuple[int, int], ...]
    numbered_paragraphs: bool


def find_headings(look: Look, contents: Sequence[tuple[int, int]], *, legal: bool) -> Found:
    """Return the headings of a file. `contents` are the printed lists known so far."""
    marked = heading_marks(look, contents)
    closed = covered(contents) | look.blocked
    candidates = find_candidates(look, closed, marked, legal=legal)
    lists = repeated_numbers(look, candidates) + listed_units(candidates)
    candidates = of_one_width([c for c in candidates if c.weight > LEAST])
    if lists:
        listed = covered(lists)
        candidates = [c for c in candidates if c.line not in listed]
        closed |= listed
    candidates = doubted(look, unless_in_outline(candidates, marked), legal=legal)
    chosen = without_lone_letters(look, judge(look, candidates, marked, legal=legal), marked)
    paragraphs = legal and are_paragraphs(look, chosen)
    if paragraphs:
        chosen = [c for c in chosen if c.weight >= MARKED or not is_bare(c.number)]
    numbered = {c.line: c.number for c in chosen}
    headings = [_heading(look, mark, numbered.get(mark.start)) for mark in marked.values()]
    # "EXHIBIT A" over "FORM OF NOTE", both headings by the file's word: the second is the title of the first.
    titles = frozenset(n for h in headings if h.number for n in range(h.line + 1, h.end)) - numbered.keys()
    headings = [h for h in headings if h.line not in titles]
    taken = frozenset(n for h in headings for n in range(h.line, h.end))
    for candidate in chosen:
        if candidate.line not in marked and candidate.line not in taken:
            end, title = read_title(look, candidate.line, candidate.number, legal=legal)
            headings.append(Heading(line=candidate.line, end=end, number=candidate.number, title=title))
    taken = frozenset(n for h in headings for n in range(h.line, h.end))
    if not look.trusted:
        outlined = len(marked) >= 5
        for start, end in find_unnumbered(look, closed | taken, outlined=outlined):
            title = " ".join(look.texts[n] for n in range(start, end))
            headings.append(Heading(line=start, end=end, number=None, title=title))
    headings.sort(key=lambda h: h.line)
    return Found(
        headings=tuple(headings), contents=tuple(merge([*contents, *lists])), numbered_paragraphs=paragraphs
    )


def _heading(look: Look, mark: Mark, number: Number | None) -> Heading:
    text = look.texts[mark.start]
    if mark.title:
        return Heading(line=mark.start, end=mark.end, number=number, title=mark.title, level=mark.level)
    shown = marked_text(look, mark)[number.end :] if number else heading_text(text)
    if number and mark.label:
        # The number stands apart: on a line of its own above the title, or behind it.
        shown = "" if says_number(text, number.label) else shown.removesuffix(f" {mark.label}")
    parts = [shown.strip(), *(plain_text(look.texts[n]) for n in range(mark.start + 1, mark.end))]
    title = " ".join(p for p in parts if p)
    end = mark.end
    if not title and number is not None:
        end, title = read_title(look, mark.start, number, legal=False)
        end = max(end, mark.end)
    return Heading(line=mark.start, end=end, number=number, title=tidy(title), level=mark.level)


def tidy(title: str) -> str:
    """Return a title without the signs between number and title, trailing leaders and markup."""
    return " ".join(title.strip(" .:–—―-\t*_#").removeprefix("] ").split()) or title.strip()
