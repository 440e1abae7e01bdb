"""Rerank: the union of the legs is read, capped per leg; the cut spares what a name or a reference brought in."""

from __future__ import annotations

from collections.abc import Sequence

from deref.errors import ModelError
from deref.retrieve.rerank import rerank
from deref.retrieve.stage import Stage
from deref.trace.events import Degraded
from deref.trace.sinks import ListSink, nowhere
from deref.values import Arrival, Candidate, Candidates, Query
from unit.retrieve.small_shelf import CHUNKS, candidate, ids, pointer, to

QUERY = Query(text="toll")
POINTER = to(pointer("Annex B", "bridge1"), "bridge4")


class Fixed:
    """A reranker that has a score for each text, and keeps what it was shown."""

    identity = "fixed"

    def __init__(self, **scores: float) -> None:
        self._scores = {CHUNKS[chunk].text: score for chunk, score in scores.items()}
        self.shown: list[str] = []

    def load(self) -> None: ...

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        self.shown += passages
        return [self._scores[text] for text in passages]


class Failing(Fixed):
    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        raise ModelError("out of memory")


def found(chunk: str, **legs: int) -> Candidate:
    return Candidate(
        chunk=CHUNKS[chunk], arrivals=tuple(Arrival(by=leg, rank=rank) for leg, rank in legs.items())
    )


def run(stage: Stage, *items: Candidate) -> list[str]:
    return ids(stage.run(QUERY, Candidates(items)))


FIVE = (
    found("bridge0", lexical=0), found("bridge1", dense=0), found("bridge2", lexical=1, dense=5),
    found("ferry0", lexical=4, dense=4), found("ferry1", title=0),
)  # fmt: skip
SCORES = {"bridge0": 0.1, "bridge1": 0.5, "bridge2": 0.9, "ferry0": 1.0, "ferry1": 0.05}


def test_what_each_leg_ranks_first_is_read_whatever_its_place_after_fusion() -> None:
    reranker = Fixed(**SCORES)
    order = run(rerank(reranker, per_leg=2, emit=nowhere), *FIVE)
    assert set(reranker.shown) == {CHUNKS[c].text for c in ("bridge0", "bridge1", "bridge2", "ferry1")}
    assert order == ["bridge2", "bridge1", "bridge0", "ferry1", "ferry0"]


def test_equal_scores_leave_the_order() -> None:
    same = dict.fromkeys(SCORES, 0.5)
    assert run(rerank(Fixed(**same), per_leg=9, emit=nowhere), *FIVE) == [c.chunk.id for c in FIVE]


def test_a_score_that_is_too_low_goes_but_enough_stay_and_the_reserved_are_exempt() -> None:
    stage = rerank(Fixed(**SCORES), per_leg=2, min_score=0.95, min_keep=2, emit=nowhere)
    assert run(stage, *FIVE) == ["bridge2", "bridge1", "ferry1"]
    none_kept = rerank(Fixed(**SCORES), per_leg=2, min_score=0.95, emit=nowhere)
    assert run(none_kept, *FIVE) == ["ferry1"]


def test_the_first_k_stay_and_what_was_not_read_goes_with_the_rest() -> None:
    assert run(rerank(Fixed(**SCORES), per_leg=2, top_k=1, emit=nowhere), *FIVE) == ["bridge2", "ferry1"]
    assert run(rerank(Fixed(**SCORES), per_leg=2, top_k=1, min_keep=2, emit=nowhere), *FIVE) == [
        "bridge2", "bridge1", "ferry1",
    ]  # fmt: skip


def test_what_a_reference_brought_in_is_not_read_and_never_cut() -> None:
    reranker = Fixed(**SCORES)
    stage = rerank(reranker, per_leg=2, top_k=1, emit=nowhere)
    assert run(stage, candidate("bridge4", POINTER), *FIVE) == ["bridge2", "ferry1", "bridge4"]
    assert CHUNKS["bridge4"].text not in reranker.shown


def test_the_score_is_told_as_an_arrival_once() -> None:
    stage = rerank(Fixed(**SCORES), per_leg=9, emit=nowhere)
    twice = stage.run(QUERY, stage.run(QUERY, Candidates(FIVE)))
    (told,) = [a for a in twice.items[0].arrivals if a.by == "rerank"]
    assert (told.rank, told.score) == (0, 1.0)
    assert [a.by for a in twice.items[0].arrivals] == ["lexical", "dense", "rerank"]


def test_a_reranker_that_fails_is_told_and_the_order_stays() -> None:
    sink, here = ListSink(), Candidates(FIVE)
    assert rerank(Failing(), per_leg=9, emit=sink).run(QUERY, here) is here
    (event,) = sink.events
    assert isinstance(event, Degraded) and "out of memory" in event.what
