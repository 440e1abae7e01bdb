"""Inertness: finding references leaves text and vectors as they are; a stage that is off, or does not apply, changes nothing.

Every switch of the recipe is covered as it is added: the switches are read from the settings themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deref.engine import Engine, open_engine
from deref.index.chunk import chunk
from deref.ingest import embed_missing, ingest
from deref.models.bundled import BundledEmbedder
from deref.models.hashing import HashingEmbedder
from deref.parse import SUFFIXES, parse
from deref.ports import Embedder
from deref.references.find import find
from deref.retrieve.fuse import fuse
from deref.settings import IndexSettings, ModelSettings, RetrieveSettings, Settings
from deref.store.library import open_library
from deref.structure.build import build_document
from deref.trace.events import Event, StageRan
from deref.trace.sinks import nowhere
from deref.values import EVERYTHING, Candidates, Document, Reference
from unit.evaluate.retrieval import toll_road as road

QUESTIONS = (
    road.QUESTION,
    "What does a horse in the stable cost?",
    "Which sum is due?",
    "Section 7",
    "What is rolled twice?",
    "Who wakes a traveller before sunrise, and when does the gate open?",
)
UNNAMED = tuple(q for q in QUESTIONS if q != "Section 7")
"""Questions that name no document."""


def switches() -> dict[str, Any]:
    """Return every switch of the recipe with the value that turns it off."""
    found: dict[str, Any] = {}
    for setting in fields(RetrieveSettings):
        if isinstance(setting.default, bool):
            found[setting.name] = False
        elif "off" in setting.metadata.get("choices", ()):
            found[setting.name] = "off"
    return found


# Finding references


def _nothing(_document: Document) -> Sequence[Reference]:
    return ()


def stored(
    folder: Path, docs: Path, *, extraction: bool, embedder: Embedder
) -> tuple[list[tuple[Any, ...]], bytes, int]:
    """Return all that is stored of each passage, the bytes of the vectors, and the number of references."""
    store = open_library(folder, fingerprint="f", model=embedder.identity)
    try:
        ingest(
            docs, store, parse=parse, structure=partial(build_document, fingerprint="f"), find=find if extraction else _nothing,
            chunk=partial(chunk, max_tokens=40), suffixes=SUFFIXES, emit=nowhere,
        )  # fmt: skip
        embed_missing(store, embedder, nowhere)
        cards = store.shelf(EVERYTHING).cards()
        chunks = [c for card in cards for c in store.chunks(card.id, EVERYTHING)]
        references = sum(len(store.references(card.id, EVERYTHING)) for card in cards)
        rows = [(c.id, c.lines, c.section, c.text, c.tokens, c.path, c.header) for c in chunks]
        return rows, store.vectors(chunks, embedder).tobytes(), references
    finally:
        store.close()


@pytest.mark.parametrize("model", ["hashing", pytest.param("bundled", marks=pytest.mark.bundled)])
def test_text_and_vectors_are_the_same_to_the_bit_with_extraction_on_or_off(tmp_path: Path, model: str):
    docs = road.shelf(tmp_path / "data") / "road" / "docs"
    embedder: Embedder = (
        HashingEmbedder() if model == "hashing" else BundledEmbedder(threads=1, cache=tmp_path)
    )
    on = stored(tmp_path / "on", docs, extraction=True, embedder=embedder)
    off = stored(tmp_path / "off", docs, extraction=False, embedder=embedder)
    assert on[2] > 0
    assert off[2] == 0
    assert on[0] == off[0]
    assert on[1] == off[1]


# Stages


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("road")
    with engine(folder / "library") as one:
        one.index(road.shelf(folder / "data"))
        one.embed()
    return folder / "library"


def engine(library: Path, **retrieve: Any) -> Engine:
    return open_engine(
        library,
        settings=Settings(
            index=IndexSettings(chunk_tokens=40),
            models=ModelSettings(embedder="hashing", background=False),
            retrieve=RetrieveSettings(**{"k": 2, **retrieve}),
        ),
    )


def asked(library: Path, question: str, **retrieve: Any) -> tuple[Candidates, list[StageRan]]:
    """Return what a search gives, and its stages."""
    events: list[StageRan] = []

    def note(event: Event) -> None:
        if isinstance(event, StageRan):
            events.append(event)

    with engine(library, **retrieve) as one:
        return one.search(question, emit=note), events


def test_the_switches_are_those_that_there_are():
    assert {"hop", "titles"} <= set(switches())


@pytest.mark.parametrize("question", QUESTIONS)
def test_with_every_switch_off_it_is_the_fused_legs_cut(library: Path, question: str):
    found, stages = asked(library, question, **switches())
    assert [s.stage for s in stages] == ["legs", "cut", "expand"]
    with engine(library) as one:
        assert one.embedder is not None
        legs = {
            "lexical": one.store.lexical(question, 60, EVERYTHING),
            "dense": one.store.dense(one.embedder.query(question), 60, EVERYTHING),
        }
    fused = fuse(legs)
    assert stages[0].after == tuple(c.chunk.id for c in fused)
    assert [(c.chunk, c.arrivals) for c in found] == [(c.chunk, c.arrivals) for c in fused.top(2)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_following_references_leaves_what_the_question_found_as_it_was(library: Path, question: str):
    off, _ = asked(library, question, **switches())
    on, _ = asked(library, question, **{**switches(), "hop": True, "hop_mode": "append"})
    assert tuple(c for c in on if not c.hopped) == off.items
    instead, _ = asked(library, question, **{**switches(), "hop": True, "hop_mode": "replace"})
    assert len(instead) == len(off) and instead.items[0].chunk == off.items[0].chunk


@pytest.mark.parametrize("question", UNNAMED)
@pytest.mark.parametrize("switch", sorted(set(switches()) & {"titles"}))
def test_a_question_that_names_no_document_keeps_its_order_exactly(library: Path, question: str, switch: str):
    """The place for every stage that must not touch such a question: its switch is named in the set above."""
    off, _ = asked(library, question, **switches())
    on, stages = asked(library, question, **{**switches(), switch: True})
    assert len(stages) > 3, "the switch brings a stage in"
    assert on == off


def test_a_hop_that_finds_no_pointer_changes_nothing(library: Path):
    question = "What does a horse in the stable cost?"
    off, _ = asked(library, question, **{**switches(), "k": 1})
    on, _ = asked(library, question, **{**switches(), "hop": True, "k": 1})
    assert on == off
