"""Diversity caps each document's share of the front; preference puts collections first. Both are stable partitions."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given, settings
from hypothesis import strategies as st

from deref.retrieve.cut import cut
from deref.retrieve.diversity import diverse
from deref.retrieve.prefer import prefer
from deref.values import Candidates, Query, Scope
from unit.retrieve.small_shelf import CHUNKS, candidate, candidates, ids, pointer, to

QUERY = Query(text="toll")
POINTER = to(pointer("Annex B", "bridge1"), "bridge4")
NONE = diverse(2, uncapped=lambda query: ())


def test_what_a_document_has_beyond_its_share_goes_behind() -> None:
    here = candidates("bridge0", "bridge1", "bridge2", "ferry0", "bridge3", "ferry1", "ferry2")
    assert ids(NONE.run(QUERY, here)) == [
        "bridge0", "bridge1", "ferry0", "ferry1", "bridge2", "bridge3", "ferry2",
    ]  # fmt: skip


def test_a_shelf_of_one_document_fills_its_places_all_the_same() -> None:
    here = candidates("bridge0", "bridge1", "bridge2", "bridge3")
    after = NONE.run(QUERY, here)
    assert after is here
    assert len(cut(3).run(QUERY, after)) == 3


def test_a_document_that_the_question_names_is_not_capped() -> None:
    here = candidates("bridge0", "bridge1", "bridge2", "ferry0")
    assert diverse(1, uncapped=lambda query: {"bridge"}).run(QUERY, here) is here


def test_what_a_reference_brought_in_is_not_capped_and_does_not_count() -> None:
    here = Candidates((candidate("bridge4", POINTER), candidate("bridge0"), candidate("ferry0")))
    assert diverse(1, uncapped=lambda query: ()).run(QUERY, here) is here


@settings(deadline=None)
@given(st.permutations(sorted(CHUNKS)), st.integers(1, 4))
def test_diversity_loses_nobody_and_caps_the_front(order: list[str], most: int) -> None:
    here = Candidates(tuple(candidate(c) for c in order))
    after = ids(diverse(most, uncapped=lambda query: ()).run(QUERY, here))
    assert sorted(after) == sorted(order)
    front = after[: min(most, 5) + min(most, 3)]
    for doc in ("bridge", "ferry"):
        assert [c for c in after if c.startswith(doc)] == [c for c in order if c.startswith(doc)]
        assert sum(c.startswith(doc) for c in front) <= most


def preferring(*collections: str, limit: Collection[str] | None = None) -> Query:
    return Query(
        text="toll",
        scope=Scope(prefers=frozenset(collections), collections=None if limit is None else frozenset(limit)),
    )


def members(scope: Scope) -> list[str]:
    """The ferry is in the collection "river", the bridge in "road"."""
    return [doc for doc, home in (("ferry", "river"), ("bridge", "road")) if scope.holds(doc, home)]


HERE = candidates("bridge0", "ferry0", "bridge1", "ferry1")


def test_preferred_collections_go_first_and_the_others_stay() -> None:
    assert ids(prefer(members).run(preferring("river"), HERE)) == ["ferry0", "ferry1", "bridge0", "bridge1"]


def test_without_a_preference_or_a_member_nothing_moves() -> None:
    assert prefer(members).run(QUERY, HERE) is HERE
    assert prefer(members).run(preferring("sky"), HERE) is HERE


def test_a_preference_opens_no_collection_that_the_scope_closes() -> None:
    assert prefer(members).run(preferring("river", limit={"road"}), HERE) is HERE
