"""Defined terms: what a document says its words mean.

Four forms: a term in quotes and a verb of meaning ("“Buyer” means …", "‘data’ has the meaning given in …"); a short name in
brackets (the "Agreement", “Buyer”, hereinafter "Lender"); a term before "means" in a clause or paragraph of its own
("Affiliate means …"); and what the file marks (DEFINED, a glossary). The label is the term as it is written, the lines are
the paragraph that defines it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from deref.structure.items import Draft
from deref.structure.look import Look
from deref.text.languages import every_language
from deref.values import ItemKind, MarkKind

_OPEN = "\"“„«‘'"
_VERB = (
    r"(?:shall\s+|will\s+)?(?:means?|mean\s+and\s+include|denotes?|refers?\s+to|includes?|ha(?:s|ve)\s+the\s+(?:respective\s+)?meanings?"
    r"|be\s+defined|is\s+defined|are\s+defined|shall\s+have"
    rf"|{'|'.join(table.means.lower() for table in every_language() if table.means)})"
)
_HEREAFTER = "|".join(table.hereafter.lower() for table in every_language() if table.hereafter)
_MEANS_BEFORE = "|".join(table.means_before.lower() for table in every_language() if table.means_before)
# These two are sought in small letters: a pattern that takes both skips no place at which it cannot begin.
_INTRODUCED = re.compile(
    rf"\b(?:{_HEREAFTER}|{_MEANS_BEFORE})[,:]?\s*[\"“„«]\s?(?P<term>[^\"“”„«»()]{{1,70}}?)\s?[\"”“»]"
)
_TERM = r"(?P<term>[^\"“”„«»]{2,80}?)"
_QUOTED = re.compile(
    rf"(?:[\"“„«]\**{_TERM}\**[\"”“»]|[‘'](?P<single>[^‘’'\"]{{2,80}})[’'])\)?(?:\s*\([^()]{{1,60}}\))?"
    rf"(?:\s*(?:,|or|and|und|ou)\s*(?:the\s+)?[\"“„«‘'][^\"”“»’]{{1,60}}[\"”“»’']){{0,12}},?\s*(?:[^.;:,\"“”]{{0,60}}?\s)?{_VERB}\b|^[\"“](?P<colon>[^\"“”]{{2,60}})[\"”]\s*[:–—]\s"
)
_BRACKETED = re.compile(
    r"\((?:[^()\"“”‘’]{0,60}?\s)?(?:[\"“„«](?P<term>[^\"“”„«»()]{1,70})[\"”“»]|‘(?P<single>[^‘’()]{2,70})’)"
    r"(?:,?\s*(?:or|and|and/or|collectively,?|together,?|each,?|as applicable,?)?[^()\"“”]{0,40}(?:[\"“](?P<second>[^\"“”()]{1,70})[\"”])?)?[^()\"“”]{0,30}\)"
)
_SAID = re.compile(
    r"^\((?:[^()]{0,40},\s*)?(?:the|this|hereafter|hereinafter|herein|called|known as|referred to as|abbreviated(?: as)?),?\s+[\"“‘][^()]*[\"”’]\)$",
    re.IGNORECASE,
)
_SHORT_FORM = re.compile(r"^\([\"“‘][A-Z][A-Z&-]{1,8}[\"”’]\)$")
_LOOSE = re.compile(
    r"\b(?:includes?|refers?\s+to|be\s+defined|(?:is|are)\s+defined|shall\s+have)$", re.IGNORECASE
)
_PLAIN = re.compile(
    r"^(?:\(?[a-z0-9.]{1,6}\)|\d+(?:\.\d+)+\.?)?\s*(?P<term>[A-Z][\w’'&/\-]*(?:\s+(?:[A-Z(][\w’'&/)\-]*|of|and|or|the|for|in|to|[a-z]+)){0,6}?)"
    r"(?:,\s+as used in this [a-z]+,)?\s+(?:shall\s+)?(?:means?\b|ha(?:s|ve) the meaning)"
)
_MARKUP = re.compile(r"\*{1,3}_?|_?\*{1,3}|(?<!\w)_|_(?!\w)")
_LONGEST_CAPTION = 150
_PLAIN_NOT = frozenset({
    "this", "that", "which", "it", "he", "she", "what", "there", "these", "those", "such", "section", "article", "by",
    "all", "no", "each",
})  # fmt: skip


def find_definitions(
    look: Look, closed: Collection[int], starts: Collection[int], *, legal: bool
) -> list[Draft]:
    """Return the definitions in order of lines, each term once a line.

    `closed` lines hold none; `starts` are lines where a section starts, which end a paragraph.
    """
    out: list[Draft] = []
    marked = {(m.start, m.label) for m in look.parsed.marks if m.kind == MarkKind.DEFINED and m.label}
    for line, term in sorted(marked, key=lambda pair: (pair[0], pair[1] or "")):
        out.append(_draft(look, line, term or "", starts))
    seen = {(d.start, (d.label or "").casefold()) for d in out}
    for n, text in enumerate(look.texts):
        if not text or n in closed:
            continue
        for term in _terms(look, n, text, legal=legal):
            at = _paragraph_start(look, n, starts)
            if (n, term.casefold()) not in seen and (at, term.casefold()) not in seen:
                seen.add((n, term.casefold()))
                out.append(_draft(look, n, term, starts))
    return out


def _terms(look: Look, n: int, text: str, *, legal: bool) -> list[str]:
    found: list[str] = []
    quoted = '"' in text or text[0] == "'" or (not text.isascii() and any(sign in text for sign in "“„«‘"))
    if quoted:
        # The verb may stand on the next line of the paragraph.
        more = text
        if n + 1 < len(look.texts) and not look.lines[n + 1].starts_block:
            more = f"{text} {look.texts[n + 1]}"
        small = _in_small_letters(more)
        for match in _QUOTED.finditer(small):
            if match.start() < len(text) and (legal or not _LOOSE.search(match.group())):
                found.append(_as_written(more, match))
        for match in _INTRODUCED.finditer(small):
            if match.start() < len(text):
                found.append(_as_written(more, match))
        if "(" in text:
            for match in _BRACKETED.finditer(more):
                if match.start() < len(text) and (
                    legal or _SAID.match(match.group()) or _SHORT_FORM.match(match.group())
                ):
                    found += [t for t in (match["term"] or match["single"], match["second"]) if t]
    elif legal and (" mean" in text[:110] or "meaning" in text[:130]) and look.starts(n):
        plain = _PLAIN.match(text)
        if plain and plain["term"].split()[0].casefold() not in _PLAIN_NOT:
            found.append(plain["term"])
    if not found:
        return found
    bare = (_MARKUP.sub("", term) if "*" in term or "_" in term else term for term in found)
    return [t for t in (term.strip(" ,.;:") for term in bare) if _is_term(t)]


def _in_small_letters(text: str) -> str:
    """Return the text with each letter small, where it stood: those that would become two stay."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(s if len(s := c.lower()) == 1 else c for c in text)


def _as_written(text: str, match: re.Match[str]) -> str:
    """Return the term of a match, from the text as it is written."""
    start, end = next(match.span(name) for name in match.re.groupindex if match[name])
    return text[start:end]


def _is_term(term: str) -> bool:
    return (
        1 < len(term) <= 80
        and not any(c in "\\%={}<>$;" for c in term)
        and any(c.isalpha() for c in term)
        and len(term.split()) <= 10
    )


def _paragraph_start(look: Look, n: int, starts: Collection[int]) -> int:
    low = n
    while low > max(0, n - 30) and look.blocks and not look.lines[low].starts_block and low not in starts:
        low -= 1
    return low


def _draft(look: Look, n: int, term: str, starts: Collection[int]) -> Draft:
    low = _paragraph_start(look, n, starts)
    high = n + 1
    while high < min(len(look.lines), n + 30) and look.blocks:
        if look.lines[high].starts_block or high in starts or look.texts[high - 1][-1:] in ";":
            break
        high += 1
    # A term on a line of its own has its meaning on the next.
    if (
        high == n + 1
        and high < len(look.lines)
        and look.texts[n].strip("\"“”‘’' :*").casefold() == term.casefold()
    ):
        high += 1
    text = " ".join(" ".join(look.texts[i] for i in range(n, high)).split())
    text = _MARKUP.sub("", text)
    at = next((i for sign in _OPEN if (i := text.find(sign + term)) >= 0), max(0, text.find(term)))
    return Draft(
        kind=ItemKind.DEFINITION, label=term, caption=text[at : at + _LONGEST_CAPTION], start=low, end=high
    )
