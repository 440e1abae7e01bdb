"""Candidates: one of each chunk, in rank order, and the same object when nothing moves."""

from __future__ import annotations

import dataclasses

import pytest

from deref.values import (
    Arrival,
    Candidate,
    Candidates,
    Chunk,
    Point,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
)


def candidate(name: str, *arrivals: Arrival) -> Candidate:
    lines = Span(doc="d", start=0, end=1)
    return Candidate(
        chunk=Chunk(id=name, lines=lines, section=None, text=name, tokens=1),
        arrivals=arrivals or (Arrival(by="bm25", rank=0),),
    )


def candidates(names: str) -> Candidates:
    return Candidates(tuple(candidate(n) for n in names))


def order(found: Candidates) -> str:
    return "".join(c.chunk.id for c in found)


def test_the_first_of_two_of_one_chunk_wins() -> None:
    first, again = candidate("a", Arrival(by="dense", rank=0)), candidate("a", Arrival(by="bm25", rank=4))
    assert Candidates((first, candidate("b"), again)).items == (first, candidate("b"))


def test_the_top_is_cut_and_short_lists_are_left_alone() -> None:
    here = candidates("abc")
    assert order(here.top(2)) == "ab"
    assert here.top(3) is here
    assert here.top(0).items == here.top(-1).items == ()


def test_promoting_keeps_the_order_within_both_parts() -> None:
    here = candidates("abcde")
    assert order(here.promoted(lambda c: c.chunk.id in "db")) == "bdace"


@pytest.mark.parametrize("wanted", ["", "a", "ab", "abc", "z"])
def test_promoting_what_leads_already_returns_the_same_object(wanted: str) -> None:
    here = candidates("abc")
    assert here.promoted(lambda c: c.chunk.id in wanted) is here


def test_what_is_added_goes_behind_and_never_doubles() -> None:
    here = candidates("ab")
    assert order(here.with_added([candidate("b"), candidate("c"), candidate("c")])) == "abc"
    assert here.with_added([candidate("b")]) is here
    assert here.with_added([]) is here


def test_reordering_leaves_those_not_named_behind_in_their_order() -> None:
    here = candidates("abcd")
    assert order(here.reordered(["d", "zz", "b"])) == "dbac"
    assert here.reordered([]) is here
    assert here.reordered(["a", "b"]) is here


def test_a_candidate_is_hopped_only_when_nothing_else_found_it() -> None:
    reference = Reference(
        text="Table 3",
        kind=ReferenceKind.TABLE,
        labels=("3",),
        at=Point(doc="d", line=0, char_start=0, char_end=7),
    )
    resolution = Resolution(reference=reference, status=Status.RESOLVED, targets=(), tier=None, why="")
    by_hop, by_words = Arrival(by="hop", rank=0, reference=resolution), Arrival(by="bm25", rank=0)
    assert candidate("a", by_hop).hopped
    assert not candidate("a", by_hop, by_words).hopped
    assert not candidate("a").hopped


def test_nouns_cannot_be_changed() -> None:
    here = candidates("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        here.items = ()  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        here.items[0].chunk.text = "other"  # type: ignore[misc]
