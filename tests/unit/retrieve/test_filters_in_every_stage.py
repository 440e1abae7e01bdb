"""A filter holds in every leg, whatever the vectors, for named titles, for what references bring in, and in the loop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deref.engine import Engine, open_engine
from deref.errors import UsageError
from deref.retrieve.legs import dense_leg
from deref.retrieve.title import best_extents
from deref.settings import settings_of
from deref.text.where import read_where
from deref.trace.events import StageRan
from deref.trace.sinks import ListSink
from deref.values import EVERYTHING, Query
from deref.values.filters import InDocument, InSection, OnPages

LEASE = """# Lease of the Mill

## 1 Rent

The rent of the mill is the amount that Section 2 of the Price List says, and it rises as Section 2 says.

## 2 Rise

The rent of the mill rises by two parts in a hundred each year.
"""
PRICES = "# Price List\n\n## 1 Grain\n\nA sack of grain costs 9 crowns.\n\n## 2 Rent\n\nThe rent of the mill is 70 crowns.\n"
WEIR = "# Weir Book\n\nThe rent of the weir is 30 crowns, and that of the mill is told elsewhere.\n"
QUESTION = "What is the rent of the mill in the Price List?"


@pytest.fixture(params=["none yet", "some", "all"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    root = tmp_path / "shelf"
    root.mkdir()
    for name, text in (("lease.md", LEASE), ("prices.md", PRICES), ("weir.md", WEIR)):
        (root / name).write_text(text)
    settings = settings_of({"models": {"embedder": "hashing"}, "index": {"chunk_tokens": 40}})
    with open_engine(tmp_path / "library", settings=settings) as opened:
        opened.index(root)
        embedder = opened.embedder
        assert embedder is not None
        if request.param != "none yet":
            few = 2 if request.param == "some" else 99
            opened.store.vectors(opened.store.missing_vectors(few), embedder)
        yield opened


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("document:lease", {"lease.md"}),
        ("NOT document:prices", {"lease.md", "weir.md"}),
        ("section:Rent", {"lease.md", "prices.md"}),
        ("section:1 AND document:prices", {"prices.md"}),
    ],
)
def test_nothing_that_does_not_pass_is_a_candidate_at_any_stage(
    engine: Engine, where: str, names: set[str]
) -> None:
    known = {card.id: card.name for card in engine.shelf().cards()}
    passing = {c.id for doc in known for c in engine.store.chunks(doc, EVERYTHING, read_where(where))}
    sink = ListSink()
    found = engine.search(QUESTION, where=where, k=50, emit=sink)
    seen = {chunk for e in sink.events if isinstance(e, StageRan) for chunk in (*e.before, *e.after)}
    assert seen and seen <= passing
    assert {known[c.chunk.lines.doc] for c in found} == names
    assert all(c.context is None for c in found) or "section" not in where


def test_the_lazy_and_the_joined_dense_leg_are_filtered_before_they_rank(engine: Engine) -> None:
    embedder = engine.embedder
    assert embedder is not None
    store = engine.store
    leg = dense_leg(
        embedder=embedder, lexical=store.rank_lexical, nearest=store.rank_dense, passages=store.passages,
        vectors=store.vectors, progress=store.progress, pool=1, lazy=1,
    )  # fmt: skip
    weir = InDocument(pattern="weir*")
    ((one, _),) = leg(Query(text="rent of the mill", filter=weir)).ranking
    (chunk,) = store.passages([one], EVERYTHING).values()
    assert store.shelf(EVERYTHING).document(chunk.lines.doc).name == "weir.md"  # type: ignore[union-attr]
    assert leg(Query(text="rent of the mill", filter=weir & OnPages(first=9))).ranking == ()


def test_the_best_passages_of_a_named_document_are_those_that_pass(engine: Engine) -> None:
    store = engine.store
    extents = best_extents(
        lexical=store.rank_lexical, passages=store.passages, vectors=store.vectors, embedder=engine.embedder
    )
    (lease,) = (card.id for card in engine.shelf().cards() if card.name == "lease.md")
    assert extents(Query(text="rent of the mill", filter=InSection(pattern="Rent")), lease)
    assert extents(Query(text="rent of the mill", filter=OnPages(first=9)), lease) == []


def test_the_loop_tells_where_a_pointer_leads_that_it_may_not_follow(engine: Engine) -> None:
    plain = engine.ask(
        "What is the rent of the mill?", where=InDocument(pattern="lease") | InDocument(pattern="prices")
    )
    assert "70 crowns" in plain.text
    answer = engine.ask(
        "What is the rent of the mill?", where=InSection(pattern="Rent") & InDocument(pattern="lease")
    )
    assert {c.section for c in answer.citations} == {"1 Rent"}
    assert "70 crowns" not in answer.text and "two parts" not in answer.text
    told = {r.reference.text: r.why for r in answer.pending}
    assert told["Section 2 of the Price List"].startswith(
        "not followed, the filter does not let it through: It is section 2"
    )
    assert told["Section 2"].startswith("not followed, the filter does not let it through: It is section 2")


def test_a_filter_that_is_none_raises_before_anything_is_searched(engine: Engine) -> None:
    sink = ListSink()
    for where in ("page:0", " ", "document:mill.md"):
        with pytest.raises(UsageError):
            engine.search(QUESTION, where=where, emit=sink)
    assert sink.events == []
