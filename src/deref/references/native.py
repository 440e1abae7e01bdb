"""Links that the author's tool wrote: the surest tier.

Of the links under a reference those count that cover a label (not those that cover only its container). A link that
stays in the document goes to the section or item that begins there; one that leaves it goes to a document of the
shelf by its file name, and to a place in it by its anchor.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from deref.references.labelled import word_of
from deref.references.outcome import Missing, target, whole
from deref.references.places import APPENDED, SECTIONAL, Spot
from deref.references.view import View
from deref.text.lazy import lazy
from deref.values import (
    Document,
    Item,
    Link,
    LinkSource,
    Point,
    Reference,
    ReferenceKind,
    Section,
    Span,
    Status,
    Target,
    Tier,
)

P = TypeVar("P", Section, Item)

_NEAR = 3
_AROUND = 60
_STEM = lazy(r"\.(?:x?html?|txt|pdf|md|docx?)$", re.IGNORECASE)
_ITEMS = (
    frozenset(ReferenceKind)
    - SECTIONAL
    - {ReferenceKind.LINK, ReferenceKind.DOCUMENT, ReferenceKind.EXTERNAL, ReferenceKind.RELATIVE}
)


def links_under(home: Document, reference: Reference, by_line: dict[int, list[Link]]) -> list[Link]:
    """Return the links of a document that overlap a reference and cover what it points at, in order."""
    found: list[Link] = []
    for n in range(reference.at.line, reference.at.last_line + 1):
        found += [k for k in by_line.get(n, ()) if k not in found and k.at.overlaps(reference.at)]
    if reference.container is None or reference.kind is ReferenceKind.LINK:
        return found
    return [k for k in found if _covers_label(home, k.at, reference)]


def index_links(home: Document) -> dict[int, list[Link]]:
    """Return the links of a document by the lines they are written on."""
    by_line: dict[int, list[Link]] = {}
    for link in home.links:
        if link.source not in (LinkSource.CONTENTS, LinkSource.CALL):
            for n in range(link.at.line, link.at.last_line + 1):
                by_line.setdefault(n, []).append(link)
    return by_line


def _covers_label(home: Document, at: Point, reference: Reference) -> bool:
    last = at.char_end if at.end_line is None else len(home.lines[at.line].text)
    text = home.lines[at.line].text[at.char_start : last]
    if at.end_line is not None:
        text += " " + home.lines[at.end_line].text[: at.char_end]
    own = reference.text.replace(reference.container or "\0", "", 1)
    base = [re.split(r"[(]", label)[0] for label in reference.labels]
    return (
        any(b and re.search(rf"(?<![\w.]){re.escape(b)}(?![\w]|\.\d)", text) for b in base)
        and text.strip("[]() ") not in (reference.container or "").strip("[]() ")
        and bool(own)
    )


def follow(
    view: View, home: Document, reference: Reference, links: Sequence[Link]
) -> tuple[Target, ...] | Missing | None:
    """Return where the links go; None when they do not say it all (fewer links than labels)."""
    targets: list[Target] = []
    for link in links:
        reached = _reach(view, home, reference, link)
        if isinstance(reached, Missing):
            return reached
        if reached not in targets:
            targets.append(reached)
    if len(targets) < len(reference.labels) and not (len(targets) == 1 and _one_unit(reference)):
        return None
    return tuple(targets)


def _one_unit(reference: Reference) -> bool:
    return len({re.split(r"[(]", label)[0] for label in reference.labels}) <= 1


def _reach(view: View, home: Document, reference: Reference, link: Link) -> Target | Missing:
    if isinstance(link.target, Span):
        return _place_at(view, home, reference, link.target)
    uri = link.target
    path, _, anchor = uri.partition("#")
    if not path:
        return Missing(
            status=Status.DANGLING,
            tier=Tier.LINK,
            why=f"its link goes to “{uri}”, and there is no such anchor here",
        )
    name = unquote(re.split(r"[/\\]", path.split("?")[0].rstrip("/"))[-1])
    found = view.names.file(name) or _by_stem(view, path, name)
    document = view.document(found[0]) if len(found) == 1 else None
    if document is None:
        return Missing(
            status=Status.EXTERNAL, tier=Tier.LINK, why=f"its link leaves the shelf for {readable(uri)}"
        )
    line = document.anchors.get(unquote(anchor)) if anchor else None
    if line is None:
        return _named_near(view, document, reference, None) or whole(document)
    return _place_at(view, document, reference, Span(doc=document.id, start=line, end=line + 1))


def unquote(text: str) -> str:
    """Return a part of a URI with its percent signs undone; what is no UTF-8 stays as it is."""
    raw = re.sub(
        rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m.group(1), 16)]), text.encode("utf-8", "surrogatepass")
    )
    return raw.decode("utf-8", "replace")


def readable(uri: str) -> str:
    """Return a URI as people read it: with its percent signs undone, unless that gives signs that are not seen."""
    undone = unquote(uri)
    return undone if undone.isprintable() and "\ufffd" not in undone else uri


def _by_stem(view: View, path: str, name: str) -> Sequence[str]:
    stem = _STEM.sub("", name)
    if not re.search(r"\d", stem) and "://" in path:
        return ()
    found, how = view.names.named(stem)
    return found if how == "by its name" else ()


def _named_near(view: View, document: Document, reference: Reference, line: int | None) -> Target | None:
    """The place of the reference's own label that lies at, around or soon after the line that a link goes to.

    A tool aims at the top of a float, a page or a file; the label says what stands there. None when the label is
    not found near the line (None: anywhere in the document), or more than once.
    """
    if len(reference.labels) != 1:
        return None
    base = re.split(r"[(]", reference.labels[0])[0]
    if not base:
        return None
    spots, _ = view.places(document).find(reference.kind, word_of(reference), base)
    if line is not None:
        page = document.lines[line].page
        spots = [
            s
            for s in spots
            if line in s.lines
            or (abs(s.lines.start - line) <= _AROUND and abs(document.lines[s.lines.start].page - page) <= 1)
        ]
    return target(spots[0]) if len(spots) == 1 else None


def _is_page_top(document: Document, line: int) -> bool:
    """Whether a line is the first of its page, or right below it: a tool that aims at pages aims there, whatever the page holds."""
    return document.format == "pdf" and (
        line < 2 or document.lines[line - 2].page != document.lines[line].page
    )


def _beginning(places: Sequence[P], first: int, last: int) -> list[P]:
    """The sections or items that begin on these lines, the last one included, in order."""
    low = bisect_left(places, first, key=lambda p: p.lines.start)
    return list(places[low : bisect_right(places, last, low, key=lambda p: p.lines.start)])


def _place_at(view: View, document: Document, reference: Reference, span: Span) -> Target:
    """The section or item that begins at (or just after) a line; else the lines of the link itself."""
    named_there = _named_near(view, document, reference, span.start)
    sectional = reference.kind in SECTIONAL
    exact = _beginning(document.sections, span.start - 1, span.start + 1) if sectional else []
    if named_there is not None and exact and _is_page_top(document, span.start):
        exact = [s for s in exact if s.label == named_there.label]
    if named_there is not None and not exact:
        inside = span.start - named_there.lines.start > _NEAR and span.start in named_there.lines
        # The anchor of a web page is exact, so it narrows; a PDF aims at a point on the page.
        return (
            replace(named_there, focus=(span,))
            if sectional and inside and document.format != "pdf"
            else named_there
        )
    places = view.places(document)
    bases = {re.split(r"[(]", label)[0].casefold() for label in reference.labels}
    wants_item = reference.kind in _ITEMS and reference.kind not in APPENDED

    def cost(spot: Spot) -> tuple[int, int, int]:
        named = spot.label is not None and spot.label.casefold() in bases
        away = spot.lines.start - span.start
        return (0 if named else 1, abs(away), 0 if (spot.item is not None) == wants_item else 1)

    first, last = span.start - 1, span.start + _NEAR
    begins = [Spot(None, i) for i in _beginning(document.items, first, last)]
    begins += [Spot(s, None) for s in _beginning(document.sections, first, last)]
    if wants_item:
        held = (i for i in document.items if span.start in i.lines and i.kind.value == reference.kind.value)
        begins += [Spot(None, i) for i in held]
    if begins:
        best = min(begins, key=cost)
        if cost(best)[0] == 0 or abs(best.lines.start - span.start) <= 1:
            return target(best)
    path = places.path(span.start)
    if path and len(span) <= 1:
        return Target(
            lines=path[-1].lines, kind="section", label=path[-1].label, title=path[-1].title, focus=(span,)
        )
    return Target(
        lines=span if len(span) else Span(doc=span.doc, start=span.start, end=span.start + 1),
        kind="section",
        label=None,
        title="",
    )
