"""Pointers that lead nowhere, of the lines that an answer quotes, told in a note each.

A pointer that bears on the question is open, and makes the answer partial. Any other in a quote is a fault of the document that a
reader of the quote would trip over.
"""

from __future__ import annotations

from deref.reading import Reading
from deref.values import Answer, FoundBy, Scope, Status

MOST_TOLD = 5


def dead_ends(library: Reading, scope: Scope, answer: Answer) -> list[str]:
    """Return a note for each pointer of the quoted lines that dangles, in order, each pointer of a document once."""
    listed = {r.reference.at.begins for r in (*answer.pending, *answer.external)}
    told: dict[tuple[str, str], str] = {}
    for number, citation in enumerate(answer.citations, start=1):
        for reference in library.stored_in(citation.lines, scope):
            said = (citation.lines.doc, reference.text)
            if said in told or reference.at.begins in listed or reference.found_by is not FoundBy.GRAMMAR:
                continue
            if len(told) == MOST_TOLD:
                return list(told.values())
            resolution = library.resolve(reference, scope)
            if resolution.status is Status.DANGLING:
                told[said] = f"“{reference.text}” in [{number}] leads nowhere: {resolution.why}"
    return list(told.values())
