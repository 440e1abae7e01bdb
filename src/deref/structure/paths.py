"""Files in which nearly every paragraph begins with its full number: rulebooks and laws written out passage by passage.

"5.3.7.(1) A Person must …", "Part 6.Chapter 1.58.(2) Without limiting …", "APP4.A4.6.15 …", "3.2.Guidance.1. …", "47) …".

Guidance counts its paragraphs through in the same way, "1)" to "195)", with others between them.

Such a number is a path: units with a word ("Part 6", "APP4"), then a dotted number that counts on from the unit, then marks
in brackets, then names that are no number ("Guidance"). Each paragraph is a section. Its label is the number without the
units before it, marks closed up ("58(2)"); what stands below a mere name has none, for its number says nothing by itself.
A path lies in the nearest section before it whose path it begins with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deref.quick_dataclass import dataclass
from deref.structure.look import Look
from deref.text.labels import normalize_label
from deref.values import Section, Span

_WORDS = {
    "part": "part", "chapter": "chapter", "section": "section", "schedule": "schedule", "app": "appendix",
    "appendix": "appendix", "annex": "annex", "title": "title", "book": "book", "subpart": "subpart",
}  # fmt: skip
_UNIT = re.compile(
    rf"(?P<word>(?i:{'|'.join(sorted(_WORDS, key=len, reverse=True))})) ?(?P<label>\d{{1,3}}[A-Z]?|[IVXLC]{{1,7}}|[A-Z])?(?![^\W_]) ?(?=\.|\s|$)"
)
_NUMBER = re.compile(r"(?P<label>\d{1,3}[A-Z]{0,2}|[A-Z]{1,2}\d{1,3}|[A-Z]|[a-z])(?=[.)\s]|$)")
_MARK = re.compile(r"\((?P<label>\d{1,3}[A-Z]?|[a-zA-Z]{1,5})\)")
_NAME = re.compile(
    r"(?P<label>[A-Z][A-Za-z]{3,}(?:[ _][^\s.]+)*? ?)(?=\.(?:\s|$|[\d(A-Z]))|(?P<last>[A-Z][a-z]{3,})(?=\s|$)"
)
_END = re.compile(r"[.)]?(?=\s|$)")
_LIST_MARK = re.compile(r"(?:\(\w{1,5}\)|[•–—-]|[a-z][.)])(?:\s|$)")
_FEWEST = 12
_FEWEST_DEEP = 3
_SHARE = 0.7
_LONGEST_TITLE = 90


@dataclass(frozen=True, slots=True)
class _Path:
    """A path: its steps as they are compared, the word and label of the last, and where it ends in the text."""

    steps: tuple[str, ...]
    word: str | None
    label: str | None
    end: int


def find_paths(look: Look, doc: str) -> tuple[Section, ...]:
    """Return the sections of a file whose paragraphs begin with paths, in order of lines; none for any other file."""
    if look.trusted or look.has_sizes:
        return ()
    found: list[tuple[int, _Path]] = []
    others = 0
    for n, text in enumerate(look.texts):
        if not text or not (look.lines[n].starts_block if look.blocks else look.starts(n)):
            continue
        path = read_path(text)
        if path is not None:
            found.append((n, path))
        elif not _LIST_MARK.match(text):
            others += 1
    if counted := _counted_through(look, found):
        return tuple(_sections(look, counted, doc))
    steps = [path.steps for _, path in found]
    if len(found) < _FEWEST or len(found) < _SHARE * (len(found) + others) or not _are_paths(steps):
        return ()
    return tuple(_sections(look, found, doc))


def _counted_through(look: Look, found: Sequence[tuple[int, _Path]]) -> list[tuple[int, _Path]]:
    """The paragraphs "1)", "2)", … that count through a file from its beginning to its end, whatever stands between them."""
    marked = [
        (n, path) for n, path in found if len(path.steps) == 1 and look.texts[n][: path.end].endswith(")")
    ]
    follows = sum(_follows(a.steps[0], b.steps[0]) for (_, a), (_, b) in pairwise(marked))
    if len(marked) < _FEWEST or follows < 0.95 * (len(marked) - 1):
        return []
    return marked if marked[-1][0] - marked[0][0] > _SHARE * len(look.lines) else []


def _are_paths(steps: Sequence[tuple[str, ...]]) -> bool:
    """Whether the numbers are of that kind: each comes once, and some go deep."""
    if len(set(steps)) < 0.97 * len(steps):
        return False
    deep = sum(len(s) > 1 and (s[-1][:1] == "(" or s[0][:1].islower() or len(s[-1]) > 3) for s in steps)
    return deep >= _FEWEST_DEEP


def _follows(one: str, other: str) -> bool:
    return one.isdigit() and other.isdigit() and int(other) == int(one) + 1


def read_path(text: str) -> _Path | None:
    """Return the path that a text begins with, or None. What follows it is white space or the end."""
    steps: list[str] = []
    word: str | None = None
    numbers: list[str] = []
    marks = ""
    named = False
    unit_label: str | None = None
    at = 0
    while True:
        if not numbers and not marks and not named and (unit := _UNIT.match(text, at)):
            word = _WORDS[unit["word"].lower()]
            steps.append(f"{word} {unit['label'] or ''}".strip())
            unit_label = unit["label"]
            at = unit.end()
        elif (
            not marks
            and not named
            and (number := _NUMBER.match(text, at))
            and _counts(number["label"], numbers)
        ):
            numbers.append(number["label"])
            steps.append(number["label"])
            word, unit_label = None, None
            at = number.end()
        elif (numbers or marks) and not named and (mark := _MARK.match(text, at)):
            marks += mark.group()
            steps.append(mark.group())
            at = mark.end()
        elif steps and (name := _NAME.match(text, at)):
            named = True
            steps.append(name.group().strip())
            at = name.end()
        elif named and (number := _NUMBER.match(text, at) or _MARK.match(text, at)):
            steps.append(number.group())
            at = number.end()
        else:
            break
        if text[at : at + 1] == "." and text[at + 1 : at + 2].strip():
            at += 1
        elif text[at : at + 1] != "(":
            break
    closed = _END.match(text, at)
    if (
        closed is None
        or not steps
        or (len(steps) == 1 and not _stands_alone(text, closed, steps[0], unit_label))
    ):
        return None
    label = ".".join(numbers) + marks if numbers else unit_label
    return _Path(tuple(steps), word, normalize_label(label) if label and not named else None, closed.end())


def _stands_alone(text: str, closed: re.Match[str], step: str, unit_label: str | None) -> bool:
    """Whether a path of one step is one: "4 apples", "A person" and "Part 2 of it" are none."""
    if closed.group() or closed.end() == len(text):
        return closed.end() < len(text) or step[0].islower() or step[0].isdigit()
    rest = text[closed.end() :].lstrip()[:1]
    return not rest.islower() and (unit_label is not None if step[0].islower() else step[0].isdigit())


def _counts(label: str, numbers: Sequence[str]) -> bool:
    """Whether a label may count on: a small letter only below a number, a capital only at the top or below a unit."""
    if label.islower():
        return bool(numbers)
    return not label.isalpha() or not numbers or numbers[-1].isalpha()


def _sections(look: Look, found: Sequence[tuple[int, _Path]], doc: str) -> Iterator[Section]:
    total = len(look.lines)
    ends = [total] * len(found)
    parents: list[int | None] = []
    stack: list[int] = []
    levels: list[int] = []
    for n, (line, path) in enumerate(found):
        while stack and found[stack[-1]][1].steps != path.steps[: len(found[stack[-1]][1].steps)]:
            ends[stack.pop()] = line
        parents.append(stack[-1] if stack else None)
        levels.append(len(stack) + 1)
        stack.append(n)
    for n, (line, path) in enumerate(found):
        parent = parents[n]
        yield Section(
            id=f"s{n}",
            label=path.label,
            title=_title(look.texts[line][path.end :].strip(), path),
            level=levels[n],
            lines=Span(doc=doc, start=line, end=max(ends[n], line + 1)),
            parent=None if parent is None else f"s{parent}",
            word=path.word,
        )


def _title(rest: str, path: _Path) -> str:
    if path.label is None:
        return " ".join(path.steps[-2:]) if path.steps[-1][:1].isdigit() else path.steps[-1]
    return rest if len(rest) <= _LONGEST_TITLE and not rest.endswith((".", ";", ":")) else ""
