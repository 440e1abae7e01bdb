"""The hop: what the best candidates point at comes in behind them, and only that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deref.retrieve.hop import MARGIN
from deref.values import Candidates, Query, Scope, Status
from unit.retrieve.small_shelf import CHUNKS, candidate, candidates, hopping, ids, pointer, to

QUERY = Query(text="What toll do carts pay?")
FROM_1, FROM_2 = pointer("Annex B", "bridge1"), pointer("Annex B", "bridge2")
ANNEX = to(FROM_1, "bridge4")


def test_what_a_candidate_points_at_comes_in_behind_all_others_with_its_mark() -> None:
    here = candidates("bridge1", "ferry0")
    after = hopping(ANNEX).run(QUERY, here)
    assert ids(after) == ["bridge1", "ferry0", "bridge4"]
    (arrival,) = after.items[-1].arrivals
    assert after.items[-1].hopped
    assert (arrival.by, arrival.rank, arrival.reference) == ("hop", 0, ANNEX)
    assert arrival.score is not None and arrival.score >= MARGIN


def test_a_hopped_candidate_never_hops_again() -> None:
    onward = to(pointer("the ferry", "bridge4"), "ferry2")
    here = candidates("bridge1").with_added([candidate("bridge4", ANNEX)])
    assert hopping(onward).run(Query(text="what does a cart or drover pay"), here) is here


def test_it_abstains_below_its_margin() -> None:
    here = candidates("bridge1")
    assert hopping(ANNEX).run(Query(text="When does the river freeze?"), here) is here


def test_a_place_that_is_a_candidate_already_stays_where_it_is() -> None:
    here = candidates("bridge1", "bridge4")
    assert hopping(ANNEX).run(QUERY, here) is here


def test_a_whole_document_that_is_represented_brings_nothing_more() -> None:
    here = candidates("bridge1", "ferry0")
    assert hopping(to(FROM_1, "ferry1", kind="document")).run(QUERY, here) is here
    alone = candidates("bridge1")
    assert ids(hopping(to(FROM_1, "ferry1", kind="document")).run(QUERY, alone))[1:] == ["ferry0"]


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


@given(st.lists(_IDS, max_size=5), st.lists(_IDS, max_size=2), _GRAPH, st.integers(0, 3), st.integers(1, 4))
def test_the_first_stage_is_left_as_it_was(
    primary: list[str], hopped: list[str], graph: list[tuple[str, str, str, Status]], most: int, sources: int
) -> None:
    pointers = [to(pointer("Annex B", at), target, kind, status) for at, target, kind, status in graph]
    here = Candidates((*(candidate(c) for c in primary), *(candidate(c, ANNEX) for c in hopped)))
    after = hopping(*pointers, max_hops=most, sources=sources).run(QUERY, here)
    assert after.items[: len(here)] == here.items
    added = after.items[len(here) :]
    assert len(added) <= most
    read = {c.chunk.lines for c in [c for c in here if not c.hopped][:sources]}
    for new in added:
        resolution = new.arrivals[0].reference
        assert new.hopped and resolution is not None and resolution.status is Status.RESOLVED
        assert any(resolution.reference.at.doc == s.doc and resolution.reference.at.line in s for s in read)
        if resolution.targets[0].kind == "document":
            assert new.chunk.lines.doc not in {c.chunk.lines.doc for c in here}
