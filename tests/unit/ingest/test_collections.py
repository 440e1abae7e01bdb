"""Folders as collections: the same bytes in two of them are two documents, and neither tells of the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import small_steps as steps
from deref.ingest import ingest
from deref.ingest.collections import folder_collection, one_collection
from deref.ports import Store
from deref.store.library import open_library
from deref.store.memory import MemoryStore
from deref.trace.events import FileRead
from deref.values import EVERYTHING, Scope

TEXT = "1 Rent\n\nThe rent is 40 a month.\n"


@pytest.fixture(params=["memory", "disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = MemoryStore() if request.param == "memory" else open_library(tmp_path / "library", fingerprint="f")
    yield made
    made.close()


def _read(root: Path, store: Store) -> list[FileRead]:
    return list(
        ingest(
            root, store, parse=steps.parse, structure=steps.structure, find=steps.find, chunk=steps.chunk,
            suffixes=frozenset([".txt"]), emit=lambda _: None, collection_of=folder_collection,
        ).files
    )  # fmt: skip


def _shelf(tmp_path: Path, **files: str) -> Path:
    root = tmp_path / "shelf"
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".txt").write_text(text)
    return root


def _seen(store: Store, *collections: str) -> set[str]:
    return {card.name for card in store.shelf(Scope(collections=frozenset(collections))).cards()}


@pytest.mark.parametrize(
    ("path", "collection"),
    [("a.txt", None), ("hr/a.txt", "hr"), ("hr/pay/a.txt", "hr"), ("default/a.txt", None)],
)
def test_the_first_folder_is_the_collection(path: str, collection: str | None) -> None:
    assert folder_collection(path) == collection
    assert one_collection(path) is None


def test_each_collection_holds_its_own_documents(store: Store, tmp_path: Path) -> None:
    _read(_shelf(tmp_path, hr__pay="1 Pay\n", legal__lease=TEXT, notes="1 Notes\n"), store)
    assert _seen(store, "hr") == {"hr/pay.txt"}
    assert _seen(store, "legal", "default") == {"legal/lease.txt", "notes.txt"}


def test_the_same_bytes_in_two_collections_are_two_documents(store: Store, tmp_path: Path) -> None:
    rows = _read(_shelf(tmp_path, hr__lease=TEXT, legal__lease=TEXT, legal__twin=TEXT), store)
    assert [(row.path, row.outcome) for row in rows] == [
        ("hr/lease.txt", "added"), ("legal/lease.txt", "added"), ("legal/twin.txt", "copy"),
    ]  # fmt: skip
    assert len({card.id for card in store.shelf(EVERYTHING).cards()}) == 2
    assert _seen(store, "legal") == {"legal/lease.txt"}


def test_a_file_that_changes_its_folder_changes_its_collection(store: Store, tmp_path: Path) -> None:
    root = _shelf(tmp_path, hr__lease=TEXT)
    _read(root, store)
    (root / "legal").mkdir()
    (root / "hr" / "lease.txt").rename(root / "legal" / "lease.txt")
    _read(root, store)
    assert _seen(store, "hr") == set()
    assert _seen(store, "legal") == {"legal/lease.txt"}
