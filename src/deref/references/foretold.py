"""A document that the sentence names before a pointer as what says it there: "the Lease provides in Section 4", "RFC 9000, in its Section 8".

Sure are the words for what a paper does ("provides in", "says under"), "in its" behind the one paper that the sentence names,
a file name right before ("lease.md, Section 4"), a name between commas ("the Lease, in Section 4, says") and a name that
ends the sentence behind the pointer ("See Section 5, Lease."). The name has to be that of a document of the shelf, or a
reference of its own, which may lead off the shelf. A name with the pointer in brackets ("the Lease (Section 5)") may as
well tell where the document at hand speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from deref.references.counted import documents_called, where_counted
from deref.references.outcome import Missing, Where
from deref.references.told import words_behind
from deref.references.view import View, called
from deref.references.words import INSTRUMENTS
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Reference, ReferenceKind, Resolution, Tier

_SAYS = (
    r"(?:provides?|states?|says?|specif(?:y|ies)|defines?|describes?|requires?|explains?|lists?|gives?|discuss(?:es)?|allows?|permits?|"
    r"prohibits?|recommends?|notes?|prescribes?|stipulates?|mandates?|addresses|tells|shows|sets out|sets forth|lays down|adds|warns|suggests)"
)
_ADVERB = r"(?:(?:also|itself|further|already|only|\w+ly) )?"
_GLOSS = r"(?: \([^()]{1,80}\)|,? as amended(?: from time to time)?,?)?"
_SAID_IN = lazy(rf"{_GLOSS},? {_ADVERB}{_SAYS},? {_ADVERB}(?:in|under|at) (?:its |their )?$")
_SET_OFF = lazy(rf"{_GLOSS}, (?:in|under|at) $")
_ITS = lazy(r"\b(?:in|under|at|by|per|see) its $")
_BRACKET = lazy(r" \($")
_FILE = lazy(
    r"(?P<file>[\w-][\w./-]*\.(?:md|markdown|txt|pdf|docx|html?))[`*_)\]”’\"']{0,3},? \(?(?:(?:in|at|see) )?$"
)
_NAME = r"(?P<name>[A-Z][\w’'&-]*(?: (?:(?:of|and|for|on|to|the|&) ){0,2}[A-Z\d][\w’'&.-]*){0,8})"
_NAMES = lazy(rf"(?:(?<=[\s(“\"‘])|^){_NAME}")
_NAME_BEFORE = lazy(rf"(?:(?<=[\s(“\"‘])|^){_NAME}$")
_NAME_BEHIND = lazy(rf", {_NAME}(?=[.;)](?:\s|$)|$)")
_MAY_BE_LED_TO = lazy(r"(?:\b(?:in|under|at|its|their|by|per|see) |[,`*_)\]”’\"'\w] |\()$")
_SENTENCE = lazy(r"(?<=[.;:!?]) (?=[A-Z“\"(\[])")
_NAMING = frozenset({ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL, ReferenceKind.BIBLIOGRAPHY})
_MOST = 400
_LINES = 3
_LONGEST_FILE = 80
_LOOKED_AT = 8
"""References before a pointer that are looked at for a name."""

Resolve = Callable[[Reference], Resolution]


class _Before(NamedTuple):
    """The words of its sentence before a pointer, single-spaced, and the papers named in there, each with the end of its name."""

    words: str
    named: tuple[tuple[int, Reference], ...]


def foretold(view: View, home: Document, reference: Reference, resolve: Resolve) -> Where | Missing | None:
    """Return where the document leads that its sentence says to hold a pointer; None where it names none for certain."""
    before = _before(view, home, reference)
    if before is None:
        return None
    if file := _FILE.search(before.words):
        ids = [d for d in view.names.file(file["file"].rpartition("/")[2]) if d != home.id]
        document = view.document(ids[0]) if len(ids) == 1 else None
        if document is not None:
            said = f"{called(document)} (named before it)"
            return Where(document=document, tier=Tier.CONTAINER, said=said, outside=True)
    name = _speaker(view, home, before, words_behind(home, reference, _MOST), reference.labels)
    return where_counted(view, home, replace(reference, container=name), resolve) if name else None


def bracketed(view: View, home: Document, reference: Reference) -> str | None:
    """Return the name of another document that stands right before a pointer in brackets, "the Lease (Section 5)"; else None."""
    before = _before(view, home, reference)
    bracket = _BRACKET.search(before.words) if before is not None else None
    return _ending_at(view, home, before, bracket.start()) if before is not None and bracket else None


def _speaker(view: View, home: Document, before: _Before, behind: str, labels: Sequence[str]) -> str | None:
    """The name of the paper that the words before and behind a pointer say to hold its labels.

    A name behind them is one of a paper and no title of what the label means at home: "52.204-3, Taxpayer Identification."
    """
    said = _SAID_IN.search(before.words)
    if said is None and behind.startswith(","):
        said = _SET_OFF.search(before.words)
    if said is not None:
        return _ending_at(view, home, before, said.start())
    if _ITS.search(before.words):
        names = {r.text for _, r in before.named} | set(_known(view, home, _NAMES.finditer(before.words)))
        return names.pop() if len(names) == 1 else None
    ending = _NAME_BEHIND.match(behind)
    if ending is None or ending["name"].rpartition(" ")[2] not in INSTRUMENTS:
        return None
    titles = {normalize_name(s.title) for label in labels for s in view.places(home).sections(label)}
    return None if normalize_name(ending["name"]) in titles else next(_known(view, home, [ending]), None)


def _ending_at(view: View, home: Document, before: _Before, end: int) -> str | None:
    """The name of another paper that ends at a character of the words before a pointer."""
    for at, reference in before.named:
        if at == end:
            return reference.text
    run = _NAME_BEFORE.search(before.words, 0, end)
    return next(_known(view, home, [run]), None) if run else None


def _known(view: View, home: Document, runs: Iterable[re.Match[str]]) -> Iterator[str]:
    """Those of some runs of words in capitals that name documents of the shelf, without a first word that begins the sentence."""
    for run in runs:
        words = run["name"].split()
        for name in (" ".join(words), " ".join(words[1:])):
            found = documents_called(view, home, name) if name else None
            if found is not None:
                if found[0] != [home]:
                    yield name
                break


def _before(view: View, home: Document, reference: Reference) -> _Before | None:
    at = reference.at
    if at.doc != home.id:
        return None
    first = at.line
    while first > max(0, at.line - _LINES) and not home.lines[first].starts_block:
        first -= 1
    whole = _words(home, first, at.line, at.char_start)
    if not _MAY_BE_LED_TO.search(whole, max(0, len(whole) - _LONGEST_FILE)):
        return None
    begin = max(0, len(whole) - _MOST)
    for sentence in _SENTENCE.finditer(whole, begin):
        begin = sentence.end()
    named = []
    for other in islice(view.found_before(home, at.line, at.char_start, first), _LOOKED_AT):
        end = len(_words(home, first, other.at.last_line, other.at.char_end).rstrip()) - begin
        if end > 0 and other.kind in _NAMING:
            named.append((end, other))
    return _Before(whole[begin:], tuple(named))


def _words(home: Document, first: int, line: int, char: int) -> str:
    """The words of a block from line `first` to a character, with single spaces, and one at the end where one stands there."""
    lines = [home.lines[n].text[-_MOST:] for n in range(first, line)]
    last = home.lines[line].text
    begin = max(0, char - _MOST)
    words = " ".join(" ".join((*lines, last[begin:char])).split())
    return f"{words} " if words and (char == 0 or last[char - 1].isspace()) else words
