"""Pointers that lead nowhere, told in a note each: those of the lines that an answer quotes, and those of the question itself.

A pointer that bears on the question is open, and makes the answer partial. Any other in a quote is a fault of the document that a
reader of the quote would trip over. A question for "Article 100" on a shelf where nothing is called so is answered from what its other
words find, and its reader has to know that.
"""

from __future__ import annotations

from deref.reading import Reading
from deref.references.find import find_in
from deref.text.labels import split_sub
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Answer, FoundBy, Line, ReferenceKind, Scope, Status

MOST_TOLD = 5
_LABEL = lazy(r"\d|(?<![^\W_])[A-Z]{1,5}(?![^\W_])")
"""What a label has: without any the question is not read for places, which would take some milliseconds the first time."""
_OTHER_KINDS = (
    "paragraph",
    "equation",
    "page",
    "document",
    "definition",
    "external",
    "relative",
    "link",
    "footnote",
    "bibliography",
)
_PLACES = frozenset(kind for kind in ReferenceKind if kind.value not in _OTHER_KINDS)
"""Kinds that a question may name a place by: what is called so has a label, or is a document with that name."""


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


def unknown_places(library: Reading, scope: Scope, question: str) -> list[str]:
    """Return a note for each place that a question names by its label and that no document of the shelf has."""
    line = Line(
        doc="", n=0, page=1, row=1, text=" ".join(question.split()), box=None, size_pt=None, starts_block=True
    )
    shelf, told = library.shelf(scope), []
    for reference in find_in([line]):
        if reference.kind not in _PLACES or reference.container is not None:
            continue
        for label in reference.labels:
            if any(shelf.labelled(one) for one in (label, split_sub(label)[0])):
                continue
            called = normalize_name(f"{reference.kind.value} {label}")
            names = (name for card in shelf.cards() for name in (card.name, card.title, *card.aliases))
            if not any(f" {called} " in f" {normalize_name(name)} " for name in names):
                told.append(f"no document on this shelf has a place called {reference.kind.value} {label}")
    return told
