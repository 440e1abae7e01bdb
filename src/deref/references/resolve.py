"""Resolve a reference: exactly one Resolution, with a status and one sentence that says why. Nothing is guessed.

The tiers, from the surest: the native link at that place; the label in the document at hand; the named container
(bibliography tag, alias, short form, "thereof"); the definition. A label that is missing at home may be another file:
an exhibit or schedule kept apart, or a further part of a work in several files. What is left is dangling (it should
be in a document we hold), external (it leaves the shelf) or unresolved (the shelf does not say).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from deref.references.beside import held_over, named_after, named_beside
from deref.references.bibliography import behind_tag, entry_of
from deref.references.counted import documents_called, where_counted
from deref.references.labelled import Found, find_label
from deref.references.lazy import lazy
from deref.references.linked import linked_container
from deref.references.narrowing import select, sub_paragraph
from deref.references.native import follow, index_links, links_under
from deref.references.outcome import Missing, Where, resolution, target, whole
from deref.references.places import APPENDED, Spot
from deref.references.relative import resolve_relative
from deref.references.siblings import apart
from deref.references.view import View, called
from deref.text.labels import split_sub
from deref.text.names import normalize_name
from deref.values import (
    Document,
    Item,
    Link,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
    Target,
    Tier,
)

if TYPE_CHECKING:
    # The doors bring numpy with them, which finding and resolving never need.
    from deref.ports import Shelf

_JOINED = lazy(r"^,? (?:of|in|from) ")
_DEEPEST = 6
"""A container in a container, and "thereof" behind "thereof", are followed so far and no further."""


def resolve(reference: Reference, *, home: Document, shelf: Shelf, links: bool = True) -> Resolution:
    """Return what became of one reference of `home`. `links` says whether native links may be followed.

    For many references of one shelf a `Resolver` reads the shelf only once.
    """
    return Resolver(shelf, links=links)(reference, home)


class Resolver:
    """Resolves references against one shelf, keeping what it has read of it."""

    def __init__(self, shelf: Shelf, *, links: bool = True) -> None:
        """Take the door to the shelf; `links` says whether native links may be followed."""
        self._view = View(shelf)
        self._links = links
        self._by_line: dict[str, dict[int, list[Link]]] = {}
        self._depth = 0

    def __call__(self, reference: Reference, home: Document) -> Resolution:
        """Return the resolution of a reference that is written in `home`."""
        if self._depth > _DEEPEST:
            return resolution(reference, Status.UNRESOLVED, f"“{reference.text}” leads round in a circle")
        self._depth += 1
        try:
            return self._resolved(reference, home)
        finally:
            self._depth -= 1

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
            return self._bibliography(reference, home)
        if kind in (ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL):
            return self._documents(reference, home)
        if kind is ReferenceKind.DEFINITION:
            return self._definition(reference, home)
        if kind is ReferenceKind.PAGE:
            return self._page(reference, home)
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
            f"its link goes to {_said(targets)}{note}",
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
        where: Where | Missing = Where(document=home)
        linked = (
            linked_container(self._view, home, reference, self._by_line[home.id]) if self._links else None
        )
        if isinstance(linked, Where):
            where = linked
        elif reference.container is not None:
            where = where_counted(self._view, home, reference, lambda r: self(r, home))
        elif (named := named_after(self._view, home, reference)) is not None:
            where = named
        elif (over := held_over(self._view, home, reference, lambda r: self(r, home), same=True)) is not None:
            where = over
        elif linked is not None:
            where = linked
        if linked is not None and isinstance(where, Missing) and where.status is Status.UNRESOLVED:
            where = linked
        if isinstance(where, Missing):
            return resolution(reference, where.status, where.why, tier=where.tier,
                              targets=where.targets if where.status is Status.AMBIGUOUS else ())  # fmt: skip
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
        return self._gathered(reference, found, where)

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
        return found

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
            shown = targets if worst.status in (Status.DANGLING, Status.AMBIGUOUS) else ()
            return resolution(reference, worst.status, worst.why, tier=worst.tier, targets=shown)
        targets, note = self._narrowed(reference, targets)
        whys = [one.why for one in found if one.why]
        place = f" in {where.said}" if where.outside or where.span is not None else ""
        why = whys[0] if len(whys) == 1 and len(found) == 1 else f"it is {_said(targets)}{place}"
        return resolution(
            reference,
            Status.RESOLVED,
            why + note,
            tier=found[0].tier if found else where.tier,
            targets=targets,
        )

    def _bibliography(self, reference: Reference, home: Document) -> Resolution:
        targets: list[Target] = []
        whys: list[str] = []
        worst: Missing | None = None
        tier = Tier.BIBLIOGRAPHY
        for tag in reference.labels:
            behind = behind_tag(self._view, home, tag)
            entry = entry_of(home, tag)
            if isinstance(behind, Where):
                targets.append(whole(behind.document))
                whys.append(f"[{tag}] is {behind.said}")
                tier = behind.tier
            elif entry is not None:
                targets.append(target(Spot(None, entry)))
                whys.append(behind.why)
                worst = worst or (behind if len(reference.labels) == 1 else None)
            else:
                worst = worst if worst is not None and worst.status is Status.DANGLING else behind
        if worst is not None:
            return resolution(
                reference, worst.status, worst.why, tier=worst.tier, targets=tuple(targets) or worst.targets
            )
        return resolution(reference, Status.RESOLVED, whys[0] if len(whys) == 1 else f"each of its {len(whys)} tags has an entry", tier=tier,
                          targets=tuple(targets))  # fmt: skip

    def _documents(self, reference: Reference, home: Document) -> Resolution:
        targets: list[Target] = []
        how = ""
        for name in reference.labels or (reference.text,):
            found = documents_called(self._view, home, name)
            if found is None and (meant := _defined(self._view, home, name)) is not None:
                return resolution(reference, Status.RESOLVED, f"“{name}” is defined in this document", tier=Tier.DEFINITION,
                                  targets=(target(Spot(None, meant)),))  # fmt: skip
            if found is None:
                status = Status.EXTERNAL
                return resolution(
                    reference, status, f"{name} is not on the shelf", tier=Tier.ALIAS, targets=tuple(targets)
                )
            documents, how = found
            if len(documents) > 1:
                names = ", ".join(called(d) for d in documents)
                return resolution(reference, Status.AMBIGUOUS, f"“{name}” names {len(documents)} documents equally well: {names}", tier=Tier.ALIAS,
                                  targets=tuple(whole(d) for d in documents))  # fmt: skip
            targets.append(whole(documents[0]))
        return resolution(
            reference,
            Status.RESOLVED,
            f"it is {_said(tuple(targets))} ({how})",
            tier=Tier.ALIAS,
            targets=tuple(targets),
        )

    def _definition(self, reference: Reference, home: Document) -> Resolution:
        term = reference.labels[0] if reference.labels else reference.text
        where: Where | Missing = (
            where_counted(self._view, home, reference, lambda r: self(r, home))
            if reference.container
            else Where(document=home)
        )
        if isinstance(where, Missing):
            return resolution(reference, where.status, where.why, tier=where.tier, targets=where.targets)
        items = self._view.places(where.document).definitions.get(normalize_name(term), [])
        if len(items) == 1:
            return resolution(
                reference,
                Status.RESOLVED,
                f"“{term}” is defined in {where.said}",
                tier=Tier.DEFINITION,
                targets=(target(Spot(None, items[0])),),
            )
        if items:
            return resolution(reference, Status.AMBIGUOUS, f"“{term}” is defined {len(items)} times in {where.said}", tier=Tier.DEFINITION,
                              targets=tuple(target(Spot(None, i)) for i in items))  # fmt: skip
        titled = [
            s
            for s in where.document.sections
            if normalize_name(s.title.strip(' .:“”"')) == normalize_name(term)
        ]
        if len(titled) == 1:
            why = f"“{term}” heads a section in {where.said}"
            place = target(Spot(titled[0], None))
            return resolution(reference, Status.RESOLVED, why, tier=Tier.DEFINITION, targets=(place,))
        if where.outside and where.span is None:
            why = f"no definition of “{term}” was found in {where.said}, so that document is given whole"
            return resolution(
                reference, Status.RESOLVED, why, tier=where.tier, targets=(whole(where.document),)
            )
        why = f"{where.said} has no definition of “{term}”"
        return resolution(reference, Status.DANGLING, why, tier=Tier.DEFINITION)

    def _page(self, reference: Reference, home: Document) -> Resolution:
        targets: list[Target] = []
        for label in reference.labels:
            lines = _page_lines(home, label)
            if lines is None:
                status = Status.DANGLING if home.pages > 1 else Status.UNRESOLVED
                return resolution(
                    reference,
                    status,
                    f"there is no page {label} with text in this document",
                    tier=Tier.LABEL,
                    targets=tuple(targets),
                )
            targets.append(Target(lines=lines, kind="page", label=label, title=""))
        return resolution(
            reference,
            Status.RESOLVED,
            f"it is the page printed as {', '.join(reference.labels)}",
            tier=Tier.LABEL,
            targets=tuple(targets),
        )


def _without_links(resolver: Resolver) -> Resolver:
    other = Resolver.__new__(Resolver)
    other.__dict__.update(resolver.__dict__)
    other._links = False
    return other


def _said(targets: tuple[Target, ...]) -> str:
    names = [f"{t.kind} {t.label}" if t.label else (t.title or t.kind) for t in targets]
    shown = [
        f"{n} “{t.title}”" if t.title and t.label and len(t.title) < 60 else n
        for n, t in zip(names, targets, strict=True)
    ]
    if 1 < len(shown) < 6:
        return f"{', '.join(shown[:-1])} and {shown[-1]}"
    return shown[0] if len(shown) == 1 else f"{len(shown)} places"


def _is_stub(home: Document, place: Target) -> bool:
    body = [
        home.lines[n].text
        for n in range(place.lines.start, min(place.lines.end, place.lines.start + 12))
        if home.lines[n].text.strip()
    ]
    return place.lines.doc == home.id and len(body) <= 4 and sum(map(len, body)) < 400


def _defined(view: View, home: Document, name: str) -> Item | None:
    """The definition of a term that only looks like the name of a paper: “Transition Plan” means the plan in …"""
    for item in view.places(home).definitions.get(normalize_name(name), ()):
        if item.label is not None:
            text = home.text(item.lines)
            if re.search(
                rf"{re.escape(item.label)}[”\"’'*_]*,? (?:\w+ )?(?:means?|has|shall|refers|includes?|is)\b",
                text,
            ):
                return item
    return None


def _page_lines(home: Document, label: str) -> Span | None:
    page = home.page_labels.index(label) + 1 if label in home.page_labels else None
    if page is None and label.isdigit() and not home.page_labels:
        page = int(label)
    lines = [line.n for line in home.lines if line.page == page]
    return Span(doc=home.id, start=lines[0], end=lines[-1] + 1) if lines and home.pages > 1 else None
