"""What became otherwise of the references of a shelf between two of its states, and through which documents. Pure.

1. Documents. One with the same content is the same under any name; else one with the same name is the same, changed.
2. References of one document in both states. One is the same when its words are and those around it in its paragraph,
   in the order in which such ones come; of those left over, when its words are and the headings above it. So it
   outlives the shift of its lines and the renumbering of its section. What is left then is new, or gone.
3. Outcomes. Two are the same when status, tier and targets are. A target is known by its document as in 1, its kind,
   label and title, those of the sections around it, and how many runs of lines a selector picks; it outlives both too.
4. Reasons. Of the documents that came, went, changed or changed their name: for a reference that is new or gone, the
   one in which it stands; else those that are a target, or that the sentence of an outcome names; else the one in
   which it stands; when none of these moved, all that did.

Both outcomes are those of this resolver, each against the documents of its time: what differs, differs through them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from deref.errors import NoSuchSource
from deref.references.documents import spoken_names
from deref.references.mentions import find_names, with_mentions
from deref.references.resolve import Resolver
from deref.references.rows import row
from deref.values import Card, Document, Reference, Resolution, Target

if TYPE_CHECKING:
    # The doors bring numpy with them, which comparing never needs.
    from deref.ports import Shelf

Read = Callable[[str], Document | None]

_AROUND, _NEAR = 60, 3
"""Characters on each side by which a reference is known again, and the lines in which they are looked for."""


class Happened(StrEnum):
    """What happened to a document."""

    ARRIVED = "arrived"
    LEFT = "left"
    RENAMED = "renamed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A document that is not as it was: `was` and `now` are its cards, None before it arrived and after it left."""

    happened: Happened
    was: Card | None
    now: Card | None

    @property
    def name(self) -> str:
        """Return its name, the last one it had."""
        card = self.now or self.was
        assert card is not None
        return card.name

    @property
    def before(self) -> str | None:
        """Return the name that it had before, when it was renamed."""
        return self.was.name if self.happened is Happened.RENAMED and self.was is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A reference whose outcome is not what it was. `was` is None when it is new, `now` when it is gone."""

    was: Resolution | None
    now: Resolution | None
    because: tuple[Move, ...]


def moves_between(then: Sequence[Card], now: Sequence[Card]) -> tuple[Move, ...]:
    """Return the documents that are not as they were, by name."""
    before, after = {card.id: card for card in then}, {card.id: card for card in now}
    moves = [
        Move(happened=Happened.RENAMED, was=before[doc], now=card)
        for doc, card in after.items()
        if doc in before and before[doc].name != card.name
    ]
    left = {card.name: card for card in then if card.id not in after}
    for card in (card for card in now if card.id not in before):
        was = left.pop(card.name, None)
        moves.append(Move(happened=Happened.CHANGED if was else Happened.ARRIVED, was=was, now=card))
    moves += [Move(happened=Happened.LEFT, was=card, now=None) for card in left.values()]
    return tuple(sorted(moves, key=lambda move: (move.name, move.happened)))


class Comparison:
    """Compares the references of documents in two states of a shelf."""

    def __init__(self, moves: Sequence[Move], *, then: Read, now: Read) -> None:
        """Take what moved between the two, and what reads a document of each."""
        self._moves = moves
        self._then, self._now = then, now
        self._became = {m.was.id: m.now.id for m in moves if m.was is not None and m.now is not None}
        self._moved: dict[str, Move] = {
            card.id: move for move in moves for card in (move.was, move.now) if card is not None
        }

    def changes(self, was: Sequence[Resolution], now: Sequence[Resolution]) -> Iterator[Change]:
        """Yield what changed among the references of one document: those that are there in order, then those that are gone.

        Each of the two is empty when the document was not there.
        """
        same, gone = _matched(was, now, self._then, self._now)
        for n, resolution in enumerate(now):
            before = was[same[n]] if n in same else None
            if before is None or self._outcome(before, then=True) != self._outcome(resolution, then=False):
                yield self._change(before, resolution)
        for n in gone:
            yield self._change(was[n], None)

    def _outcome(self, resolution: Resolution, *, then: bool) -> Hashable:
        return (
            resolution.status,
            resolution.tier,
            tuple(self._place(t, then=then) for t in resolution.targets),
        )

    def _place(self, target: Target, *, then: bool) -> Hashable:
        """Return what a target is known by, in the terms of the later state."""
        doc = target.lines.doc
        if target.kind == "document":
            return (self._became.get(doc, doc) if then else doc, target.kind)
        document = (self._then if then else self._now)(doc)
        assert document is not None
        inside = tuple(
            section.label or section.title
            for section in document.section_path(target.lines.start)
            if section.lines != target.lines
        )
        words = (
            " ".join(document.lines[target.lines.start].text.split())
            if target.lines.start < target.lines.end
            else ""
        )
        title = " ".join(target.title.split()) or ("" if target.label else words)
        return (
            self._became.get(doc, doc) if then else doc,
            target.kind,
            target.label,
            title,
            inside,
            len(target.focus),
        )

    def _change(self, was: Resolution | None, now: Resolution | None) -> Change:
        sides = [side for side in (was, now) if side is not None]
        homes = {side.reference.at.doc for side in sides}
        targets = {target.lines.doc for side in sides for target in side.targets}
        told = " ".join(side.why for side in sides)
        at_home = tuple(m for m in self._moves if any(c.id in homes for c in _cards(m)))
        if at_home and (was is None or now is None):
            return Change(was=was, now=now, because=at_home)
        there = tuple(
            move
            for move in self._moves
            if any(c.id in targets or c.name in told or (c.title and c.title in told) for c in _cards(move))
        )
        return Change(was=was, now=now, because=there or at_home or tuple(self._moves))


def _cards(move: Move) -> list[Card]:
    return [card for card in (move.was, move.now) if card is not None]


def _matched(
    was: Sequence[Resolution], now: Sequence[Resolution], then_doc: Read, now_doc: Read
) -> tuple[dict[int, int], list[int]]:
    """Return for positions in `now` that of the same reference in `was`, and the positions in `was` that have none."""
    same: dict[int, int] = {}
    left, open_ = list(range(len(was))), list(range(len(now)))
    for key in (_by_words, _by_section):
        places: dict[Hashable, list[int]] = defaultdict(list)
        for n in left:
            places[key(was[n], then_doc)].append(n)
        for n in open_:
            found = places.get(key(now[n], now_doc))
            if found:
                same[n] = found.pop(0)
        taken = set(same.values())
        left = [n for n in left if n not in taken]
        open_ = [n for n in open_ if n not in same]
    return same, left


def _by_words(resolution: Resolution, read: Read) -> Hashable:
    """Return the words of a reference, and those around it in its paragraph."""
    document, at = read(resolution.reference.at.doc), resolution.reference.at
    assert document is not None
    lines = document.lines
    first, end = at.line, at.last_line + 1
    while first > max(0, at.line - _NEAR) and not lines[first].starts_block:
        first -= 1
    while end < min(len(lines), at.last_line + _NEAR) and not lines[end].starts_block:
        end += 1
    before = " ".join([*(line.text for line in lines[first : at.line]), lines[at.line].text[: at.char_start]])
    after = " ".join(
        [lines[at.last_line].text[at.char_end :], *(ln.text for ln in lines[at.last_line + 1 : end])]
    )
    return (resolution.reference.text, " ".join(before.split())[-_AROUND:], " ".join(after.split())[:_AROUND])


def _by_section(resolution: Resolution, read: Read) -> Hashable:
    """Return the words of a reference, and the headings above it, without their numbers where they have words."""
    document = read(resolution.reference.at.doc)
    assert document is not None
    path = document.section_path(resolution.reference.at.line)
    return (resolution.reference.text, tuple(section.title or section.label for section in path))


class State:
    """A shelf in one state, with what its references come to there."""

    def __init__(self, shelf: Shelf, found: Callable[[str], Sequence[Reference]], *, links: bool) -> None:
        """Take the shelf, the references found in each of its documents, and whether links may be followed."""
        self.shelf = shelf
        self.cards = shelf.cards()
        self._found = found
        self._names = tuple(spoken_names(self.cards))
        self._resolver = Resolver(shelf, links=links, references=lambda d: found(d.id))

    def resolutions(self, doc: str | None) -> list[Resolution]:
        """Return what becomes of the references of a document, in order; of None there are none."""
        document = self.shelf.document(doc) if doc is not None else None
        if doc is None or document is None:
            return []
        references = with_mentions(self._found(doc), find_names(document, self._names))
        return [self._resolver(reference, document) for reference in references]


def changes_between(
    then: State, now: State, *, names: Sequence[str], step: Callable[[int, int, str], None]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of what became otherwise of the references, by name of their document and place.

    `names` are those of the documents to look at, or what they end in; none: all. `step` hears how many of how many
    documents are done, and the name of the next. Raises NoSuchSource for a name that no document had or has.
    """
    for name in names:
        if not any(_called(name, card.name) for card in (*then.cards, *now.cards)):
            raise NoSuchSource(f"no document is or was called {name!r}; `deref status` lists what is there")
    moves = moves_between(then.cards, now.cards)
    if not moves:
        return
    comparison = Comparison(moves, then=then.shelf.document, now=now.shelf.document)
    before = {m.now.id: m.was.id for m in moves if m.was is not None and m.now is not None}
    known = {card.id for card in then.cards}
    pairs = [(c.name, before.get(c.id, c.id if c.id in known else None), c.id) for c in now.cards]
    gone = [(m.name, m.was.id, None) for m in moves if m.was is not None and m.now is None]
    wanted = [p for p in (*pairs, *gone) if not names or any(_called(name, p[0]) for name in names)]
    for n, (name, was, is_now) in enumerate(sorted(wanted, key=lambda pair: pair[0])):
        step(n, len(wanted), name)
        for change in comparison.changes(then.resolutions(was), now.resolutions(is_now)):
            yield change_row(change, then=then.shelf.document, now=now.shelf.document)


def _called(name: str, whole: str) -> bool:
    return whole == name or whole.endswith("/" + name)


def change_row(change: Change, *, then: Read, now: Read) -> dict[str, Any]:
    """Return a change as a flat JSON-ready row: that of the reference, and `change`, `was`, `now` and `because`.

    `was` and `now` have `status`, `tier`, `why` and `targets`; None where the reference was not there. The row of a
    reference that is gone is that of then.
    """
    was = row(change.was, then) if change.was is not None else None
    is_now = row(change.now, now) if change.now is not None else None
    whole = is_now or was
    assert whole is not None
    return {
        **whole,
        "change": "new" if was is None else "gone" if is_now is None else "changed",
        "was": _told(was),
        "now": _told(is_now),
        "because": [{"source": m.name, "what": m.happened.value, "before": m.before} for m in change.because],
    }


def _told(told: dict[str, Any] | None) -> dict[str, Any] | None:
    return told and {name: told[name] for name in ("status", "tier", "why", "targets")}
