"""Whether a label word and what was read behind it are a reference, by the words around them.

A label word is also a common noun, a verb, a measure of time: "a section 3 m long", "they rule 3 kingdoms", "30 sec. 5".
What tells is looked up on both sides: measures and counts behind the label, a pronoun before a word that may be a verb,
an article before a word in small letters, the sentence that a single letter begins. Pure; positions are offsets in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.references.label_words import LABEL_WORDS
from deref.text.labels import is_roman
from deref.text.lazy import lazy
from deref.values import ReferenceKind as Kind

_COUNTED = lazy(
    r" (?:housing|vouchers?|tenan\w+|landlords?|bankrupt\w*|proceedings?|filings?|debtors?|petitions?|cases?|apples?|weeks?|days?|"
    r"hours?|years?|months?|minutes?|times|people|persons|guests|MB|GB|kB|U\.S|million|billion|percent|euros?|dollars?|pounds?)\b|"
    r" ?(?:[ap]\.m\.|[ap]m\b)|['’]\d"
)
"""What makes the number before it a count, a time, a programme or a court case: "Section 8 housing", "4-6 p.m."."""

_MEASURED = lazy(
    r" (?:m|cm|mm|km|kg|ft|met(?:re|er)s?|inch(?:es)?|feet|miles?|yards?)(?![\w-])"
    r"| (?:(?!(?:was|has|does|seems|looks|runs|gets|is|says)\b)[a-z]{2,}s )(?:long|wide|high|tall|deep|thick|away|apart|old|ago|behind|down)\b"
)
_STOPS = frozenset(["", ".", ",", ";", ":", ")"])
"""What follows most labels, and no count or measure begins with."""
_COURT = lazy(r" (?:bankruptcy|trustee|plan|protection|estate|reorgani[sz]ation|liquidation|relief)\b")
_COMPLIANT = lazy(r"[ -](?:compliant|compliance)\b")
_LAND_AFTER = lazy(
    r",? (?:Township|Range|Tract|Block|T\.? ?\d+ ?[NS]|R\.? ?\d+ ?[EW])(?![a-z])|, Row [\dA-Z]+, Seat\b"
)
_LAND_BEFORE = lazy(r"(?:\b(?:Lot|Block) \d+|(?:1/4|¼|[Qq]uarter) of),? $")
_SAMPLE_AFTER = lazy(
    r" (?:development|training|validation|evaluation|dev|test) (?:sets?|data|splits?|corpus|portion)\b"
)
"""A section of a corpus of newspapers, by which papers divide their data."""
_NO_RANGE = lazy(r" ?[-–—] ?\d{6}")  # the end of a range that no document can have
_OF_SO_MANY = lazy(r" of \d{1,3}(?![\w.(-])(?! (?:U\.? ?S|C\.? ?F))")
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEARLESS = frozenset({
    Kind.PART, Kind.CHAPTER, Kind.TABLE, Kind.FIGURE, Kind.EXHIBIT, Kind.SCHEDULE, Kind.ANNEX, Kind.APPENDIX, Kind.ATTACHMENT,
})  # fmt: skip
_IN_WORDS = frozenset({"chapter", "part", "article", "section", "schedule", "title", "annex"})
_LOWER_LETTER = frozenset({"part", "page", "rule", "example", "figure", "clause", "article", "exhibit", "schedule", "paragraph", "point",
                           "listing", "chapter", "p.", "pp.", "app.", "tab.", "ch.", "art.", "parts", "examples", "points"})  # fmt: skip
_PROPER = frozenset({"algorithm", "algorithms"})
_NAME_BEFORE = lazy(
    r"[\w’-] (?!(?:In|See|From|By|Using|With|Of|To|And|Under|Per|As|The|Our|Run|Apply|Use) )[A-Z][\w-]+ $|-[A-Z]\w+ $"
)
_PUBLISHED_AS = lazy(r"\d{3}: [A-Z]")
"""An algorithm of a journal that numbers them: "I. S. Duff, Algorithm 575: Permutations for …"."""
_CALL = lazy(r"\(\d+\);")
_INITIALS = lazy(r"\(([A-Z]{2,5})\)")
_LETTER_ENDS = lazy(r"[,;:)\]]|\.(?:\s|$)|$| (?:of|to|and|or|above|below)\b")
_I_DID = lazy(r" (?:am|wrote|saw|think|know|want|believe|read|said|like|need|found|used|made|agree|have)\b")
_VERBS = frozenset({"rule", "part", "table", "figure", "page", "schedule", "exhibit", "annex", "rules", "parts", "tables", "figures",
                    "pages", "schedules", "exhibits"})  # fmt: skip
_BEFORE_A_VERB = lazy(
    r"\b(?:I|[Yy]ou|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[Ww]ho|must|shall|may|can|could|would|should|will|cannot|[Gg]o) $"
)
_NOUNS = frozenset({"page", "listing", "table", "figure", "annex", "attachment", "appendix", "example", "footnote", "equation"})  # fmt: skip
_INDEFINITE = lazy(r"\b[Aa]n? $")
_A_COUNT = lazy(r"(?<![\w.])\d+ $")
_UNITS_TOO = frozenset({"sec.", "secs.", "tab.", "pp.", "p."})
_SQL = lazy(
    r"(?:CREATE|ALTER|DROP|LOCK|TRUNCATE|ANALYZE|VACUUM|COPY|TEMP|TEMPORARY|EXTERNAL|FOREIGN|EXISTS|UNLOGGED|INTO|RENAME) $"
)
_JOINED_ON = lazy(r"[-‑][A-Z]{3}")  # "Example 1-RTT Handshake" is the example of a handshake
_NEXT_IDENTIFIER = lazy(r",[A-Z]\d")
_LED_TO = lazy(r"(?:\b(?:on|see|at|of|to|and|in|from|by)|[,(\]–]) $", re.IGNORECASE)
_PUBLISHED = lazy(r"(?:(?:19|20)\d\d\)?|\d\(\d+\)|[Vv]ol\. ?\d+|[Nn]o\. ?\d+|\bat \d{1,2}|:\d+),? $")


def is_credible(text: str, start: int, stop: int, at: int, labels: Sequence[str], end: int) -> bool:
    """Tell whether the label word at start..stop and its labels at at..end are a reference."""
    word, first = text[start:stop], labels[0]
    kind = LABEL_WORDS[word].row.kind
    if text[end : end + 1] not in _STOPS and (
        _NO_RANGE.match(text, end) or _COUNTED.match(text, end) or _MEASURED.match(text, end)
    ):
        return False
    if text[at].isalpha() and first.isdigit() and not (word[0].isupper() and word.lower() in _IN_WORDS):
        return False
    if kind is Kind.PAGE and not first.isdigit():
        return False
    if (kind is Kind.THEOREM or word.lower() in _PROPER) and not _is_proper(text, word, first, end):
        return False
    if first.isalpha() and text[at : at + 1] != "(" and not _is_letter_label(text, word, first, end):
        return False
    if _is_name_or_code(text, start, word, at, end):
        return False
    if _is_other_word(text, start, word) or _is_other_unit(text, start, kind, labels, at, end):
        return False
    if word.lower() in ("app.", "ch.", "gl.") and not (
        first[0].isdigit() or (len(first) == 1 and text[at - 1 : at] == " ")
    ):
        return False
    if _JOINED_ON.match(text, end) or (labels == ["s"] and _is_plural_marker(text, at, end)):
        return False
    if word.islower() and (
        _NEXT_IDENTIFIER.search(text, at, end + 3)
        or (re.match(r"[A-Z]{2,}-?\d", first) and not re.match(r"[IVXLC]+-", first))
    ):
        return False
    if word == "listing" and re.search(r"\.\d{3}", first):
        return False
    if word.lower() in ("point", "points") and text[at] != "(" and "." not in first and "(" not in first:
        return False
    return kind is not Kind.PAGE or not _no_page(text, start, end)


def _is_proper(text: str, word: str, first: str, end: int) -> bool:
    """Whether a word that is a common noun besides heads a number: "Lemma 3", "lemma 3.2", "Remark B.", not "remark 2 days ago"."""
    if not word[0].isupper():
        return "." in first
    return not first.isalpha() or bool(_LETTER_ENDS.match(text, end))


def _is_plural_marker(text: str, at: int, end: int) -> bool:
    """Whether "(s)" leaves the number open, "paragraph (s) that apply", and is no label as in "paragraph (s) of this clause"."""
    return text.startswith("(s)", at) and not _LETTER_ENDS.match(text, end)


def _is_letter_label(text: str, word: str, first: str, end: int) -> bool:
    """Whether letters behind a label word are a label, and not the first word of what follows."""
    if text[end : end + 1] == "-" and text[end + 1 : end + 2].islower():
        return False
    if len(first) == 2 and not re.fullmatch(r"[IVXLC]{2}|([A-Z])\1", first):
        return False
    small_follows = text[end + 1 : end + 2].islower()
    if first == "I" and _I_DID.match(text, end):
        return False
    if word.lower() in ("app.", "tab.", "art.", "ch.", "gl.") and small_follows:
        return False
    if not word[0].isalpha():
        return len(first) > 1 or bool(_LETTER_ENDS.match(text, end))
    if not word.islower() or not (word in _LOWER_LETTER or first in ("I", "A")):
        return True
    return (len(first) > 1 and is_roman(first)) or bool(_LETTER_ENDS.match(text, end))


def _is_name_or_code(text: str, start: int, word: str, at: int, end: int) -> bool:
    """Whether the words are a longer name ("Secure Hash Algorithm 2"), one with its initials ("program point (PP)") or a call ("figure (2);")."""
    if word == "Algorithm" and (
        _NAME_BEFORE.search(text, max(0, start - 30), start) or _PUBLISHED_AS.match(text, at)
    ):
        return True
    if word == "figure" and _CALL.match(text, at):
        return True
    initials = _INITIALS.match(text, at, end)
    if initials is None:
        return False
    words = text[max(0, start - 60) : start].split()[1 - len(initials[1]) :]
    return "".join(w[0] for w in (*words, word)).upper() == initials[1]


def _is_other_word(text: str, start: int, word: str) -> bool:
    """Whether what stands before it tells that the word is a verb, a common noun, a unit of measure, or code."""
    if word in _VERBS and _BEFORE_A_VERB.search(text, max(0, start - 8), start):
        return True
    if word in _NOUNS and _INDEFINITE.search(text, max(0, start - 4), start):
        return True
    if word.lower() in ("example", "point", "points", "examples") and text[max(0, start - 4) : start] in (
        "for ",
        "For ",
    ):
        return True
    if word.lower() in _UNITS_TOO and _A_COUNT.search(text, max(0, start - 6), start):
        return True
    return word == "TABLE" and bool(_SQL.search(text, max(0, start - 12), start))


def _is_other_unit(text: str, start: int, kind: Kind, labels: Sequence[str], at: int, end: int) -> bool:
    """Whether the number is that of a court case, of a law that is complied with, of a piece of land, a year or an article of trade."""
    if kind is Kind.CHAPTER and _COURT.match(text, end):
        return True
    if kind in (Kind.PART, Kind.SECTION) and _COMPLIANT.match(text, end):
        return True
    if kind is Kind.SECTION and _SAMPLE_AFTER.match(text, end):
        return True
    if kind is Kind.SECTION and (
        _LAND_AFTER.match(text, end) or _LAND_BEFORE.search(text, max(0, start - 14), start)
    ):
        return True
    if kind in (Kind.PART, Kind.ARTICLE) and text.startswith("No", at) and re.match(r"\d{3}", labels[0]):
        return True
    if kind in (Kind.PART, Kind.CHAPTER, Kind.SECTION, Kind.TABLE) and _OF_SO_MANY.match(text, end):
        return True
    return kind in _YEARLESS and bool(_YEAR.fullmatch(labels[0])) and not text.startswith(" of", end)


def _no_page(text: str, start: int, end: int) -> bool:
    """Whether a page number is that of a journal, of a count ("page 3 of 10"), or a time ("at 5 p.")."""
    if re.match(r" of \d", text[end : end + 10]):
        return True
    if text[start].isupper() and not _LED_TO.search(text, max(0, start - 8), start):
        return True
    if _PUBLISHED.search(text, max(0, start - 14), start):
        return True
    return (
        text.startswith(("pages", "pp."), start)
        and text[max(0, start - 2) : start] == ", "
        and "–" in text[start:end]
    )
