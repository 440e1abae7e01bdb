"""Every `Store` that the suites of this folder are run on: a library on disk, read through both doors, and the double."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.small_shelf import LEASE, MANUAL, POINTER, entry
from deref.models.hashing import HashingEmbedder
from deref.ports import Store
from deref.store.library import LibraryStore, open_library
from deref.store.lock import WriterLock
from deref.store.memory import MemoryStore
from deref.store.reading import CATALOGUE, AlchemyReader
from deref.store.writing import local_engine

EMBEDDER = HashingEmbedder()


def _on_disk(folder: Path) -> Store:
    return open_library(folder, fingerprint="f1", model=EMBEDDER.identity)


def _through_sqlalchemy(folder: Path) -> Store:
    _on_disk(folder).close()
    return LibraryStore(
        folder,
        reader=AlchemyReader(local_engine(folder / CATALOGUE), str(folder)),
        lock=WriterLock(folder / "writer.lock", timeout=5),
        model=EMBEDDER.identity,
        collection="default",
    )


def _in_memory(_folder: Path) -> Store:
    return MemoryStore(model=EMBEDDER.identity)


@pytest.fixture(params=[_on_disk, _through_sqlalchemy, _in_memory], ids=lambda make: make.__name__.strip("_"))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    make: Callable[[Path], Store] = request.param
    opened = make(tmp_path / "library")
    yield opened
    opened.close()


@pytest.fixture
def shelf(store: Store) -> Store:
    store.put_all([entry(LEASE), entry(MANUAL, POINTER)])
    store.fold()
    return store
