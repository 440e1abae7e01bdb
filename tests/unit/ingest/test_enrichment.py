"""Enrichment: preambles are searched and embedded, never shown; a run that was ended goes on; off is bit-identical."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deref.engine import Engine, open_engine
from deref.errors import LibraryMismatch, ModelError
from deref.index.preamble import whereabouts
from deref.ingest.enrich import enrich_missing
from deref.models.hashing import HashingEmbedder
from deref.models.scripted import ScriptedEnricher
from deref.settings import IndexSettings, ModelSettings, Settings
from deref.trace.events import Enriched, Event
from deref.trace.sinks import nowhere
from deref.values import EVERYTHING, Chunk, Document

OFF = Settings(models=ModelSettings(embedder="hashing"), index=IndexSettings(chunk_tokens=60))
ON = replace(OFF, index=IndexSettings(chunk_tokens=60, enrich="where"))
_LONG = "The wheel turns and the stones grind the barley of the village until the evening bell is rung. " * 3
LEASE = f"# Lease of the mill\n\n## Rent\n\nTen crowns, see Section 2.\n\n{_LONG}\n\n## Repairs\n\nThe owner repairs.\n\n{_LONG}\n"
NOTE = "On the miller\n\nHe rests on Sundays.\n"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "lease.md").write_text(LEASE)
    (folder / "note.txt").write_text(NOTE)
    return folder


def opened(shelf: Path, settings: Settings, name: str = "library") -> Engine:
    engine = open_engine(shelf.parent / name, settings=settings)
    engine.index(shelf)
    return engine


def chunks(engine: Engine) -> list[Chunk]:
    return [c for card in engine.shelf().cards() for c in engine.store.chunks(card.id, EVERYTHING)]


def scripted(n: int, word: str = "granary") -> ScriptedEnricher:
    return ScriptedEnricher([f"{word} {i}" for i in range(n)])


def test_off_leaves_no_trace_in_text_vectors_or_columns(shelf: Path) -> None:
    with opened(shelf, OFF) as off, opened(shelf, ON, "enriched") as on:
        assert {c.preamble for c in chunks(off)} == {""}
        assert [replace(c, preamble="") for c in chunks(on)] == chunks(off)
        embedder = HashingEmbedder()
        plain = embedder.passages([f"{c.path}\n{c.text}" if c.path else c.text for c in chunks(off)])
        assert np.array_equal(off.store.vectors(chunks(off), embedder), plain)
        assert not np.array_equal(on.store.vectors(chunks(on), embedder), plain)


def test_preambles_are_found_by_and_are_no_part_of_text_or_references(shelf: Path) -> None:
    with opened(shelf, OFF) as engine:
        before = chunks(engine)
        pointers = list(engine.references())
        enricher = scripted(len(before), "granary Section 9")
        assert enrich_missing(engine.store, enricher, whereabouts, nowhere) == len(before)
        hits = engine.store.lexical("granary", 9, EVERYTHING)
        assert {h.chunk.id for h in hits} == {c.id for c in before}
        assert [replace(c, preamble="") for c in chunks(engine)] == before
        assert list(engine.references()) == pointers
        assert not any("granary" in c.quote for c in engine.ask("What is the granary?").citations)


def test_where_and_what_the_model_says_stand_together(shelf: Path) -> None:
    with opened(shelf, OFF) as engine:
        enrich_missing(engine.store, scripted(20), whereabouts, nowhere)
        lines = [c.preamble.split("\n") for c in chunks(engine)]
        assert {line[-1] for line in lines} == {f"granary {n}" for n in range(len(lines))}
        assert lines[0][0].startswith("Lease of the mill") and len(lines[0]) == 2


def test_a_run_that_was_ended_goes_on_where_it_stopped(shelf: Path) -> None:
    with opened(shelf, OFF) as engine:
        total = len(chunks(engine))
        assert total > 2
        with pytest.raises(ModelError, match="no preamble left"):
            enrich_missing(engine.store, scripted(2), whereabouts, nowhere, batch=1)
        kept = [c.id for c in chunks(engine) if c.preamble]
        assert len(kept) == 2
        rest, events = scripted(total), list[Event]()
        assert enrich_missing(engine.store, rest, whereabouts, events.append, batch=1) == total - 2
        assert not set(rest.shown) & set(kept)
        assert all(c.preamble for c in chunks(engine)) and engine.store.unenriched() == []
        assert sum(isinstance(e, Enriched) for e in events) == total - 2
        assert enrich_missing(engine.store, scripted(0), whereabouts, nowhere) == 0


def test_a_passage_of_which_nothing_can_be_said_is_done_all_the_same(shelf: Path) -> None:
    with opened(shelf, OFF) as engine:
        silent = ScriptedEnricher([""] * 20)
        enrich_missing(engine.store, silent, lambda document, chunk: "", nowhere)
        assert engine.store.unenriched() == []


def test_a_document_that_arrives_later_gets_its_preambles_too(shelf: Path) -> None:
    with opened(shelf, ON) as engine:
        (shelf / "late.md").write_text("# The sluice\n\nIt opens at dawn.\n")
        engine.index(shelf)
        assert all(c.preamble for c in chunks(engine)) and len(engine.shelf().cards()) == 3
    with opened(shelf, OFF, "plain") as plain:
        assert len(plain.store.unenriched()) == 3


def test_documents_stay_in_their_collections(shelf: Path) -> None:
    folders = replace(ON, index=replace(ON.index, collections="folders"))
    (shelf / "mills").mkdir()
    (shelf / "lease.md").rename(shelf / "mills" / "lease.md")
    with opened(shelf, folders) as engine:
        names = {card.name: card.id for card in engine.shelf().cards()}
        collections = engine.store.collections(EVERYTHING)
        assert all(c.preamble for c in chunks(engine))
        assert {name: collections[doc] for name, doc in names.items()} == {
            "mills/lease.md": "mills",
            "note.txt": "default",
        }


class _Meanwhile:
    """An enricher that lets something happen while it thinks of its second preamble."""

    identity = "meanwhile"

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = happens
        self.asked = 0

    def preamble(self, document: Document, chunk: Chunk) -> str:
        self.asked += 1
        if self.asked == 2:
            self._happens()
        return f"granary {self.asked}"


def test_what_others_changed_meanwhile_stays_changed(shelf: Path) -> None:
    def change() -> None:
        (shelf / "lease.md").write_text(LEASE.replace("Ten", "Twelve"))
        with opened(shelf, OFF):
            pass

    (shelf / "note.txt").unlink()
    with opened(shelf, OFF) as engine:
        enrich_missing(engine.store, _Meanwhile(change), whereabouts, nowhere, batch=1)
        (card,) = engine.shelf().cards()
        assert "Twelve crowns" in "".join(c.text for c in engine.store.chunks(card.id, EVERYTHING))
        assert [f.doc for f in engine.store.files(EVERYTHING)] == [card.id]


def test_a_document_that_left_meanwhile_stays_away(shelf: Path) -> None:
    def remove() -> None:
        (shelf / "lease.md").unlink()
        with opened(shelf, OFF):
            pass

    with opened(shelf, OFF) as engine:
        enrich_missing(engine.store, _Meanwhile(remove), whereabouts, nowhere, batch=1)
        assert [card.name for card in engine.shelf().cards()] == ["note.txt"]


def test_a_document_that_was_renamed_meanwhile_keeps_its_new_name_and_its_preambles(shelf: Path) -> None:
    def rename() -> None:
        (shelf / "lease.md").rename(shelf / "the lease.md")
        with opened(shelf, OFF):
            pass

    (shelf / "note.txt").unlink()
    with opened(shelf, OFF) as engine:
        enrich_missing(engine.store, _Meanwhile(rename), whereabouts, nowhere, batch=1)
        assert [card.name for card in engine.shelf().cards()] == ["the lease.md"]
        assert all(c.preamble for c in chunks(engine))


def test_switching_it_on_or_off_asks_for_a_rebuild(shelf: Path) -> None:
    opened(shelf, OFF).close()
    with pytest.raises(LibraryMismatch, match="--rebuild"):
        open_engine(shelf.parent / "library", settings=ON)
