"""Which numbers in brackets of an answer are its citations, and which are those of a document that it quotes.

A quote ends with its own number, and quotes come in the order of their numbers; a claim of a model ends with all that it cites.
Documents have such numbers of their own, "[2]" for a work in their list. So a number counts at the end of a line alone, and at that of
a quote only where what stands before it is what the citation quotes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_NUMBER = re.compile(r"\[([0-9]{1,4})\]")
_AT_THE_END = re.compile(r"(?:\s*\[[0-9]{1,4}\])+$")
_ABOVE = re.compile(r"as quoted at (\[([0-9]{1,4})\])")


class Mark(NamedTuple):
    """A number that is a citation: its characters in the text, brackets included, and the number, from 1."""

    start: int
    end: int
    number: int


def citation_marks(text: str, quotes: Sequence[str]) -> list[Mark]:
    """Return the marks of an answer in order. `quotes` are those of its citations, in their order."""
    of_quotes = _behind_quotes(text, quotes)
    return list(_behind_claims(text, len(quotes))) if of_quotes is None else of_quotes


def own_numbers_told(text: str, quotes: Sequence[str]) -> str:
    """Return a sentence on the numbers that a document has itself and that a reader might take for citations; "" without any."""
    marks = {mark.start for mark in citation_marks(text, quotes)}
    own = {int(m[1]) for m in _NUMBER.finditer(text) if m.start() not in marks}
    *others, last = ["", *(f"[{n}]" for n in sorted(own & {*range(1, len(quotes) + 1)}))]
    told = " or ".join(filter(None, (", ".join(filter(None, others)), last)))
    return (
        told
        and f"A {told} inside a quote is the document's own number; that of a source stands behind its quote."
    )


def _behind_quotes(text: str, quotes: Sequence[str]) -> list[Mark] | None:
    """Return the mark behind each quote; None when the text is not that of the quotes, in order."""
    marks: list[Mark] = []
    held, n = "", 1
    for at, line in _lines(text):
        said = line.removesuffix(f" [{n}]")
        above = _ABOVE.fullmatch(said)
        quoted = n <= len(quotes) and said != line
        if not quoted or not (above or _letters(held + said).endswith(_letters(quotes[n - 1]))):
            held += line
            continue
        if above is not None:
            marks.append(Mark(at + above.start(1), at + above.end(1), int(above[2])))
        marks.append(Mark(at + len(said) + 1, at + len(line), n))
        held, n = "", n + 1
    return marks if n > len(quotes) and not held else None


def _behind_claims(text: str, count: int) -> Iterator[Mark]:
    for at, line in _lines(text):
        end = _AT_THE_END.search(line)
        for m in _NUMBER.finditer(line, end.start()) if end is not None else ():
            if 1 <= int(m[1]) <= count:
                yield Mark(at + m.start(), at + m.end(), int(m[1]))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def _letters(text: str) -> str:
    """Return the letters and digits: where a quote is shown, lines are joined and their hyphens taken out."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum())
