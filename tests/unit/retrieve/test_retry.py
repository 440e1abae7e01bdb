"""Retry: thin evidence is asked for once more, both attempts are measured by the question that was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from deref.errors import LibraryDamaged
from deref.retrieve.retry import rarest_terms, retry
from deref.retrieve.stage import Stage
from deref.text.tokens import words
from deref.trace.events import Degraded, Retried
from deref.trace.sinks import ListSink
from deref.values import Arrival, Candidate, Candidates, Chunk, Query
from unit.retrieve.small_shelf import CHUNKS, candidates, ids

QUERY = Query(text="What do the carts of the mill pay?")
OTHER = Query(text="mill carts")
HERE = candidates("bridge0", "ferry0")
AGAIN = Candidates(
    tuple(
        Candidate(chunk=CHUNKS[c], arrivals=(Arrival(by="dense", rank=n, score=0.99),))
        for n, c in enumerate(("bridge2", "bridge1"))
    )
)


def by_cosine(query: Query, found: Candidates) -> float:
    assert query is QUERY
    near = [a.score for c in found for a in c.arrivals if a.by == "dense" and a.score is not None]
    return max(near, default=0.0) - 0.6


def retrying(
    cosine: float,
    sink: ListSink,
    *,
    evidence: Callable[[Query, Candidates], float] = by_cosine,
    reformulated: Query | None = OTHER,
) -> Stage:
    def nearness(query: Query, chunks: Sequence[Chunk]) -> list[float]:
        assert query is QUERY
        return [cosine] * len(chunks)

    def attempt(query: Query) -> Candidates:
        assert query is OTHER
        return AGAIN

    return retry(
        attempt, evidence=evidence, reformulate=lambda query: reformulated, nearness=nearness, emit=sink
    )


def kept(sink: ListSink) -> list[str]:
    return [e.kept for e in sink.events if isinstance(e, Retried)]


def test_enough_evidence_is_left_alone() -> None:
    sink = ListSink()
    assert retrying(0.9, sink, evidence=lambda query, found: 0.0).run(QUERY, HERE) is HERE
    assert not sink.events


def test_the_better_attempt_is_kept_and_told() -> None:
    sink = ListSink()
    assert ids(retrying(0.9, sink).run(QUERY, HERE)) == ["bridge2", "bridge1"]
    (event,) = sink.events
    assert isinstance(event, Retried) and event.kept == "second" and event.question == "mill carts"
    assert "falls short by 0.60" in event.why and "is enough" in event.why


def test_a_cosine_with_the_reformulation_is_no_evidence() -> None:
    """The second attempt has .99 with its own words, and nothing with the question that was asked."""
    sink = ListSink()
    assert retrying(0.0, sink).run(QUERY, HERE) is HERE
    assert kept(sink) == ["first"]


def test_what_is_kept_carries_the_cosine_with_the_question_that_was_asked() -> None:
    after = retrying(0.7, ListSink()).run(QUERY, HERE)
    assert [[(a.by, a.rank, a.score) for a in c.arrivals] for c in after] == [
        [("dense", 0, 0.7)], [("dense", 1, 0.7)],
    ]  # fmt: skip


def test_no_other_words_no_other_attempt() -> None:
    sink = ListSink()
    assert retrying(0.9, sink, reformulated=None).run(QUERY, HERE) is HERE
    assert retrying(0.9, sink, reformulated=QUERY).run(QUERY, HERE) is HERE
    assert not sink.events


def test_an_attempt_that_fails_is_told_and_the_first_is_kept() -> None:
    def broken(query: Query) -> Candidates:
        raise LibraryDamaged("cut short")

    sink = ListSink()
    stage = retry(broken, evidence=by_cosine, reformulate=lambda query: OTHER, nearness=None, emit=sink)
    assert stage.run(QUERY, HERE) is HERE
    (event,) = sink.events
    assert isinstance(event, Degraded) and "cut short" in event.what


HELD = {"carts": 7, "mill": 1, "pay": 4, "toll": 90, "drover": 2}


def rarest(text: str) -> str | None:
    return rarest_terms(lambda word, query: HELD.get(word, 0))(Query(text=text))


def test_a_question_drops_to_its_rarest_words_in_their_order() -> None:
    assert rarest("What toll do the carts of the mill pay?") == "mill pay"
    assert rarest("What toll does a drover with carts of the mill pay?") == "drover mill pay"


def test_words_that_nobody_has_go() -> None:
    assert (
        rarest("Which zebra pay mill toll?") == "mill pay"
        or rarest("Which zebra pay mill toll?") == "pay mill"
    )


def test_nothing_is_dropped_from_a_question_of_rare_words() -> None:
    assert rarest("mill pay") is None
    assert rarest("zebra") is None


@settings(deadline=None)
@given(st.lists(st.sampled_from([*HELD, "zebra", "the", "of"]), min_size=1, max_size=9))
def test_a_reformulation_is_made_of_words_of_the_question_in_order(said: list[str]) -> None:
    text = rarest(" ".join(said))
    if text is not None:
        left = list(dict.fromkeys(said))
        assert [w for w in left if w in words(text)] == words(text)
        assert set(words(text)) <= set(HELD)
