"""Which documents may answer a question: its filter, and the standing of the documents of the shelf.

Only active documents answer. Others do as well when the caller asks by a test of status, when the setting `retrieve.status`
is "all", and when the question asks: it has a word for such documents ("the superseded policy", "withdrawn"), or it names
one of them. A shelf on which all are active costs one look, and no filter is made then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from deref.errors import UsageError
from deref.ports import Store
from deref.trace.events import LeftOut
from deref.trace.sinks import Sink
from deref.values import Answer, Document, Query, Resolution, Scope, Span, Target

if TYPE_CHECKING:
    from deref.loop.pursue import Admitted
    from deref.values.filters import Filter
    from deref.values.standing import Standing, StatusMark


def admitted(query: Query, store: Store, *, where: Filter | str | None, every_status: bool) -> Query:
    """Return the query with the filter that it is asked under, the very same one when everything may answer.

    `every_status` says whether documents that are not active answer unasked. Raises UsageError for a filter that cannot be
    read, or names a document or collection which is not on the shelf.
    """
    aside = {} if every_status else store.standings(query.scope)
    if where is None and not aside:
        return query
    from dataclasses import replace

    from deref.text.where import read_where
    from deref.values.filters import Every, InDocument, OfStatus, Some, tests
    from deref.values.standing import DocumentStatus

    made = read_where(where) if isinstance(where, str) else where
    if made is not None:
        store.passes(made, query.scope)
    asked = made is not None and any(isinstance(test, OfStatus) for test in tests(made))
    if aside and not asked and not _ASKED.search(query.text):
        named = _named(query, store, aside)
        active: Filter = OfStatus(status=DocumentStatus.ACTIVE)
        if named:
            active = Some(parts=(active, *(InDocument(pattern=doc) for doc in named)))
        made = active if made is None else Every(parts=(made, active))
    return replace(query, filter=made)


_ASKED = re.compile(
    r"\b(?:superseded|withdrawn|obsoleted?|rescinded|no longer (?:in force|valid|applies))\b", re.IGNORECASE
)


def _named(query: Query, store: Store, aside: Mapping[str, Standing]) -> Sequence[str]:
    """Return the documents set aside that the question names: by a name in full, or as a title of theirs alone."""
    from deref.retrieve.title import LOOKED_UP, satisfying
    from deref.text.names import normalize_name

    text = f" {normalize_name(query.text)} "
    names: list[tuple[str, str]] = []
    for card in store.shelf(query.scope).cards():
        stem = card.name.rpartition("/")[2]
        for name in (card.name, stem, stem.rpartition(".")[0], card.title, *card.aliases):
            folded = normalize_name(name)
            if len(folded.split()) > 1 or any(sign.isdigit() for sign in folded):
                names.append((f" {folded} ", card.id))
    said = {(name, doc) for name, doc in names if name in text}
    whole = {name for name, _ in said if not any(name in other and name != other for other, _ in said)}
    by_name = {name: {doc for other, doc in said if other == name} for name in whole}
    found = {doc for docs in by_name.values() if docs <= aside.keys() for doc in docs}
    if query.intent is not None:
        titles = satisfying(query.intent, lambda phrase: store.titles(phrase, LOOKED_UP, query.scope, None))
        if titles and all(title.doc in aside for title in titles):
            found |= {title.doc for title in titles}
    return sorted(found)


def tell_left_out(query: Query, store: Store, emit: Sink) -> None:
    """Tell what the filter left out: everything, or the passage that is nearest by words for its document's standing."""
    if query.filter is None:
        return
    from deref.values.filters import Every, Except, OfStatus, of_any_status
    from deref.values.standing import DocumentStatus

    if not store.passes(query.filter, query.scope):
        what = "the filter leaves no passage of this shelf; widen it"
        if store.passes(of_any_status(query.filter), query.scope):
            what = "what passes the filter is superseded or withdrawn: ask with the filter status:all to search it"
        emit(LeftOut(what=what))
        return
    aside = store.standings(query.scope)
    if not aside:
        return

    inactive = Except(part=OfStatus(status=DocumentStatus.ACTIVE))
    others = Every(parts=(of_any_status(query.filter), inactive))
    best = store.lexical(query.text, 1, query.scope, others)
    mine = store.lexical(query.text, 1, query.scope, query.filter)
    if best and (not mine or best[0].score > mine[0].score):
        doc = best[0].chunk.lines.doc
        told = told_standing(_name(store, query, doc), aside[doc])
        emit(LeftOut(what=f"{told}; it was left out: ask with the filter status:all to search it too"))


def _name(store: Store, query: Query, doc: str) -> str:
    document = store.shelf(query.scope).document(doc)
    return doc if document is None else document.name


def told_standing(name: str, standing: Standing) -> str:
    """Return what a document's standing is, in words: "old.pdf is superseded by new.pdf (it was marked so)"."""
    by = f" by {standing.successor}" if standing.successor else ""
    why = f" ({standing.why})" if standing.why else ""
    return f"{name} is {standing.status.value}{by}{why}"


def cited_aside(answer: Answer, store: Store, scope: Scope, name: Callable[[str], str]) -> list[str]:
    """Tell of each cited document that it is not active; `name` names a document by id."""
    aside = store.standings(scope)
    cited = dict.fromkeys(c.lines.doc for c in answer.citations) if aside else ()
    return [told_standing(name(doc), aside[doc]) for doc in cited if doc in aside]


def mark_of(document: Document, status: str, successor: Document | None) -> StatusMark:
    """Return the mark for a document. Raises UsageError as `Engine.mark` says."""
    from deref.values.standing import DocumentStatus, StatusMark

    if status not in {known.value for known in DocumentStatus}:
        names = ", ".join(known.value for known in DocumentStatus)
        raise UsageError(f"{status}: there is no such status; mark a document as one of {names}")
    if status == DocumentStatus.SUPERSEDED and successor is None:
        raise UsageError(
            f"{document.name}: say by which document it is superseded, e.g. --by NEW.pdf; or mark it withdrawn"
        )
    if status != DocumentStatus.SUPERSEDED and successor is not None:
        raise UsageError(f"{document.name}: only a superseded document is so by another; leave --by out")
    if successor is not None and successor.id == document.id:
        raise UsageError(f"{document.name}: a document cannot supersede itself; name another with --by")
    return StatusMark(
        doc=document.id,
        name=document.name,
        status=DocumentStatus(status),
        successor=successor.id if successor else "",
        successor_name=successor.name if successor else "",
    )


def with_standing(
    resolution: Resolution, aside: Mapping[str, Standing], name: Callable[[str], str]
) -> Resolution:
    """Return a resolution whose `why` also says which of its targets stand in documents that are not active.

    Not for pointers inside such a document. The very same one when there is nothing to say.
    """
    from dataclasses import replace

    docs = dict.fromkeys(t.lines.doc for t in resolution.targets)
    told = [
        told_standing(name(doc), aside[doc])
        for doc in docs
        if doc in aside and doc != resolution.reference.at.doc
    ]
    if not told:
        return resolution
    return replace(resolution, why=f"{resolution.why.rstrip('.')}; {'; '.join(told)}.")


def target_admitted(query: Query, target: Target, store: Store) -> Admitted:
    """Return what of a place may be read under the filter of a query: all of it, some spans, or nothing and why."""
    from deref.loop.pursue import ALL_OF_IT, Admitted

    if query.filter is None:
        return ALL_OF_IT
    doc = target.lines.doc
    passing = store.chunks(doc, query.scope, query.filter)
    if len(passing) == len(store.chunks(doc, query.scope)):
        return ALL_OF_IT
    spans = tuple(
        Span(doc=doc, start=max(c.lines.start, target.lines.start), end=min(c.lines.end, target.lines.end))
        for c in passing
        if c.lines.start < target.lines.end and target.lines.start < c.lines.end
    )
    standing = store.standings(query.scope).get(doc)
    what = (
        "the filter does not let it through"
        if standing is None or passing
        else f"being {standing.status.value}"
    )
    return Admitted(spans, what)
