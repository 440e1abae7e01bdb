"""The markers that a browser shows before the items of an ordered list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from deref.text.labels import to_roman

_WHOLE = re.compile(r"-?[0-9]{1,9}")
"""As large as browsers count."""


@dataclass(slots=True)
class Numbering:
    """Counts the items of one list. `kind` is "1", "a", "A", "i" or "I", or "" for a list without numbers."""

    kind: str
    next: int
    step: int = 1

    def marker(self, item: Any) -> str:
        """Return the marker of the next item ("3. "), or "" for a list without numbers."""
        if not self.kind:
            return ""
        value = item.get("value", "").strip()
        if _WHOLE.fullmatch(value):
            self.next = int(value)
        number = self.next
        self.next += self.step
        return f"{numeral(number, self.kind)}. "


def numbering_of(element: Any) -> Numbering:
    """Return the numbering of a list element (ol, ul, menu)."""
    style = "".join(element.get("style", "").lower().split())
    if element.tag != "ol" or "list-style:none" in style or "list-style-type:none" in style:
        return Numbering(kind="", next=1)
    kind = element.get("type", "1").strip()
    for name, value in (("lower-alpha", "a"), ("lower-latin", "a"), ("upper-alpha", "A"), ("lower-roman", "i"), ("upper-roman", "I")):  # fmt: skip
        kind = value if f"list-style-type:{name}" in style else kind
    start = element.get("start", "").strip()
    reverse = element.get("reversed") is not None
    first = int(start) if _WHOLE.fullmatch(start) else (len(element.findall("li")) if reverse else 1)
    return Numbering(
        kind=kind if kind in ("1", "a", "A", "i", "I") else "1", next=first, step=-1 if reverse else 1
    )


def numeral(number: int, kind: str) -> str:
    """Return a number as a list shows it: 3 → "3", "c", "C", "iii" or "III"; what has no such form stays decimal."""
    if kind in ("a", "A") and number > 0:
        letters = ""
        while number:
            number, rest = divmod(number - 1, 26)
            letters = chr(97 + rest) + letters
        return letters if kind == "a" else letters.upper()
    if kind in ("i", "I") and 0 < number < 4000:
        return to_roman(number) if kind == "I" else to_roman(number).lower()
    return str(number)
