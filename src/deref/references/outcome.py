"""The bits that a resolution is put together from: where a label is counted, and what was found or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deref.references.places import Spot
from deref.values import Document, Reference, Resolution, Span, Status, Target, Tier


class Where(NamedTuple):
    """Labels are counted in `document`, within `span` (None: all of it); `said` names that place for people.

    `unit` is the place that a container named outright ("of Article 6(1)"), which a mere mark then narrows. `body` says
    that what stands around the reference is not meant before the rest: "of this Agreement" in one of its schedules.
    """

    document: Document
    span: Span | None = None
    tier: Tier = Tier.LABEL
    said: str = "this document"
    outside: bool = False
    unit: Target | None = None
    body: bool = False


class Missing(NamedTuple):
    """The container could not be opened, and why; `targets` where it is ambiguous."""

    status: Status
    why: str
    tier: Tier | None = None
    targets: tuple[Target, ...] = ()


class Found(NamedTuple):
    """What became of one label."""

    status: Status
    targets: tuple[Target, ...] = ()
    why: str = ""
    tier: Tier = Tier.LABEL
    lacking: str = ""
    """The part in brackets that was not found in the place, which is given whole."""


def whole(document: Document) -> Target:
    """Return a document as a target."""
    return Target(
        lines=Span(doc=document.id, start=0, end=len(document.lines)), kind="document", label=None,
        title=document.title or document.name,
    )  # fmt: skip


def target(spot: Spot, focus: tuple[Span, ...] = (), header: Span | None = None) -> Target:
    """Return a place as a target."""
    return Target(
        lines=spot.lines, kind=spot.kind, label=spot.label, title=spot.title, focus=focus, header=header
    )


def resolution(
    reference: Reference,
    status: Status,
    why: str,
    *,
    tier: Tier | None = None,
    targets: tuple[Target, ...] = (),
) -> Resolution:
    """Return a resolution; targets each once, in order, and `why` as one sentence."""
    sentence = " ".join(why.split()).rstrip(".")
    return Resolution(
        reference=reference, status=status, targets=tuple(dict.fromkeys(targets)), tier=tier,
        why=sentence[:1].upper() + sentence[1:] + ".",
    )  # fmt: skip


def said(targets: tuple[Target, ...]) -> str:
    """Return how places are called in an explanation."""
    names = [f"{t.kind} {t.label}" if t.label else (t.title or t.kind) for t in targets]
    shown = [
        f"{n} “{t.title}”" if t.title and t.label and len(t.title) < 60 else n
        for n, t in zip(names, targets, strict=True)
    ]
    if 1 < len(shown) < 6:
        return f"{', '.join(shown[:-1])} and {shown[-1]}"
    return shown[0] if len(shown) == 1 else f"{len(shown)} places"


def told_by_line(spans: Sequence[Span]) -> str:
    """Return where places begin, for an explanation: "line 4, line 19", counted from 1."""
    return ", ".join(f"line {span.start + 1}" for span in spans)
