"""What an open library holds, as one caller may see it: documents, references, and what is worked out from them.

The read side of `Engine`, which adds indexing and questions. No model is asked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from deref.admission import with_standing
from deref.answer.looks import Looks
from deref.answer.named import asked_about, asks_for_places_alone
from deref.errors import NoSuchSource
from deref.ports import Shelf, Step, Store, unheard
from deref.references.asked import asked_places
from deref.references.asked_terms import asked_terms
from deref.references.documents import spoken_names
from deref.references.known_names import KnownNames
from deref.references.mentions import find_names, with_mentions
from deref.references.resolve import Resolver
from deref.references.rows import row
from deref.retrieve.title import LOOKED_UP, satisfying
from deref.store.recent import Recent
from deref.values import (
    EVERYTHING,
    Candidate,
    Document,
    Finding,
    Query,
    Reference,
    Resolution,
    Scope,
    Span,
    Target,
)

if TYPE_CHECKING:
    from deref.references.graph import PlaceGraph
    from deref.values.standing import Standing


class Seen(NamedTuple):
    """What is kept of passages: their units and pointers for the writer, and by id the pointers with their sentences."""

    looks: Looks
    pointers: Recent[Sequence[tuple[Reference, str]]]


KEPT_PASSAGES = 512
"""Passages whose pointers are kept."""


class Reading:
    """One open library, to be read. Not for use from several threads at once."""

    def __init__(self, store: Store) -> None:
        """Take the store."""
        self.store = store
        self._worked_out_of: str | None = None
        self._names: tuple[Scope, KnownNames] | None = None
        self._resolvers: dict[tuple[Scope, bool], Resolver] = {}
        self._aside: Mapping[str, Standing] = {}
        self._seen: tuple[Scope, Seen] | None = None

    def _forget_stale(self) -> None:
        """Drop what was worked out of the shelf when it has changed since, by this process or another."""
        generation = self.store.generation()
        if generation != self._worked_out_of:
            self._worked_out_of = generation
            self._names = None
            self._resolvers.clear()
            self._seen = None

    # Documents

    def read(self, doc: str, scope: Scope = EVERYTHING) -> Document:
        """Return a document by id.

        Raises NoSuchSource when there is none for this caller.
        """
        document = self.find_document(doc, scope)
        if document is None:
            raise NoSuchSource(f"no document {doc} on this shelf; `deref status` lists what is there")
        return document

    def find_document(self, doc: str, scope: Scope = EVERYTHING) -> Document | None:
        """Return a document by id, or None."""
        return self.shelf(scope).document(doc)

    def shelf(self, scope: Scope = EVERYTHING) -> Shelf:
        """Return the registry as this caller may see it."""
        return self.store.shelf(scope)

    def document_named(self, name: str, scope: Scope = EVERYTHING) -> Document:
        """Return the document with this name, or the only one whose name ends with it.

        Raises NoSuchSource when none or several fit.
        """
        cards = self.shelf(scope).cards()
        fits = [c for c in cards if c.name == name] or [c for c in cards if c.name.endswith("/" + name)]
        if len(fits) != 1:
            said = name.casefold()
            alike = sorted(
                cards, key=lambda c: said not in c.name.casefold() and said not in c.title.casefold()
            )
            known = ", ".join(c.name for c in (fits or alike)[:8])
            what = "several documents end in" if fits else "no document is called"
            raise NoSuchSource(f"{what} {name!r}; give the whole name, e.g. one of: {known}")
        return self.read(fits[0].id, scope)

    def names(self, scope: Scope = EVERYTHING) -> KnownNames:
        """Return the names by which running text may call the documents."""
        self._forget_stale()
        if self._names is None or self._names[0] != scope:
            cards = self.shelf(scope).cards()
            self._names = (scope, KnownNames(spoken_names(cards)))
        return self._names[1]

    def seen(self, scope: Scope = EVERYTHING) -> Seen:
        """Return what is kept of the passages that were looked through, until the shelf changes."""
        self._forget_stale()
        if self._seen is None or self._seen[0] != scope:
            self._seen = (scope, Seen(Looks(partial(self.references_in, scope=scope)), Recent(KEPT_PASSAGES)))
        return self._seen[1]

    # References

    def references_in(self, document: Document, lines: Span, scope: Scope = EVERYTHING) -> list[Reference]:
        """Return the references that begin in these lines, mentions of the shelf's documents by name included."""
        named = find_names(document.lines[lines.start : lines.end], self.names(scope), home=document)
        return with_mentions(self.stored_in(lines, scope), named)

    def stored_in(self, lines: Span, scope: Scope = EVERYTHING) -> Sequence[Reference]:
        """Return the references that begin in these lines, in order, mentions by name aside: no document is read."""
        return self.store.references(lines.doc, scope, lines)

    def references_of(self, document: Document, scope: Scope = EVERYTHING) -> list[Reference]:
        """Return all references of a document, in order."""
        named = find_names(document, self.names(scope))
        return with_mentions(self.store.references(document.id, scope), named)

    def resolve(self, reference: Reference, scope: Scope = EVERYTHING, *, links: bool = True) -> Resolution:
        """Return what becomes of a reference. `links` says whether native links may be followed.

        `why` says also when it leads into a document that is superseded or withdrawn.

        Raises NoSuchSource when the document that it is written in is not there for this caller.
        """
        resolution = self._resolver(scope, links)(reference, self.read(reference.at.doc, scope))
        if not self._aside:
            return resolution
        return with_standing(resolution, self._aside, lambda doc: self.read(doc, scope).name)

    def _resolver(self, scope: Scope, links: bool) -> Resolver:
        self._forget_stale()
        key = (scope, links)
        if key not in self._resolvers:
            shelf = self.shelf(scope)
            self._resolvers = {key: Resolver(shelf, links=links, references=partial(self._found, scope))}
            self._aside = self.store.standings(scope)
        return self._resolvers[key]

    def with_places(self, query: Query) -> Query:
        """Return a query with the sections and items that it names, and the definitions that it asks for, as far as it may be answered
        from them: see `references.asked` and `references.asked_terms`. The very same one when there are none.
        """

        def titled() -> list[str]:
            if query.intent is None:
                return []
            found = satisfying(
                query.intent, lambda phrase: self.store.titles(phrase, LOOKED_UP, query.scope, query.filter)
            )
            return [title.doc for title in found]

        def admits(target: Target) -> bool:
            chunks = self.store.chunks(target.lines.doc, query.scope, query.filter)
            return any(target.lines.start < c.lines.end and c.lines.start < target.lines.end for c in chunks)

        shelf, resolver = self.shelf(query.scope), self._resolver(query.scope, links=True)
        places = (
            *asked_places(query.text, shelf, resolver, titled=titled, admits=admits),
            *asked_terms(query.text, shelf, resolver, titled=titled, admits=admits),
        )
        if not places:
            return query
        query = replace(query, places=places)
        query = replace(query, alone=asks_for_places_alone(query, lambda doc: self.read(doc, query.scope)))
        return replace(query, places=asked_about(query))

    def _found(self, scope: Scope, document: Document) -> Sequence[Reference]:
        return self.store.references(document.id, scope)

    def row(self, resolution: Resolution, scope: Scope = EVERYTHING) -> dict[str, Any]:
        """Return a resolution as a flat JSON-ready row: see `references.rows.row`.

        A target in a document that is not active has its `standing` besides: "superseded" or "withdrawn".
        """
        values = row(resolution, lambda doc: self.find_document(doc, scope))
        if self._aside:
            for target, shown in zip(resolution.targets, values["targets"], strict=False):
                if target.lines.doc in self._aside:
                    shown["standing"] = self._aside[target.lines.doc].status.value
        return values

    def passage_row(self, candidate: Candidate, scope: Scope = EVERYTHING) -> dict[str, Any]:
        """Return a candidate of a search as a flat JSON-ready row; docs/json.md tells its fields."""
        lines = candidate.chunk.lines
        document = self.read(lines.doc, scope)
        first, last = document.lines[lines.start], document.lines[lines.end - 1]
        return {
            "source": document.name,
            "page": first.page,
            "row": first.row,
            "end_page": last.page,
            "end_row": last.row,
            "lines": [lines.start, lines.end],
            "path": candidate.chunk.path,
            "text": candidate.chunk.text,
            "arrivals": [
                {
                    "by": a.by,
                    "rank": a.rank,
                    "score": a.score,
                    "reference": self.row(a.reference, scope) if a.reference else None,
                }
                for a in candidate.arrivals
            ],
        }

    def references(
        self,
        names: Sequence[str] = (),
        scope: Scope = EVERYTHING,
        *,
        links: bool = True,
        step: Step = unheard,
    ) -> Iterator[Resolution]:
        """Yield the resolution of every reference of the named documents (all when none is named), by name and place.

        `step` hears how many of how many documents are done. Raises NoSuchSource for a name that fits none, or several.
        """
        for document in self._documents(names, scope, step):
            for reference in self.references_of(document, scope):
                yield self.resolve(reference, scope, links=links)

    def _documents(self, names: Sequence[str], scope: Scope, step: Step) -> Iterator[Document]:
        if isinstance(names, str):  # A sequence too, of names of one letter.
            names = (names,)
        wanted = names or [c.id for c in self.shelf(scope).cards()]
        for done, one in enumerate(wanted):
            document = self.document_named(one, scope) if names else self.read(one, scope)
            step(done, len(wanted), document.name)
            yield document

    def check(
        self,
        names: Sequence[str] = (),
        scope: Scope = EVERYTHING,
        *,
        rules: Sequence[str] = (),
        step: Step = unheard,
    ) -> Iterator[Finding]:
        """Yield what the checker finds in the named documents (all when none is named), by name and place.

        `rules` names the rules of `references.check_rules` that are asked for, all when empty; `step` as in `references`.
        Raises UsageError for a rule that is none, NoSuchSource for a name that fits no document, or several.
        """
        from deref.references.check import Checker, rules_named

        asked = rules_named([rules] if isinstance(rules, str) else rules)
        checker = Checker(self.shelf(scope), lambda d: self.references_of(d, scope), asked)
        for document in self._documents(names, scope, step):
            yield from checker(document)

    def changes(
        self,
        since_ns: int,
        names: Sequence[str] = (),
        scope: Scope = EVERYTHING,
        *,
        links: bool = True,
        step: Step = unheard,
    ) -> Iterator[dict[str, Any]]:
        """Yield, as rows of `references.changes.change_row`, the references whose resolution is not what it was.

        `since_ns` is in nanoseconds since the epoch; `step` hears how many of how many documents are done. Raises
        UsageError for a time of which the documents are not known, NoSuchSource for a name that no document had or has.
        """
        from deref.references.changes import State, changes_between

        past, shelf = self.store.past(since_ns, scope), self.shelf(scope)
        then = State(past, past.references, links=links)
        now = State(shelf, lambda doc: self.store.references(doc, scope), links=links)
        yield from changes_between(then, now, names=names, step=step)

    def graph(self, scope: Scope = EVERYTHING, *, links: bool = True, step: Step = unheard) -> PlaceGraph:
        """Return the graph of all references between all places of the shelf: see `references.graph.reference_graph`.

        `references.graph.document_map` makes the map of documents of it. `step` hears how many of how many documents
        are done, and the name of the next.
        """
        from deref.references.graph import reference_graph
        from deref.references.graph_reading import with_degrees

        graph = reference_graph(self.shelf(scope), self.references((), scope, links=links, step=step))
        with_degrees(graph)
        return graph

    def place_named(self, graph: PlaceGraph, said: str, scope: Scope = EVERYTHING) -> str:
        """Return the node that a person means by "Section 3.5" or "agreement.pdf Section 3.5".

        Raises UsageError, with all of them, when several places are called so, and NoSuchSource when none is.
        """
        from deref.references.named_places import place_named

        return place_named(graph, self.shelf(scope), lambda r: self.resolve(r, scope), said)
