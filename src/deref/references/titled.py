"""Sections named by their title in quotes: 'the section entitled “Risk Factors”', '“Risk Factors” section', 'see “Risk Factors”'.

Behind "section entitled" a title is a pointer whatever it says; elsewhere only a title that the document has, and only beside the
word for a unit or behind a verb of looking. In a web page, which may be one of many of a manual, "see the chapter “Millstones”" is
one whatever it says, and so is "see “Millstones” on page 12" anywhere. A title that stands behind a label ('Section 4.2, “Fees”') only explains it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from deref.references.containers import container_after
from deref.references.scan import passages
from deref.references.told import BROKEN, plain_words
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Line, Reference, ReferenceKind

_UNIT = r"(?:sections?|sub-?sections?|chapters?|paragraphs?|clauses?|articles?|headings?|parts?)"
_QUOTED = r"(?:“(?P<curly>[^”“\n\t]{2,90})”|\"(?P<straight>[^\"\n\t]{2,90})\")"
_CALLED = r"(?-i:(?:entitled|titled|headed|captioned|called|named|with the (?:title|heading))|(?:EN)?TITLED|HEADED|CALLED|NAMED)"
"""A licence that speaks of 'sections Entitled “History”' gives the word a meaning of its own, and means no section at hand."""
_ENTITLED = lazy(
    rf"(?<!\bany )(?<!\bno )(?<!\ball )(?<!\beach )\b(?:the )?{_UNIT} {_CALLED} {_QUOTED}", re.IGNORECASE
)
_LOOKED_AT = lazy(
    r"[“\"](?:(?<=(?:ed|ED|le|ng|gs|on|ns|er|rs|ph|hs|se|es|rt|ts|ee|so|to|in)\s[“\"]))"
    r"|[”\"](?=\s(?:[Ss]ub-?)?(?:[Ss]ection|[Cc]hapter|[Pp]ara|[Cc]lause|[Aa]rticle|[Hh]eading|[Pp]art))"
)
"""Quotes behind what leads to a title, by its last letters, and before the word for a unit."""
_CALLED_SO = lazy(r"[“\"](?<=(?:ed|ED|le) [“\"])|[“\"](?<=ng [“\"])")
_QUOTE = lazy(r"[“„«»\"]")
_CALLED_ELSEWHERE = lazy(
    r"\b(?:(?:[Ll]a |[Ll]e |[Ll]['’])?(?:section|chapitre|partie|annexe) (?:intitulé|nommé|appelé)e?"
    r"|(?:[Ll]a |[Ee]l )?(?:sección|capítulo|apartado) (?:llamad|titulad|denominad)[ao]"
    r"|(?:[Ll]a |[Ii]l )?(?:sezione|capitolo) (?:intitolat|chiamat|denominat)[ao]"
    r"|(?:[Aa] |[Oo] )?(?:seção|secção|capítulo) (?:intitulad|chamad|denominad)[ao]"
    r"|(?:Abschnitt|Unterabschnitt|Kapitel)s?(?: mit dem Titel)?"
    r"|(?:[Dd]e |[Hh]et )?(?:paragraaf|sectie|hoofdstuk) (?:getiteld|genaamd)) "
    r"(?:«\s*(?P<angle>[^«»]{2,90}?(?:«[^«»]{1,60}»)?)\s*»|»(?P<inward>[^«»]{2,90})«|„(?P<low>[^„“”]{2,90})[“”]"
    r"|“(?P<curly>[^”“]{2,90})”|\"(?P<straight>[^\"]{2,90})\")"
)
"""The same in the other languages that are read."""
_CUE = lazy(
    r"intitul|nommé|appelé|llamad|titulad|denominad|intitolat|chiamat|chamad|getiteld|genaamd|bschnitt|Kapitel"
)
_TAIL = 30
_BEFORE, _BEHIND = 1, 3
"""Lines before and behind a quote that a pointer with it may stand on."""
_FURTHER = lazy(rf"(?:, (?:and |or )?| (?:and|or) ){_QUOTED}")
_TITLE = lazy(_QUOTED)
_LED = lazy(
    rf"\b(?:{_UNIT} |see(?: also)? |refer to |(?:described|discussed|set forth|set out|listed|given|defined|explained) (?:in|under) |under (?:the heading )?)$",
    re.IGNORECASE,
)
_LED_BY_UNIT = lazy(r"\b(?:the|in|see|under|to|of) (?:section|chapter) $")
_ON_A_PAGE = lazy(r",? (?:on|at) page \d")
_LONGEST_LEAD = 24
_UNIT_BEHIND = lazy(rf" {_UNIT}(?![\w])", re.IGNORECASE)
_BEHIND_A_LABEL = lazy(r"\d[\w.()-]*,? ?\(?$")


def section_titles(document: Document) -> frozenset[str]:
    """Return the titles of the sections of a document, as `normalize_name` compares them, those of two letters or more."""
    return frozenset(key for s in document.sections if len(key := normalize_name(s.title)) > 1)


def named_sections(
    lines: Sequence[Line],
    skip: Sequence[bool],
    is_title: Callable[[str], bool] | None,
    *,
    paged: bool = False,
) -> Iterator[Reference]:
    """Yield the sections that are named by a title in consecutive lines.

    `is_title` tells the titles of the document's sections, if it has any; `paged` says that the document is a web page.
    """
    for first, end in _windows(lines, _CALLED_SO if is_title is None else _LOOKED_AT):
        for passage in passages(lines[first:end], skip=skip[first:end], wanted=_QUOTE):
            for match, start, stop in _named(passage.text, is_title, paged=paged):
                container = container_after(passage.text, stop)
                at = passage.point(start, container.end if container is not None else stop)
                labels = (_title(match).strip(" .,"),)
                text = passage.verbatim(at)
                inside = container.text if container is not None else None
                yield Reference(text=text, kind=ReferenceKind.SECTION, labels=labels, at=at, container=inside)


def without_inside(found: list[Reference], titled: Sequence[Reference]) -> list[Reference]:
    """Return the references without those that stand inside one that is named by a title: what it is said to be of."""
    holding = [t.at for t in titled if t.container is not None]
    if not holding:
        return found
    return [
        r
        for r in found
        if not any(
            (at.line, at.char_start) <= (r.at.line, r.at.char_start)
            and (r.at.last_line, r.at.char_end) <= (at.last_line, at.char_end)
            for at in holding
        )
    ]


def _windows(lines: Sequence[Line], wanted: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Runs of lines around quotes that may hold a title: few lines have such, and no other is looked at."""
    first = end = -1
    for n, line in enumerate(lines):
        text = line.text
        if '"' not in text and "“" not in text and (text.isascii() or not _QUOTE.search(text)):
            continue
        before = lines[n - 1].text[-_TAIL:] if n and _QUOTE.match(text.lstrip()) else ""
        if not (
            wanted.search(text)
            or (before and wanted.search(f"{before} {text[:40]}"))
            or (not text.isascii() and _CUE.search(f"{before} {text}"))
        ):
            continue
        if n - _BEFORE > end:
            if end > 0:
                yield first, end
            first = max(0, n - _BEFORE)
        end = min(len(lines), n + _BEHIND)
    if end > 0:
        yield first, end


def _named(
    text: str, is_title: Callable[[str], bool] | None, *, paged: bool
) -> Iterator[tuple[re.Match[str], int, int]]:
    """Titles with their quotes, each with the characters of the whole pointer."""
    for match in _CALLED_ELSEWHERE.finditer(text) if _CUE.search(text) else ():
        yield match, *match.span()
    between: list[tuple[int, int]] = []
    floor = 0
    for match in _ENTITLED.finditer(text):
        between.append((floor, match.start()))
        floor = match.end()
        yield match, match.start(), floor
        while (further := _FURTHER.match(text, floor)) is not None and _is_plural(match):
            floor = further.end()
            yield further, further.start(further.lastgroup or 0) - 1, floor
    if is_title is not None:
        for begin, end in (*between, (floor, len(text))):
            yield from _looked_for(text, begin, end, is_title, paged=paged)


def _looked_for(
    text: str, floor: int, limit: int, is_title: Callable[[str], bool], *, paged: bool
) -> Iterator[tuple[re.Match[str], int, int]]:
    """Titles of the document beside the word for a unit or behind a verb of looking."""
    for match in _TITLE.finditer(text, floor, limit):
        start, end = match.span()
        led = _LED.search(text, max(floor, start - _LONGEST_LEAD), start)
        unit = _UNIT_BEHIND.match(text, end, limit)
        start, floor = led.start() if led else start, unit.end() if unit else end
        if not (led or unit):
            continue
        told = bool(_ON_A_PAGE.match(text, end)) if led else False
        told = told or (
            paged and bool(_LED_BY_UNIT.search(text, max(0, match.start() - _LONGEST_LEAD), match.start()))
        )
        if not (told and _title(match)[0].isupper()) and not is_title(_title(match)):
            continue
        if not _BEHIND_A_LABEL.search(text, max(0, start - 12), start):
            yield match, start, floor


def _is_plural(match: re.Match[str]) -> bool:
    """Whether the word for a unit is a plural: "sections entitled “A” and “B”"."""
    return match.group().removeprefix("the ").partition(" ")[0].endswith("s")


def is_called_so(reference: Reference) -> bool:
    """Tell whether a reference says outright that a section has its title, "the section entitled “X”", and not merely quotes it."""
    return bool(_ENTITLED.match(" ".join(reference.text.split())) or _CALLED_ELSEWHERE.match(reference.text))


def quoted_title(reference: Reference) -> str | None:
    """Return the title in quotes that a reference names its section by; None for one with a number."""
    if reference.kind is not ReferenceKind.SECTION or len(reference.labels) != 1:
        return None
    opening = _QUOTE.search(reference.text)
    if opening is None or reference.labels[0] in reference.text[: opening.start()]:
        return None
    said = plain_words(reference.text[opening.end() :].replace(BROKEN, ""))
    return reference.labels[0] if said.startswith(plain_words(reference.labels[0])) else None


def _title(match: re.Match[str]) -> str:
    return match.group(match.lastgroup or 0)
