"""Sub-paragraphs of law: "(a)", "(1)", "(i)", "(A)" at the start of a line, as sections of their own.

Their label is that of what they stand in and their own: "2.1(a)(ii)", and "6(1)(a)" for point (a) of numbered paragraph 1
of Article 6. A stack of open lists is the judge: a mark goes on with the deepest open list that expects it, or starts
a new list when it is a first one (a, 1, i, A, I); anything else is a cross-reference and ignored. "(i)" after "(h)" is a
letter unless "(ii)" comes before a "(j)" and before another "(i)".

A list that goes on behind a line also tells that the line is no heading: "Acknowledgement", between (c) and (d), is part of
the sample letter that (c) gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from deref.quick_dataclass import dataclass
from deref.structure.headings import Heading
from deref.structure.look import Look
from deref.structure.sections import Start, label_above
from deref.text.labels import is_roman, roman_value
from deref.values import Section

_MARK = re.compile(r"\((?P<in>[a-z]{1,5}|[A-Z]{1,4}|\d{1,3})\)\s*|(?P<out>[a-zA-Z]|[ivx]{1,5})[.)]\s+")
_NUMBERED = re.compile(r"(?P<out>\d{1,3})[.)]\s*(?=\D)")
_RUN_IN = re.compile(r"^[A-Z][^.:;()]{2,60}(?:[.:](?=\s)|[—–])")
_BY_CLAUSE = 500
_FIRST_WORDS = 12
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class _Open:
    kind: str
    value: int
    text: str


@dataclass(frozen=True, slots=True)
class _Mark:
    line: int
    texts: tuple[str, ...]
    shapes: tuple[str, ...]
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
        marks = list(_marks(look, section.lines.start + 1, end, closed, numbered=numbered))
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
        stack: list[_Open] = []
        last = headings[n].line
        for mark, ahead in zip(marks, _ahead(marks), strict=True):
            if any((o.kind, o.value + 1) in _readings(mark.texts[0], mark.shapes[0]) for o in stack):
                inside.update(h.line for h in headings[n + 1 : following] if last < h.line < mark.line)
            _take_all(stack, mark, ahead)
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
        at = 0
        texts: list[str] = []
        shapes: list[str] = []
        match = _NUMBERED.match(text) if numbered and first.isdigit() else _MARK.match(text)
        while match and len(texts) < 4:
            inside = match["in"] if "in" in match.re.groupindex else None
            texts.append(inside or match["out"])
            shapes.append("(" if inside else ".")
            at = match.end()
            match = _MARK.match(text, at) if text[at : at + 1] == "(" else None
        if texts and look.starts(n):
            yield _Mark(n, tuple(texts), tuple(shapes), text[at:])


def _starts(marks: Sequence[_Mark], owner: str, below: Callable[[int], str]) -> Iterator[Start]:
    stack: list[_Open] = []
    for mark, ahead in zip(marks, _ahead(marks), strict=True):
        for opened in _take_all(stack, mark, ahead):
            yield Start(
                line=mark.line,
                rank=(_BY_CLAUSE, float(len(opened))),
                label=owner + "".join(f"({o.text})" for o in opened),
                word=None,
                title=_title(mark.rest or below(mark.line)),
            )


def _ahead(marks: Sequence[_Mark]) -> list[tuple[str, ...]]:
    """For each mark and each of its texts: which of "i", "ii" and "j", in the same case, comes first behind it."""
    first = {True: "", False: ""}
    out: list[tuple[str, ...]] = []
    for mark in reversed(marks):
        row: list[str] = []
        for text in reversed(mark.texts):
            row.append(first[text.isupper()])
            if text.casefold() in ("i", "ii", "j"):
                first[text.isupper()] = text
        out.append(tuple(reversed(row)))
    return out[::-1]


def _take_all(stack: list[_Open], mark: _Mark, ahead: Sequence[str]) -> list[tuple[_Open, ...]]:
    """Put the marks of a line on the stack as far as they belong there; return the open lists after each."""
    out: list[tuple[_Open, ...]] = []
    for text, shape, following in zip(mark.texts, mark.shapes, ahead, strict=True):
        if not _take(stack, text, shape, following):
            break
        out.append(tuple(stack))
    return out


def _take(stack: list[_Open], text: str, shape: str, ahead: str) -> bool:
    """Put a mark where it belongs on the stack of open lists; False when it belongs nowhere."""
    readings = _readings(text, shape)
    if text in ("i", "I") and ahead == text * 2:
        readings = readings[::-1]
        stack_has_roman = any(o.kind == readings[0][0] for o in stack)
        if not stack_has_roman:
            stack.append(_Open(readings[0][0], 1, text))
            return len(stack) <= _DEEPEST
    for depth in range(len(stack) - 1, -1, -1):
        for kind, value in readings:
            if stack[depth].kind == kind and value == stack[depth].value + 1:
                stack[depth:] = [_Open(kind, value, text)]
                return True
    for kind, value in readings:
        if value != 1:
            continue
        for depth, known in enumerate(stack):
            if known.kind == kind:
                stack[depth:] = [_Open(kind, 1, text)]
                return True
        if len(stack) < _DEEPEST:
            stack.append(_Open(kind, 1, text))
            return True
    return False


def _readings(text: str, shape: str) -> list[tuple[str, int]]:
    if text.isdigit():
        return [(shape + "1", int(text))]
    case = "a" if text.islower() else "A"
    out: list[tuple[str, int]] = []
    if len(set(text)) == 1 and len(text) <= 2:
        out.append((shape + case, ord(text[0].lower()) - 96 + 26 * (len(text) - 1)))
    if is_roman(text):
        out.append((shape + case + "i", roman_value(text)))
    return out


def _title(rest: str) -> str:
    match = _RUN_IN.match(rest)
    if match:
        return match.group().rstrip(".:—– ")
    words = rest.split()
    return " ".join(words[:_FIRST_WORDS]) + (" …" if len(words) > _FIRST_WORDS else "")
