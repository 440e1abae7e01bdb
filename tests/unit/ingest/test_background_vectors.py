"""Vectors in the background stop at any moment and go on."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.small_shelf import LEASE, document, entry
from deref.errors import LibraryBusy, LibraryDamaged, LibraryMismatch
from deref.ingest import embed_missing
from deref.models.hashing import HashingEmbedder
from deref.ports import Vectors
from deref.store.library import open_library
from deref.store.memory import MemoryStore
from deref.trace.events import VectorsComputed
from deref.values import EVERYTHING

EMBEDDER = HashingEmbedder()


def _store(store: MemoryStore) -> MemoryStore:
    store.put_all([entry(document(f"{n}.md", f"Barley number{n}.")) for n in range(80)])
    return store


def test_all_vectors_come_in_batches_that_are_told(tmp_path: Path) -> None:
    store = open_library(tmp_path, fingerprint="f", model=EMBEDDER.identity)
    store.put_all([entry(document(f"{n}.md", f"Barley number{n}.")) for n in range(80)])
    told: list[VectorsComputed] = []
    progress = embed_missing(store, EMBEDDER, told.append)
    assert (progress.embedded, progress.chunks) == (80, 80)
    assert [event.done for event in told] == [32, 64, 80]
    assert embed_missing(store, EMBEDDER, told.append) == progress
    assert len(told) == 3


def test_it_stops_when_the_time_is_up_and_goes_on_later() -> None:
    store = _store(MemoryStore(model=EMBEDDER.identity))
    ticks = itertools.count()
    first = embed_missing(store, EMBEDDER, lambda _: None, seconds=2, clock=lambda: float(next(ticks)))
    assert 0 < first.embedded < 80
    assert store.progress(EVERYTHING) == first
    assert embed_missing(store, EMBEDDER, lambda _: None).embedded == 80


def test_vectors_of_another_embedder_do_not_count_and_do_not_loop() -> None:
    store = MemoryStore(model="another")
    store.put_all([entry(LEASE)])
    with pytest.raises(LibraryMismatch, match="another, not of hashing-64"):
        embed_missing(store, EMBEDDER, lambda _: None)


def test_vectors_that_cannot_be_kept_are_an_error_and_no_endless_loop(tmp_path: Path) -> None:
    store = open_library(tmp_path, fingerprint="f", model=EMBEDDER.identity)
    store.put_all([entry(LEASE)])
    chunks = store.chunks(LEASE.id, EVERYTHING)
    with sqlite3.connect(tmp_path / "catalogue.db") as other:
        other.execute("CREATE TRIGGER full BEFORE INSERT ON vectors BEGIN SELECT RAISE(IGNORE); END")
    assert store.vectors(chunks, EMBEDDER).shape == (len(chunks), 64)
    with pytest.raises(LibraryBusy, match="vectors cannot be kept"):
        embed_missing(store, EMBEDDER, lambda _: None)


class _Leaving(HashingEmbedder):
    """An embedder during whose second batch documents leave the shelf."""

    def __init__(self, store: MemoryStore) -> None:
        super().__init__()
        self._store = store
        self._batches = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        self._batches += 1
        if self._batches == 2:
            self._store.forget_files([card.name for card in self._store.shelf(EVERYTHING).cards()][:60])
        return super().passages(texts)


def test_documents_that_leave_meanwhile_end_nothing() -> None:
    store = _store(MemoryStore(model=EMBEDDER.identity))
    progress = embed_missing(store, _Leaving(store), lambda _: None)
    assert (progress.embedded, progress.chunks) == (20, 20)


def test_a_catalogue_that_takes_no_vectors_is_told(tmp_path: Path) -> None:
    store = open_library(tmp_path, fingerprint="f", model=EMBEDDER.identity)
    store.put_all([entry(LEASE)])
    with sqlite3.connect(tmp_path / "catalogue.db") as other:
        other.execute("CREATE TRIGGER odd BEFORE INSERT ON vectors BEGIN SELECT RAISE(ABORT, 'odd'); END")
    with pytest.raises(LibraryDamaged, match=r"the catalogue cannot be written \(odd\)"):
        store.vectors(store.chunks(LEASE.id, EVERYTHING), EMBEDDER)
