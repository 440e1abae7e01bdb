"""Relative pointers: "this Section", "the preceding section", "see below", "the table above".

"above" and "below" alone point only behind a verb of saying ("described below") or a unit ("the table below").
"""

from __future__ import annotations

from deref.references.hit import Hit
from deref.references.lazy import lazy
from deref.references.words import DIRECTIONS, SCOPES
from deref.values import ReferenceKind

_UNITS = "|".join(
    (*SCOPES, "table", "figure", "example", "equation", "list", "diagram", "listing", "footnote")
)
_THIS = lazy(
    rf"(?:[Tt]his|[Tt]hat|[Tt]he same) (?P<unit>(?i:{'|'.join(SCOPES)}))(?!\w)(?!\s*[\d(]| [A-Z](?!\w)| [IVXLC]+(?!\w))"
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
_NOT_AFTER = lazy(r" (?:the|a|an|zero|\d|all|average|ground|sea|which|it|this|that|\$|its|par|those|these)\b")


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
        return _relative(start, match.end())
    if match := _AWAY.match(text, start):
        return _relative(start, match.end())
    return None


def _relative(start: int, end: int) -> Hit:
    return Hit(start=start, end=end, kind=ReferenceKind.RELATIVE, labels=())
