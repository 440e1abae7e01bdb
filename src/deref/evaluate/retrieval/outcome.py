"""One question under one arm: the list after each stage and the final one, judged; what it cost; what the hop did.

A stage is judged by the passages that it leaves, in order, as the trace tells them: no second path through the recipe. The
stages of a second attempt are not told one by one: few questions have one, and their time is that of `retry`.
*In the context* is a row that is met by the texts handed on, which are the passages grown inside their sections. When nothing
after the first stage may reorder or add, the final list must be the head of the first stage's: `kept_order` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from deref.engine import Engine
from deref.evaluate.gold import GoldRow, folded_text
from deref.evaluate.retrieval.hops import Hopped, Pointers, hopped
from deref.evaluate.retrieval.metrics import Ranked
from deref.evaluate.retrieval.needs import Need, Passages
from deref.text.tokens import count_tokens
from deref.trace.events import Degraded, Event, StageRan
from deref.trace.journeys import AGAIN
from deref.values import Candidate, Span

_NEVER_REORDER = frozenset({"cut", "expand"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A row ready to be judged: its needs, the passages that hold each, and the documents that it expects (ids)."""

    row: GoldRow
    key: str
    needs: tuple[Need, ...]
    holding: tuple[frozenset[str], ...]
    documents: frozenset[str]

    def ranked(self, ids: Sequence[str], documents: Sequence[str]) -> Ranked:
        """Return the list of passage ids, each of the document beside it, as it is measured."""
        places = {chunk: rank for rank, chunk in enumerate(ids, start=1)}
        needs = tuple(tuple(sorted(places[c] for c in held if c in places)) for held in self.holding)
        return Ranked(
            needs=needs,
            possible=len(frozenset[str]().union(*self.holding)),
            every=self.row.match == "all",
            pair=self.row.pair is not None,
            of_source=tuple(d in self.documents for d in documents) if self.documents else None,
        )

    @property
    def reachable(self) -> bool:
        """Whether passages of the shelf meet it."""
        return self._met([bool(held) for held in self.holding])

    def met_by(self, held: Callable[[Need], bool]) -> bool:
        """Tell whether the row is met, given which of its needs are held."""
        return self._met([held(need) for need in self.needs])

    def _met(self, found: Sequence[bool]) -> bool:
        return bool(found) and (all(found) if self.row.match == "all" else any(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A list of passages, judged. `tokens` of all of them together, `ms` until the list was there."""

    ranked: Ranked
    size: int
    tokens: int
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one row under one arm. `costs` are the tokens of each passage of the final list, in order;
    `kept_order` is None where a stage may reorder or add; `degraded` says what failed meanwhile and was done without.
    """

    wanted: Wanted
    stages: Mapping[str, Listed]
    final: Listed
    costs: tuple[int, ...]
    in_context: bool
    appended: int
    hop: Hopped
    kept_order: bool | None
    degraded: tuple[str, ...] = ()


class Asker:
    """Asks the questions of an arm of one library, and judges what comes."""

    def __init__(self, engine: Engine, passages: Passages) -> None:
        """Take the open library and its passages."""
        self._engine = engine
        self._passages = passages
        self._pointers = Pointers(engine)

    def __call__(self, wanted: Wanted, *, k: int | None, tokens: int | None = None) -> Outcome:
        """Return what comes of a row with `k` passages (the setting when None), cut once `tokens` are spent."""
        events: list[StageRan] = []
        degraded: list[str] = []

        def note(event: Event) -> None:
            if isinstance(event, StageRan):
                events.append(event)
            elif isinstance(event, Degraded):
                degraded.append(event.what)

        begun = perf_counter()
        found = list(self._engine.search(wanted.row.query, k=k, emit=note))
        ms = (perf_counter() - begun) * 1000
        texts = [self._text(c) for c in found]
        costs = [count_tokens(text) for text in texts]
        if tokens is not None:
            found = found[: _affordable(costs, tokens)]
            costs = costs[: len(found)]
        spans = [(c.context or c.chunk.lines, folded_text(t)) for c, t in zip(found, texts, strict=False)]
        return Outcome(
            wanted=wanted,
            stages=self._stages(wanted, events),
            final=Listed(
                ranked=wanted.ranked([c.chunk.id for c in found], [c.chunk.lines.doc for c in found]),
                size=len(found),
                tokens=sum(costs),
                ms=ms,
            ),
            costs=tuple(costs),
            in_context=wanted.met_by(lambda need: any(need.held(lines, text) for lines, text in spans)),
            appended=sum(c.hopped for c in found),
            hop=hopped(found, self._pointers, self._gold_chunks(wanted)),
            kept_order=kept_order([c.chunk.id for c in found], events),
            degraded=tuple(degraded),
        )

    def _stages(self, wanted: Wanted, events: Sequence[StageRan]) -> dict[str, Listed]:
        stages: dict[str, Listed] = {}
        seconds = 0.0
        for event in events:
            if event.stage.startswith(AGAIN):
                continue
            seconds += event.seconds
            chunks = [self._passages.chunks[key] for key in event.after]
            stages[event.stage] = Listed(
                ranked=wanted.ranked(event.after, [c.lines.doc for c in chunks]),
                size=len(chunks),
                tokens=sum(c.tokens for c in chunks),
                ms=seconds * 1000,
            )
        return stages

    def _text(self, candidate: Candidate) -> str:
        span = candidate.context
        return candidate.chunk.text if span is None else self._engine.read(span.doc).text(span)

    def _gold_chunks(self, wanted: Wanted) -> Mapping[str, Span]:
        """Return the passages that a hop should bring in: those that hold a need; of a pair, the one pointed at."""
        held = wanted.holding[-1:] if wanted.row.pair is not None else wanted.holding
        return {key: self._passages.chunks[key].lines for some in held for key in some}


def _affordable(costs: Sequence[int], tokens: int) -> int:
    """Return how many of the first texts it takes to have no fewer tokens together than are given; all when too few."""
    spent = 0
    for n, cost in enumerate(costs):
        if spent >= tokens:
            return n
        spent += cost
    return len(costs)


def kept_order(final: Sequence[str], events: Sequence[StageRan]) -> bool | None:
    """Return whether the final list is the head of the first stage's; None when a stage may have changed that."""
    if not events or any(e.stage not in _NEVER_REORDER and e.note != "did not apply" for e in events[1:]):
        return None
    return list(events[0].after[: len(final)]) == list(final)
