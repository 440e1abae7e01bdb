"""What a label is counted in: "of [QUIC]", "to the Credit Agreement", "of this Chapter", "thereof", "of GEN".

A number may stand for its unit: "of the clause at 52.204-25", "of 9.406-1". The words between label and container are given back with it, so that the reference covers both; the container is
verbatim, without the joining word and the article.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from deref.references.grammar import PATTERNED
from deref.references.label_words import LABEL_WORDS, alternation
from deref.references.listing import FIRST, POINTER_IN
from deref.references.words import DIRECTIONS, INSTRUMENTS, LAWS, NOT_HOUSES, PARTIES, SCOPES
from deref.text.lazy import lazy

_CAP = r"[A-Z][\w’'&-]*"
_JOIN = r"(?:of|and|for|on|the|to|in|with|by|&)"
_NOUN = "|".join(
    f"{n}(?! ?\\d| [A-Z](?!\\w)| [IVX]+(?!\\w))" if n == "Schedule" else n
    for n in (r"Regulation [A-Z](?:-[A-Z]{1,2})?(?!\w)", *INSTRUMENTS, *LAWS)
)
_TITLE = (
    rf"(?:{_CAP} (?:{_JOIN} ){{0,2}}){{0,7}}?(?:{_NOUN})(?![\w-])(?: (?:{_CAP} ){{0,3}}(?:{_NOUN})(?![\w-]))*"
)


@cache
def _tail() -> str:
    no_label = rf"(?!(?:{alternation([w for w in LABEL_WORDS if w[0].isupper()])}) ?[\dA-Z(])"
    return rf"(?: (?:of|on|for|and)(?: the)? {no_label}(?:{_CAP})(?: (?:(?:of|and|on) (?:the )?)?{_CAP}){{0,6}}| No\.? ?\(?\d{{1,4}}\)?| (?:of )?(?:19|20)\d\d(?!\w))*"


TITLE = lazy(_TITLE)
TITLE_TAIL = lazy(_tail)
LAW_TITLE = lazy(
    lambda: (
        rf"\b(?:the|The) (?P<title>(?:{_CAP} (?:{_JOIN} ){{0,2}}){{0,7}}?(?:{'|'.join(LAWS)})(?![\w-]){_tail()})"
    )
)
_DESIGNATOR = "|".join(
    f"(?:{row.pattern})" for row in PATTERNED
    if row.name in ("request for comments", "standard", "act of the union", "code of statutes", "public act")
)  # fmt: skip
DESIGNATOR = lazy(_DESIGNATOR)
TAG = lazy(r"\[[A-Z\d][A-Za-z0-9+/:_. -]{0,40}\]")
QUOTED_PAPER = lazy(
    r"(?:“(?P<curly>[^“”\n\t]{3,80})”|\"(?P<straight>[^\"\n\t]{3,80})\"|‘(?P<single>[^‘’\n\t]{3,80})’) "
    r"(?:(?:manual|guide|handbook|vignette|document|specification|standard|report|paper|article|book|tutorial|policy|note)(?!\w))"
)
"""A paper by its name in quotes with what it is behind: "the ‘Rope Users’ manual"."""
_THEREOF = lazy(r" (?:(?:thereof|hereof|thereto|hereto)\b|of it(?![\w’\x27-]))")
_LEAD = lazy(
    r",? (?P<word>of|to|in|from|under) (?:(?:each|both) of |both (?=the ))?(?:the |that the |that certain |its |our |said )?(?P<announced>Document: )?"
    r"(?P<owner>[A-Z][\w&.-]*(?: [A-Z][\w&.-]*){0,3}(?:['’]s|s['’]) )?"
)
_OWNED = lazy(
    rf"(?:articles of (?:association|incorporation)|certificate of incorporation|terms of reference|terms and conditions|constitution|"
    rf"{'|'.join(noun.lower() for noun in (*INSTRUMENTS, *LAWS) if noun.isalpha())})(?![\w-])"
)
"""A paper in small letters that its owner tells from the one at hand: "the Company's articles of association"."""
_AUTHORS = lazy(rf"{_CAP}(?:,? (?:and|&) {_CAP}| et al\.?)? (?=\[[A-Z\d])")
_ET_AL = lazy(rf"{_CAP} et al\.?(?:,? \(?(?:19|20)\d\d[a-z]?\)?)?")
_SCOPE_WORDS = alternation([*SCOPES, *(s.capitalize() for s in SCOPES)])
_LAW_WORDS = "|".join((*LAWS, *INSTRUMENTS))
_SCOPE = lazy(
    rf"(?:[Tt]his|[Tt]hat|[Ss]uch|[Ss]aid|[Tt]he same|[Tt]he said|[Ee]ach|both) (?:{_SCOPE_WORDS}|(?:{_CAP} ){{0,3}}(?:{_LAW_WORDS})|"
    r"(?:act|law|regulation|directive|agreement|document|treaty|specification|memo|rulebook))(?![\w-])|"
    rf"(?:These|these) (?:(?:{_CAP} ){{0,3}}(?:Regulations|Rules|Terms|Conditions|Guidelines|Bylaws|Procedures|Articles|Standards)|(?:regulations|rules|terms|"
    r"conditions|guidelines|bylaws|procedures))(?![\w-])"
)
_AWAY = lazy(rf"(?:{'|'.join(DIRECTIONS)}) (?:{_SCOPE_WORDS})(?![\w-])(?! ?[\d(])")
_HOUSE = lazy(r"[A-Z][A-Z&-]{1,9}(?![\w(])(?! ?-?\d)")
_CODED = lazy(
    r"(?P<house>[A-Z][A-Z&]{1,7})(?:[ /-][A-Z]{1,5}){0,2}[ -]?\d[\dA-Z]*(?:[./:-]\d[\dA-Z]*)*(?![\w%]|[./-]\d)|"
    r"(?:Form|Standard|Specification|Publication|Circular|Bulletin|Instruction|Handbook|Memorandum) (?:No\.? )?"
    r"(?:[A-Z]{1,5}[ -]?)?\d[\dA-Z]*(?:[./:-][\dA-Z]+)*(?![\w%])"
)
"""A paper that its house tells by letters and a number: "MIL-HB-12", "Form W-9". Nobody counts so what is at hand."""
_LAW_BEHIND = lazy(r" (?:of the )?(?P<law>[A-Z]{3,6})(?![\w(-])(?! ?\d)")
_COMMA_UNIT = lazy(r", (?=(?:Part|Chapter|Title|Subpart|Division|Book) [\dIVXLA-Z]{1,6} of )")
_UNIT = lazy(lambda: rf"(?P<word>{alternation(list(LABEL_WORDS))})(?= ?[\dA-Z(])")
_THIS_LABELLED = lazy(rf"(?:this|that) (?=(?:{_SCOPE_WORDS})(?: ?[\d(]| [A-Z](?!\w)| [IVX]+(?!\w)))")
_TITLED = lazy(rf" ?[-–—:] ?{_CAP}(?: (?:{_JOIN} )?{_CAP}){{0,5}}(?= (?:of|to) )")
_GLOSS = lazy(
    r"(?: \((?:[^()]|\([^()]{1,30}\)){1,90}\)|,? (?:(?:entitled|titled|headed|captioned) )?[“\"‘][^“”\"]{2,90}[”\"’],?|"
    r" [–—] [^–—,;.]{2,60} [–—]|,? (?:as (?:\w+ ){0,3}amended(?: from time to time)?|respectively|et seq\.?|ff\.|and following),?)(?=,? of )"
)
"""What may stand between a label and its container, and tells nothing of either: "clause 4 (Fees) of the Lease"."""
_WHAT_KIND = lazy(
    r"(?:\(?(?!(?:of|under|in|to|for|by|on|with|from|at|or|as)\b)[a-z][a-z-]+\)? (?:and [a-z][a-z-]+ )?){1,2}(?=[A-Z])"
)
"""Words in small letters between an article and a name: "of the amended and restated Lease"."""
_ACT_BEHIND = lazy(
    rf" (?P<law>(?:{_CAP} (?:\([A-Z][^()]{{2,50}}\) )?(?:(?:of|and|for|on|the|to|in|&) ){{0,2}}){{1,8}}Act (?:19|20)\d\d)(?!\w)"
)
_FOUND = lazy(r" (?:set out|set forth|contained|found)(?= in )")
_TITLE_OF_CODE = lazy(
    r"[Tt]itle (?:\d{1,2}|[IVXL]+)(?![\w.])(?:,? (?:of )?(?:the )?(?:United States Code|Code of Federal Regulations|U\.S\.C\.|U\.S\. Code|CFR))?"
)
_NAME_ON = lazy(rf"(?: {_CAP})+")
_NAME_GOES_ON = lazy(r" [A-Z][a-z]")
_YEAR_FIRST = lazy(r"(?:19|20)\d\d (?=[A-Z])")
_FEDERAL = r"\d{1,2}\.\d{3,4}(?:-\d{1,4})?"
_NUMBERED = lazy(
    rf"(?:(?:[\w’-]+ )?(?:clause|provision|section|subsection|rule) (?:(?:set forth|set out|contained|found) )?(?:at|in) (?:[A-Z]{{2,7}} )?"
    rf"(?:{_FEDERAL}|\d{{1,3}}(?:\.\d{{1,3}}){{1,4}})|(?:[A-Z]{{2,7}} (?:(?:clause|provision|section) )?)?{_FEDERAL})(?:\((?:\d{{1,3}}|[A-Za-z]{{1,4}})\))*(?![\w%/-]|\.\d| ?(?:per|million|billion))"
)
"""A unit that is told by its number alone, or by a noun that leads to it: "provision at 52.204-24", "FAR 9.406-1(d)"."""
_NUMBER_AT_END = lazy(r"[\d.-]+(?:\(\w{1,4}\))*$")
_HANGING = lazy(r"(?i:exhibit|schedule|annex|appendix|attachment|addendum|table|figure)\b")
_NAME_WORD = r"[A-Z][\w&-]*[a-z][\w&-]*"


def _name_source() -> str:
    word = rf"(?!(?:{alternation([w for w in LABEL_WORDS if w[0].isupper()])})(?![a-z’'-])){_NAME_WORD}"
    return rf"{word}(?: (?:(?:of|and|for|on|&) (?:the )?)?{word})*(?![\w’'])"


_NAME = lazy(_name_source)
_DATED = lazy(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|English|French|German|Spanish)(?!\w)"
)
SHORT_FORM_BEHIND = lazy(r" \([“\"]?(?P<short>[A-Z][A-Z&-]{1,8})[”\"]?\)")


DEEPEST = 8
"""Containers in containers that are read; a text that goes on so is no pointer that anyone follows."""


class Container(NamedTuple):
    """A container as written, and the offset after it."""

    text: str
    end: int


def container_after(
    text: str, start: int, *, attached: bool = False, law: bool = True, depth: int = 0
) -> Container | None:
    """Return the container that follows a label ending at `start`, with its own containers, or None.

    `attached` says that the label is of something that hangs on a document ("Schedule 2 to the Lease"): only then
    does "to" join the two. `law` says that the short name of a law may follow at once ("Article 16 TFEU");
    `depth` counts the containers read before.
    """
    if text[start : start + 1] not in (" ", ","):
        return None
    start = _behind_gloss(text, start, attached=attached, depth=depth)
    if here := _THEREOF.match(text, start):
        return Container(here.group().split()[-1], here.end())
    if _COMMA_UNIT.match(text, start):
        return _unit_behind_comma(text, start + 2, depth)
    lead = _LEAD.match(text, start)
    if lead is None:
        return _law_behind(text, start) if law else None
    word = lead.group("word")
    at, article = _begin(text, lead)
    if attached and lead.group("announced"):
        return None  # a pointer of its own: the document may be here, and the exhibit in none of its lines
    if word in ("to", "under") and not attached and (word == "to" or not article):
        return None
    if lead.group("owner") and (owned := _OWNED.match(text, at)):
        return Container(text[lead.start("owner") : owned.end()], owned.end())
    if (authors := _AUTHORS.match(text, at)) and TAG.match(text, authors.end()):
        at = authors.end()
    elif others := _ET_AL.match(text, at):
        return Container(others.group(), others.end())
    end = _end_behind(text, at, word, article=article, depth=depth)
    if end is None or (word == "from" and text[at] != "[" and not TITLE.match(text, at)):
        return None
    further = (
        container_after(text, end, attached=bool(_HANGING.match(text, at)), depth=depth + 1)
        if not text[at].startswith("[") and depth < DEEPEST
        else None
    )
    stop = further.end if further else end
    return Container(text[at:stop], stop)


def _behind_gloss(text: str, start: int, *, attached: bool, depth: int) -> int:
    """Where what joins a label to its container may begin: behind a title, and what else tells nothing of the two."""
    if attached and (titled := _TITLED.match(text, start)):
        return titled.end()
    if (gloss := _GLOSS.match(text, start)) and not POINTER_IN.search(text, start, gloss.end()):
        return gloss.end()
    found = None if depth else _FOUND.match(text, start)
    return found.end() if found else start


def _end_behind(text: str, at: int, word: str, *, article: bool, depth: int) -> int | None:
    """The end of what a joining word and an article lead to at `at`, whatever it is; None when it is no container."""
    end = _numbered_end(text, at) if word == "of" or (word in ("in", "under") and not depth) else None
    if end is None:
        end = _named_end(text, at)
    if end is None and word not in ("from", "to"):
        end = _unit_end(text, at)
    if end is None and word != "from":
        end = _name_end(text, at, article=article)
    return end


def _law_behind(text: str, start: int) -> Container | None:
    """The short name of a law right behind a label, or an act with its year: "Article 16 | TFEU", "section 4 | Grain Act 1933"."""
    behind = _LAW_BEHIND.match(text, start) or _ACT_BEHIND.match(text, start)
    if behind is None or behind.group("law") in NOT_HOUSES:
        return None
    return Container(behind.group("law"), behind.end())


def _unit_behind_comma(text: str, at: int, depth: int) -> Container | None:
    """The unit at `at` with what it is counted in: "Article 78, | Part 2 of the Penal Law"."""
    end = _unit_end(text, at)
    further = container_after(text, end, depth=depth + 1) if end is not None and depth < DEEPEST else None
    return Container(text[at : further.end], further.end) if further else None


def _begin(text: str, lead: re.Match[str]) -> tuple[int, bool]:
    """Where a name begins, and whether it has an article.

    It begins behind its owner, unless that belongs to it ("the Owner's Manual"), behind "this" before a label, and behind what
    kind of paper it is ("the existing Lease").
    """
    owner = lead.group("owner")
    article = bool(owner) or lead.group().endswith("the ")
    whole = owner and _named_end(text, lead.start("owner")) is not None
    at = lead.start("owner") if whole else lead.end()
    if this := _THIS_LABELLED.match(text, at):
        return this.end(), article
    kind = _WHAT_KIND.match(text, at) if article and not owner else None
    return kind.end() if kind and TITLE.match(text, kind.end()) else at, article


def _named_end(text: str, at: int) -> int | None:
    for pattern in (TAG, DESIGNATOR, _SCOPE, _AWAY, _TITLE_OF_CODE, QUOTED_PAPER):
        if match := pattern.match(text, at):
            return match.end()
    coded = _CODED.match(text, at)
    if coded and not _NAME_GOES_ON.match(text, coded.end()):
        house = coded["house"]
        if house is None or not (house in NOT_HOUSES or house.capitalize() in LABEL_WORDS):
            return coded.end()
    if year := _YEAR_FIRST.match(text, at):
        at = year.end()
    if not text[at : at + 1].isupper():
        return None
    house = _HOUSE.match(text, at)
    if house is not None and (house.group() in NOT_HOUSES or house.group() in LABEL_WORDS):
        house = None
    if house is not None and not _NAME_GOES_ON.match(text, house.end()):
        return house.end()
    title = TITLE.match(text, at)
    if title is not None:
        tail = TITLE_TAIL.match(text, title.end())
        end = tail.end() if tail else title.end()
        short = SHORT_FORM_BEHIND.match(text, end)
        return short.end() if short else end
    if house is None:
        return None
    more = _NAME_ON.match(text, house.end())
    return more.end() if more else house.end()


def is_plain_name(said: str) -> bool:
    """Tell whether a container is a name without the noun of a paper or a law: "Heads of Terms", "Company"."""
    title = TITLE.match(said)
    name = _NAME.match(said)
    return title is None and name is not None and name.end() == len(said) and not DESIGNATOR.match(said)


def _name_end(text: str, at: int, *, article: bool) -> int | None:
    """The end of a name without such a noun; a party, a month or a tongue is none, nor one word without an article."""
    name = _NAME.match(text, at)
    if name is None or _DATED.match(text, at):
        return None
    words = name.group().split()
    if words[0].rstrip("s").casefold() in PARTIES or words[-1].rstrip("s").casefold() in PARTIES:
        return None
    return name.end() if article or len(words) > 1 else None


def _numbered_end(text: str, at: int) -> int | None:
    numbered = _NUMBERED.match(text, at)
    return numbered.end() if numbered else None


def numbered_unit(said: str) -> str | None:
    """Return the number of a container that is a unit told by it: "clause at 52.204-25" → "52.204-25"; None of any other."""
    whole = _NUMBERED.fullmatch(said)
    number = _NUMBER_AT_END.search(said) if whole else None
    return number.group() if number else None


def _unit_end(text: str, at: int) -> int | None:
    unit = _UNIT.match(text, at)
    if unit is None or LABEL_WORDS[unit.group("word")].row.name in ("page", "table", "figure"):
        return None
    gap = 1 if text[unit.end() : unit.end() + 1] == " " else 0
    label = FIRST.match(text, unit.end() + gap)
    return label.end() if label else None
