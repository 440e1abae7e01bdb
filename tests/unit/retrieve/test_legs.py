"""Legs: lexical, and dense in its two forms; one that fails is reported, and all failing is an error."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import pytest

from deref.errors import LibraryDamaged, ModelError
from deref.models.hashing import HashingEmbedder
from deref.ports import Ranking, Vectors
from deref.retrieve.legs import Leg, Ranked, dense_leg, first_stage, lexical_leg
from deref.store.memory import MemoryStore
from deref.trace.events import Degraded
from deref.trace.sinks import ListSink
from deref.values import EVERYTHING, Candidates, Chunk, Hit, Query, Scope
from unit.retrieve.small_shelf import CHUNKS, ids, store

QUERY = Query(text="What toll do carts pay on the bridge?")
EMBEDDER = HashingEmbedder(256)


class Counting:
    """An embedder that counts the passages it embeds."""

    def __init__(self) -> None:
        self.identity = EMBEDDER.identity
        self.dimensions = EMBEDDER.dimensions
        self.embedded = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return EMBEDDER.passages(texts)

    def query(self, text: str) -> Vectors:
        return EMBEDDER.query(text)


def shelf() -> MemoryStore:
    return store(EMBEDDER.identity)


def dense(held: MemoryStore, *, pool: int = 20, lazy: int = 3, embedder: Counting | None = None) -> Leg:
    return dense_leg(
        embedder=embedder or EMBEDDER,
        lexical=held.rank_lexical,
        nearest=held.rank_dense,
        passages=held.passages,
        vectors=held.vectors,
        progress=held.progress,
        pool=pool,
        lazy=lazy,
    )


def names(hits: Sequence[Hit]) -> list[str]:
    return [h.chunk.id for h in hits]


def told(hits: Sequence[Hit]) -> Ranking:
    return tuple((h.chunk.id, h.score) for h in hits)


def ranked(leg: Leg, query: Query = QUERY) -> list[str]:
    return [one for one, _ in leg(query).ranking]


def scores(leg: Leg, query: Query = QUERY) -> list[float]:
    return [score for _, score in leg(query).ranking]


def run(legs: Mapping[str, Leg], sink: ListSink, held: MemoryStore | None = None) -> Candidates:
    stage = first_stage(legs, passages=(held or shelf()).passages, emit=sink)
    return stage.run(QUERY, Candidates())


def test_the_lexical_leg_gives_the_best_of_its_pool_in_scope() -> None:
    held = shelf()
    assert lexical_leg(held.rank_lexical, pool=2)(QUERY).ranking == told(
        held.lexical(QUERY.text, 2, EVERYTHING)
    )
    scoped = Query(text=QUERY.text, scope=Scope(documents=frozenset({"ferry"})))
    found = ranked(lexical_leg(held.rank_lexical, pool=9), scoped)
    assert {CHUNKS[one].lines.doc for one in found} == {"ferry"}


def test_whole_is_the_nearest_of_all_and_embeds_nothing_more() -> None:
    held, counting = shelf(), Counting()
    held.vectors(list(CHUNKS.values()), EMBEDDER)
    found = dense(held, pool=4, embedder=counting)(QUERY)
    assert found.ranking == told(held.dense(EMBEDDER.query(QUERY.text), 4, EVERYTHING)) and not found.read
    assert counting.embedded == 0


def test_lazy_embeds_the_top_of_the_words_and_ranks_it_by_cosine() -> None:
    held, counting = shelf(), Counting()
    leg = dense(held, lazy=3, embedder=counting)
    assert set(ranked(leg)) == set(names(held.lexical(QUERY.text, 3, EVERYTHING))) == set(leg(QUERY).read)
    assert scores(leg) == sorted(scores(leg), reverse=True)
    assert counting.embedded == held.progress(EVERYTHING).embedded == 3


def test_a_second_lazy_question_embeds_nothing_twice() -> None:
    held, counting = shelf(), Counting()
    leg = dense(held, lazy=3, embedder=counting)
    assert leg(QUERY) == leg(QUERY)
    assert counting.embedded == 3


def test_vectors_that_are_there_join_although_no_word_is_shared() -> None:
    held = shelf()
    held.vectors([CHUNKS["ferry2"]], EMBEDDER)
    assert "ferry2" not in names(held.lexical(QUERY.text, 9, EVERYTHING))
    leg = dense(held, lazy=2)
    assert "ferry2" in ranked(leg)
    assert scores(leg) == sorted(scores(leg), reverse=True)


def test_lazy_over_every_word_hit_is_the_whole_leg_over_those() -> None:
    lazy, whole = shelf(), shelf()
    whole.vectors(list(CHUNKS.values()), EMBEDDER)
    found = ranked(dense(lazy, lazy=50))
    assert found == [n for n in ranked(dense(whole, pool=50)) if n in found]


def test_the_pool_bounds_the_lazy_leg_too() -> None:
    assert len(ranked(dense(shelf(), pool=2, lazy=5))) == 2


def test_a_lazy_leg_without_a_word_hit_and_without_vectors_finds_nothing() -> None:
    assert ranked(dense(shelf()), Query(text="zebra")) == []


def test_one_scope_that_is_whole_is_searched_whole_though_the_rest_is_not() -> None:
    held, counting = shelf(), Counting()
    held.vectors([c for c in CHUNKS.values() if c.lines.doc == "ferry"], EMBEDDER)
    scoped = Query(text=QUERY.text, scope=Scope(documents=frozenset({"ferry"})))
    assert len(ranked(dense(held, lazy=1, embedder=counting), scoped)) == 3
    assert counting.embedded == 0


def broken(query: Query) -> Ranked:
    raise ModelError("the model file is gone; install the extra `bundled`")


def damaged(query: Query) -> Ranked:
    raise LibraryDamaged("the index is cut short; rebuild it")


def nothing(query: Query) -> Ranked:
    return Ranked(())


def test_a_leg_that_fails_is_reported_and_the_others_serve() -> None:
    sink = ListSink()
    words = lexical_leg(shelf().rank_lexical, pool=5)
    assert ids(run({"dense": broken, "bm25": words}, sink)) == ranked(words)
    (event,) = sink.events
    assert isinstance(event, Degraded)
    assert "dense leg failed" in event.what and "install the extra" in event.what


def test_a_leg_that_fails_is_no_empty_leg() -> None:
    sink = ListSink()
    with pytest.raises(ModelError, match="install the extra"):
        run({"dense": broken, "bm25": nothing}, sink)
    assert len(sink.events) == 1


def test_when_all_legs_fail_the_first_error_is_raised() -> None:
    sink = ListSink()
    with pytest.raises(LibraryDamaged, match="rebuild it"):
        run({"bm25": damaged, "dense": broken}, sink)
    assert len(sink.events) == 2


def test_an_error_that_nobody_meant_is_not_swallowed() -> None:
    def bug(query: Query) -> Ranked:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run({"bm25": bug, "other": nothing}, ListSink())


def test_legs_run_side_by_side_and_are_fused_in_their_order() -> None:
    met = threading.Barrier(2)
    held = shelf()

    def leg(query: Query) -> Ranked:
        met.wait(timeout=60)
        return Ranked(held.rank_lexical(query.text, 3, query.scope))

    after = run({"words": leg, "meaning": leg}, ListSink(), held)
    assert ids(after) == names(held.lexical(QUERY.text, 3, EVERYTHING))
    assert [a.by for a in next(iter(after)).arrivals] == ["words", "meaning"]


class Asked:
    """A shelf that keeps which passages it was asked for, and has not all of them the first `times`."""

    def __init__(self, times: int = 0) -> None:
        self.held = shelf()
        self.times = times
        self.wanted: list[Sequence[str]] = []

    def passages(self, ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        self.wanted.append(ids)
        there = ids if len(self.wanted) > self.times else ids[1:]
        return self.held.passages(there, scope)


def test_the_passages_of_all_legs_are_read_at_once_and_none_twice() -> None:
    asked = Asked()
    words = ranked(lexical_leg(asked.held.rank_lexical, pool=5))
    have = asked.held.passages(words[:1], EVERYTHING)
    legs = {
        "words": lambda query: Ranked([(one, 1.0) for one in words]),
        "meaning": lambda query: Ranked([(one, 1.0) for one in words[:1]], have),
    }
    after = first_stage(legs, passages=asked.passages, emit=ListSink()).run(QUERY, Candidates())
    assert asked.wanted == [words[1:]]
    assert set(ids(after)) == set(words)


@pytest.mark.parametrize(("times", "left_out"), [(1, 0), (2, 0), (9, 1)])
def test_what_went_before_it_was_read_is_ranked_again_and_left_out_at_last(times: int, left_out: int) -> None:
    asked = Asked(times)
    words = lexical_leg(asked.held.rank_lexical, pool=5)
    stage = first_stage({"words": words}, passages=asked.passages, emit=ListSink())
    assert ids(stage.run(QUERY, Candidates())) == ranked(words)[left_out:]
    assert len(asked.wanted) == min(times + 1, 3)
