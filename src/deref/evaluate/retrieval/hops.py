"""What following references did for a question, as a funnel.

edge     a passage found by itself holds a reference that resolves to a place
gold     such a place holds a passage that holds what the row needs (of a pair: the one pointed at)
fired    a passage was brought in by a reference
landed   the reference by which it came goes to a place that holds such a passage
hit      it is such a passage
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from deref.engine import Engine
from deref.values import Candidate, Chunk, Resolution, Span, Status

COLUMNS = ("edge", "gold", "fired", "landed", "hit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hopped:
    """The funnel of one row."""

    edge: bool
    gold: bool
    fired: bool
    landed: bool
    hit: bool


class Pointers:
    """The places that the references of a passage resolve to; each passage is read once."""

    def __init__(self, engine: Engine) -> None:
        """Take the open library."""
        self._engine = engine
        self._known: dict[str, tuple[Span, ...]] = {}

    def __call__(self, chunk: Chunk) -> tuple[Span, ...]:
        """Return the places."""
        if chunk.id not in self._known:
            document = self._engine.read(chunk.lines.doc)
            references = self._engine.references_in(document, chunk.lines)
            self._known[chunk.id] = tuple(p for r in references for p in _places(self._engine.resolve(r)))
        return self._known[chunk.id]


def hopped(
    found: Sequence[Candidate], pointers: Callable[[Chunk], tuple[Span, ...]], gold: Mapping[str, Span]
) -> Hopped:
    """Return the funnel of a final list. `pointers` gives the places that a passage points at; `gold` are the lines of the passages that should come in, by id."""
    edges = {place for c in found if not c.hopped for place in pointers(c.chunk)}
    came = [c for c in found if c.hopped]
    followed = {p for c in came for a in c.arrivals if a.reference is not None for p in _places(a.reference)}
    return Hopped(
        edge=bool(edges),
        gold=any(_holds(place, gold) for place in edges),
        fired=bool(came),
        landed=any(_holds(place, gold) for place in followed),
        hit=any(c.chunk.id in gold for c in came),
    )


def _places(resolution: Resolution) -> tuple[Span, ...]:
    if resolution.status is not Status.RESOLVED:
        return ()
    return tuple(span for target in resolution.targets for span in (target.focus or (target.lines,)))


def _holds(place: Span, gold: Mapping[str, Span]) -> bool:
    return any(s.doc == place.doc and s.start < place.end and place.start < s.end for s in gold.values())
