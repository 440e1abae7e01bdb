"""Bare numbers that only the document at hand tells to be its sections: "[3.5]", "(cf. 6.2)", a column headed "Section".

Each is taken only where the document has a section of exactly that number.

- In square brackets: where the document has no numbered list of references, and at least three dotted numbers stand in brackets of
  which all are its sections; then "[9]" and each number of "[4, 7]" is one too.
- Behind "see" or "cf." right after a bracket.
- With two dots and parts in brackets, "7.1.2(1)(c)", or a letter before them, "A4.3.28", which are nothing else.
- "APP 7", where the document heads its appendices so.
- At the end of the rows under a header whose last word is a label word, as long as most rows end in such a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deref.references.label_words import LABEL_WORDS
from deref.text.labels import normalize_label
from deref.text.lazy import lazy
from deref.values import Document, ItemKind, Line, Point, Reference, ReferenceKind

_ONE = r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4}"
_SQUARE = lazy(rf"\[{_ONE}(?:, (?:[a-z]{{2,9}} )?{_ONE})*\]")
_IN_SQUARE = lazy(rf"(?:(?<=\[)|(?<=, ))(?P<label>{_ONE})(?=[,\]])")
_NUMBER = lazy(r"(?:\d{1,3}|[A-Z])(?:\.\d{1,2}){0,4}")
_DOTTED = lazy(r"\[((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){1,4})\]")
_ROUND = lazy(r"\((?:[Ss]ee|[Cc]f\.) (?:also )?(?P<label>\d{1,2}(?:\.\d{1,3}){1,4})(?=[);,])")
_PARTED = lazy(
    r"(?<![\w.$€£/-])(?P<label>(?:\d{1,2}|[A-Z]\d{1,2})\.\d{1,3}[A-Z]?\.\d{1,3}[A-Z]?)(?:\((?:\d{1,3}|[a-z]{1,4}|[A-Z]{1,2})\))+(?![\w(])"
)
_LETTERED = lazy(r"(?<![\w.$€£/-])(?P<label>[A-Z]\d{1,2}\.\d{1,3}[A-Z]?\.\d{1,3}[A-Z]?)(?![\w(]|\.\d)")
_TWO_DOTS = lazy(r"\.(?<=\d\.)\d{1,3}[A-Z]?\.\d")
_SHORT = lazy(r"(?<![\w-])(?:APP|App) ?(?P<label>\d{1,2}|[A-Z])(?![\w-]|\.\d)")
_LAST = lazy(r"(?:^|[\s|–-])(?P<label>(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})[\s|]*$")
_HEADED = lazy(r"(?P<word>[A-Z§][\w§]*)[\s|*]*$")
_SECTIONAL = frozenset(
    {ReferenceKind.SECTION, ReferenceKind.CLAUSE, ReferenceKind.CHAPTER, ReferenceKind.ARTICLE}
)
_MARKS = " \t#*_>"
_LONGEST_HEADER = 80
_FEWEST_DOTTED = 3
_FEWEST_ROWS = 4
_MOST_MISSES = 3


class HouseWays(NamedTuple):
    """The numbers with two dots of a document, and the labels of the appendices that it heads "APP 7"; casefolded."""

    deep: frozenset[str]
    appendices: frozenset[str]
    lettered: bool = False


def section_numbers(document: Document) -> frozenset[str]:
    """Return the numbers of the document's sections, casefolded."""
    return frozenset(s.label.casefold() for s in document.sections if s.label)


def bare_numbers(
    lines: Sequence[Line], skip: Sequence[bool], known: frozenset[str], *, square: bool
) -> Iterator[Reference]:
    """Yield the bare numbers in consecutive lines of a document that are its sections. `skip` is by position in `lines`.

    `known` are the document's `section_numbers`; `square` says that its `brackets_are_sections`.
    """
    if not known:
        return
    for n, line in enumerate(lines):
        if skip[n]:
            continue
        for match in _labels(line.text, square=square):
            if normalize_label(match.group("label")).casefold() in known:
                yield _reference(line, match, ReferenceKind.SECTION)
    yield from _columns(lines, skip, known)


def house_numbers(lines: Sequence[Line], skip: Sequence[bool], ways: HouseWays) -> Iterator[Reference]:
    """Yield "7.1.2(1)(c)" and "APP 7" in consecutive lines of a document that numbers its own places so."""
    for n, line in enumerate(lines if ways.deep or ways.appendices else ()):
        if skip[n]:
            continue
        text = line.text
        deep = ways.deep and _TWO_DOTS.search(text)
        if deep and "(" in text:
            for match in _PARTED.finditer(text):
                if match.group("label").casefold() in ways.deep and text[: match.start()].strip(_MARKS):
                    yield _reference(line, match, ReferenceKind.RULE, whole=True)
        if deep and ways.lettered:
            for match in _LETTERED.finditer(text):
                if match.group("label").casefold() in ways.deep and text[: match.start()].strip(_MARKS):
                    yield _reference(line, match, ReferenceKind.RULE)
        if ways.appendices and ("APP" in text or "App" in text):
            for match in _SHORT.finditer(text):
                if match.group("label").casefold() in ways.appendices and text[: match.start()].strip():
                    yield _reference(line, match, ReferenceKind.APPENDIX, whole=True)


def _labels(text: str, *, square: bool) -> Iterator[re.Match[str]]:
    if square and "[" in text:
        for group in _SQUARE.finditer(text):
            yield from _IN_SQUARE.finditer(text, group.start(), group.end())
    if "(" in text:
        yield from _ROUND.finditer(text)


def house_ways(document: Document, known: frozenset[str]) -> HouseWays:
    """Return what `house_numbers` looks for in a document; `known` are its `section_numbers`."""
    heads = {i.lines.start: i.label for i in document.items if i.kind is ItemKind.APPENDIX and i.label}
    deep = frozenset(label for label in known if label.count(".") == 2 and "(" not in label)
    named = (label for n, label in heads.items() if _SHORT.match(document.lines[n].text.lstrip()))
    return HouseWays(
        deep, frozenset(label.casefold() for label in named), any(label[0].isalpha() for label in deep)
    )


def brackets_are_sections(document: Document, known: frozenset[str]) -> bool:
    """Tell whether numbers in square brackets are sections of the document, and no entries of a list."""
    if not known or any(
        i.kind is ItemKind.BIBLIOGRAPHY and i.label and _NUMBER.fullmatch(i.label) for i in document.items
    ):
        return False
    dotted = [m for line in document.lines if "[" in line.text for m in _DOTTED.findall(line.text)]
    return len(dotted) >= _FEWEST_DOTTED and all(normalize_label(d).casefold() in known for d in dotted)


def _columns(lines: Sequence[Line], skip: Sequence[bool], known: frozenset[str]) -> Iterator[Reference]:
    n = 0
    while n < len(lines):
        kind = None if skip[n] else _heads(lines[n].text)
        n += 1
        if kind is None:
            continue
        rows: list[tuple[Line, re.Match[str]]] = []
        misses = 0
        while n < len(lines) and misses <= _MOST_MISSES and _heads(lines[n].text) is None:
            match = _LAST.search(lines[n].text) if not skip[n] else None
            if (
                match is not None
                and normalize_label(match.group("label")).casefold() in known
                and match.start()
            ):
                rows.append((lines[n], match))
                misses = 0
            else:
                misses += 1
            n += 1
        if len(rows) >= _FEWEST_ROWS:
            yield from (_reference(line, match, kind) for line, match in rows)


def _heads(text: str) -> ReferenceKind | None:
    """The kind of unit whose numbers stand in the last column under this header, or None when it is no such header."""
    if len(text) > _LONGEST_HEADER:
        return None
    match = _HEADED.search(text)
    word = LABEL_WORDS.get(match.group("word")) if match is not None else None
    before = text[: match.start()].split() if match is not None else []
    if (
        word is None
        or word.row.kind not in _SECTIONAL
        or not before
        or not before[0].lstrip("|*")[:1].isupper()
    ):
        return None
    return word.row.kind


def _reference(line: Line, match: re.Match[str], kind: ReferenceKind, *, whole: bool = False) -> Reference:
    """The reference of a match; `whole` takes all of it and not only its label ("APP 7", "7.1.2(1)")."""
    start, end = match.span() if whole else match.span("label")
    label = match.group("label") if kind is ReferenceKind.APPENDIX else line.text[start:end]
    at = Point(doc=line.doc, line=line.n, char_start=start, char_end=end)
    return Reference(text=line.text[start:end], kind=kind, labels=(normalize_label(label),), at=at)
