"""What picks a row, a column or a paragraph inside the target: "row (E)", "columns 2 and 3", "the second paragraph of".

A selector stands after its label ("Table 3 row (E)", "Table 3 (row E)") or before it, joined by "of" or "in".
"""

from __future__ import annotations

from deref.references.words import ORDINALS, PIECES
from deref.text.lazy import lazy

_TAG = r"(?:\([\w.+-]{1,6}\)|\d{1,3}(?!\w)|[A-Z](?!\w)|[“\"'‘][^”\"'’]{1,40}[”\"'’]|[A-Z][\w+-]{0,20}(?=[\s,.;)])|[“\"]?\d[\w+.-]*\+?[”\"]?)"
_TAGS = rf"{_TAG}(?:(?:, | and | or |, and |–| to |-){_TAG})*"
_ROWS = r"(?:[Rr]ows?|[Cc]olumns?|[Ll]ines?|[Ee]ntry|[Ee]ntries|[Cc]ells?|[Ii]tems?|[Pp]anel)"
_PICK = rf"(?:first|second|third|last) (?:row|column)|{_ROWS} {_TAGS}"
_AFTER = lazy(rf"(?:,? ?|,? in |,? see )(?:the )?(?P<text>{_PICK})|,? ?\((?:the )?(?P<inside>{_PICK})\)")
_ORDINAL = "|".join(ORDINALS)
_PIECE = "|".join(PIECES)
_POINTS = r"(?:[Pp]oints?|[Ss]ub-?paragraphs?|[Pp]aragraphs?|[Cc]lauses?|[Ii]tems?|[Ii]ndents?|[Ll]etters?)"
_PARTS = r"\([a-z\d]{1,5}\)(?:(?:, | and | or | to |, and |, or ){1}\([a-z\d]{1,5}\))*"
_SIGN = r"\([A-Z]{0,2}\d{1,3}\)|\([A-Z]{1,2}\)"
_SIGNS = rf"(?:{_SIGN})(?:(?:, | and | or |, and | to ){{1}}(?:{_SIGN}))*"
_BEFORE = lazy(
    rf"(?:^|[\s(])(?P<text>{_ROWS} {_TAGS}|(?P<any>[a-z]{{3,14}} {_SIGNS})|(?:{_ORDINAL}|\d(?:st|nd|rd|th)) (?:and (?:{_ORDINAL}) )?(?:{_PIECE})s?|"
    rf"{_POINTS} {_PARTS})(?:,? (?:of|in|from)(?: the)?) $"
)


def selector_after(text: str, end: int) -> tuple[str, int] | None:
    """Return the selector that follows a label ending at `end`, and the offset after it, or None."""
    if text[end : end + 1] not in (" ", ",", "("):
        return None
    match = _AFTER.match(text, end)
    return (match.group("text") or match.group("inside"), match.end()) if match else None


def selector_before(text: str, start: int, floor: int, *, tabular: bool = False) -> tuple[str, int] | None:
    """Return the selector that leads to a label at `start`, and where it begins (not before `floor`), or None.

    `tabular` says that the label is of a table: whatever its rows are called, a sign in brackets picks one ("step (V2) of").
    """
    if text[max(floor, start - 3) : start] not in ("of ", "in ", "om ", "he "):
        return None
    match = _BEFORE.search(text, max(floor, start - 70), start)
    if match is None or (match.group("any") and not tabular):
        return None
    return match.group("text"), match.start("text")
