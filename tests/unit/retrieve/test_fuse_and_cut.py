"""Reciprocal rank fusion against a small exact oracle; the cut exempts what was followed."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from deref.retrieve.cut import cut
from deref.retrieve.fuse import RRF_K, fuse
from deref.values import Candidates, Chunk, Hit, Query, Span
from unit.retrieve.small_shelf import candidate, candidates, ids, pointer, to

QUERY = Query(text="toll")
HOPPED = to(pointer("Annex B", "bridge1"), "bridge4")


def hits(names: list[str]) -> list[Hit]:
    lines = Span(doc="d", start=0, end=1)
    return [
        Hit(chunk=Chunk(id=n, lines=lines, section=None, text=n, tokens=1), score=9.0 - i)
        for i, n in enumerate(names)
    ]


_LEG = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


@given(st.dictionaries(st.sampled_from(["bm25", "dense", "title"]), _LEG))
def test_fused_order_is_that_of_exact_reciprocal_ranks(legs: dict[str, list[str]]) -> None:
    def key(name: str) -> tuple[Fraction, int, str]:
        ranks = [leg.index(name) for leg in legs.values() if name in leg]
        return (-sum((Fraction(1, RRF_K + r + 1) for r in ranks), Fraction(0)), min(ranks), name)

    fused = fuse({name: hits(leg) for name, leg in legs.items()})
    assert ids(fused) == sorted({n for leg in legs.values() for n in leg}, key=key)
    for found in fused:
        told = {(a.by, a.rank, a.score) for a in found.arrivals}
        name = found.chunk.id
        assert told == {(leg, r.index(name), 9.0 - r.index(name)) for leg, r in legs.items() if name in r}


@given(st.lists(_LEG, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_the_legs_changes_nothing(legs: list[list[str]], random: object) -> None:
    named = {f"leg{n}": hits(leg) for n, leg in enumerate(legs)}
    turned = dict(reversed(named.items()))
    assert ids(fuse(named)) == ids(fuse(turned))


def test_equal_ranks_in_other_legs_are_a_tie_for_the_id_to_break() -> None:
    legs = {"x": ["b", "c", "a"], "y": ["c", "b", "d", "a"], "z": ["d", "a", "b", "c"]}
    swapped = {"x": ["c", "b", "a"], "y": ["b", "c", "d", "a"], "z": ["d", "a", "c", "b"]}
    first = ids(fuse({n: hits(leg) for n, leg in legs.items()}))
    assert first == [
        {"b": "c", "c": "b"}.get(n, n) for n in ids(fuse({n: hits(leg) for n, leg in swapped.items()}))
    ]


def test_k_is_sixty_as_in_the_paper() -> None:
    assert RRF_K == 60


def test_no_leg_or_empty_legs_give_no_candidates() -> None:
    assert len(fuse({})) == len(fuse({"x": [], "y": []})) == 0


def test_the_cut_keeps_the_first_primary_ones_and_every_followed_one_in_its_place() -> None:
    here = Candidates(
        (candidate("bridge0"), candidate("bridge4", HOPPED), candidate("bridge1"), candidate("bridge2"), candidate("ferry1", HOPPED))
    )  # fmt: skip
    assert ids(cut(1).run(QUERY, here)) == ["bridge0", "bridge4", "ferry1"]
    assert ids(cut(2).run(QUERY, here)) == ["bridge0", "bridge4", "bridge1", "ferry1"]
    assert cut(3).run(QUERY, here) is here
    assert ids(cut(0).run(QUERY, here)) == ["bridge4", "ferry1"]


def test_a_short_list_is_not_cut() -> None:
    here = candidates("bridge0")
    assert cut(1).run(QUERY, here) is here
