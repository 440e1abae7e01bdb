"""Compete: pointers of passages that the question found and the writer did not read, beside those that the writer left open.

A question about what stands elsewhere may find the passage that points there well below those that are read. All pointers
are put in one order, by what each is worth to the question; the passes follow the first ones, as many as ever. What is not
followed of the added ones is not pending: nobody read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deref.answer.pointers import leads_on, open_resolution
from deref.values import Passage, Reference, ReferenceKind, Resolution

MOST_ADDED = 4
"""Pointers of passages that were not read that stand beside those of the writer."""

NEAR_BEST = 0.6
"""An added pointer is worth at least this share of the best one of all."""

WorthOf = Iterable[tuple[float, Reference]]
"""Pointers, each with its worth, those that are worth most first: read no further than they matter."""


def competing(
    pending: Sequence[Resolution], pointed: WorthOf, evidence: Sequence[Passage]
) -> list[Resolution]:
    """Return the pending pointers and up to MOST_ADDED of what is `pointed` at elsewhere, those worth most first.

    A pointer in the evidence is the writer's to name; one that says the same as another of its document, or is worth less than
    NEAR_BEST of the best, is left out. Pending ones that are worth less than that keep their order, behind the others.
    """
    worth: dict[tuple[str, int, int], float] = {}
    said = {_what_it_says(r.reference) for r in pending}
    added: list[tuple[float, Resolution]] = []
    floor = 0.0
    for score, reference in pointed:
        floor = floor or NEAR_BEST * score
        if score < floor:
            break
        worth[reference.at.begins] = score
        what = _what_it_says(reference)
        passed = what in said or reference.kind is ReferenceKind.LINK or not leads_on(reference)
        read = any(p.lines.doc == reference.at.doc and reference.at.line in p.lines for p in evidence)
        if not (passed or read or len(added) == MOST_ADDED):
            said.add(what)
            added.append((score, open_resolution(reference)))
    if not added:
        return list(pending)
    every = [(worth.get(r.reference.at.begins, 0.0), r) for r in pending] + added
    return [r for _, r in sorted(every, key=lambda one: -one[0])]


def _what_it_says(r: Reference) -> tuple[object, ...]:
    return (r.at.doc, r.kind, r.labels, r.selector, r.container or r.labels or r.text)
