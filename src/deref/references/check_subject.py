"""What a rule of the checker is given: one document, its resolved references, and the shelf around it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from deref.references.beside import held_over, named_after
from deref.references.check_elsewhere import around, name_before
from deref.references.check_form import Forms
from deref.references.containers import DESIGNATOR
from deref.references.counted import where_counted
from deref.references.labelled import word_of
from deref.references.outcome import Missing, Where
from deref.references.places import SECTIONAL, Places
from deref.references.view import View
from deref.text.lazy import lazy
from deref.text.names import file_stem
from deref.values import Document, Point, Reference, ReferenceKind, Resolution, Severity, Status, Tier

_SERIES = lazy(r"\s*([A-Z]{2,4}): (\d+)\b")
_NEAR = 100
_COVER = 15
"""Lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A finding before it is placed: where, the verbatim text, why, and a severity other than that of the rule."""

    at: Point
    text: str
    message: str
    related: tuple[Point, ...] = ()
    severity: Severity | None = None


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One document to be checked. `outcomes` are the resolutions of its references, in order.

    `resolve` gives the resolution of any reference of the document, `unlinked` that which it has without native links.
    Of the whole shelf: `leads` counts the words before a colon that name documents of it ("Document: Risk Memo"),
    `own_names` are the abbreviations before labels that are counted on this shelf ("FAR 52.203-13"), `keeps_exhibits` tells whether any exhibit, schedule or annex is on it.
    """

    document: Document
    outcomes: Sequence[Resolution]
    view: View
    resolve: Callable[[Reference], Resolution]
    unlinked: Callable[[Reference], Resolution]
    forms: Callable[[Document], Forms]
    leads: Callable[[], dict[str, int]]
    own_names: Callable[[], Collection[str]]
    keeps_exhibits: Callable[[], bool]

    @cached_property
    def places(self) -> Places:
        """The labelled places of the document."""
        return self.view.places(self.document)

    @cached_property
    def own_tags(self) -> set[str]:
        """The tags by which the document may call itself, in small letters: "rfc9000"."""
        document = self.document
        # A cover says "BCP: 26" of what the text calls [BCP26].
        cover = (_SERIES.match(line.text) for line in document.lines[:_COVER])
        names = (
            document.title,
            document.name,
            *document.aliases,
            *(" ".join(m.groups()) for m in cover if m),
        )
        return {"".join(m.group().split()).casefold() for n in names for m in DESIGNATOR.finditer(n)} | {
            file_stem(document.name).casefold()
        }

    def speaks_of(self, kind: ReferenceKind) -> bool:
        """Tell whether the pointers of a kind that are written here reach a place more often than not."""
        reached = Counter(o.status for o in self.outcomes if o.reference.kind is kind)
        return reached[Status.RESOLVED] >= max(reached[Status.DANGLING], 1)

    def outcomes_before(self, reference: Reference) -> Sequence[Resolution]:
        """Return the resolutions of the references that begin up to a hundred lines before one."""
        last = bisect_left(self.outcomes, reference.at.begins, key=lambda o: o.reference.at.begins)
        first = bisect_left(self.outcomes, reference.at.line - _NEAR, key=lambda o: o.reference.at.line)
        return self.outcomes[first:last]

    def numbers_so(self, document: Document, reference: Reference, label: str) -> bool:
        """Tell whether a document numbers in the form of a label; for the one at hand, also those that its pointers reach."""
        word = word_of(reference)
        if self.forms(document).fits(reference, word, label):
            return True
        if document is not self.document or reference.kind not in SECTIONAL or label.isalnum():
            return False
        return any(self.forms(d).fits(reference, word, label) for d in self.goes_on_in(reference, label))

    def goes_on_in(self, reference: Reference, label: str) -> tuple[Document, ...]:
        """Return the other documents in which the numbering of this one goes on.

        Those that its pointers reach; and behind the name of the shelf's own work ("FAR 2.296") those that have the unit
        of the label.
        """
        called = reference.container is not None and reference.container.isupper()
        name = None if called else name_before(around(self.document, reference)[0])
        if not called and (name is None or name not in self.own_names()):
            return self.reached
        unit = self.view.shelf.labelled(label.partition(".")[0])
        ids = dict.fromkeys([d.id for d in self.reached] + [p.doc for p in unit])
        ids.pop(self.document.id, None)
        return tuple(d for d in map(self.view.document, ids) if d is not None)

    @cached_property
    def reached(self) -> tuple[Document, ...]:
        """The other documents in which bare pointers of this one find their labels: its numbering goes on there."""
        ids = dict.fromkeys(
            t.lines.doc
            for o in self.outcomes
            if o.status is Status.RESOLVED and o.reference.container is None and o.tier is not Tier.LINK
            for t in o.targets
            if t.label and t.lines.doc != self.document.id and o.reference.kind in SECTIONAL
        )
        return tuple(d for d in map(self.view.document, ids) if d is not None)

    def counted_in(self, reference: Reference) -> Where | Missing:
        """Return where the labels of a reference are counted."""
        if reference.container is not None:
            return where_counted(self.view, self.document, reference, self.resolve)
        return (
            named_after(self.view, self.document, reference)
            or held_over(self.view, self.document, reference, self.resolve, same=True)
            or Where(document=self.document)
        )
