"""Relative pointers: "this Section", "the preceding section", "see below", "the table above".

"above" and "below" alone point only behind a verb of saying ("described below") or a unit ("the table below").
"""

from __future__ import annotations

import re

from deref.references.hit import Hit
from deref.references.words import DIRECTIONS, INSTRUMENTS, LAWS, SCOPES
from deref.text.lazy import lazy
from deref.values import ReferenceKind

_UNITS = "|".join(
    (*SCOPES, "table", "figure", "example", "equation", "list", "diagram", "listing", "footnote")
)
_THIS = lazy(
    rf"(?:[Tt]his|[Tt]hat|[Tt]he same) (?P<unit>(?i:{'|'.join(SCOPES)}))(?![\w]|-\w)(?!\s*[\d(]| [A-Z](?!\w)| [IVXLC]+(?!\w))"
)
_AWAY = lazy(
    rf"[Tt]he (?:immediately )?(?P<way>{'|'.join(DIRECTIONS)}) (?:(?:two|three|four|five) )?"
    rf"(?P<unit>(?i:{_UNITS}))s?(?!\w)(?!\s*[\d(]| [A-Z](?!\w)| [IVXLC]+(?!\w))"
)
_BELOW = lazy(r"(?:below|above)(?!\w)")
_ITEM_UNITS = "table|figure|example|equation|list|diagram|listing|footnote"
_SAID = lazy(
    r"(?:(?P<verb>[Ss]ee(?: also)?|described|discussed|defined|mentioned|listed|shown|set forth|set out|given|noted|specified|outlined|provided|stated|"
    r"referred to|presented|explained|summari[sz]ed|indicated|depicted|illustrated|identified|enumerated|contained|as|introduced)(?: as)?|"
    rf"(?:(?:[Tt]he |[Ii]n (?:the )?)(?P<unit>(?i:{_UNITS}))s?|(?i:{_ITEM_UNITS})s?)) $"
)
_COMMON = frozenset({"part", "rule", "title", "article", "chapter", "exhibit", "schedule"})
_NEAR = 1200
_OF = lazy(r" of (?:(?:the|an?|my|his|her|their|your|our) )?(?P<noun>[a-z]+)\b")
_TEXTS = frozenset({
    *(w.lower() for w in (*INSTRUMENTS, *LAWS, *SCOPES)), "document", "documentation", "book", "text", "rfc", "paper", "page", "website", "site",
    "tutorial", "form", "terms", "standard", "protocol", "note", "notes", "list", "thesis", "proposal", "publication", "circular", "series", "this",
    "that", "these", "such", "said", "volume", "bylaws", "annexes", "which", "application", "same", "present", "current", "draft", "final", "main",
})  # fmt: skip
"""What a section or part can be one of. Adjectives are let pass: what follows them is not looked at."""
_NOT_AFTER = lazy(
    r" (?:the|a|an|zero|\d|all|average|ground|sea|market|cost|expectations?|which|it|this|that|\$|its|par|those|these)\b"
)


def relative_at(text: str, start: int) -> Hit | None:
    """Return the relative pointer at a trigger word, or None."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "-'’"):
        return None
    if match := _BELOW.match(text, start):
        if _NOT_AFTER.match(text, match.end()):
            return None
        said = _SAID.search(text, max(0, start - 24), start)
        if said is None or (said.start() and text[said.start() - 1].isalnum()):
            return None
        return _relative(said.start(), match.end())
    if match := _THIS.match(text, start):
        return None if _is_common(text, match) else _relative(start, match.end())
    if match := _AWAY.match(text, start):
        return None if _is_of_something_else(text, match.end()) else _relative(start, match.end())
    return None


def _is_common(text: str, match: re.Match[str]) -> bool:
    """Whether "this part", "that rule" say what anyone may say: "that part" needs a part that was named before it."""
    unit = match.group("unit")
    if unit.islower() and _is_of_something_else(text, match.end()):
        return True
    if unit not in _COMMON or match.group()[:4].lower() != "that":
        return False
    named = re.compile(rf"\b(?:sub)?{unit}s?[ \xa0](?:[\d(]|[A-Z](?!\w)|[IVX]+(?!\w))", re.IGNORECASE)
    return not named.search(text, max(0, match.start() - _NEAR), match.start())


def _is_of_something_else(text: str, end: int) -> bool:
    """Whether it is a part of what no text is: "this section of the road"."""
    of = _OF.match(text, end)
    return of is not None and of.group("noun") not in _TEXTS


def _relative(start: int, end: int) -> Hit:
    return Hit(start=start, end=end, kind=ReferenceKind.RELATIVE, labels=())
