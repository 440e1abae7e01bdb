"""Headings without a number: short lines that stand out, with text under them.

In a PDF a line stands out by its size, or by weight when it starts at a margin that many lines share. In plain text it
is a block of its own in capitals, at the left margin of an indented text, or one of the names that such headings have.
The lines with the largest type at the top of the first page are the title and no section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from deref.structure.look import Look

_NAMES = frozenset({
    "abstract", "introduction", "background", "summary", "conclusion", "conclusions", "references", "bibliography",
    "acknowledgements", "acknowledgments", "acknowledgement", "acknowledgment", "preface", "foreword", "glossary",
    "index", "recitals", "whereas", "definitions", "preamble", "contributors", "zusammenfassung", "einleitung",
    "literatur", "literaturverzeichnis", "résumé", "introducción", "referencias", "bibliografía", "executive summary",
    "authors' addresses", "author's address", "works cited", "table of contents", "related work",
})  # fmt: skip
_LONGEST = 110
_LETTER = re.compile(r"[^\W\d_]{3}")
_SENTENCE = re.compile(r"[.;,:]$|\.\s+[A-Z].*\.$")


def find_unnumbered(look: Look, closed: frozenset[int], *, outlined: bool) -> Iterator[tuple[int, int]]:
    """Yield the half-open lines of each heading, in order. `closed` are lines that cannot be one.

    With an outline only headings of well-known names are added: it says what the others are.
    """
    skip = _title_end(look) if look.has_sizes else 0
    n = skip
    while n < len(look.lines):
        if n not in closed and look.texts[n] and (not outlined or look.texts[n].casefold() in _NAMES):
            end = _in_print(look, n, closed) if look.has_sizes else _in_text(look, n)
            if end:
                yield n, end
                n = end
                continue
        n += 1


def _in_print(look: Look, n: int, closed: frozenset[int]) -> int:
    """The end of a heading at line n of a PDF, or 0."""
    large = look.large(n)
    if not (large or n in look.bold) or not look.lines[n].starts_block:
        return 0
    text = look.texts[n]
    if len(text) > _LONGEST or not _LETTER.search(text) or text[0] in "(•–-*":
        return 0
    end = n + 1
    while end < min(n + 4, len(look.lines)) and end not in closed and _goes_on(look, n, end):
        end += 1
    if end == n + 4 or _SENTENCE.search(look.texts[end - 1]) or look.small(n):
        return 0
    box = look.lines[n].box
    if box is None or (
        not large and (round(box.x0) not in look.margins or box.x1 - box.x0 > 0.8 * look.width)
    ):
        return 0
    if box.bottom - box.top > 3 * (look.lines[n].size_pt or 12.0) or (not large and _in_paragraph(look, n)):
        return 0
    return end if _text_follows(look, n, end) else 0


def _in_paragraph(look: Look, n: int) -> bool:
    """Whether line n carries on the sentence of the line right above it: bold words inside a paragraph."""
    if n == 0 or look.lines[n - 1].page != look.lines[n].page:
        return False
    above, box = look.lines[n - 1].box, look.lines[n].box
    if above is None or box is None or n - 1 in look.bold:
        return False
    close = 0 <= box.top - above.bottom < 0.5 * (look.lines[n].size_pt or 12.0)
    return close and look.texts[n - 1][-1:] not in (".", ":", ";", "!", "?")


def _goes_on(look: Look, n: int, end: int) -> bool:
    return (
        not look.lines[end].starts_block and look.lines[end].page == look.lines[n].page and look.alike(n, end)
    )


def _text_follows(look: Look, n: int, end: int) -> bool:
    for after in range(end, min(end + 3, len(look.lines))):
        if not look.texts[after]:
            continue
        if look.large(after) or after in look.bold:
            continue
        box, own = look.lines[after].box, look.lines[n].box
        same_page = look.lines[after].page == look.lines[n].page
        if same_page and box is not None and own is not None and box.top - own.bottom > 60:
            return False
        beside = (
            same_page and box is not None and own is not None and box.top < own.bottom and box.x0 > own.x1
        )
        return not beside and len(look.texts[after]) > 25
    return False


def _in_text(look: Look, n: int) -> int:
    """The end of a heading at line n of a plain text, or 0."""
    text = look.texts[n]
    if len(text) > 70 or not look.lines[n].starts_block or _SENTENCE.search(text) or not _LETTER.search(text):
        return 0
    if not text[0].isupper() or n + 1 >= len(look.lines) or not look.lines[n + 1].starts_block:
        return 0
    if text.casefold() in _NAMES:
        return n + 1
    if look.indented:
        at_margin = look.lines[n].text[:1] != " " and look.lines[n + 1].text[:1] == " "
        return n + 1 if at_margin and look.lines[n].page and n > 12 else 0
    words = text.split()
    wordy = sum(len(w) > 3 for w in words)
    prose = len(look.texts[n + 1]) > 60
    return n + 1 if text.isupper() and wordy and prose and not re.search(r"\d|[_=<>|]", text) else 0


def _title_end(look: Look) -> int:
    """Where the block of the largest type near the top of page 1 ends; 0 when there is none."""
    top = [n for n in range(min(len(look.lines), 40)) if look.lines[n].page == 1]
    large = [n for n in top if look.large(n)]
    if not large:
        return 0
    size = max(look.lines[n].size_pt or 0.0 for n in large)
    last = max(n for n in large if (look.lines[n].size_pt or 0.0) >= size - 0.6)
    return last + 1
