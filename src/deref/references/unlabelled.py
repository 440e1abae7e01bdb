"""Pointers that name no label of a section or item: tags, documents by name, defined terms, pages."""

from __future__ import annotations

import re
from collections.abc import Callable

from deref.references.bibliography import behind_tag, entries_of, of_its_list
from deref.references.counted import documents_called, where_counted
from deref.references.outcome import Missing, Where, resolution, said, target, whole
from deref.references.own import ANNOUNCED
from deref.references.places import Spot
from deref.references.told import printed_page
from deref.references.view import View, called
from deref.text.names import normalize_name
from deref.values import Document, Item, Reference, Resolution, Span, Status, Target, Tier


def resolve_tags(view: View, home: Document, reference: Reference) -> Resolution:
    """Return what bibliographic tags stand for: the documents behind their entries, each with its entry, else the entries."""
    targets: list[Target] = []
    whys: list[str] = []
    worst: Missing | None = None
    tier = Tier.BIBLIOGRAPHY
    for tag in reference.labels:
        entries = entries_of(home, tag, reference.text)
        if len(entries) > 1 and (own := of_its_list(home, tag, reference.at.line)) is not None:
            entries = [own]
        if len(entries) > 1:
            targets += [target(Spot(None, e)) for e in entries]
            why = f"{len(entries)} works in the list of references are called [{tag}]"
            worst = Missing(status=Status.AMBIGUOUS, tier=tier, why=why)
            continue
        entry = entries[0] if entries else None
        behind = behind_tag(view, home, tag, entry)
        if isinstance(behind, Where):
            targets.append(whole(behind.document))
            if entry is not None:
                targets.append(target(Spot(None, entry)))
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


def resolve_names(view: View, home: Document, reference: Reference) -> Resolution:
    """Return the documents that are called by name, or the term that only looks like a name."""
    targets: list[Target] = []
    how = ""
    for name in reference.labels or (reference.text,):
        found = documents_called(view, home, name)
        if found is None and (meant := _defined(view, home, name)) is not None:
            return resolution(reference, Status.RESOLVED, f"“{name}” is defined in this document", tier=Tier.DEFINITION,
                              targets=(target(Spot(None, meant)),))  # fmt: skip
        if found is None:
            # What is announced as a document of this shelf should be here.
            announced = home.lines[reference.at.line].text[: reference.at.char_start].endswith(ANNOUNCED)
            status = Status.DANGLING if announced else Status.EXTERNAL
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
        f"it is {said(tuple(targets))} ({how})",
        tier=Tier.ALIAS,
        targets=tuple(targets),
    )


def resolve_term(
    view: View, home: Document, reference: Reference, resolve: Callable[[Reference], Resolution]
) -> Resolution:
    """Return the definition of a term; `resolve` resolves a unit that its container names."""
    term = reference.labels[0] if reference.labels else reference.text
    where: Where | Missing = (
        where_counted(view, home, reference, resolve) if reference.container else Where(document=home)
    )
    if isinstance(where, Missing):
        return resolution(reference, where.status, where.why, tier=where.tier, targets=where.targets)
    items = view.places(where.document).definitions.get(normalize_name(term), [])
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
        s for s in where.document.sections if normalize_name(s.title.strip(' .:“”"')) == normalize_name(term)
    ]
    if len(titled) == 1:
        why = f"“{term}” heads a section in {where.said}"
        place = target(Spot(titled[0], None))
        return resolution(reference, Status.RESOLVED, why, tier=Tier.DEFINITION, targets=(place,))
    if where.outside and where.span is None:
        why = f"no definition of “{term}” was found in {where.said}, so that document is given whole"
        return resolution(reference, Status.RESOLVED, why, tier=where.tier, targets=(whole(where.document),))
    why = f"{where.said} has no definition of “{term}”"
    return resolution(reference, Status.DANGLING, why, tier=Tier.DEFINITION)


def resolve_pages(
    view: View, home: Document, reference: Reference, resolve: Callable[[Reference], Resolution]
) -> Resolution:
    """Return the pages that are printed with these numbers; `resolve` resolves a unit that the container names."""
    targets: list[Target] = []
    where: Where | Missing = (
        where_counted(view, home, reference, resolve) if reference.container else Where(document=home)
    )
    if isinstance(where, Missing):
        return resolution(reference, where.status, where.why, tier=where.tier, targets=where.targets)
    for label in reference.labels:
        lines = _page_lines(where.document, label)
        if lines is None:
            status = Status.DANGLING if where.document.pages > 1 else Status.UNRESOLVED
            return resolution(
                reference,
                status,
                f"there is no page {label} with text in {where.said}",
                tier=where.tier,
                targets=tuple(targets),
            )
        targets.append(Target(lines=lines, kind="page", label=label, title=""))
    return resolution(
        reference,
        Status.RESOLVED,
        f"it is the page printed as {', '.join(reference.labels)}{f' in {where.said}' if where.outside else ''}",
        tier=where.tier,
        targets=tuple(targets),
    )


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
    page = printed_page(home, label)
    lines = [line.n for line in home.lines if line.page == page]
    return Span(doc=home.id, start=lines[0], end=lines[-1] + 1) if lines and home.pages > 1 else None
