"""A label that home does not have, counted in the document for which home cites the same unit elsewhere.

A guide to a law says "section 92(4) of the Grain Act" once and "section 92(2)" from then on. Two signs, each enough:

- home cites a unit of that number elsewhere with a container, and all such containers are one document of the shelf;
- home calls none of its own places by that word and a number of that form ("215", "2.4"), and the units so called that it cites are of one document, three or more
  and nearly all.

Both hold only where that document has the label, and home nothing of the kind: what home could mean itself stays dangling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from deref.references.counted import where_counted
from deref.references.outcome import Missing, Where
from deref.references.places import SECTIONAL
from deref.references.view import View
from deref.text.labels import split_sub
from deref.values import Document, Reference, Resolution

_ENOUGH = 3
_MOST = 0.8


class Borrowed:
    """What the references of one document with a container say: by number, and by word."""

    def __init__(self, view: View, home: Document, resolve: Callable[[Reference], Resolution]) -> None:
        """Read all references of `home`. `resolve` resolves a unit that a container names."""
        found = [r for r in view.found_in(home, 0, len(home.lines)) if r.kind in SECTIONAL]
        self._by_number: dict[str, dict[str, Where]] = defaultdict(dict)
        self._by_kind: dict[str, list[Where | None]] = defaultdict(list)
        self._own = {
            (r.kind.value, "." in x)
            for r in found
            if r.container is None
            for x in r.labels
            if _has(view, home, r, x)
        }
        known: dict[str, Where | None] = {}
        for reference in found:
            said = reference.container
            if said is None or said[:1].islower():
                continue
            if said not in known:
                where = where_counted(view, home, reference, resolve)
                known[said] = None if isinstance(where, Missing) or not where.outside else where
            where_there = known[said]
            self._by_kind[reference.kind.value].append(where_there)
            if where_there is not None:
                for label in reference.labels:
                    self._by_number[split_sub(label)[0].casefold()][where_there.document.id] = where_there

    def where(self, view: View, reference: Reference) -> Where | None:
        """Return where the labels of a reference without a container are counted, or None when nothing says so."""
        found = [self._by_number.get(split_sub(x)[0].casefold(), {}) for x in reference.labels]
        cited = {doc: where for one in found for doc, where in one.items()}
        if len(cited) == 1 and all(found):
            return next(iter(cited.values()))
        if any((reference.kind.value, "." in label) in self._own for label in reference.labels):
            return None
        there = self._by_kind.get(reference.kind.value, [])
        known = [w for w in there if w is not None]
        if len(known) < max(_ENOUGH, _MOST * len(there)) or len({w.document.id for w in known}) != 1:
            return None
        where = known[0]
        return where if _all_there(view, where.document, reference) else None


def _all_there(view: View, document: Document, reference: Reference) -> bool:
    return all(_has(view, document, reference, label) for label in reference.labels)


def _has(view: View, document: Document, reference: Reference, label: str) -> bool:
    spots, _ = view.places(document).find(reference.kind, reference.kind.value, split_sub(label)[0])
    return bool(spots)
