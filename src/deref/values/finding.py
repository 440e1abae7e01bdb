"""Findings of the checker: what is wrong with a cross-reference, a number or a defined term, and where."""

from __future__ import annotations

from enum import StrEnum

from deref.quick_dataclass import dataclass
from deref.values.places import Point


class Severity(StrEnum):
    """How much a finding weighs.

    ERROR    a reader cannot follow what is written.   WARNING  a reader may go wrong.   NOTE  worth a look.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def weight(self) -> int:
        """Return 0 for a note, 1 for a warning, 2 for an error."""
        return {"note": 0, "warning": 1, "error": 2}[self.value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding. `rule` names the rule, `text` is verbatim what is wrong, `message` says why in one sentence.

    `source` is the name of the document, `page` and `row` are 1-based, `paged` tells whether it has pages at all, `at` counts in the document (0-based line).
    `related` are places that the message speaks of, `fingerprint` stays the same when lines move.
    """

    rule: str
    severity: Severity
    text: str
    message: str
    source: str
    page: int
    row: int
    paged: bool
    at: Point
    related: tuple[Point, ...] = ()
    fingerprint: str = ""
