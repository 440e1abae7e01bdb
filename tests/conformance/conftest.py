"""Every `Store` that the suites of this folder are run on: a library with its catalogue in a file, one in PostgreSQL, the double."""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.small_shelf import LEASE, MANUAL, POINTER, entry
from deref.models.hashing import HashingEmbedder
from deref.ports import Store
from deref.store.library import open_library
from deref.store.memory import MemoryStore
from deref.store.opening import remove_library
from deref.store.postgres.place import place_in
from deref.store.reading import CHUNKS
from deref.store.schema import tables_on
from postgresql_cluster import Cluster

EMBEDDER = HashingEmbedder()

Make = Callable[[pytest.FixtureRequest, Path], Store]


def _on_disk(_request: pytest.FixtureRequest, folder: Path) -> Store:
    return open_library(folder, fingerprint="f1", model=EMBEDDER.identity)


def _on_postgresql(request: pytest.FixtureRequest, _folder: Path) -> Store:
    folder: Path = request.getfixturevalue("library_on_postgresql")
    return open_library(folder, fingerprint="f1", model=EMBEDDER.identity)


def _in_memory(_request: pytest.FixtureRequest, _folder: Path) -> Store:
    return MemoryStore(model=EMBEDDER.identity)


@pytest.fixture(params=[_on_disk, _on_postgresql, _in_memory], ids=lambda make: make.__name__.strip("_"))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    make: Make = request.param
    opened = make(request, tmp_path / "library")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def made_on_postgresql(postgresql: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("on_postgresql") / "library"
    open_library(folder, fingerprint="f1", database=postgresql.address()).close()
    yield folder
    remove_library(folder)


@pytest.fixture
def library_on_postgresql(postgresql: Cluster, made_on_postgresql: Path) -> Path:
    """Return the folder of a library as it was when it was made: to make one for each test would take as long as the tests."""
    place = place_in(made_on_postgresql)
    assert place is not None
    emptied = [
        f"DELETE FROM {table.name}"
        for table in reversed(tables_on("postgresql"))
        if table.name != "properties"
    ]
    began = f"UPDATE properties SET value = '{time.time_ns()}' WHERE key = 'history'"
    changed = f"UPDATE properties SET value = '{uuid.uuid4().hex}' WHERE key IN ('generation', 'vectors')"
    forgotten = "DELETE FROM properties WHERE key = 'home'"
    postgresql.run("; ".join([f"SET search_path = {place.schema}", *emptied, began, changed, forgotten]))
    shutil.rmtree(made_on_postgresql / CHUNKS, ignore_errors=True)
    return made_on_postgresql


@pytest.fixture
def shelf(store: Store) -> Store:
    store.put_all([entry(LEASE), entry(MANUAL, POINTER)])
    store.fold()
    return store
