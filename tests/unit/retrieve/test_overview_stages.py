"""Overviews: boost moves documents that stand out and drops nobody; restrict falls back on nothing, not on failure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deref.errors import LibraryDamaged, LibraryMismatch, ModelError
from deref.models.hashing import HashingEmbedder
from deref.ports import Overviews
from deref.retrieve.legs import Ranked, first_stage, lexical_leg
from deref.retrieve.overviews import DocumentPrior, boost, restrict, standing_out
from deref.retrieve.stage import Stage
from deref.trace.events import Degraded
from deref.trace.sinks import ListSink, nowhere
from deref.values import Candidates, Query, Scope
from unit.retrieve.small_shelf import CHUNKS, candidate, candidates, ids, store

QUERY = Query(text="Does the ferry take carts when the river freezes?")
EMBEDDER = HashingEmbedder(256)
TEXTS = {"bridge": "A bridge and its toll", "ferry": "A ferry on the river that freezes in winter"}
OVERVIEWS = Overviews(documents=tuple(TEXTS), vectors=EMBEDDER.passages(list(TEXTS.values())))


def prior(sink: ListSink | None = None, overviews: object = OVERVIEWS) -> DocumentPrior:
    def read() -> Overviews:
        if isinstance(overviews, Exception):
            raise overviews
        assert isinstance(overviews, Overviews)
        return overviews

    def visible(query: Query) -> Sequence[str]:
        return [card.id for card in store().shelf(query.scope).cards()]

    return DocumentPrior(read, EMBEDDER, visible, emit=sink or nowhere)


def legs(**more: object) -> Stage:
    words = lexical_leg(store().rank_lexical, pool=9)
    return first_stage({"lexical": words}, passages=store().passages, emit=nowhere)


def test_the_prior_ranks_the_documents_that_the_caller_sees() -> None:
    assert [doc for doc, _ in prior()(QUERY)] == ["ferry", "bridge"]
    scoped = Query(text=QUERY.text, scope=Scope(documents=frozenset({"bridge"})))
    assert [doc for doc, _ in prior()(scoped)] == ["bridge"]
    assert prior()(Query(text=QUERY.text, scope=Scope(documents=frozenset()))) == ()


def test_another_question_is_ranked_anew() -> None:
    one = prior()
    assert one(QUERY)[0][0] == "ferry"
    assert one(Query(text="toll of the bridge"))[0][0] == "bridge"


@pytest.mark.parametrize(
    "error", [LibraryDamaged("there are no overviews yet"), LibraryMismatch("those of another embedder")]
)
def test_overviews_that_cannot_be_used_are_told_once_and_the_question_is_searched_without(
    error: Exception,
) -> None:
    sink, here = ListSink(), candidates("bridge0", "ferry0")
    one = prior(sink, error)
    assert boost(one, most=1, margin=0.1, emit=sink).run(QUERY, here) is here
    assert ids(restrict(legs(), one, most=1, emit=sink).run(QUERY, here)) == ids(legs().run(QUERY, here))
    (event,) = sink.events
    assert isinstance(event, Degraded) and str(error) in event.what


def test_a_document_that_stands_out_goes_forward_with_its_rank_in_the_arrivals() -> None:
    here = candidates("bridge0", "bridge1", "ferry0", "bridge2", "ferry2")
    after = boost(prior(), most=1, margin=0.05, emit=nowhere).run(QUERY, here)
    assert ids(after) == ["ferry0", "ferry2", "bridge0", "bridge1", "bridge2"]
    assert [[a.by for a in c.arrivals] for c in after][:3] == [["bm25", "overview"]] * 2 + [["bm25"]]


def test_a_shelf_on_one_subject_is_left_alone() -> None:
    here = candidates("bridge0", "ferry0")
    flat = [("ferry", 0.71), ("bridge", 0.70)]
    assert boost(lambda query: flat, most=1, margin=0.05, emit=nowhere).run(QUERY, here) is here


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=9), st.integers(1, 4), st.floats(0.01, 1))
def test_what_stands_out_is_the_head_of_the_ranking_above_its_widest_gap(
    scores: list[float], most: int, margin: float
) -> None:
    ranked = [(str(n), score) for n, score in enumerate(sorted(scores, reverse=True))]
    chosen = standing_out(ranked, most=most, margin=margin)
    assert list(chosen) == ranked[: len(chosen)] and len(chosen) <= most
    gaps = [a[1] - b[1] for a, b in itertools.pairwise(ranked)][:most]
    assert bool(chosen) == any(gap >= margin for gap in gaps)
    assert not chosen or gaps[len(chosen) - 1] == max(gaps)


def test_several_documents_stand_out_together() -> None:
    ranked = [("a", 0.8), ("b", 0.79), ("c", 0.6), ("d", 0.45)]
    assert [doc for doc, _ in standing_out(ranked, most=3, margin=0.1)] == ["a", "b"]
    assert standing_out(ranked, most=1, margin=0.1) == ()
    assert standing_out(ranked[:1], most=3, margin=0.0) == ()


@settings(deadline=None)
@given(st.permutations(sorted(CHUNKS)))
def test_a_boost_drops_nobody_and_keeps_the_order_inside_each_document(order: list[str]) -> None:
    here = Candidates(tuple(candidate(c) for c in order))
    after = ids(boost(prior(), most=1, margin=0.0, emit=nowhere).run(QUERY, here))
    assert sorted(after) == sorted(order)
    for doc in TEXTS:
        assert [c for c in after if c.startswith(doc)] == [c for c in order if c.startswith(doc)]


def test_a_boost_that_fails_is_told_and_the_order_stays() -> None:
    def failing(query: Query) -> list[tuple[str, float]]:
        raise ModelError("no room")

    sink, here = ListSink(), candidates("bridge0", "ferry0")
    assert boost(failing, most=1, margin=0.0, emit=sink).run(QUERY, here) is here
    assert [type(e) for e in sink.events] == [Degraded]
    with pytest.raises(ModelError):
        restrict(legs(), failing, most=1, emit=sink).run(QUERY, here)


def test_restricting_searches_the_chosen_documents_alone() -> None:
    query = Query(text="Do carts pay on the ferry?")
    narrow = restrict(legs(), prior(), most=1, emit=nowhere).run(query, Candidates())
    assert {c.chunk.lines.doc for c in narrow} == {"ferry"}
    assert {c.chunk.lines.doc for c in legs().run(query, Candidates())} == {"bridge", "ferry"}


def test_restricting_never_widens_the_scope() -> None:
    scoped = Query(text=QUERY.text, scope=Scope(documents=frozenset({"bridge"})))
    after = restrict(legs(), lambda q: [("ferry", 1.0)], most=1, emit=nowhere).run(scoped, Candidates())
    assert "ferry" not in {c.chunk.lines.doc for c in after}


def test_nothing_found_where_it_was_restricted_to_falls_back_and_is_told() -> None:
    sink = ListSink()
    query = Query(text="drover")
    after = restrict(legs(), lambda q: [("ferry", 1.0)], most=1, emit=sink).run(query, Candidates())
    assert {c.chunk.lines.doc for c in after} == {"bridge"}
    (event,) = sink.events
    assert isinstance(event, Degraded) and "all were searched" in event.what


def test_a_restricted_search_that_failed_does_not_fall_back() -> None:
    def narrow_fails(query: Query) -> Ranked:
        if query.scope.documents is not None:
            raise LibraryDamaged("the index is cut short; rebuild it")
        raise AssertionError("it fell back")

    for others in ({}, {"dense": lambda query: Ranked(())}):
        first = first_stage({"lexical": narrow_fails, **others}, passages=store().passages, emit=nowhere)
        with pytest.raises(LibraryDamaged):
            restrict(first, lambda q: [("ferry", 1.0)], most=1, emit=nowhere).run(QUERY, Candidates())
