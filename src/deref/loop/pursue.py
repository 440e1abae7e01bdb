"""Pursue: pending references → resolutions → passages with the text they point at.

Each pending reference is resolved, and each says whether it was followed and why not. Of those that resolve, the first
`most` are followed (they come in the writer's order, those that carry the answer first); a footnote is short and takes
none of these places. A pointer that stands inside its own target, or points at a place that was followed already or at a
wider one around it, is not followed: its text is being read. A place too long for evidence is narrowed to the parts of it
that bear most on the question; from a caption alone it is read on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

from deref.answer.pointers import said_around
from deref.answer.units import longer_than
from deref.ports import Resolve
from deref.retrieve.expand import read_on
from deref.values import Arrived, Document, ItemKind, Passage, ReferenceKind, Resolution, Span, Status, Target

LONGEST_TARGET = 700
"""Words. A longer place is narrowed to its best parts."""

CAPTIONED = frozenset({ItemKind.TABLE, ItemKind.FIGURE, ItemKind.LISTING, ItemKind.EXAMPLE})
READ_ON = 120
"""Words. Where nothing but the caption of such an item was made out, it is read on until there are so many."""

TargetPlace = tuple[str, int, int, tuple[Span, ...]]
"""A target as the loop tells places apart: document, lines, and what a selector narrows them to."""


class Admitted(NamedTuple):
    """What of a place may be read: all of it when `spans` is None, else these parts; none of it when there are none, and why."""

    spans: tuple[Span, ...] | None
    why: str = ""


ALL_OF_IT = Admitted(None)

BestWithin = Callable[[Target, str], Sequence[Span]]
"""The parts of a place that bear most on the question and on the sentence that points there, best first."""


class Outcome(StrEnum):
    """What became of a pointer: its text was read; it is being read anyhow; it waits for a later pass; it leads nowhere."""

    FOLLOWED = "followed"
    READ = "read"
    WAITING = "waiting"
    OPEN = "open"


class Pursuit(NamedTuple):
    """What became of one pending reference: its resolution, the passages read (none when not followed), and why."""

    resolution: Resolution
    outcome: Outcome
    passages: tuple[Passage, ...]
    why: str


def pursue(
    pending: Sequence[Resolution],
    *,
    resolve: Resolve,
    read: Callable[[str], Document],
    best_within: BestWithin,
    most: int,
    known: Collection[TargetPlace] = (),
    admit: Callable[[Target], Admitted] = lambda _: ALL_OF_IT,
) -> list[Pursuit]:
    """Return one pursuit for each pending reference, in order. `known` are the places that were followed before.

    `admit` tells what of a place the question may be answered from; what it may not is told, and not followed.
    """
    pursuits: list[Pursuit] = []
    seen = set(known)
    left = most
    for open_reference in pending:
        resolution = resolve(open_reference.reference)
        note = resolution.reference.kind is ReferenceKind.FOOTNOTE
        targets = [t for t in resolution.targets if not _holds(t, resolution)]
        if resolution.status is not Status.RESOLVED:
            why = f"{resolution.status.value}: {resolution.why}"
            pursuits.append(Pursuit(resolution, Outcome.OPEN, (), why))
        elif not targets:
            why = "not followed: the pointer stands inside its own target"
            pursuits.append(Pursuit(resolution, Outcome.READ, (), why))
        elif not any(admit(t).spans != () for t in targets):
            why = f"not followed, {admit(targets[0]).why}: {resolution.why}"
            pursuits.append(Pursuit(resolution, Outcome.OPEN, (), why))
        elif all(place_of(t) in seen for t in targets):
            why = "not followed again: another pointer led there already"
            pursuits.append(Pursuit(resolution, Outcome.READ, (), why))
        elif all(any(_inside(place, t) for place in seen) for t in targets):
            why = "not followed: another pointer led to a place inside it already"
            pursuits.append(Pursuit(resolution, Outcome.READ, (), why))
        elif not left and not note:
            why = f"not followed: {most} pointers were followed in this pass already"
            pursuits.append(Pursuit(resolution, Outcome.WAITING, (), why))
        else:
            left -= not note
            seen.update(place_of(t) for t in targets)
            passages = tuple(
                p
                for t in targets
                if (admitted := admit(t)).spans != ()
                for p in _passages(t, admitted, resolution, read, best_within)
            )
            pursuits.append(Pursuit(resolution, Outcome.FOLLOWED, passages, f"followed: {resolution.why}"))
    return pursuits


def place_of(target: Target) -> TargetPlace:
    """Return the place of a target."""
    return (target.lines.doc, target.lines.start, target.lines.end, target.focus)


def _inside(place: TargetPlace, target: Target) -> bool:
    """Tell whether a place that was followed lies in a wider one."""
    doc, start, end, focus = place
    wider = end - start < len(target.lines) or (bool(focus) and not target.focus)
    return doc == target.lines.doc and target.lines.start <= start and end <= target.lines.end and wider


def _holds(target: Target, resolution: Resolution) -> bool:
    at = resolution.reference.at
    inside = at.doc == target.lines.doc and at.line in target.lines and target.kind not in CAPTIONED
    return inside and not any(at.line not in f for f in target.focus)


def _passages(
    target: Target,
    admitted: Admitted,
    resolution: Resolution,
    read: Callable[[str], Document],
    best_within: BestWithin,
) -> list[Passage]:
    at = resolution.reference.at
    line = read(at.doc).lines[at.line]
    why = f"pulled in because {read(at.doc).name}, p. {line.page}, line {line.row} says “{resolution.reference.text}”"
    said = said_around(read(at.doc), at)
    return [
        Passage(
            lines=span,
            arrived=Arrived.REFERENCE,
            resolution=resolution,
            focus=target.focus if admitted.spans is None else (),
            header=target.header if admitted.spans is None else None,
            why=why,
        )
        for span in spans_of(target, admitted, said, read, best_within)
    ]


def spans_of(
    target: Target,
    admitted: Admitted,
    said: str,
    read: Callable[[str], Document],
    best_within: BestWithin,
) -> Sequence[Span]:
    """Return what is read of a place: all that is admitted, the best parts of a long one, more than the caption alone.

    `said` is the text that points there.
    """
    document = read(target.lines.doc)
    spans: Sequence[Span] = [target.lines] if admitted.spans is None else admitted.spans
    if not target.focus and longer_than(LONGEST_TARGET, document, spans):
        spans = best_within(target, said) or spans
    if target.kind in CAPTIONED and not target.focus and admitted.spans is None:
        spans = [read_on(document, span, READ_ON) for span in spans]
    return spans
