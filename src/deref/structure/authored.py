"""Lists of references without tags: each entry is called by its first author's family name and its year.

An entry begins with a block that begins with names and holds a year; a block that does not goes on with the entry
before, unless that has come to its end: addresses and a figure may stand between the entries, and behind the last.
Names are read in the ways styles set them: "Ann B. Peters, …", "A. Peters, …", "Peters, A. B., …", "Peters AB, …",
"Peters (2018)".
The year is the one set apart right behind the names, "2018a." or "(2018a)", else the last of the entry. A section is
such a list only when its entries are most of the text from its heading to the last of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from deref.structure.look import Look
from deref.text.authors import accents_joined, author_label

_NAME = r"(?:(?:[^\W\d_]\.-?)+(?!\w)|(?:Jr|Sr|St|Ch|Th|Ph|Yu)\.|[^\W\d_][\w’'-]*)"
_FIRST = re.compile(
    rf"(?P<name>{_NAME}(?: {_NAME}){{0,5}}?)(?P<end>,| (?:and|&|et al)\b|(?<=[^\W\d_]{{2}})\.(?= )| ?\()"
)
_INITIALS = re.compile(r" ?(?:[A-Z]\.[ -]?){1,4}(?=,|;| |:|$)")
_YEAR = re.compile(r"(?<![\w:/.-])(?P<year>(?:19|20)\d\d[a-z]?)(?=[.,;:)\]\s]|$)")
_SET_APART = re.compile(r"(?:[.,] |\()$")
_BARE_INITIALS = re.compile(r"[A-Z](?:-?[A-Z]){0,3}")
_SUFFIXES = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
_PARTICLES = frozenset({"van", "von", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "el", "al", "ten", "ter", "zu"})  # fmt: skip
_NAMES_END = 500  # characters: a longer list of names has "et al."
_MOST_LINES = 24
_FEWEST = 3
_SHARE = 0.6
_ENDED = (".", "!", "?", ".”", '."', ".’", ".)")


def authored_entries(look: Look, start: int, stop: int, breaks: frozenset[int]) -> list[tuple[int, int, str]]:
    """Return (first line, end, label) of each entry in lines start..stop, or nothing where these are no such list."""
    out: list[tuple[int, int, str]] = []
    listed = others = between = 0
    for first, end in _blocks(look, start, stop, breaks):
        words = " ".join(look.texts[first : min(end, first + _MOST_LINES)])
        label = authored(words)
        if label:
            out.append((first, end, label))
            listed, others, between = listed + len(words), others + between, 0
        elif out and out[-1][1] == first and not look.texts[first - 1].endswith(_ENDED):
            out[-1] = (out[-1][0], end, out[-1][2])
            listed += len(words)
        else:
            between += len(words)
    return out if len(out) >= _FEWEST and listed >= _SHARE * (listed + others) else []


def _blocks(look: Look, start: int, stop: int, breaks: frozenset[int]) -> Iterator[tuple[int, int]]:
    first = start
    for n in range(start, stop + 1):
        if n == stop or n in breaks or (n > first and look.lines[n].starts_block):
            if n > first:
                yield first, n
            if n in breaks:
                return
            first = n


def authored(text: str) -> str:
    """Return the label of an entry that begins with names and holds a year, else ""."""
    text = accents_joined(text.replace("\ufffe ", "").replace("\u00ad ", ""))
    first = _FIRST.match(text)
    if first is None:
        return ""
    words = first["name"].split()
    if words[-1] in _SUFFIXES and len(words) > 1:
        words.pop()
    if len(words) > 1 and _BARE_INITIALS.fullmatch(words[-1]) and not words[-2].isupper():
        words.pop()  # "Peters AB": the family's name comes first
    if not (words[0][0].isupper() or words[0].casefold() in _PARTICLES):
        return ""
    family = words[-1]
    if first["end"] != "," or not _INITIALS.match(text, first.end()):
        small = [w for w in words if w[0].islower() and w not in _PARTICLES]
        if small or family.endswith(".") or not family[:1].isalpha():
            return ""
    year = _year(text, first.end("name"))
    return author_label(family, year) if year else ""


def _year(text: str, at: int) -> str | None:
    years = list(_YEAR.finditer(text, at))
    if not years:
        return None
    for match in years:
        closed = text[match.end() : match.end() + 1]
        if match.start() < _NAMES_END and closed in (".", ")") and _SET_APART.search(text, at, match.start()):
            return match["year"]
    return years[-1]["year"]
