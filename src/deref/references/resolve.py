"""Resolve a reference: exactly one Resolution, with a status and one sentence that says why. Nothing is guessed.

The tiers, from the surest: the native link at that place; the label in the document at hand; the named container
(bibliography tag, alias, short form, "thereof"); the definition. A label that is missing at home may be another file:
an exhibit or schedule kept apart, or a further part of a work in several files. What is left is dangling (it should
be in a document we hold), external (it leaves the shelf) or unresolved (the shelf does not say).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from deref.references.beside import held_over, named_after, named_beside, shared_behind
from deref.references.borrowed import Borrowed
from deref.references.counted import has_none, where_counted
from deref.references.find import find
from deref.references.foretold import bracketed, foretold
from deref.references.in_english import in_english
from deref.references.labelled import find_label
from deref.references.linked import linked_container
from deref.references.narrowing import select, sub_paragraph
from deref.references.native import follow, index_links, links_under
from deref.references.outcome import Found, Missing, Where, resolution, said
from deref.references.places import APPENDED, SECTIONAL
from deref.references.relative import resolve_relative
from deref.references.siblings import apart, part_of_a_work
from deref.references.strangers import strange_paper
from deref.references.told import words_behind
from deref.references.unlabelled import resolve_names, resolve_pages, resolve_tags, resolve_term
from deref.references.view import ReferencesOf, View
from deref.text.labels import split_sub
from deref.text.lazy import lazy
from deref.values import (
    Document,
    Link,
    Reference,
    ReferenceKind,
    Resolution,
    Status,
    Target,
    Tier,
)

if TYPE_CHECKING:
    # The doors bring numpy with them, which finding and resolving never need.
    from deref.ports import Shelf
    from deref.references.documents import Names

_JOINED = lazy(r"^,? (?:of|in|from) ")
_NEAR = lazy(r" ?[a-z][.)] (?:above|below)\b")
_NEAR_BEHIND = 20
_DEEPEST = 6
"""A container in a container, and "thereof" behind "thereof", are followed so far and no further."""


def resolve(reference: Reference, *, home: Document, shelf: Shelf, links: bool = True) -> Resolution:
    """Return what became of one reference of `home`. `links` says whether native links may be followed.

    For many references of one shelf a `Resolver` reads the shelf only once.
    """
    return Resolver(shelf, links=links)(reference, home)


class Resolver:
    """Resolves references against one shelf, keeping what it has read of it."""

    def __init__(self, shelf: Shelf, *, links: bool = True, references: ReferencesOf = find) -> None:
        """Take the door to the shelf, whether native links may be followed, and what gives the references of a document."""
        self._view = View(shelf, references)
        self._links = links
        self._by_line: dict[str, dict[int, list[Link]]] = {}
        self._borrowed: dict[str, Borrowed] = {}
        self._depth = 0

    def __call__(self, reference: Reference, home: Document) -> Resolution:
        """Return the resolution of a reference that is written in `home`."""
        if self._depth > _DEEPEST:
            return resolution(reference, Status.UNRESOLVED, f"“{reference.text}” leads round in a circle")
        if not self._depth and self._view.is_full:
            self._view.let_go()
            self._by_line.clear()
            self._borrowed.clear()
        self._depth += 1
        try:
            plain = in_english(reference, home)
            outcome = self._resolved(plain, home)
            return outcome if plain is reference else replace(outcome, reference=reference)
        finally:
            self._depth -= 1

    @property
    def names(self) -> Names:
        """The names of the documents of the shelf."""
        return self._view.names

    def within(self, reference: Reference, document: Document, home: Document) -> Resolution:
        """Return what a reference of `home` is in a document that is known to be meant; its container is a place in there."""
        plain = in_english(reference, home)
        where: Where = Where(document=document, tier=Tier.CONTAINER, said=document.name, outside=True)
        if plain.container is not None:
            counted = where_counted(self._view, document, plain, lambda r: self.within(r, document, home))
            if isinstance(counted, Missing):
                return resolution(reference, counted.status, counted.why, tier=counted.tier)
            where = counted._replace(outside=True)
        found = [find_label(self._view, where, home, plain, label) for label in plain.labels]
        if where.span is None and plain.kind in APPENDED:
            found = [
                self._or_apart(one, plain, document, label)
                for one, label in zip(found, plain.labels, strict=True)
            ]
        return replace(self._gathered(plain, found, where), reference=reference)

    def _resolved(self, reference: Reference, home: Document) -> Resolution:
        if self._links and (native := self._native(reference, home)) is not None:
            return native
        kind = reference.kind
        if kind is ReferenceKind.LINK:
            return resolution(
                reference, Status.UNRESOLVED, "it is a link by its words alone, and its link was not followed"
            )
        if kind is ReferenceKind.RELATIVE:
            return self._relative(reference, home)
        if kind is ReferenceKind.BIBLIOGRAPHY:
            return resolve_tags(self._view, home, reference)
        if kind in (ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL):
            return resolve_names(self._view, home, reference)
        if kind is ReferenceKind.DEFINITION:
            return resolve_term(self._view, home, reference, lambda r: self(r, home))
        if kind is ReferenceKind.PAGE:
            return resolve_pages(self._view, home, reference, lambda r: self(r, home))
        return self._labelled(reference, home)

    def _native(self, reference: Reference, home: Document) -> Resolution | None:
        if home.id not in self._by_line:
            self._by_line[home.id] = index_links(home)
        links = links_under(home, reference, self._by_line[home.id])
        reached = follow(self._view, home, reference, links) if links else None
        if reached is None:
            return None
        if isinstance(reached, Missing):
            own = None
            if reached.status is Status.EXTERNAL and reference.kind is not ReferenceKind.LINK:
                own = _without_links(self)(reference, home)
            if own is not None and own.status is Status.RESOLVED:
                return own
            return resolution(
                reference, reached.status, reached.why, tier=reached.tier, targets=reached.targets
            )
        targets, note = self._narrowed(reference, self._parts(reference, reached))
        return resolution(
            reference,
            Status.RESOLVED,
            f"its link goes to {said(targets)}{note}",
            tier=Tier.LINK,
            targets=targets,
        )

    def _parts(self, reference: Reference, targets: tuple[Target, ...]) -> tuple[Target, ...]:
        """A link goes to a section; the sub-paragraph that the words name is its focus."""
        parts = split_sub(reference.labels[0])[1] if len(reference.labels) == len(targets) == 1 else ()
        document = self._view.document(targets[0].lines.doc) if parts else None
        if document is None or targets[0].focus:
            return targets
        focus = sub_paragraph(document, targets[0].lines, parts)
        return (replace(targets[0], focus=(focus,)),) if focus else targets

    def _narrowed(self, reference: Reference, targets: tuple[Target, ...]) -> tuple[tuple[Target, ...], str]:
        """The targets with the lines that the selector picks, and a note when it picks none."""
        if reference.selector is None:
            return targets, ""
        out: list[Target] = []
        notes: list[str] = []
        for place in targets:
            document = self._view.document(place.lines.doc)
            if document is None:
                out.append(place)
                continue
            span = place.focus[0] if place.focus else place.lines
            item = next(
                (i for i in document.items if i.lines == place.lines and i.kind.value == place.kind), None
            )
            picked = select(document, span, item, reference.selector)
            out.append(
                replace(
                    place,
                    focus=picked.focus or place.focus,
                    header=picked.header if picked.focus else place.header,
                )
            )
            notes.append(picked.missing)
        note = next((n for n in notes if n), "")
        return tuple(out), f", but {note}" if note and not any(t.focus for t in out) else (
            f"; {note}" if note else ""
        )

    def _relative(self, reference: Reference, home: Document) -> Resolution:
        if reference.selector is None:
            return resolve_relative(self._view, home, reference, lambda r: self(r, home))
        rest = _JOINED.sub("", " ".join(reference.text.split()).removeprefix(reference.selector))
        plain = replace(reference, text=rest, selector=None)
        outcome = resolve_relative(self._view, home, plain, lambda r: self(r, home))
        if outcome.status is not Status.RESOLVED:
            return replace(outcome, reference=reference)
        targets, note = self._narrowed(reference, outcome.targets)
        return replace(
            outcome, reference=reference, targets=targets, why=outcome.why.rstrip(".") + f"{note}."
        )

    def _labelled(self, reference: Reference, home: Document) -> Resolution:
        if reference.container is None and (last := shared_behind(self._view, home, reference)):
            why = f"“{last.container}” behind “{last.text}” may be meant for “{reference.text}” too"
            return self._shared(reference, last.container or "", home, why)
        if reference.container is None and (name := bracketed(self._view, home, reference)):
            why = f"“{reference.text}” may be that of “{name}” before it"
            return self._shared(reference, name, home, why)
        return self._counted(reference, home)

    def _shared(self, reference: Reference, container: str, home: Document, why: str) -> Resolution:
        """A pointer that what stands beside it may be the container of: "Section 4 and Section 5 of the Lease", "the Lease (Section 4)".

        The container is meant for all, unless home has such a place of its own: then either may be meant. A mere mark, as
        in "point (a) or point (b) of Article 6", is of the container whatever home has.
        """
        own = self._counted(reference, home)
        there = self._counted(replace(reference, container=container), home)
        if there.status is Status.UNRESOLVED or (there.targets and there.targets == own.targets):
            return own
        there = replace(there, reference=reference)
        here = own.status in (Status.RESOLVED, Status.AMBIGUOUS) and all(
            not find_label(self._view, Where(document=home), home, reference, label).lacking
            for label in reference.labels
        )
        if reference.kind is ReferenceKind.PARAGRAPH or not here:
            return there
        if there.status is Status.DANGLING:
            return own
        return resolution(
            reference,
            Status.AMBIGUOUS,
            f"{why}, which this document has as well",
            tier=Tier.CONTAINER,
            targets=(*own.targets, *there.targets),
        )

    def _counted(self, reference: Reference, home: Document) -> Resolution:
        if reference.kind is ReferenceKind.PART:
            parts = [part_of_a_work(self._view, home, reference, label) for label in reference.labels]
            if (there := [one for one in parts if one is not None]) and len(there) == len(parts):
                return self._gathered(reference, there, Where(document=home))
        where: Where | Missing = Where(document=home)
        linked = (
            linked_container(self._view, home, reference, self._by_line[home.id]) if self._links else None
        )
        if isinstance(linked, Where):
            where = linked
        elif reference.container is not None:
            where = where_counted(self._view, home, reference, lambda r: self(r, home))
        elif (named := self._named_around(reference, home)) is not None:
            where = named
        elif (over := held_over(self._view, home, reference, lambda r: self(r, home), same=True)) is not None:
            where = over
        elif linked is not None:
            where = linked
        if linked is not None and isinstance(where, Missing) and where.status is Status.UNRESOLVED:
            where = linked
        if isinstance(where, Missing) and (on := self._going_on(reference, where, home)):
            return self._gathered(reference, on, Where(document=home))
        if isinstance(where, Missing):
            return resolution(reference, where.status, where.why, tier=where.tier,
                              targets=where.targets if where.status in (Status.AMBIGUOUS, Status.EXTERNAL) else ())  # fmt: skip
        self._view.places(home)
        found = [find_label(self._view, where, home, reference, label) for label in reference.labels]
        if where.span is None and (where.document is home or reference.kind in APPENDED):
            found = [
                self._or_apart(one, reference, where.document, label)
                for one, label in zip(found, reference.labels, strict=True)
            ]
        if (
            where.document is home
            and reference.container is None
            and all(f.status in (Status.DANGLING, Status.UNRESOLVED) for f in found)
        ):
            found = self._or_beside(found, reference, home)
        elif where.document is home and reference.container is None and all(map(_lacks_its_part, found)):
            found = self._lent(found, reference, home)
        return self._gathered(reference, found, where)

    def _named_around(self, reference: Reference, home: Document) -> Where | Missing | None:
        """Where the document leads that stands right behind a label, or before it as what it is in."""
        behind = named_after(self._view, home, reference)
        return (
            behind
            or foretold(self._view, home, reference, lambda r: self(r, home))
            or strange_paper(self._view, home, reference)
        )

    def _going_on(self, reference: Reference, where: Missing, home: Document) -> list[Found]:
        """The labels in further parts of the work behind a word in capitals that the shelf does not know: "DROP TABLE, REINDEX, Section 28.4"."""
        if where.status is not Status.EXTERNAL or not reference.text.startswith(f"{reference.container},"):
            return []
        on = [apart(self._view, home, reference, label) for label in reference.labels]
        return [one for one in on if one is not None] if None not in on else []

    def _or_apart(self, one: Found, reference: Reference, home: Document, label: str) -> Found:
        """What another file of the shelf has under this label, where home has nothing or a mere stub of it."""
        stub = (
            one.status is Status.RESOLVED
            and reference.kind in APPENDED
            and len(one.targets) == 1
            and _is_stub(home, one.targets[0])
        )
        if one.status is not Status.DANGLING and one.status is not Status.UNRESOLVED and not stub:
            return one
        # A paragraph without its section is one of the text at hand, never chapter 9 beside it; so is an item "above".
        if (reference.kind is ReferenceKind.PARAGRAPH and label.isdigit()) or _is_near(reference, home):
            return one
        elsewhere = apart(self._view, home, reference, label)
        return elsewhere if elsewhere is not None else one

    def _or_beside(self, found: list[Found], reference: Reference, home: Document) -> list[Found]:
        """The labels in the document that stands right beside the reference, where it has them all and home has none."""
        for where in named_beside(self._view, home, reference, lambda r: self(r, home)):
            there = [find_label(self._view, where, home, reference, label) for label in reference.labels]
            if all(one.status is Status.RESOLVED for one in there):
                return there
        over = held_over(self._view, home, reference, lambda r: self(r, home), same=False)
        if isinstance(over, Missing) and over.status is Status.EXTERNAL:
            return [Found(status=over.status, tier=over.tier or Tier.CONTAINER, why=over.why) for _ in found]
        if reference.kind in SECTIONAL and has_none(self._view, home, reference.labels):
            return self._lent(found, reference, home)
        return found

    def _lent(self, found: list[Found], reference: Reference, home: Document) -> list[Found]:
        """The labels in the document that home cites for them elsewhere, where it has them all."""
        if home.id not in self._borrowed:
            self._borrowed[home.id] = Borrowed(self._view, home, lambda r: self(r, home))
        where = self._borrowed[home.id].where(self._view, reference)
        if where is None:
            return found
        there = [find_label(self._view, where, home, reference, label) for label in reference.labels]
        return there if all(one.status is Status.RESOLVED for one in there) else found

    def _gathered(self, reference: Reference, found: Sequence[Found], where: Where) -> Resolution:
        targets = tuple(t for one in found for t in one.targets)
        worst = next(
            (
                one
                for status in (Status.DANGLING, Status.EXTERNAL, Status.UNRESOLVED, Status.AMBIGUOUS)
                for one in found
                if one.status is status
            ),
            None,
        )
        if worst is not None:
            return resolution(reference, worst.status, worst.why, tier=worst.tier, targets=targets)
        targets, note = self._narrowed(reference, targets)
        whys = [one.why for one in found if one.why]
        place = f" in {where.said}" if where.outside or where.span is not None else ""
        why = whys[0] if len(whys) == 1 and len(found) == 1 else f"it is {said(targets)}{place}"
        return resolution(
            reference,
            Status.RESOLVED,
            why + note,
            tier=found[0].tier if found else where.tier,
            targets=targets,
        )


def _without_links(resolver: Resolver) -> Resolver:
    other = Resolver.__new__(Resolver)
    other.__dict__.update(resolver.__dict__)
    other._links = False
    return other


def _lacks_its_part(one: Found) -> bool:
    """Whether a section was found but not the part in brackets that the label names in it."""
    return one.status is Status.RESOLVED and bool(one.lacking)


def _is_near(reference: Reference, home: Document) -> bool:
    """Whether the words behind a label say that it is an item of a list in the same text: "section 2 a. above"."""
    return _NEAR.match(words_behind(home, reference, _NEAR_BEHIND)) is not None


def _is_stub(home: Document, place: Target) -> bool:
    body = [
        home.lines[n].text
        for n in range(place.lines.start, min(place.lines.end, place.lines.start + 12))
        if home.lines[n].text.strip()
    ]
    return place.lines.doc == home.id and len(body) <= 4 and sum(map(len, body)) < 400
