"""Every `Store` that the suites of this folder are run on: a library with its catalogue in a file, one in PostgreSQL, the double."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.small_shelf import LEASE, MANUAL, POINTER, entry
from deref.models.hashing import HashingEmbedder
from deref.ports import Store
from deref.store.library import open_library
from deref.store.memory import MemoryStore
from deref.store.opening import remove_library

EMBEDDER = HashingEmbedder()

Make = Callable[[pytest.FixtureRequest, Path], Store]


def _on_disk(_request: pytest.FixtureRequest, folder: Path) -> Store:
    return open_library(folder, fingerprint="f1", model=EMBEDDER.identity)


def _on_postgresql(request: pytest.FixtureRequest, folder: Path) -> Store:
    database = request.getfixturevalue("postgresql").address()
    return open_library(folder, fingerprint="f1", model=EMBEDDER.identity, database=database)


def _in_memory(_request: pytest.FixtureRequest, _folder: Path) -> Store:
    return MemoryStore(model=EMBEDDER.identity)


@pytest.fixture(params=[_on_disk, _on_postgresql, _in_memory], ids=lambda make: make.__name__.strip("_"))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    make: Make = request.param
    opened = make(request, tmp_path / "library")
    yield opened
    opened.close()
    if make is _on_postgresql:
        remove_library(tmp_path / "library")


@pytest.fixture
def shelf(store: Store) -> Store:
    store.put_all([entry(LEASE), entry(MANUAL, POINTER)])
    store.fold()
    return store
