"""The title that goes with a number: on its line, run into the text, or on the lines below.

"1.1 Definitions. In this Agreement …" has the title "Definitions"; "Article 5" over "Principles of processing" takes the
next line; a heading that is set over two lines takes both. A clause without a title gets its first words.
"""

from __future__ import annotations

import re

from deref.structure.look import Look
from deref.structure.numbering import Number, read_numbers

_MARKUP = re.compile(r"^[#>\s]*(?:\*{1,3}|_{1,3})?|(?:\*{1,3}|_{2,3})(?=\s|$)|\s*#+$")
_ASCIIDOC = re.compile(r"^={1,6} | ={1,6}\s*$")
_DECORATION = re.compile(r"^[\W_]+$")
_RUN_IN = re.compile(r"^(?P<title>[^.:;]{2,90}?)(?:[.:](?=\s|$)|\s[–—-]\s|[—–])\s*\S")
_LEADERS = re.compile(r"(?:\s*(?:\.\s?){4,}|\s*…+)\s*\w*$")
_TERM = re.compile(
    r"^(?:[\"“‘'](?P<quoted>[^\"”’]{1,80})[\"”’']|(?P<plain>[A-Z][\w\s’'()/-]{1,60}?)\s+(?:shall\s+)?(?:means?|have the meaning|has the meaning)\b)"
)
_OPTIONAL = re.compile(
    r"^\[(?=\d+(?:\.\d+)*\.?\s|(?i:exhibit|schedule|annex|appendix|attachment|addendum|section|article|clause) [\dA-Z]{1,4}(?:\W|$))"
)
_SPLIT_NUMBER = re.compile(r"^(\d{1,2})\. (\d{1,2})(?=\s+[A-Z])")
_LONGEST = 120
_FIRST_WORDS = 12


def plain_text(text: str) -> str:
    """Return a line without the markup of Markdown or AsciiDoc at its ends ("## **3.1 Scope**", "== 3.1 Scope" → "3.1 Scope")."""
    if text[:1] == "=":
        return _ASCIIDOC.sub("", text) or text
    if text[:1] in "#*_>" or text[-1:] in "*_#":
        return _MARKUP.sub("", _MARKUP.sub("", text)).strip(" *_") or text
    return text


def heading_text(text: str) -> str:
    """Return the text of a line that the file itself calls a heading: "3. 2 Scope" is number 3.2, "[3.9 Scope" 3.9."""
    return _SPLIT_NUMBER.sub(r"\1.\2", _OPTIONAL.sub("", plain_text(text)))


def read_title(look: Look, n: int, number: Number, *, legal: bool) -> tuple[int, str]:
    """Return where the heading on line n ends (half-open) and its title."""
    rest = plain_text(look.texts[n])[number.end :]
    if rest.count(".") > 3 or "…" in rest:
        rest = _LEADERS.sub("", rest)
    rest = rest.strip().lstrip(".:–—―- ]").strip("*_ ")
    standing_out = n in look.bold or look.large(n)
    if not rest:
        return _title_below(look, n, number)
    term = _TERM.match(rest) if legal else None
    if term:
        return n + 1, (term["quoted"] or term["plain"]).strip()
    if (legal or not standing_out) and not rest.isupper():
        match = _RUN_IN.match(rest)
        if match and (len(rest) > 60 or legal):
            return n + 1, match["title"].strip("\"“”'‘’ _*")
    end = n + 1
    while standing_out and end < min(n + 4, len(look.lines)) and _continues(look, n, end):
        rest = f"{rest} {look.texts[end]}"
        end += 1
    if len(rest) > _LONGEST and end == n + 1:
        rest = " ".join(rest.split()[:_FIRST_WORDS]) + " …"
    return end, rest.rstrip(". ")


def short_title(rest: str) -> str:
    """Return the title that a clause in running text starts with, its defined term, or its first words."""
    rest = rest.lstrip(" .:–—―-")
    term = _TERM.match(rest)
    if term:
        return (term["quoted"] or term["plain"]).strip()
    match = _RUN_IN.match(rest)
    if match:
        return match["title"].strip("\"“”'‘’ _*")
    return " ".join(rest.split()[:_FIRST_WORDS]) + " …"


def _title_below(look: Look, n: int, number: Number) -> tuple[int, str]:
    end = n + 1
    # Skip rulers and empty lines between the number and its title.
    while end < min(n + 4, len(look.lines)) and (not look.texts[end] or _DECORATION.match(look.texts[end])):
        end += 1
    if end >= len(look.lines) or look.lines[end].page != look.lines[n].page:
        return n + 1, ""
    title = plain_text(look.texts[end])
    standing_out = n in look.bold or look.large(n)
    fits = (
        0 < len(title) <= _LONGEST
        and title[-1] not in ";,:"
        and not title[:1].islower()
        and not any(title[:1].isdigit() or below.word for below in read_numbers(title))
        and title[0] not in "(•"
        and (title[-1] != "." or len(title) < 60)
    )
    if not fits or (standing_out and not _stands_apart(look, end, worded=number.word is not None)):
        return n + 1, ""
    stop = end + 1
    while stop < min(end + 3, len(look.lines)) and _continues(look, end, stop):
        title = f"{title} {look.texts[stop]}"
        stop += 1
    return stop, title.rstrip(". ")


def _stands_apart(look: Look, n: int, *, worded: bool) -> bool:
    """Whether a line under a number that stands out can be its title: it stands out too, or is a block by itself."""
    if n in look.bold or look.large(n):
        return True
    alone = look.lines[n].starts_block and (n + 1 == len(look.lines) or look.lines[n + 1].starts_block)
    return worded and alone and look.texts[n][-1:] != "." and len(look.texts[n]) <= 70


def _continues(look: Look, first: int, n: int) -> bool:
    """Whether line n goes on with the heading that starts on line `first`: same look, no block of its own."""
    line, before = look.lines[n], look.lines[n - 1]
    if line.starts_block or line.page != before.page or not look.texts[n] or not look.alike(first, n):
        return False
    if not look.has_sizes:
        return False
    return first in look.bold or look.large(first)
