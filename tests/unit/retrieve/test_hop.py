"""The hop: what the best candidates point at, and what points at them, comes in; nothing else does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.retrieve.hop import MARGIN, MARGIN_OF_DESCRIBED, Mode
from deref.values import Candidates, Query, Scope, Status
from unit.retrieve.small_shelf import CHUNKS, DOCUMENTS, candidate, candidates, hopping, ids, pointer, to

QUERY = Query(text="What toll do carts pay?")
FROM_1, FROM_2 = pointer("Annex B", "bridge1"), pointer("Annex B", "bridge2")
ANNEX = to(FROM_1, "bridge4")


def test_what_a_candidate_points_at_comes_in_behind_all_others_with_its_mark() -> None:
    after = hopping(ANNEX).run(QUERY, candidates("bridge1", "ferry0"))
    assert ids(after) == ["bridge1", "ferry0", "bridge4"]
    (arrival,) = after.items[-1].arrivals
    assert after.items[-1].hopped
    assert (arrival.by, arrival.rank, arrival.reference) == ("hop", 0, ANNEX)
    assert arrival.score is not None and arrival.score >= MARGIN


def test_at_equal_budget_it_goes_right_behind_its_source_and_the_weakest_makes_room() -> None:
    here = candidates("bridge1", "ferry0", "ferry2")
    assert ids(hopping(ANNEX, k=3, mode="replace").run(QUERY, here)) == ["bridge1", "bridge4", "ferry0"]
    assert ids(hopping(ANNEX, k=9, mode="replace").run(QUERY, here)) == [
        "bridge1",
        "bridge4",
        "ferry0",
        "ferry2",
    ]
    assert hopping(ANNEX, k=1, mode="replace").run(QUERY, candidates("bridge1")).items == (
        candidate("bridge1"),
    )


def test_a_passage_that_was_found_further_down_moves_up_and_keeps_how_it_was_found() -> None:
    here = candidates("bridge1", "ferry0", "bridge4")
    after = hopping(ANNEX, mode="replace").run(QUERY, here)
    assert ids(after) == ["bridge1", "bridge4", "ferry0"]
    assert [a.by for a in after.items[1].arrivals] == ["bm25", "hop"]
    assert not after.items[1].hopped


def test_a_passage_of_the_pool_that_is_not_kept_comes_in_by_its_reference_alone() -> None:
    after = hopping(ANNEX, k=1).run(QUERY, candidates("bridge1", "ferry0", "bridge4"))
    assert ids(after) == ["bridge1", "bridge4"]
    assert after.items[1].hopped


def test_a_passage_that_stands_before_its_source_stays_there() -> None:
    here = candidates("bridge3", "bridge1")
    asked = Query(text="When do the carts pass, and what toll is set out?")
    for mode in ("replace", "append"):
        assert hopping(to(FROM_1, "bridge3"), mode=mode).run(asked, here) is here
    other_way = candidates("bridge1", "ferry0", "bridge3")
    assert ids(hopping(to(FROM_1, "bridge3"), mode="replace").run(asked, other_way))[1] == "bridge3"


def test_what_points_at_a_candidate_comes_in_from_the_pool() -> None:
    pool = candidates("bridge4", "ferry0", "bridge3", "bridge2")
    citing = to(FROM_2, "bridge4")
    after = hopping(citing, k=2, mode="replace").run(QUERY, pool)
    assert ids(after) == ["bridge4", "bridge2"]
    assert (after.items[1].arrivals[0].by, after.items[1].hopped) == ("cited-by", True)
    unseen = hopping(citing, k=2, mode="replace").run(QUERY, candidates("bridge4", "ferry0", "bridge3"))
    assert ids(unseen) == ["bridge4", "ferry0", "bridge3"]


def test_what_has_the_label_and_points_elsewhere_does_not_come_in() -> None:
    pool = candidates("bridge4", "ferry0", "bridge2")
    assert hopping(to(FROM_2, "ferry2"), k=2, mode="replace", sources=1).run(QUERY, pool) is pool


def test_a_hopped_candidate_never_hops_again() -> None:
    onward = to(pointer("the ferry", "bridge4"), "ferry2")
    here = candidates("bridge1").with_added([candidate("bridge4", ANNEX)])
    assert hopping(onward).run(Query(text="what does a cart or drover pay"), here) is here


def test_it_abstains_below_its_margin() -> None:
    here = candidates("bridge1")
    assert hopping(ANNEX).run(Query(text="When does the river freeze?"), here) is here


def score_of(after: Candidates) -> float:
    score = after.items[-1].arrivals[-1].score
    assert score is not None
    return score


def test_a_place_that_is_one_passage_needs_less() -> None:
    asked = Query(text="What toll in pence do oxen and horses bring?")
    after = hopping(ANNEX).run(asked, candidates("bridge1"))
    assert ids(after) == ["bridge1"]
    asked = Query(text="What toll in pence do oxen bring?")
    after = hopping(ANNEX).run(asked, candidates("bridge1"))
    assert ids(after) == ["bridge1", "bridge4"]
    assert MARGIN_OF_DESCRIBED <= score_of(after) < MARGIN


def test_a_wide_place_needs_less_when_the_sentence_that_points_is_what_was_asked_for() -> None:
    wide = to(pointer("the bridge", "ferry1"), "bridge4", kind="document")
    described = Query(text="Which toll is that of the bridge, for oxen and horses?")
    after = hopping(wide).run(described, candidates("ferry1"))
    assert len(after.items) == 2
    assert MARGIN_OF_DESCRIBED <= score_of(after) < MARGIN
    less = Query(text="Whose toll do carts pay in spring and autumn?")
    here = candidates("ferry1")
    assert hopping(wide).run(less, here) is here


def test_what_points_back_needs_the_whole_margin() -> None:
    asked = Query(text="Which carts pay in pence, which oxen, which horses, which mules?")
    pool = candidates("bridge4", "bridge2")
    assert hopping(to(FROM_2, "bridge4"), k=1, sources=1).run(asked, pool) is pool
    assert ids(hopping(to(FROM_2, "bridge4")).run(asked, candidates("bridge2"))) == ["bridge2", "bridge4"]


def test_a_place_that_is_a_candidate_already_stays_where_it_is_in_append_mode() -> None:
    here = candidates("bridge1", "bridge4")
    assert hopping(ANNEX).run(QUERY, here) is here


def test_a_whole_document_that_is_represented_brings_nothing_more() -> None:
    here = candidates("bridge1", "ferry0")
    assert hopping(to(FROM_1, "ferry1", kind="document")).run(QUERY, here) is here
    alone = candidates("bridge1")
    assert ids(hopping(to(FROM_1, "ferry1", kind="document")).run(QUERY, alone))[1:] == ["ferry0"]


def test_an_exact_place_comes_before_a_whole_document_that_tells_as_much() -> None:
    asked = Query(text="By Annex B, what pays a drover, and what pay carts of the mill?")
    whole = to(pointer("the bridge", "ferry1"), "bridge4", kind="document")
    exact = to(pointer("Annex B", "ferry1"), "bridge4")
    here = candidates("ferry1")
    assert ids(hopping(whole, max_hops=1).run(asked, here))[1:] == ["bridge2"]
    assert ids(hopping(exact, max_hops=1).run(asked, here))[1:] == ["bridge4"]
    assert ids(hopping(whole, exact, max_hops=1).run(asked, here))[1:] == ["bridge4"]


def test_of_a_wide_place_the_passages_that_tell_most_of_the_question_come_in() -> None:
    wide = to(FROM_2, "bridge4", kind="document")
    found = hopping(wide, per_hop=2).run(QUERY, candidates("ferry0", "bridge2"))
    assert ids(found) == ["ferry0", "bridge2"]
    whole = to(pointer("the bridge", "ferry0"), "bridge4", kind="document")
    assert ids(hopping(whole, per_hop=1).run(QUERY, candidates("ferry0")))[1:] == ["bridge2"]
    assert ids(hopping(whole, per_hop=2).run(QUERY, candidates("ferry0")))[1:] == ["bridge2", "bridge1"]


def test_only_pointers_that_land_on_a_place_count() -> None:
    here = candidates("bridge1")
    for status in (Status.AMBIGUOUS, Status.DANGLING, Status.EXTERNAL, Status.UNRESOLVED):
        assert hopping(to(FROM_1, "bridge4", status=status)).run(QUERY, here) is here


def test_nothing_comes_from_outside_the_scope() -> None:
    inside = Query(text=QUERY.text, scope=Scope(documents=frozenset({"bridge"})))
    here = candidates("bridge1")
    assert hopping(to(FROM_1, "ferry1")).run(inside, here) is here


def test_only_the_first_candidates_are_read_for_pointers() -> None:
    here = candidates("bridge0", "bridge3", "bridge1")
    assert hopping(ANNEX, sources=2).run(QUERY, here) is here
    assert ids(hopping(ANNEX, sources=3).run(QUERY, here))[-1] == "bridge4"


def test_no_more_places_come_in_than_allowed() -> None:
    pointers = [ANNEX, to(pointer("the ferry", "bridge1"), "ferry1"), to(FROM_2, "ferry0")]
    for most in range(4):
        after = hopping(*pointers, max_hops=most).run(QUERY, candidates("bridge1", "bridge2"))
        assert len(after) - 2 == min(most, 3)


def test_a_place_that_two_candidates_point_at_comes_before_one_that_a_single_one_does() -> None:
    pointers = [to(pointer("the ferry", "bridge1"), "ferry1"), ANNEX, to(FROM_2, "bridge4")]
    here = candidates("bridge1", "bridge2")
    assert ids(hopping(*pointers, max_hops=1).run(QUERY, here))[-1] == "bridge4"


def test_one_candidate_has_one_vote_however_often_it_says_it() -> None:
    once = hopping(ANNEX).run(QUERY, candidates("bridge1")).items[-1].arrivals[0].score
    again = [to(pointer("Annex B", "bridge1"), "bridge4") for _ in range(3)]
    assert hopping(ANNEX, *again).run(QUERY, candidates("bridge1")).items[-1].arrivals[0].score == once


_IDS = st.sampled_from(sorted(CHUNKS))
_GRAPH = st.lists(
    st.tuples(_IDS, _IDS, st.sampled_from(["annex", "document"]), st.sampled_from(Status)), max_size=8
)
_SCOPES = st.none() | st.frozensets(st.sampled_from(sorted(DOCUMENTS)))


@pytest.mark.parametrize("mode", ["replace", "append"])
@given(
    primary=st.lists(_IDS, max_size=6, unique=True),
    hopped=st.lists(_IDS, max_size=2),
    graph=_GRAPH,
    k=st.integers(1, 6),
    most=st.integers(0, 3),
    each=st.integers(1, 2),
    sources=st.integers(1, 4),
    scope=_SCOPES,
)
def test_whatever_the_graph_it_keeps_to_its_bounds(
    mode: Mode,
    primary: list[str],
    hopped: list[str],
    graph: list[tuple[str, str, str, Status]],
    k: int,
    most: int,
    each: int,
    sources: int,
    scope: frozenset[str] | None,
) -> None:
    pointers = [to(pointer("Annex B", at), target, kind, status) for at, target, kind, status in graph]
    here = Candidates((*(candidate(c) for c in primary), *(candidate(c, ANNEX) for c in hopped)))
    query = Query(text=QUERY.text, scope=Scope(documents=scope))
    stage = hopping(*pointers, k=k, mode=mode, max_hops=most, per_hop=each, sources=sources)
    after = stage.run(query, here)
    if after is here:
        return
    kept = [c for c in here if c.hopped or c.chunk.id in primary[:k]]
    new = [c for c in after if c.chunk.id not in {one.chunk.id for one in kept}]
    assert len(new) <= most * each
    assert ids(after)[:1] == ids(Candidates(tuple(kept)))[:1], "the best one stays first"
    if mode == "append":
        assert list(after)[: len(kept)] == kept
    else:
        room = max(k, len(kept))
        assert len(after) == min(room, len(kept) + len(new)) or len(after) == room
        assert [c for c in ids(after) if c in ids(Candidates(tuple(kept)))]
    for one in new:
        resolution = one.arrivals[0].reference
        assert one.hopped and resolution is not None and resolution.status is Status.RESOLVED
        assert scope is None or one.chunk.lines.doc in scope or one.arrivals[0].by == "cited-by"
        if one.arrivals[0].by == "hop" and resolution.targets[0].kind == "document":
            assert one.chunk.lines.doc not in {c.chunk.lines.doc for c in kept}
