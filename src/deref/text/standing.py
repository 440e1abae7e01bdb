"""What a document says on its front page of its own standing, and of the documents that it supersedes. In fixed words.

Fields         "Obsoletes: 2616, 2617", "Supersedes: Travel Policy 2022", "Superseded by: …", "Status: Withdrawn"
Sentences      "This document obsoletes RFC 2616.", "This Policy supersedes the Travel Policy 2022 in its entirety.",
               "This standard has been superseded by …", "The attached publication has been withdrawn …"
Stamps         a line that says SUPERSEDED or WITHDRAWN and nothing else; "Superseded by …", "Withdrawn on 3 May 2024"

Nothing is said in part: "obsoletes Section 3 of RFC 2616", "(if approved)" and "supersedes all prior agreements" say nothing
of a whole document, and a list that goes on with what is no name counts for nothing. Whether a name is that of a document
on the shelf is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from deref.text.clean import fold_spaces

LONGEST_FRONT = 80
"""Lines with text that count as the front page where a file has no pages."""
_STAMPED = 12

What = Literal["supersedes", "superseded", "withdrawn"]


class Stated(NamedTuple):
    """One statement: what, the documents it names as they are written, its 0-based line, and its words.

    `names` are those that are superseded by this document, or that supersede it.
    """

    what: What
    names: tuple[str, ...]
    line: int
    words: str


_PAPER = (
    "document|memo|rfc|specification|standard|recommendation|policy|agreement|contract|lease|deed|note|amendment|publication"
    "|edition|version|issue|revision|report|guide|guidance|guideline|manual|handbook|regulation|directive|rule|rulebook|order|notice"
    "|circular|bulletin|procedure|instruction|code|schedule|plan|act|charter|letter|statement"
)
_THIS = rf"(?:^|(?<=\n)|(?<=[.;:] ))(?-i:T)(?:his|he attached|he present) (?:[^\W\d_]+ ){{0,3}}?(?:{_PAPER})"
_VERB = r"(?:obsoletes|supersedes|replaces)"
_END = r"(?=\.(?: |$)|;|\n\n|$)"
_ANY = r"(?P<rest>(?:(?!\n\n)[\s\S]){2,240}?)"
_FIELD = re.compile(
    r"(?P<what>obsoletes|supersedes|replaces|obsoleted by|superseded by|replaced by)\s*:\s*(?P<rest>.*)", re.I
)
_STATUS = re.compile(
    r"(?:document |current |publication )?status\s*:\s*(?P<what>superseded|withdrawn|obsolete|rescinded)\W*",
    re.I,
)
_ACTIVE = re.compile(
    rf"{_THIS},? (?:hereby )?{_VERB}(?: and {_VERB})? {_ANY}{_END}".replace(" ", r"\s"), re.I
)
_PASSIVE = re.compile(
    rf"{_THIS} (?:is|was|has been) (?:hereby )?"
    rf"(?:(?:obsoleted|superseded|replaced) by {_ANY}{_END}|(?P<gone>withdrawn|rescinded)(?P<after>.{{0,40}}))".replace(
        " ", r"\s"
    ),
    re.I,
)
_AFTER = re.compile(r"\s*(?:$|\n|[.;,(]|on (?:\d|[A-Z])|and |as of |effective )")
_STAMP = re.compile(r"(?:this \w+ (?:is|has been) )?(?P<what>SUPERSEDED|WITHDRAWN|OBSOLETE|RESCINDED)")
_STAMPED_BY = re.compile(r"(?:superseded|obsoleted|replaced) by:? (?P<rest>.{2,200})", re.I)
_STAMPED_ON = re.compile(
    r"withdrawn(?: on| as of|:)? (?:\d{1,2}[ .]+[^\W\d_]{3,9}\.?,? \d{4}|[^\W\d_]{3,9}\.? \d{1,2}, ?\d{4}|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4})",
    re.I,
)
_PARTLY = re.compile(
    r"\b(?:in part|partially|parts? of|portions? of|sections?|clauses?|paragraphs?|articles?|chapters?|if approved|unless|except|"
    r"to the extent|any (?:prior|previous|earlier)|all (?:prior|previous|earlier|other))\b",
    re.I,
)
_BEHIND = re.compile(
    r",? (?:in its entirety|in their entirety|in full|completely|entirely|both|respectively)$", re.I
)
_GOES_ON = re.compile(
    r"(?:it |also |which |and )*(?:updates?|amends?|extends?|adds|defines|describes|incorporates|clarifies|was|is|moves|"
    r"takes effect|effective|dated)\b",
    re.I,
)
_PARTED = re.compile(r"\s*(?:,|;|&)\s*(?:and |or )?|\s+and\s+", re.I)
_MARKS = " \t*_#>|[]()“”\"'«»"
_NUMBERS = re.compile(r"\[?\d+\]?(?:\s*,\s*\[?\d+\]?)*,?")


def stated(lines: Sequence[str]) -> tuple[Stated, ...]:
    """Return what the lines of a front page state, in order. At most `LONGEST_FRONT` lines with text are read."""
    told = _front(lines)
    found = [*_fields(told), *_stamps(told), *_sentences(told)]
    return tuple(dict.fromkeys(sorted(found, key=lambda one: one.line)))


def _front(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return (number, text) of the lines with text; a text keeps the two spaces or the tab that part columns."""
    return [(n, fold_spaces(line).rstrip()) for n, line in enumerate(lines) if line.strip()][:LONGEST_FRONT]


def _fields(told: Sequence[tuple[int, str]]) -> Iterator[Stated]:
    for at, (n, text) in enumerate(told):
        plain = text.replace("*", "").replace("_", " ").strip(_MARKS)
        status = _STATUS.fullmatch(plain)
        if status is not None:
            yield Stated(_own(status["what"]), (), n, plain)
        match = _FIELD.match(plain)
        if match is None:
            continue
        rest = _column(match["rest"])
        following = [line for _, line in told[at + 1 : at + 4]]
        if not rest and following and _NUMBERS.fullmatch(following[0].strip()):
            rest = following.pop(0).strip()
        while rest.endswith(",") and following:
            rest = f"{rest} {_column(following.pop(0).strip())}"
        names = _names(rest, numbers=True)
        if names:
            ours = not match["what"].casefold().endswith(" by")
            yield Stated(
                "supersedes" if ours else "superseded", names, n, f"{match['what']}: {rest.rstrip(', ')}"
            )


def _column(text: str) -> str:
    return re.split(r"\s{2,}|\t", text.strip(), maxsplit=1)[0]


def _stamps(told: Sequence[tuple[int, str]]) -> Iterator[Stated]:
    for n, text in told[:_STAMPED]:
        plain = " ".join(text.split()).strip(_MARKS + "-–—=!.:")
        stamp = _STAMP.fullmatch(plain)
        if stamp is not None or _STAMPED_ON.fullmatch(plain):
            yield Stated(_own(stamp["what"]) if stamp else "withdrawn", (), n, plain)
        by = _STAMPED_BY.fullmatch(plain)
        names = _names(by["rest"], numbers=False) if by else ()
        if names:
            yield Stated("superseded", names, n, plain)


def _own(word: str) -> What:
    return "withdrawn" if word.casefold() in ("withdrawn", "rescinded") else "superseded"


def _sentences(told: Sequence[tuple[int, str]]) -> Iterator[Stated]:
    joined = ""
    starts: list[tuple[int, int]] = []
    for n, text in told:
        joined += "\n" if starts and starts[-1][1] == n - 1 else "\n\n"
        starts.append((len(joined), n))
        joined += " ".join(text.split()).strip("*_#>| ")
    for pattern in (_ACTIVE, _PASSIVE):
        for match in pattern.finditer(joined):
            line = next(n for start, n in reversed(starts) if start <= match.start())
            words = " ".join(match[0].split())
            if pattern is _PASSIVE and match["gone"]:
                if _AFTER.match(match["after"]):
                    yield Stated(
                        "withdrawn",
                        (),
                        line,
                        " ".join(match[0][: match.start("after") - match.start()].split()),
                    )
                continue
            names = _names(" ".join(match["rest"].split()), numbers=False)
            if names:
                yield Stated("supersedes" if pattern is _ACTIVE else "superseded", names, line, words)


def _names(text: str, *, numbers: bool) -> tuple[str, ...]:
    """Return the names in a list; none at all when it says more than names, or is of parts of a document."""
    if _PARTLY.search(text) or (numbers and "(" in text):
        return ()
    names: list[str] = []
    for part in _PARTED.split(_BEHIND.sub("", text.strip().rstrip("."))):
        name = _BEHIND.sub("", part.strip(_MARKS)).strip(_MARKS)
        if names and _GOES_ON.match(name):
            break
        if not name or (name.isdigit() and not numbers):
            return ()
        names.append(name)
    return tuple(names)
