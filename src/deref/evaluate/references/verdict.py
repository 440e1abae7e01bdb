"""What came of one labelled reference: was it found, as what, and does it go where its author's link goes?

*Finding.* The mention is found when a reference of the grammar shares characters with it; of several the one that shares
most and carries the label. Its label is right when the label that the set gives, or that label without its paragraphs, is
one of the reference's labels; what has no number (a document, a citation by name) needs only to be covered. Its
selector is right when the paragraph that the set gives is part of its labels or selector; its container is right when it
names one exactly where the set says that another document is meant.

A label may stand in the container of a reference ("point (a) of Article 6"): the mention is found, and right when the place
lies in the section, or document, that the link goes to.

*Resolving.* `right`: resolved, and the place begins within 2 lines of the link's target (for a table, figure, footnote or
entry: the target lies within 2 lines of it), in the right document; `wrong`: resolved to any other place. A reference with
several labels is judged by the target of the label that the mention has. Off the shelf, `right` is the status external, at a
place that should be and is not, dangling. A mention that is not in our text is `unlocated`, one that no reference covers
`unfound`, one that only a reference of other labels covers `mislabelled`, one whose target is not in our text `ungoaled`:
all of them are misses. What else the resolver says is the outcome itself: ambiguous, external, dangling, unresolved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from deref.evaluate.references.labelled import NUMBERED, Goal, Mention, Truth
from deref.evaluate.references.locate import Located
from deref.evaluate.references.squash import squash
from deref.text.labels import normalize_label
from deref.values import Document, FoundBy, ItemKind, Point, Reference, Resolution, Status, Target, Tier

NEAR_LINES = 2
_SPREAD = frozenset(
    {"table", "figure", "equation", "footnote", "bibliography", "example", "listing", "box", "theorem"}
)
"""Kinds of item whose lines are one thing that a link may aim at anywhere. Those of an appendix or section are not."""

RIGHT = "right"
OUTCOMES = (
    RIGHT, "wrong", "ambiguous", "dangling", "external", "unresolved", "mislabelled", "unfound", "unlocated", "ungoaled",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of one mention. Each of the checks is None where it does not apply.

    `outcome` is one of OUTCOMES; `off` the lines between the place and the target when right; `resolved` whether any place was
    given, `mislabelled` ones included; `section` and `document` whether the target lies in the section that was given, and in
    its document; `place` where it stands and `said` what the resolver said of `reference`.
    """

    mention: Mention
    outcome: str
    place: Point | None = None
    reference: Reference | None = None
    said: str = ""
    off: int | None = None
    resolved: bool = False
    labelled: bool = False
    selector: bool | None = None
    container: bool | None = None
    section: bool = False
    document: bool = False


class Judge:
    """The documents of a set, and a resolver for them."""

    def __init__(
        self, located: Mapping[str, Located], resolve: Callable[[Reference, Document], Resolution]
    ) -> None:
        """Take the documents by file name, and what resolves a reference of one."""
        self._located = located
        self._resolve = resolve
        self._by_id = {item.document.id: item.document for item in located.values()}

    def verdict(self, mention: Mention, place: Point | None, found: Sequence[Reference]) -> Verdict:
        """Return the verdict on a mention that stands at `place`, given the references that share characters with it."""
        if place is None:
            return Verdict(mention=mention, outcome="unlocated")
        if not found:
            return Verdict(mention=mention, outcome="unfound", place=place)
        carrying = [r for r in found if labels_agree(r, mention)]
        reference = max(carrying or found, key=lambda r: _shared(r.at, place))
        resolution = self._resolve(reference, self._located[mention.doc].document)
        resolved = resolution.status is Status.RESOLVED
        outcome, off, target, goal = self._outcome(mention, reference, resolution)
        return Verdict(
            mention=mention,
            outcome=outcome if carrying else "mislabelled",
            place=place,
            reference=reference,
            said=resolution.why,
            off=off if carrying else None,
            resolved=resolved,
            labelled=bool(carrying),
            selector=_selector_agrees(reference, mention),
            container=None
            if mention.contained is None
            else (reference.container is not None) == mention.contained,
            section=target is not None
            and goal is not None
            and _same_section(self._by_id[target.lines.doc], target, goal),
            document=target is not None and goal is not None and target.lines.doc == goal[0].id,
        )

    def _outcome(
        self, mention: Mention, reference: Reference, resolution: Resolution
    ) -> tuple[str, int | None, Target | None, tuple[Document, int] | None]:
        status = resolution.status
        entries = entries_of(resolution, self._located[mention.doc].document)
        if mention.truth is not Truth.PLACE or (mention.external_too and status is Status.EXTERNAL):
            wanted = Status.DANGLING if mention.truth is Truth.DANGLING else Status.EXTERNAL
            outcome = RIGHT if status is wanted else "wrong" if status is Status.RESOLVED else status.value
            return outcome, None, None, None
        places = [(g, self._located[g.doc].goal(g)) for g in mention.goals]
        known = [(g, self._located[g.doc].document, line) for g, line in places if line is not None]
        if not known:
            return "ungoaled", None, None, None
        targets = entries or own_targets(resolution, mention)
        if (status is not Status.RESOLVED and not entries) or not targets:
            return status.value, None, None, None
        best: tuple[int, Target, tuple[Document, int]] | None = None
        for goal, document, line in known:
            for target in targets:
                off = (
                    0
                    if within(target, self._by_id[target.lines.doc], goal, document, line, reference, mention)
                    else distance(target, self._by_id[target.lines.doc], goal, document, line)
                )
                if best is None or off < best[0]:
                    best = (off, target, (document, line))
        assert best is not None
        off, target, there = best
        if off <= NEAR_LINES:
            return RIGHT, off, target, there
        return "wrong" if status is Status.RESOLVED else status.value, None, target, there


_FAR = 1 << 30


def distance(target: Target, document: Document, goal: Goal, there: Document, line: int) -> int:
    """Return how many lines a place is from the line of a goal; very many in another document."""
    if document.id != there.id:
        return _FAR
    if goal.whole:
        return 0 if target.kind == "document" else target.lines.start
    if goal.inside and line in target.lines:
        return 0
    if goal.kind == "page" or target.kind == "page":
        return 0 if document.lines[target.lines.start].page == document.lines[line].page else _FAR
    starts = [target.lines.start, *(focus.start for focus in target.focus)]
    away = min(abs(start - line) for start in starts)
    if target.kind in _SPREAD and (
        goal.label is None or goal.kind != target.kind or same_label(goal.label, target.label)
    ):
        away = min(away, max(0, target.lines.start - line, line - target.lines.end + 1))
    return away


def within(
    target: Target, document: Document, goal: Goal, there: Document, line: int, reference: Reference, mention: Mention
) -> bool:  # fmt: skip
    """Tell whether a mention is the container of a reference whose place lies in what the container's link goes to."""
    if document.id != there.id or not in_container(reference, mention):
        return False
    starts = [s.lines.start for s in document.section_path(target.lines.start)]
    starts += [i.lines.start for i in document.items if target.lines.start in i.lines]
    return goal.whole or any(abs(start - line) <= NEAR_LINES for start in starts)


def in_container(reference: Reference, mention: Mention) -> bool:
    """Tell whether the label of a mention, or its words, stand in the container of a reference."""
    if reference.container is None:
        return False
    if mention.label is not None and not any(same_label(mention.label, label) for label in reference.labels):
        return any(same_label(mention.label, word) for word in reference.container.split())
    return mention.kind not in NUMBERED and squash(reference.container) in squash(mention.text)


def entries_of(resolution: Resolution, home: Document) -> Sequence[Target]:
    """Return the entry of the bibliography at home that a citation was found to name, when the work itself is off the shelf."""
    reference = resolution.reference
    if (
        resolution.status is not Status.EXTERNAL
        or resolution.tier is not Tier.BIBLIOGRAPHY
        or len(reference.labels) != 1
    ):
        return resolution.targets if resolution.status is Status.EXTERNAL else ()
    return [
        Target(lines=i.lines, kind=i.kind.value, label=i.label, title=i.caption)
        for i in home.items_labelled(ItemKind.BIBLIOGRAPHY, reference.labels[0])
    ]


def own_targets(resolution: Resolution, mention: Mention) -> Sequence[Target]:
    """Return the targets of the label that a mention has: all, when the labels do not tell them apart."""
    targets = resolution.targets
    labels = resolution.reference.labels
    if mention.label is None or len(targets) < 2:
        return targets
    own = [t for t in targets if same_label(mention.label, t.label)]
    if own:
        return own
    if len(targets) == len(labels):
        wanted = _base(mention.label)
        return [t for t, label in zip(targets, labels, strict=True) if _base(label) == wanted] or targets
    return targets


def same_label(wanted: str, given: str | None) -> bool:
    """Tell whether two labels are the same, paragraphs and case left out."""
    return given is not None and _base(wanted) == _base(given)


def _base(label: str) -> str:
    return re.split(r"\(", normalize_label(label).casefold(), maxsplit=1)[0] or label.casefold()


def labels_agree(reference: Reference, mention: Mention) -> bool:
    """Tell whether a reference carries the label of a mention.

    What has no number agrees with what covers it, and a native link, which reads no numbers, with what it covers.
    """
    if mention.label is None or reference.found_by is FoundBy.LINK:
        return True
    return any(same_label(mention.label, label) for label in reference.labels) or in_container(
        reference, mention
    )


def _selector_agrees(reference: Reference, mention: Mention) -> bool | None:
    if not mention.sub:
        return None
    written = squash("".join(reference.labels) + (reference.selector or ""))
    return squash(mention.sub) in written


def _shared(at: Point, place: Point) -> tuple[int, int]:
    if at.line == at.last_line == place.line == place.last_line:
        return min(at.char_end, place.char_end) - max(at.char_start, place.char_start), -at.char_start
    return 0, -abs(at.line - place.line)


def _same_section(document: Document, target: Target, goal: tuple[Document, int]) -> bool:
    there, line = goal
    if there.id != document.id:
        return False
    own, wanted = document.section_at(target.lines.start), document.section_at(line)
    return (own.id if own else None) == (wanted.id if wanted else None)
