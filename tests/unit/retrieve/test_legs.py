"""Legs: lexical, and dense in its two forms; one that fails is reported, and all failing is an error."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from deref.errors import LibraryDamaged, ModelError
from deref.models.hashing import HashingEmbedder
from deref.ports import Vectors
from deref.retrieve.legs import Leg, dense_leg, first_stage, lexical_leg
from deref.store.memory import MemoryStore
from deref.trace.events import Degraded
from deref.trace.sinks import ListSink
from deref.values import EVERYTHING, Candidates, Hit, Query, Scope
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
        lexical=held.lexical,
        nearest=held.dense,
        vectors=held.vectors,
        progress=held.progress,
        pool=pool,
        lazy=lazy,
    )


def names(hits: Sequence[Hit]) -> list[str]:
    return [h.chunk.id for h in hits]


def test_the_lexical_leg_gives_the_best_of_its_pool_in_scope() -> None:
    held = shelf()
    assert lexical_leg(held.lexical, pool=2)(QUERY) == held.lexical(QUERY.text, 2, EVERYTHING)
    scoped = Query(text=QUERY.text, scope=Scope(documents=frozenset({"ferry"})))
    assert {h.chunk.lines.doc for h in lexical_leg(held.lexical, pool=9)(scoped)} == {"ferry"}


def test_whole_is_the_nearest_of_all_and_embeds_nothing_more() -> None:
    held, counting = shelf(), Counting()
    held.vectors(list(CHUNKS.values()), EMBEDDER)
    found = dense(held, pool=4, embedder=counting)(QUERY)
    assert found == held.dense(EMBEDDER.query(QUERY.text), 4, EVERYTHING)
    assert counting.embedded == 0


def test_lazy_embeds_the_top_of_the_words_and_ranks_it_by_cosine() -> None:
    held, counting = shelf(), Counting()
    found = dense(held, lazy=3, embedder=counting)(QUERY)
    assert set(names(found)) == set(names(held.lexical(QUERY.text, 3, EVERYTHING)))
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)
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
    found = dense(held, lazy=2)(QUERY)
    assert "ferry2" in names(found)
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)


def test_lazy_over_every_word_hit_is_the_whole_leg_over_those() -> None:
    lazy, whole = shelf(), shelf()
    whole.vectors(list(CHUNKS.values()), EMBEDDER)
    found = names(dense(lazy, lazy=50)(QUERY))
    assert found == [n for n in names(dense(whole, pool=50)(QUERY)) if n in found]


def test_the_pool_bounds_the_lazy_leg_too() -> None:
    assert len(dense(shelf(), pool=2, lazy=5)(QUERY)) == 2


def test_a_lazy_leg_without_a_word_hit_and_without_vectors_finds_nothing() -> None:
    assert dense(shelf())(Query(text="zebra")) == ()


def test_one_scope_that_is_whole_is_searched_whole_though_the_rest_is_not() -> None:
    held, counting = shelf(), Counting()
    held.vectors([c for c in CHUNKS.values() if c.lines.doc == "ferry"], EMBEDDER)
    scoped = Query(text=QUERY.text, scope=Scope(documents=frozenset({"ferry"})))
    assert len(dense(held, lazy=1, embedder=counting)(scoped)) == 3
    assert counting.embedded == 0


def broken(query: Query) -> Sequence[Hit]:
    raise ModelError("the model file is gone; install the extra `bundled`")


def damaged(query: Query) -> Sequence[Hit]:
    raise LibraryDamaged("the index is cut short; rebuild it")


def test_a_leg_that_fails_is_reported_and_the_others_serve() -> None:
    sink = ListSink()
    words = lexical_leg(shelf().lexical, pool=5)
    after = first_stage({"dense": broken, "bm25": words}, emit=sink).run(QUERY, Candidates())
    assert ids(after) == names(words(QUERY))
    (event,) = sink.events
    assert isinstance(event, Degraded)
    assert "dense leg failed" in event.what and "install the extra" in event.what


def test_a_leg_that_fails_is_no_empty_leg() -> None:
    sink = ListSink()
    with pytest.raises(ModelError, match="install the extra"):
        first_stage({"dense": broken, "bm25": lambda query: ()}, emit=sink).run(QUERY, Candidates())
    assert len(sink.events) == 1


def test_when_all_legs_fail_the_first_error_is_raised() -> None:
    sink = ListSink()
    with pytest.raises(LibraryDamaged, match="rebuild it"):
        first_stage({"bm25": damaged, "dense": broken}, emit=sink).run(QUERY, Candidates())
    assert len(sink.events) == 2


def test_an_error_that_nobody_meant_is_not_swallowed() -> None:
    def bug(query: Query) -> Sequence[Hit]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        first_stage({"bm25": bug, "other": lambda query: ()}, emit=ListSink()).run(QUERY, Candidates())


def test_legs_run_side_by_side_and_are_fused_in_their_order() -> None:
    met = threading.Barrier(2)
    held = shelf()

    def leg(query: Query) -> Sequence[Hit]:
        met.wait(timeout=20)
        return held.lexical(query.text, 3, query.scope)

    after = first_stage({"words": leg, "meaning": leg}, emit=ListSink()).run(QUERY, Candidates())
    assert ids(after) == names(held.lexical(QUERY.text, 3, EVERYTHING))
    assert [a.by for a in next(iter(after)).arrivals] == ["words", "meaning"]
