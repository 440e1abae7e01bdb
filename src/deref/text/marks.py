"""Marks of lists, "(a)", "(1)", "ii.": which of the lists around it each is counted in.

A stack of open lists is the judge: a mark goes on with the deepest open list that expects it, or starts a new list when it
is a first one (a, 1, i, A, I); anything else is a cross-reference, and in none. "(i)" after "(h)" is a letter unless
"(ii)" comes before a "(j)" and before another "(i)".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deref.text.labels import is_roman, roman_value

_DEEPEST = 6


class Marks(NamedTuple):
    """The marks that one line begins with, the outermost first: their texts, and "(" or "." for how each is written."""

    texts: tuple[str, ...]
    shapes: tuple[str, ...]


class Open(NamedTuple):
    """A list that is open: how it counts, and its last mark."""

    kind: str
    value: int
    text: str


def ahead_of(rows: Sequence[Marks]) -> list[tuple[str, ...]]:
    """Return for each mark of each row which of "i", "ii" and "j", in the same case, comes first behind it."""
    first = {True: "", False: ""}
    out: list[tuple[str, ...]] = []
    for marks in reversed(rows):
        row: list[str] = []
        for text in reversed(marks.texts):
            row.append(first[text.isupper()])
            if text.casefold() in ("i", "ii", "j"):
                first[text.isupper()] = text
        out.append(tuple(reversed(row)))
    return out[::-1]


def take_all(stack: list[Open], marks: Marks, ahead: Sequence[str]) -> list[tuple[Open, ...]]:
    """Put the marks of a line on the stack as far as they belong there; return the open lists after each."""
    out: list[tuple[Open, ...]] = []
    for text, shape, following in zip(*marks, ahead, strict=True):
        if not _take(stack, text, shape, following):
            break
        out.append(tuple(stack))
    return out


def goes_on(stack: Sequence[Open], marks: Marks) -> bool:
    """Tell whether one of the open lists expects the first of these marks."""
    return any((o.kind, o.value + 1) in _readings(marks.texts[0], marks.shapes[0]) for o in stack)


def _take(stack: list[Open], text: str, shape: str, ahead: str) -> bool:
    """Put a mark where it belongs on the stack of open lists; False when it belongs nowhere."""
    readings = _readings(text, shape)
    if text in ("i", "I") and ahead == text * 2:
        readings = readings[::-1]
        if not any(o.kind == readings[0][0] for o in stack):
            stack.append(Open(readings[0][0], 1, text))
            return len(stack) <= _DEEPEST
    for depth in range(len(stack) - 1, -1, -1):
        for kind, value in readings:
            if stack[depth].kind == kind and value == stack[depth].value + 1:
                stack[depth:] = [Open(kind, value, text)]
                return True
    for kind, value in readings:
        if value != 1:
            continue
        for depth, known in enumerate(stack):
            if known.kind == kind:
                stack[depth:] = [Open(kind, 1, text)]
                return True
        if len(stack) < _DEEPEST:
            stack.append(Open(kind, 1, text))
            return True
    return False


def _readings(text: str, shape: str) -> list[tuple[str, int]]:
    """The ways to count a mark, a letter before a roman number, each with its place in the list."""
    if text.isdigit():
        return [(shape + "1", int(text))]
    case = "a" if text.islower() else "A"
    out: list[tuple[str, int]] = []
    if len(set(text)) == 1 and len(text) <= 2:
        out.append((shape + case, ord(text[0].lower()) - 96 + 26 * (len(text) - 1)))
    if is_roman(text):
        out.append((shape + case + "i", roman_value(text)))
    return out
