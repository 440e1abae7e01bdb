"""What stands right behind a label and tells which place is meant: its printed page, or its title.

"Section 3 on page 59", "Section 6.1, “Filling in the form”". Both only choose among places that have the label: where they
fit none of them, as page numbers of an earlier printing do, all of them stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from deref.text.lazy import lazy
from deref.values import Document, Reference

_PAGE = lazy(
    r"[\s,(\[]*(?:(?:on|at|see|auf|à la|a la|en la|na|a|op)\s+)?"
    r"(?:pages?|p\.|pp\.|[Ss]eite|S\.|página|pág\.|pagina|pag\.|blz\.)\s*(?P<page>\d{1,4}|[ivxlc]{1,7})(?!\w)"
)
_SET_OFF = lazy(r"\s*(?:[,:;(–—-]\s*)?[“”\"„«»‘*_(]|\s*[,:–—-]\s")
_WORDS = lazy(r"\w+")
_SHORTEST_TITLE = 4
_BEHIND = 160
BROKEN = "\ufffe "
"""What a PDF has for the hyphen of a word that goes on in the next line."""

Place = TypeVar("Place")


def words_behind(home: Document, reference: Reference, most: int = _BEHIND) -> str:
    """Return the words behind a reference to the end of its line and, within one block, of the next, with single spaces.

    "" for a reference that is not written in `home`.
    """
    at = reference.at
    if at.doc != home.id:
        return ""
    lines = [home.lines[at.last_line].text[at.char_end : at.char_end + 4 * most]]
    if at.last_line + 1 < len(home.lines) and not home.lines[at.last_line + 1].starts_block:
        lines.append(home.lines[at.last_line + 1].text[: 4 * most])
    return " ".join(" ".join(lines).split()).replace(BROKEN, "")[:most]


def printed_page(document: Document, label: str) -> int | None:
    """Return the page, counted in the file from 1, that is printed with this number; None when none is known to be."""
    if label in document.page_labels:
        return document.page_labels.index(label) + 1
    return int(label) if label.isdigit() and not document.page_labels else None


def told_apart(
    places: Sequence[Place],
    behind: str,
    *,
    of: Callable[[Place], Document],
    start: Callable[[Place], int],
    title: Callable[[Place], str],
) -> list[Place]:
    """Return those of several places of one label that `behind`, the words behind it, tells by page or title; else all.

    `of` gives the document of a place, `start` its first line, `title` its title.
    """
    told = _PAGE.match(behind)
    if told is not None:
        on = [p for p in places if _begins_on(of(p), start(p), told["page"])]
        if on:
            return on
    if not _SET_OFF.match(behind):
        return list(places)
    said = plain_words(behind)
    return [p for p in places if _opens(said, plain_words(title(p)))] or list(places)


def _begins_on(document: Document, line: int, label: str) -> bool:
    return document.pages > 1 and document.lines[line].page == printed_page(document, label)


def _opens(said: str, title: str) -> bool:
    """Whether the words that are said begin with a title, or break off within it."""
    if len(title) < _SHORTEST_TITLE:
        return False
    return f"{said} ".startswith(f"{title} ") or (len(said) > _BEHIND // 2 and title.startswith(said))


@lru_cache(maxsize=1024)
def plain_words(text: str) -> str:
    """Return the words of a text, casefolded, with single spaces and nothing else between them."""
    return " ".join(_WORDS.findall(text.casefold()))
