"""Headings that the file itself names: marks and bookmarks, put on the line where their number stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from deref.structure.contents import ends_in_page
from deref.structure.look import Look, marks_of
from deref.structure.numbering import Number, read_numbers, says_number
from deref.structure.titles import heading_text, plain_text
from deref.text.labels import normalize_label
from deref.values import Mark, MarkKind


def heading_marks(look: Look, contents: Sequence[tuple[int, int]]) -> dict[int, Mark]:
    """Heading marks by line; the first of several on one line, and no entry of a printed list.

    What an outline names inside a list is a heading of the list, "B" or "Concept index", unless it ends as an entry does.
    """
    listed = covered((start + 1, end) for start, end in contents)
    out: dict[int, Mark] = {}
    for mark in marks_of(look.parsed.marks, MarkKind.HEADING):
        line = mark.start
        while line < mark.end - 1 and not look.texts[line]:
            line += 1
        if line < len(look.texts):
            line = _number_above(look, line, mark.label)
        if line >= len(look.texts) or line in out or not look.texts[line]:
            continue
        if line not in listed or (
            mark.from_outline and (mark.title or not ends_in_page(look.texts[mark.end - 1]))
        ):
            out[line] = Mark(
                kind=mark.kind, start=line, end=max(mark.end, line + 1), level=mark.level or 1,
                label=mark.label, from_outline=mark.from_outline, title=mark.title,
            )  # fmt: skip
    return out


def marked_text(look: Look, mark: Mark) -> str:
    """The text of a marked heading with its automatic number in front, unless the line shows it."""
    text = heading_text(look.texts[mark.start])
    if mark.label and mark.end > mark.start + 1 and says_number(text, mark.label):
        return f"{mark.label} {heading_text(look.texts[mark.start + 1])}"
    if not mark.label or normalize_label(text.partition(" ")[0]) == normalize_label(mark.label):
        return text
    shown = next(read_numbers(text), None)
    return text if shown is not None and shown.label == mark.label else f"{mark.label} {text}"


def _number_above(look: Look, n: int, label: str | None) -> int:
    """The line "Chapter 3", or "Three" where the mark says 3, right above a title for which the file has one mark; else n."""
    if label and n and look.lines[n - 1].page == look.lines[n].page and says_number(look.texts[n - 1], label):
        return n - 1
    if (
        n == 0
        or not (look.lines[n - 1].starts_block or not look.blocks)
        or look.lines[n - 1].page != look.lines[n].page
        or any(read_numbers(heading_text(look.texts[n])))
    ):
        return n
    above = plain_text(look.texts[n - 1])
    if len(above) > 20 or (look.has_sizes and not (look.large(n - 1) or n - 1 in look.bold)):
        return n
    number = next(read_numbers(above), None)
    alone = number is not None and number.word and number.end == len(above) and ")" not in number.sep
    return n - 1 if alone else n


def implied_numbers(look: Look, marked: dict[int, Mark]) -> dict[int, Number]:
    """The number of an outline's heading that shows none and stands right over "3.1": it is 3."""
    numbers = {n: next(read_numbers(marked_text(look, mark)), None) for n, mark in marked.items()}
    known = {number.label for number in numbers.values() if number is not None}
    lines = sorted(marked)
    out: dict[int, Number] = {}
    latest: dict[int | None, str] = {}
    for above, below in pairwise(lines):
        child = numbers[below]
        level = marked[above].level
        own = numbers[above]
        if own is not None and own.word is None:
            latest[level] = own.label
        if numbers[above] is not None or not marked[above].from_outline or child is None or child.word:
            continue
        deeper = (marked[below].level or 1) > (marked[above].level or 1)
        head, _, last = child.label.rpartition(".")
        # A figure that stands elsewhere too, as in an example, is still this one when it is the next.
        due = head.isdigit() and latest.get(level, "").isdigit() and int(head) == int(latest[level]) + 1
        if (
            deeper
            and last == "1"
            and head
            and (due or head not in known)
            and child.depth == head.count(".") + 2
        ):
            known.add(head)
            latest[level] = head
            out[above] = Number(None, head, "decimal", child.key[:-1], "", 0)
    return out


def covered(runs: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Return the lines that half-open runs cover."""
    return frozenset(n for start, end in runs for n in range(start, end))
