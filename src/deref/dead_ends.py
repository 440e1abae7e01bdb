"""Pointers that lead nowhere, told in a note each: those of the lines that an answer quotes, and those of the question itself.

A pointer that bears on the question is open, and makes the answer partial. Any other in a quote is a fault of the document that a
reader of the quote would trip over. A question for "Article 100" on a shelf where nothing is called so is answered from what its other
words find, and its reader has to know that.
"""

from __future__ import annotations

from deref.reading import Reading
from deref.values import Answer, FoundBy, Query, Scope, Status

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


def untold_places(query: Query, answer: Answer) -> list[str]:
    """Return a note for each place that the question names and of which it is not known where it is, unless the answer says so."""
    told = answer.text.casefold()
    return [place.why for place in query.places if place.why and place.why.casefold() not in told]
