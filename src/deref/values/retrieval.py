"""Questions and candidates. A candidate has no global score: its position is its rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from deref.quick_dataclass import dataclass
from deref.values.document import Chunk
from deref.values.places import Span
from deref.values.reference import Resolution, Target

if TYPE_CHECKING:
    from deref.values.filters import Filter


class Shape(StrEnum):
    """The shape of the answer that a question asks for."""

    FACT = "fact"
    LIST = "list"
    COMPARISON = "comparison"
    DEFINITION = "definition"
    CONDITION = "condition"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What the caller may see: document ids and collections. None is "no limit"; an empty set is "nothing".

    `prefers` are collections whose passages go first; it limits nothing.
    """

    documents: frozenset[str] | None = None
    collections: frozenset[str] | None = None
    prefers: frozenset[str] = frozenset()

    def holds(self, doc: str, collection: str) -> bool:
        """Tell whether a document of a collection is in it."""
        return (self.documents is None or doc in self.documents) and (
            self.collections is None or collection in self.collections
        )


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTitle:
    """A document that a question names. `instrument` is the kind as it is said, folded: "bond mortgage".

    `qualifiers` are the folded words that tell it from others of its kind, "hfa"; a number of several parts is one,
    "800 53". `phrase` is what the title is looked up by: "hfa bond mortgage".
    """

    instrument: str
    qualifiers: tuple[str, ...]
    phrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleIntent:
    """The documents that a question names: one, or several that it names side by side ("compare A with B")."""

    titles: tuple[NamedTitle, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPlace:
    """A place that a question names. `said` are its words there, `targets` where it is.

    `why` is one sentence for people that says why it is not known which place is meant, and "" when it is; `targets` are then
    the few that may be meant, or none.
    """

    said: str
    targets: tuple[Target, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, what it may be answered from, and what it looks like. `history` is oldest first.

    `intent` tells the documents that it names, None when it names none; `places` the sections and items that it names, in
    order, `alone` whether it asks for nothing but those. `filter` is what the caller asks it of; None is
    all of the scope.
    """

    text: str
    scope: Scope = EVERYTHING
    filter: Filter | None = None
    history: tuple[str, ...] = ()
    intent: TitleIntent | None = None
    shape: Shape = Shape.FACT
    places: tuple[AskedPlace, ...] = ()
    alone: bool = False

    @property
    def beside_places(self) -> str:
        """The text without the words that name places, which say nothing of what is asked of them."""
        text = self.text
        for place in self.places:
            text = re.sub(re.escape(place.said), " ", text, flags=re.IGNORECASE)
        return " ".join(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """What a leg found: a chunk, and its score in that leg's own unit."""

    chunk: Chunk
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleHit:
    """A document that is called like what was asked for: all its names, and how alike the closest is, 0..1."""

    doc: str
    names: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """How a candidate came in: the leg or stage, its 0-based rank there, and the score in that leg's own unit."""

    by: str
    rank: int
    score: float | None = None
    reference: Resolution | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A chunk that may answer. `context` is the span it was expanded to, or None."""

    chunk: Chunk
    arrivals: tuple[Arrival, ...]
    context: Span | None = None

    @property
    def hopped(self) -> bool:
        """Whether it came in by following a reference, and only so."""
        return all(arrival.reference is not None for arrival in self.arrivals)


@dataclass(frozen=True, slots=True)
class Candidates:
    """An ordered list of candidates, never two of one chunk; the first of each chunk wins."""

    items: tuple[Candidate, ...] = ()

    def __post_init__(self) -> None:
        """Keep the first candidate of each chunk."""
        seen: set[str] = set()
        kept = []
        for item in self.items:
            if item.chunk.id not in seen:
                seen.add(item.chunk.id)
                kept.append(item)
        if len(kept) != len(self.items):
            object.__setattr__(self, "items", tuple(kept))

    def __iter__(self) -> Iterator[Candidate]:
        """Iterate in rank order."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.items)

    def top(self, k: int) -> Self:
        """Return the first k; the same object when there are no more than k."""
        return self if len(self.items) <= k else replace(self, items=self.items[: max(k, 0)])

    def promoted(self, wanted: Callable[[Candidate], bool]) -> Self:
        """Return a stable partition: those that are wanted first. The same object when nothing moves."""
        first = tuple(c for c in self.items if wanted(c))
        rest = tuple(c for c in self.items if not wanted(c))
        return self if first + rest == self.items else replace(self, items=first + rest)

    def with_added(self, more: Iterable[Candidate]) -> Self:
        """Return these, then those of `more` whose chunk is not here yet. The same object when none is new."""
        here = {c.chunk.id for c in self.items}
        new = tuple(c for c in more if c.chunk.id not in here)
        return replace(self, items=self.items + new) if new else self

    def reordered(self, ids: Iterable[str]) -> Self:
        """Return the candidates in the order of chunk `ids`; those not named keep their order at the end."""
        place = {chunk: n for n, chunk in enumerate(ids)}
        order = tuple(sorted(self.items, key=lambda c: place.get(c.chunk.id, len(place))))
        return self if order == self.items else replace(self, items=order)
