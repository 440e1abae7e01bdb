"""Pointers without a label word: "[RFC9000]", "RFC 9000", "15 U.S.C. § 78", "GEN 5.3.7", "9.406-1(d)", "6.7.1 p. 39".

The patterns are those of `grammar.PATTERNED`; here stands what a pattern cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from deref.references.containers import DESIGNATOR
from deref.references.grammar import PATTERNED
from deref.references.hit import Hit
from deref.references.listing import completed, read_labels
from deref.references.words import LAW_ENDS, NOT_HOUSES
from deref.text.labels import expand_range, normalize_label
from deref.text.lazy import lazy
from deref.values import Document, ReferenceKind

_ROWS = {row.name: row for row in PATTERNED}
_ACT_WORD = r"[A-Z][\w’'&-]*,?"
_ACT_NAME = lazy(
    rf"(?<![\w’'-])(?:{_ACT_WORD} (?:\([A-Z][^()]{{2,50}}\) )?(?:(?:of|and|for|on|the|to|in|or|by|&) ){{0,2}}){{1,9}}$"
)
_ACT_YEAR = lazy(r"Act (?:of )?\d{4}")
_UNDER_AN_ACT = lazy(r"\b(?:[Uu]nder|[Ii]n|[Bb]y|[Ii]mplementing|[Aa]mending|and) the |, the ")
_NOT_AN_ACT = lazy(
    r"(?:The|This|That|Under|By|In|See|Each|Any|Such|And|Section \S+|Of|of|the|and|or|to|by|in|for|on) "
)
_TAGS = lazy(_ROWS["bibliographic tag"].pattern)
_FIGURES = lazy(r"\[\d{1,3}(?:, ?\d{1,3})*\]")
_FIGURE = lazy(r"\d+")
_GLUED = lazy(r"(?<![\w\\.])[^\W\d_]{3,}[.,;:”’)]?$")
_SMALL = lazy(r" [a-z]{2}")
_SENTENCE = lazy(r"[,.;)]| (?:and|or|is|are|was|has|have|defines?|describes?|shows?|for|Section|section|§)\b")
_HOUSE = lazy(_ROWS["rulebook"].pattern)
_LAW_NAME = lazy(
    r"(?<![\w.])(?P<law>\d{1,2} (?:CFR|C\.F\.R\.|U\.S\.C\.)|(?:[A-Z][\w.’'-]*,? (?:(?:and|&|of) )?){0,5}(?:"
    + "|".join(re.escape(w) for w in LAW_ENDS)
    + r")),? $"
)
_CUE = lazy(
    r"(?:\b(?:in|under|see|per|by|with|of|to|and|or|from|at|as|also|that|than|the|on|meets?|satisf(?:y|ies)|breach|appl(?:y|ies)) |[(;,.:] ?)$",
    re.IGNORECASE,
)
_HOUSE_BEFORE = lazy(
    r"(?:(?<![\w/&.(-])|(?<=[(])(?=[A-Z]+ )|(?<=[a-z] [(])(?=[A-Z]+[)]))([A-Z]{2,7})(?:[),]|['’]s)? $"
)
_FEDERAL_ALWAYS = lazy(_ROWS["federal section"].pattern)
_FEDERAL = lazy(
    r"(?<![\d.$/–-])\d{1,2}\.\d{3,4}(?:-\d{1,4})?(?:\((?:\d{1,3}|[A-Za-z]{1,2}|[ivxl]{1,6})\))*(?![\d/%])"
)
_NEXT_FEDERAL = lazy(
    r"(?: through | to | thru )(\d{1,2}\.\d{3,4}(?:-\d{1,4})?(?:\([A-Za-z\d]{1,4}\))*)(?![\d/%])"
)
_MORE_PARTS = lazy(
    r"(?:, and |, or | and | or |, |(?P<through> through ))(?P<parts>(?:\((?:\d{1,3}|[a-z]{1,2}|[ivx]{1,5}|[A-Z])\))+)(?! ?[A-Z])"
)
_BARE = lazy(_ROWS["bare number with a page"].pattern)
_RFC = lazy(_ROWS["request for comments"].pattern)
_NEXT_RFC = lazy(r"(?:, and |, | and | or )(\d{3,5})(?![\d.])")
_NO_DESIGNATOR = lazy(
    r"(?:IEEE|ANSI|EN|DIN|IEC|ASTM) (?:19|20)\d\d|SP \d{3,4}|ISO (?:50|100|125|200|400|800|1600|3200|6400|12800)|(?:BCP|STD)[ -]?\d{4,}|"
    r"(?:Regulation|Directive|(?:Framework )?Decision) (?!(?:19|20)\d\d/|[5-9]\d/)\d{1,4}/(?!(?:19|20)\d\d)\d{1,4}|(?:Public Law|P\.L\.) ?\d+"
)
"""Numbers that no series of standards or acts has: a year, the speed of a film, a fraction."""
_COUNTED = lazy(r" (?:years?|months?|weeks?|days?|hours?|people|persons|times|percent)\b")
_OF_A_CODE = lazy(r"\d{1,2} (?:U\.? ?S\.? ?C|C\.? ?F\.? ?R)[^\d]+\d++(?!\.\d)")
_MORE_OF_A_CODE = lazy(
    r"(?:, (?:and |or )?| and | or )(?!(?:19|20)\d\d\b)\d{2,5}[a-z]?(?:\([A-Za-z\d]{1,4}\))*"
    r"(?=[,.;)](?!\d)|$| (?:and|or|et|of|as|shall|to|in|for|is|are|note)\b)"
)
_NOTE = lazy(r"\[(?P<label>\d{1,3})\](?![(\[])")
_A_COUNT = lazy(
    r" (?:(?:calendar|business|working|consecutive) )?(?:days?|weeks?|months?|years?|hours?|minutes?|percent|shares|%)(?!\w)"
)
_PLACE_IN_A_LIST = lazy(r"\w(?:\[\d+\])+$")
_NO_TAGS = frozenset(["RESERVED", "REDACTED", "SIC", "NAME", "DATE", "TBD", "TBA", "OMITTED", "DELETED", "INSERT", "NUMBER", "AMOUNT", "COMPANY", "TITLE", "STATE", "YEAR", "ADDRESS", "BLANK", "REMOVED", "TODO", "CITY", "COUNTRY", "SIGNATURE", "DRAFT", "EXHIBIT", "SCHEDULE", "PAGE", "OPTIONAL", "NONE", "NOTE"])  # fmt: skip


def tags_at(text: str, start: int, known: frozenset[str] | None, *, glued: bool = False) -> Hit | None:
    """Return the bibliographic tags at an opening bracket. `known` are the home document's own, casefolded; None when not known.

    `glued`: the document sets its tags right behind a word, "the float package[6]", which elsewhere is the place in a list.
    """
    match = _TAGS.match(text, start)
    if match is None or text[match.end() : match.end() + 1] == "(":
        return None
    if text[match.end() : match.end() + 1] == "[" and not (
        text[start - 1 : start] == " " and _TAGS.match(text, match.end())
    ):
        return None
    if match.group("tags").isdigit() and _A_COUNT.match(text, match.end()):
        return None
    if not (glued and _GLUED.search(text, max(0, start - 30), start)) and not _may_begin(text, match, known):
        return None
    tags: list[str] = []
    joint = ""
    for part in re.split(r"(\s?[,;–-]\s?)", match.group("tags") + (match.group("more") or "")) if match.group("tags").isdigit() else [
        match.group("tags"), *re.split(r"(\s?[,;]\s?)", match.group("more") or "")
    ]:  # fmt: skip
        if not part or not part.strip(" ,;–-"):
            joint = part or joint
            continue
        label = normalize_label(part)
        tags += list(expand_range(tags[-1], label)[1:]) if tags and joint.strip() in ("–", "-") else [label]
    if not tags or any(not _is_tag(tag, known) for tag in tags):
        return None
    return Hit(
        start=start, end=match.end(), kind=ReferenceKind.BIBLIOGRAPHY, labels=tuple(dict.fromkeys(tags))
    )


def note_at(text: str, start: int, notes: frozenset[str]) -> Hit | None:
    """Return the mark of one of the document's notes at an opening bracket: "no deadlock. [15]"."""
    match = _NOTE.match(text, start)
    if match is None or not start or match.group("label") not in notes:
        return None
    return Hit(start=start, end=match.end(), kind=ReferenceKind.FOOTNOTE, labels=(match.group("label"),))


def _may_begin(text: str, match: re.Match[str], known: frozenset[str] | None) -> bool:
    """Whether tags may be cited here, by what stands around the bracket: no list entry, no place in a list."""
    start = match.start()
    if start == 0:
        goes_on = (
            known is not None and match.group("tags").casefold() in known and _SMALL.match(text, match.end())
        )
        return bool(goes_on or _SENTENCE.match(text, match.end()))
    if text[start - 1].isalnum() or text[start - 1] in "_)":
        return False
    if text[start - 1] == "]" and _PLACE_IN_A_LIST.search(text, max(0, start - 30), start):
        return False
    return not match.group("tags").isdigit() or text[start - 1] in " (,;[]"


def tags_are_glued(document: Document, known: frozenset[str], listed: Collection[int]) -> bool:
    """Tell whether a document mostly sets the tags of its own entries right behind a word. `listed` are its lists' lines."""
    counts = [0, 0]
    if known:
        for line in document.lines:
            if "[" in line.text and line.n not in listed:
                for match in _TAGS.finditer(line.text):
                    if match.start() and normalize_label(match.group("tags")).casefold() in known:
                        counts[bool(_GLUED.search(line.text, 0, match.start()))] += 1
    return counts[1] > counts[0]


def numbers_are_tags(document: Document, known: Collection[str], listed: Collection[int]) -> bool:
    """Tell whether numbers in square brackets call the entries of a document's own lists, and do not hold data: "[1, 2]" beside "[0, 5]".

    They do unless a third of the brackets hold a number that no entry has. `listed` are the lists' lines.
    """
    counts = [0, 0]
    for line in document.lines:
        if "[" in line.text and line.n not in listed:
            for match in _FIGURES.finditer(line.text):
                counts[all(number in known for number in _FIGURE.findall(match.group()))] += 1
    return counts[0] * 2 <= counts[1]


def _is_tag(tag: str, known: frozenset[str] | None) -> bool:
    """Whether a word in brackets is a citation: one of the document's own entries, or made like one."""
    if known and tag.casefold() in known:
        return True
    if tag.isdigit():
        return not known and tag != "0"
    if known is not None:
        return bool(re.search(r"[A-Za-z]{2}.*\d{2}", tag)) and tag.partition(":")[0].casefold() not in known
    if tag.upper() in _NO_TAGS or len(tag) < 3:
        return False
    capitals = sum(c.isupper() for c in tag)
    return (
        any(c.isdigit() for c in tag) or (capitals >= 2 and "_" not in tag) or ("-" in tag and capitals >= 2)
    )


def designator_at(text: str, start: int) -> Hit | None:
    """Return a document named by its designator."""
    match = DESIGNATOR.match(text, start)
    if match is None:
        return None
    rfc = _RFC.match(text, start)
    if rfc is None:
        end = match.end()
        if _NO_DESIGNATOR.fullmatch(match.group()) or _COUNTED.match(text, end):
            return None
        while _OF_A_CODE.match(text, start) and (more := _MORE_OF_A_CODE.match(text, end)):
            end = more.end()
        return Hit(
            start=start, end=end, kind=ReferenceKind.EXTERNAL, labels=(" ".join(text[start:end].split()),)
        )
    if _NO_DESIGNATOR.fullmatch(rfc.group()) or _COUNTED.match(text, rfc.end()):
        return None
    series = re.match(r"[A-Z]{3}", rfc.group())
    labels = [f"{series.group() if series else 'RFC'} {re.sub(r'[^0-9]', '', rfc.group())}"]
    end = rfc.end()
    while rfc.group().startswith("RFCs") and (step := _NEXT_RFC.match(text, end)):
        labels.append(f"RFC {step.group(1)}")
        end = step.end()
    return Hit(start=start, end=end, kind=ReferenceKind.DOCUMENT, labels=tuple(labels))


def act_at(text: str, start: int, floor: int) -> Hit | None:
    """Return the statute whose name ends with "Act" at `start` and a year: "Data (Fees) Act 2011", "Grain Act of 1933"."""
    name = _ACT_NAME.search(text, max(floor, start - 100), start)
    year = _ACT_YEAR.match(text, start)
    if name is None or year is None:
        return None
    inside = [m.end() for m in _UNDER_AN_ACT.finditer(text, name.start(), start)]
    begin = inside[-1] if inside else name.start()
    while first := _NOT_AN_ACT.match(text, begin):
        begin = first.end()
    if begin >= start:
        return None
    return Hit(
        start=begin,
        end=year.end(),
        kind=ReferenceKind.EXTERNAL,
        labels=(" ".join(text[begin : year.end()].split()),),
    )


def house_at(text: str, start: int) -> Hit | None:
    """Return a rule of a named rulebook: "GEN 5.3.7"."""
    match = _HOUSE.match(text, start)
    if match is None or match.group("house") in NOT_HOUSES:
        return None
    label = match.group("label")
    certain = start == 0 and (label.count(".") > 1 or "(" in label)
    if label[0].isdigit() and not certain and not _CUE.search(text, max(0, start - 12), start):
        return None
    labels = read_labels(text, match.start("label"), plural=False, points=False)
    if labels is None or labels.end < match.end():
        return None
    first = labels.labels[0]
    if first.count(".") < 2 and "(" not in first and not first[0].isalpha() and len(match.group("house")) > 5:
        return None
    return Hit(
        start=start,
        end=labels.end,
        kind=ReferenceKind.RULE,
        labels=tuple(labels.labels),
        container=match.group("house"),
    )


def law_before(text: str, start: int, floor: int) -> int | None:
    """Return where the name of a law begins that stands right before a label word: "Revised Code § 5"."""
    if start < 5 or not text[max(floor, start - 13) : start].rstrip(" ,").endswith(LAW_ENDS):
        return None
    match = _LAW_NAME.search(text, max(floor, start - 70), start)
    return match.start("law") if match else None


def house_before(text: str, start: int, floor: int) -> str | None:
    """Return the short name in capitals right before a label word: "GEN Rule 5.2.7", "COBS, Chapter 15", "Fund Rules (FUNDS) Rule 2".

    Before a word in small letters ("FSMR section 48") it has three letters or more.
    """
    if start < 3 or text[start + 1].isupper() or not (text[start - 2].isupper() or text[start - 2] in ",)s"):
        return None
    match = _HOUSE_BEFORE.search(text, max(floor, start - 12), start)
    if match is None or match.group(1) in NOT_HOUSES:
        return None
    return match.group(1) if text[start].isupper() or len(match.group(1)) > 2 else None


def federal_at(text: str, start: int, numbered_so: bool) -> Hit | None:
    """Return bare numbers in the way of the federal code: "9.406-1(d)"; "9.406" alone only where the document numbers so."""
    pattern = _FEDERAL if numbered_so else _FEDERAL_ALWAYS
    match = pattern.match(text, start)
    if match is None or (start and (text[start - 1].isalpha() or text[start - 1] in "$€£")):
        return None
    if re.search(r"(?:CFR|C\.F\.R\.|U\.S\.C\.|DFARS|%) $", text[max(0, start - 8) : start]):
        return None
    if not numbered_so and not re.match(
        r"[1-9]\d?\.\d{3,4}-\d{1,3}(?!\d|\.\d)", text[start : match.end() + 2]
    ):
        return None
    labels, end = [normalize_label(match.group())], match.end()
    if step := _NEXT_FEDERAL.match(text, end):
        labels += expand_range(labels[0], normalize_label(step.group(1)))[1:]
        end = step.end()
    while "(" in labels[-1] and (step := _MORE_PARTS.match(text, end)):
        label = completed(step["parts"], step["parts"], labels[-1])
        labels += expand_range(labels[-1], label)[1:] if step["through"] else [label]
        end = step.end()
    return Hit(start=start, end=end, kind=ReferenceKind.SECTION, labels=tuple(dict.fromkeys(labels)))


def bare_at(text: str, start: int) -> Hit | None:
    """Return a dotted number behind "see" or the like and before a page."""
    match = _BARE.match(text, start)
    if match is None:
        return None
    label = match.group("label")
    return Hit(
        start=match.start("label"), end=match.end("label"), kind=ReferenceKind.SECTION, labels=(label,)
    )
