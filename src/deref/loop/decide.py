"""Decide what happens after a pass. Pure, exhaustive, and triggered by the typed field alone, never by a confidence.

complete, not_found, conflict                                        → ship
references_unresolved, a pointer not tried yet, and budget left      → resolve
references_unresolved otherwise, partial                             → stop_partial
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from deref.values import Completeness


class Verdict(StrEnum):
    """What to do next."""

    SHIP = "ship"
    RESOLVE = "resolve"
    STOP_PARTIAL = "stop_partial"


def decide(completeness: Completeness, *, untried: int, passes: int, budget: int) -> tuple[Verdict, str]:
    """Return the verdict and one sentence on why.

    `untried` pointers are pending and were not tried yet; `passes` after the first are done of `budget`.
    """
    match completeness:
        case Completeness.COMPLETE:
            return Verdict.SHIP, "nothing that would change the answer is open"
        case Completeness.NOT_FOUND:
            return Verdict.SHIP, "nothing on the shelf bears on the question"
        case Completeness.CONFLICT:
            return Verdict.SHIP, "the passages contradict each other, and each side is cited"
        case Completeness.REFERENCES_UNRESOLVED:
            if untried and passes < budget:
                return (
                    Verdict.RESOLVE,
                    f"{untried} pointer(s) would change the answer; pass {passes + 1} of {budget}",
                )
            if untried:
                return Verdict.STOP_PARTIAL, f"the budget of {budget} is spent with {untried} pointer(s) open"
            return Verdict.STOP_PARTIAL, "every open pointer was tried and cannot be followed"
        case Completeness.PARTIAL:
            return Verdict.STOP_PARTIAL, "the writer calls its answer partial"
        case _:
            assert_never(completeness)
