"""What other papers of a shelf amend of the documents that an answer cites.

Passages that say so are looked for by words: the title of the document and the verbs that change something. Those that have such a verb
have their references read, and what its sentence amends resolved. What was found of a document is kept with the other looks of the
scope, until the shelf changes. A paper that is superseded or withdrawn amends nothing, nor does one that the filter leaves out;
what the caller may not see is not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from deref.admission import target_admitted
from deref.answer.amends import WORDS, Amending, amending_lines, amends, may_amend
from deref.following import pointers_in, reader_of
from deref.reading import Reading
from deref.values import Query, Scope, Status, Target

MOST_LOOKED_THROUGH = 30
"""Passages that are looked through for one document: to find them costs some milliseconds when its first question comes."""
MOST_DOCUMENTS = 3
"""Cited documents that are looked at, those that are cited first."""


def amendments_of(library: Reading, scope: Scope, query: Query, docs: Sequence[str]) -> list[Amending]:
    """Return what amends places of the first MOST_DOCUMENTS of these documents, by id. On a shelf of one document nothing does."""
    if len(library.shelf(scope).cards()) == 1:
        return []
    looks, aside = library.seen(scope).looks, library.store.standings(scope)
    found = []
    for doc in docs[:MOST_DOCUMENTS]:
        for one in looks.amending(doc, partial(_amending, library, scope, doc)):
            there = Target(lines=one.lines, kind="lines", label=None, title="")
            if one.lines.doc not in aside and target_admitted(query, there, library.store).spans != ():
                found.append(one)
    return found


def _amending(library: Reading, scope: Scope, doc: str) -> tuple[Amending, ...]:
    read = reader_of(library, scope)
    found = []
    for hit in library.store.lexical(f"{read(doc).title} {WORDS}", MOST_LOOKED_THROUGH, scope):
        chunk = hit.chunk
        if chunk.lines.doc == doc or not may_amend(chunk.text):
            continue
        for reference, sentence in pointers_in(library, scope, read, chunk):
            if not amends(sentence, reference.text):
                continue
            resolution = library.resolve(reference, scope)
            targets = tuple(t for t in resolution.targets if t.lines.doc == doc and t.kind != "document")
            if resolution.status is Status.RESOLVED and targets:
                lines = amending_lines(read(chunk.lines.doc), reference.at)
                found.append(Amending(reference, targets, lines))
    return tuple(found)
