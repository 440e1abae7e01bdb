"""Sub-paragraphs of law: "(a)", "(1)", "(i)", "(A)" at the start of a line, as sections of their own.

Their label is that of what they stand in and their own: "2.1(a)(ii)", and "6(1)(a)" for point (a) of numbered paragraph 1
of Article 6. Which list a mark is counted in, and that it is no cross-reference, `text.marks` tells.

A list that goes on behind a line also tells that the line is no heading: "Acknowledgement", between (c) and (d), is part of
the sample letter that (c) gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from deref.quick_dataclass import dataclass
from deref.structure.headings import Heading
from deref.structure.look import Look
from deref.structure.numbering import read_numbers
from deref.structure.sections import Start, label_above
from deref.text.marks import Marks, Open, ahead_of, goes_on, take_all
from deref.values import Section

_MARK = re.compile(r"\((?P<in>[a-z]{1,5}|[A-Z]{1,4}|\d{1,3})\)\s*|(?P<out>[a-zA-Z]|[ivx]{1,5})[.)]\s+")
_NUMBERED = re.compile(r"(?P<out>\d{1,3})[.)]\s*(?=\D)")
_RUN_IN = re.compile(r"^[A-Z][^.:;()]{2,60}(?:[.:](?=\s)|[—–])")
_BY_CLAUSE = 500
_FIRST_WORDS = 12


@dataclass(frozen=True, slots=True)
class _Mark:
    line: int
    marks: Marks
    rest: str


def find_clauses(
    look: Look, sections: Sequence[Section], closed: frozenset[int], *, numbered: bool
) -> list[Start]:
    """Return the sub-paragraphs of a legal document as starts of sections, in order of lines.

    `closed` lines hold none. `numbered`: paragraphs "1.", "2." are sub-paragraphs too. What stands under no labelled
    section is left out: its label would say nothing.
    """
    labelled = label_above(sections)

    def below(n: int) -> str:
        """The text under a mark that has a line to itself."""
        text = look.texts[n + 1] if n + 1 < len(look.texts) else ""
        return "" if text[:1] == "(" or n + 1 in closed else text

    out: list[Start] = []
    for n, section in enumerate(sections):
        owner = labelled[section.id]
        if owner is None or owner.label is None:
            continue
        end = sections[n + 1].lines.start if n + 1 < len(sections) else len(look.lines)
        marks = [
            *_behind_number(look, section),
            *_marks(look, section.lines.start + 1, end, closed, numbered=numbered),
        ]
        out.extend(_starts(marks, owner.label, below))
    return out


def without_titles_inside(
    look: Look, headings: Sequence[Heading], closed: frozenset[int], *, numbered: bool
) -> list[Heading]:
    """Return the headings without those that a list of sub-paragraphs runs around.

    Asked of a plain text only, where nothing but its words makes an unnumbered line a heading. `closed` and `numbered` are
    those of `find_clauses`.
    """
    firm = [n for n, h in enumerate(headings) if h.number is not None or h.level is not None]
    inside: set[int] = set()
    for n, following in zip(firm, [*firm[1:], len(headings)], strict=False):
        if headings[n].number is None or following == n + 1:
            continue
        end = headings[following].line if following < len(headings) else len(look.lines)
        marks = list(_marks(look, headings[n].line + 1, end, closed, numbered=numbered))
        stack: list[Open] = []
        last = headings[n].line
        for mark, ahead in _with_ahead(marks):
            if goes_on(stack, mark.marks):
                inside.update(h.line for h in headings[n + 1 : following] if last < h.line < mark.line)
            take_all(stack, mark.marks, ahead)
            last = mark.line
    return [h for h in headings if h.line not in inside]


def _marks(look: Look, start: int, end: int, closed: frozenset[int], *, numbered: bool) -> Iterator[_Mark]:
    for n in range(start, end):
        text = look.texts[n]
        if not text or n in closed:
            continue
        first = text[0]
        if first != "(" and not (text[1:6].find(".") >= 0 or text[1:6].find(")") >= 0):
            continue
        match = _NUMBERED.match(text) if numbered and first.isdigit() else _MARK.match(text)
        if match and look.starts(n):
            yield _mark(n, text, match)


def _behind_number(look: Look, section: Section) -> Iterator[_Mark]:
    """The marks right behind the number of a heading: "4.7 (1) The clerk may …"."""
    n = section.lines.start
    text = look.texts[n]
    number = next((r for r in read_numbers(text) if r.label == section.label), None)
    match = (
        _MARK.match(text, number.end)
        if number is not None and text[number.end : number.end + 1] == "("
        else None
    )
    if match:
        yield _mark(n, text, match)


def _mark(n: int, text: str, first: re.Match[str]) -> _Mark:
    """The marks of line n from the first one on, and what stands behind them."""
    texts: list[str] = []
    shapes: list[str] = []
    at = first.start()
    match: re.Match[str] | None = first
    while match and len(texts) < 4:
        inside = match["in"] if "in" in match.re.groupindex else None
        texts.append(inside or match["out"])
        shapes.append("(" if inside else ".")
        at = match.end()
        match = _MARK.match(text, at) if text[at : at + 1] == "(" else None
    return _Mark(n, Marks(tuple(texts), tuple(shapes)), text[at:])


def _starts(marks: Sequence[_Mark], owner: str, below: Callable[[int], str]) -> Iterator[Start]:
    stack: list[Open] = []
    for mark, ahead in _with_ahead(marks):
        for opened in take_all(stack, mark.marks, ahead):
            yield Start(
                line=mark.line,
                rank=(_BY_CLAUSE, float(len(opened))),
                label=owner + "".join(f"({o.text})" for o in opened),
                word=None,
                title=_title(mark.rest or below(mark.line)),
            )


def _with_ahead(marks: Sequence[_Mark]) -> Iterator[tuple[_Mark, tuple[str, ...]]]:
    return zip(marks, ahead_of([mark.marks for mark in marks]), strict=True)


def _title(rest: str) -> str:
    match = _RUN_IN.match(rest)
    if match:
        return match.group().rstrip(".:—– ")
    words = rest.split()
    return " ".join(words[:_FIRST_WORDS]) + (" …" if len(words) > _FIRST_WORDS else "")
