"""Standard designators: "RFC 9000", "NIST SP 800-161r1", "Regulation (EU) 2016/679", "ISO/IEC 27001:2022", each in the forms people use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deref.text.languages import every_language
from deref.text.names import file_stem

REQUEST = re.compile(r"\bRequest for Comments:\s*(?P<n>\d{3,5})\b", re.IGNORECASE)
_RFC = re.compile(r"\bRFC[\s-]?(?P<n>\d{3,5})\b", re.IGNORECASE)
_ACTS = tuple(
    (re.compile(pattern, re.IGNORECASE), english)
    for table in every_language()
    if table.pointing is not None
    for english, pattern in table.pointing.acts.items()
)
_ACT = "|".join(f"(?:{pattern.pattern})" for pattern, _ in _ACTS)
_ORGANS = {"UE": "EU", "EG": "EC", "CE": "EC", "EWG": "EEC", "CEE": "EEC"}
_DESIGNATORS = (
    _RFC,
    re.compile(
        r"\b(?P<nist>(?:NIST\s+)?(?:Special Publication|SP))\s*(?P<n>\d{3,4}-\d{1,3}(?-i:[A-Z](?![a-z\d]))?)(?:\s*(?:r|rev\.?|revision)\s*(?P<rev>\d+))?",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?P<ir>NIST\s?IR|NISTIR|(?:NIST\s+)?Interagency Report|IR(?=\d{4}))\s*(?P<n>\d{4}(?-i:[A-Z](?![a-z\d]))?)(?:\s*(?:r|rev\.?|revision)\s*(?P<rev>\d+))?", re.IGNORECASE),
    re.compile(r"\b(?P<fips>FIPS)(?:\s+PUB)?\s+(?P<n>\d{3}(?:-\d)?)\b"),
    re.compile(r"\b(?P<eu>Regulation|Directive|Decision)\s+\((?P<org>EU|EC|EEC)\)\s+(?:No\.?\s+)?(?P<n>\d{1,4}/\d{2,4})", re.IGNORECASE),
    re.compile(r"\b(?P<eu>Directive|Regulation)\s+(?P<n>\d{2,4}/\d{1,4}/(?:EU|EC|EEC))", re.IGNORECASE),
    re.compile(
        rf"\b(?P<eu>{_ACT})\s+\((?P<org>EU|UE|EG|CE|EWG|CEE)\)\s+(?:(?:Nr\.|n[.°º]|nº|n\.º|núm\.|nr\.)\s*)?(?P<n>\d{{1,4}}/\d{{2,4}})",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<eu>{_ACT})\s+(?P<n>\d{{2,4}}/\d{{1,4}}/(?:EU|UE|EG|CE|EWG|CEE))", re.IGNORECASE),
    re.compile(r"\b(?P<iso>(?:ISO(?:/IEC)?|IEC|IEEE|EN|DIN|ETSI)(?:\s+(?:TS|TR|EN))?)\s+(?P<n>\d{3,6}(?:[-.]\d{1,3})*)(?::(?P<year>\d{4}))?"),
)  # fmt: skip

_FIGURE = re.compile(r"\d")
_LONGEST_LINE = 90
_READS_INTO = re.compile(
    r"(?:,|\b(?:repealing|amending|replacing|supplementing|implementing|superseding|and|or|of|by|under|with|to|in|the|see|per|from))$",
    re.IGNORECASE,
)


def designators(title: str, name: str, cover: Sequence[str]) -> Iterator[str]:
    """Yield the designators that a document bears itself, each in the forms people use. `cover` are its first lines.

    It bears one that its title or the name of its file starts with, that follows a dash or bracket in the title, or that
    has a line on the cover to itself. One that is only mentioned ("in line with ISO 27001") is another document's.
    """
    request = REQUEST.search(" ".join(cover))
    numbered = False
    # Each has a number: few lines of a cover need to be tried with every pattern.
    lines = [
        pair for pair in pairwise(("", *cover)) if len(pair[1]) <= _LONGEST_LINE and _FIGURE.search(pair[1])
    ]
    names = [n for n in (title, file_stem(name).replace("_", " ")) if _FIGURE.search(n)]
    if request:
        yield f"RFC {request['n']}"
        yield f"RFC{request['n']}"
    for pattern in _DESIGNATORS:
        match = None if request and pattern is _RFC else _borne(pattern, title, names, lines)
        if match is not None and "eu" in match.re.groupindex:
            if numbered:
                continue  # the act that a regulation repeals is another document
            numbered = True
        if match is not None:
            yield from _forms(match.groupdict(), " ".join(cover))


def _borne(
    pattern: re.Pattern[str], title: str, names: Sequence[str], lines: Sequence[tuple[str, str]]
) -> re.Match[str] | None:
    for name in names:
        match = pattern.match(name)
        if match:
            return match
    for found in pattern.finditer(title) if title in names else ():
        if title[: found.start()].rstrip()[-1:] in ("-", "–", "—", ":", "(", "|"):
            return found
    for above, line in lines:
        match = pattern.match(line)
        if match and not line[match.end() :].lstrip(" ,)")[:1].islower() and not _READS_INTO.search(above):
            return match
    return None


def _forms(groups: dict[str, str | None], near: str) -> Iterator[str]:
    number, revision = groups["n"] or "", groups.get("rev")
    if not revision and (groups.get("nist") or groups.get("ir")):
        later = re.search(
            rf"{re.escape(number)}\s*(?:r|,?\s*rev\.?|,?\s*revision)\s*(\d+)", near, re.IGNORECASE
        )
        revision = later.group(1) if later else None
    if groups.get("nist"):
        for end in (f"r{revision}", f" Rev. {revision}", f" Revision {revision}") if revision else ("",):
            yield f"NIST SP {number}{end}"
            yield f"SP {number}{end}"
        yield f"NIST Special Publication {number}" + (f" Revision {revision}" if revision else "")
    elif groups.get("ir"):
        yield f"NISTIR {number}" + (f"r{revision}" if revision else "")
        yield f"NIST IR {number}" + (f" Rev. {revision}" if revision else "")
    elif groups.get("fips"):
        yield f"FIPS {number}"
        yield f"FIPS PUB {number}"
    elif groups.get("iso"):
        yield f"{groups['iso']} {number}"
        if groups.get("year"):
            yield f"{groups['iso']} {number}:{groups['year']}"
    elif groups.get("eu"):
        said = groups["eu"] or ""
        yield from _acts(said.capitalize(), (groups.get("org") or "").upper(), number)
        english = next((name for pattern, name in _ACTS if pattern.fullmatch(said)), None)
        if english:
            # By its English name, in which pointers from other languages are looked up.
            first, _, organ = number.rpartition("/")
            there = f"{first}/{_ORGANS.get(organ, organ)}"
            yield from _acts(english, _ORGANS.get(org := (groups.get("org") or "").upper(), org), there)
    else:
        yield f"RFC {number}"
        yield f"RFC{number}"


def _acts(act: str, organ: str, number: str) -> Iterator[str]:
    yield f"{act} ({organ}) {number}" if organ else f"{act} {number}"
