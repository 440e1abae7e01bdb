"""Four laws for every stage: no duplicates, no mutation, empty in raises nothing, not applying returns the same object."""

from __future__ import annotations

import copy
import inspect
import pkgutil
from dataclasses import replace
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deref.retrieve
from deref.models.overlap import OverlapReranker
from deref.retrieve.cut import cut
from deref.retrieve.diversity import diverse
from deref.retrieve.expand import expand
from deref.retrieve.legs import first_stage, lexical_leg
from deref.retrieve.overviews import boost, restrict
from deref.retrieve.place import place
from deref.retrieve.prefer import prefer
from deref.retrieve.question import parse_question
from deref.retrieve.rerank import rerank
from deref.retrieve.retry import retry
from deref.retrieve.stage import Stage
from deref.retrieve.title import best_extents, promote, reserve
from deref.trace.sinks import nowhere
from deref.values import AskedPlace, Candidates, Query, Scope, Target, TitleHit
from unit.retrieve.small_shelf import (
    CHUNKS,
    DOCUMENTS,
    candidate,
    chunks_of,
    hopping,
    ids,
    packing,
    pointer,
    store,
    to,
)

NAMED = AskedPlace(
    said="Annex B", targets=(Target(lines=CHUNKS["bridge4"].lines, kind="annex", label="B", title=""),)
)
QUERY = replace(parse_question("What toll do carts pay under the bridge agreement?"), places=(NAMED,))
PREFERS = parse_question("What toll do carts pay?", scope=Scope(prefers=frozenset({"river"})))
NO_SCOPE = Query(text="What toll do carts pay?", scope=Scope(documents=frozenset()))
POINTER = to(pointer("Annex B", "bridge1"), "bridge4")

BRIDGE = TitleHit(doc="bridge", names=("The Bridge Agreement",), score=0.9)
EXTENTS = best_extents(
    lexical=store().rank_lexical, passages=store().passages, vectors=store().vectors, embedder=None
)

FIRST = first_stage(
    {"bm25": lexical_leg(store().rank_lexical, pool=5)}, passages=store().passages, emit=nowhere
)
PREFERRING = prefer(lambda scope: ["ferry"] if scope.collections else [])
OTHER_WORDS = Query(text="cart drover", scope=QUERY.scope)
LEGS = ("bm25",)


def ranked(query: Query) -> list[tuple[str, float]]:
    return [("ferry", 0.9), ("bridge", 0.2)]


def retrying(evidence: float) -> Stage:
    return retry(
        lambda query: FIRST.run(query, Candidates()),
        evidence=lambda query, found: evidence if len(found) < 4 else 0.0,
        reformulate=lambda query: OTHER_WORDS,
        nearness=lambda query, chunks: [0.5] * len(chunks),
        emit=nowhere,
    )


STAGES: dict[str, Stage] = {
    "cut": cut(2),
    "expand": expand(DOCUMENTS.get, tokens=20),
    "hop": hopping(POINTER, to(pointer("Annex B", "ferry1"), "bridge4")),
    "pack": packing(POINTER),
    "first_stage": FIRST,
    "diverse": diverse(1, uncapped=lambda query: ()),
    "prefer": PREFERRING,
    "rerank": rerank(
        OverlapReranker(), per_leg=3, min_score=0.3, min_keep=1, top_k=2, legs=LEGS, emit=nowhere
    ),
    "boost": boost(ranked, most=1, margin=0.1, emit=nowhere),
    "restrict": restrict(FIRST, ranked, most=1, emit=nowhere),
    "retry": retrying(-1.0),
    "reserve": reserve(lambda query: [BRIDGE], EXTENTS),
    "promote": promote(lambda query: [BRIDGE]),
    "place": place(chunks_of),
}
IDLE: dict[str, tuple[Stage, Query, Candidates]] = {
    "cut": (cut(9), QUERY, Candidates((candidate("bridge0"), candidate("bridge1")))),
    "expand": (expand(lambda doc: None, tokens=20), QUERY, Candidates((candidate("bridge0"),))),
    "hop": (hopping(), QUERY, Candidates((candidate("bridge1"),))),
    "pack": (packing(), QUERY, Candidates((candidate("bridge1"),))),
    "first_stage": (STAGES["first_stage"], NO_SCOPE, Candidates()),
    "reserve": (
        reserve(lambda query: [], EXTENTS),
        QUERY,
        Candidates((candidate("ferry1"), candidate("bridge0"))),
    ),
    "diverse": (STAGES["diverse"], QUERY, Candidates((candidate("ferry1"), candidate("bridge0")))),
    "prefer": (PREFERRING, QUERY, Candidates((candidate("bridge0"), candidate("ferry1")))),
    "rerank": (STAGES["rerank"], QUERY, Candidates((candidate("bridge0", POINTER),))),
    "boost": (
        boost(lambda query: [("ferry", 0.5), ("bridge", 0.5)], most=1, margin=0.1, emit=nowhere),
        QUERY,
        Candidates((candidate("bridge0"), candidate("ferry1"))),
    ),
    "restrict": (STAGES["restrict"], NO_SCOPE, Candidates()),
    "retry": (retrying(0.0), QUERY, Candidates((candidate("ferry1"),))),
    "place": (STAGES["place"], PREFERS, Candidates((candidate("ferry1"), candidate("bridge0")))),
    "promote": (promote(lambda query: []), QUERY, Candidates((candidate("ferry1"), candidate("bridge0")))),
}


def builders() -> set[str]:
    """Return the names of the functions in `deref.retrieve` that build a stage."""
    found = set()
    for module in pkgutil.iter_modules(deref.retrieve.__path__):
        loaded = import_module(f"deref.retrieve.{module.name}")
        for name, function in inspect.getmembers(loaded, inspect.isfunction):
            if function.__module__ == loaded.__name__ and function.__annotations__.get("return") == "Stage":
                found.add(name)
    return found


def test_every_stage_that_can_be_built_is_under_the_laws() -> None:
    assert builders() == set(STAGES) == set(IDLE)


_POOL = [candidate(c) for c in CHUNKS] + [candidate(c, POINTER) for c in CHUNKS]
_LISTS = st.lists(st.sampled_from(_POOL), max_size=10).map(lambda found: Candidates(tuple(found)))


@pytest.mark.parametrize("name", STAGES)
def test_empty_in_raises_nothing(name: str) -> None:
    STAGES[name].run(QUERY, Candidates())
    STAGES[name].run(NO_SCOPE, Candidates())


@pytest.mark.parametrize("name", IDLE)
def test_a_stage_that_does_not_apply_returns_the_object_it_was_given(name: str) -> None:
    stage, query, here = IDLE[name]
    assert stage.run(query, here) is here


@pytest.mark.parametrize("query", [QUERY, PREFERS], ids=["plain", "prefers"])
@pytest.mark.parametrize("name", STAGES)
@settings(deadline=None)
@given(here=_LISTS)
def test_no_stage_doubles_a_chunk_or_changes_what_it_was_given(
    name: str, query: Query, here: Candidates
) -> None:
    before = copy.deepcopy(here)
    after = STAGES[name].run(query, here)
    assert here == before
    assert len(set(ids(after))) == len(after)


@pytest.mark.parametrize("name", STAGES)
@settings(deadline=None)
@given(here=_LISTS)
def test_the_same_in_gives_the_same_out(name: str, here: Candidates) -> None:
    assert STAGES[name].run(QUERY, here) == STAGES[name].run(QUERY, here)


@pytest.mark.parametrize("name", ["cut", "expand", "prefer", "diverse"])
@settings(deadline=None)
@given(here=_LISTS)
def test_what_is_done_already_is_left_alone(name: str, here: Candidates) -> None:
    once = STAGES[name].run(QUERY, here)
    if name == "cut":
        assert STAGES[name].run(QUERY, once) is once
    assert ids(STAGES[name].run(QUERY, once)) == ids(once)
