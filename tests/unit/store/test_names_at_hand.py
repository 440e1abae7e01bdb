"""Names are found in memory as they are in the database, with the same figures, whatever is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.small_shelf import document, entry
from deref.store.library import LibraryStore, open_library
from deref.store.names import find_names
from deref.store.names_at_hand import NamesAtHand
from deref.store.reading import CATALOGUE, SqliteReader
from deref.values import EVERYTHING

NAMES = ("Harbour Lease", "Harbour Lease No. 2", "Quay Lease", "Notes on the Harbour", "Fee Schedule", "FEES")


@pytest.fixture
def library(tmp_path: Path) -> LibraryStore:
    store = open_library(tmp_path, fingerprint="f1")
    for n, title in enumerate(NAMES):
        store.put_all([entry(document(f"{n}/paper{n}.md", f"# {title}\n\nText {n}.\n", title=title))])
    return store


@pytest.mark.parametrize(
    "text", [*NAMES, "harbor leese", "paper3", "zzz", "", "the lease of the harbour at the quay"]
)
@pytest.mark.parametrize("k", [0, 1, 2, 9])
def test_names_at_hand_are_those_of_the_database(
    library: LibraryStore, tmp_path: Path, text: str, k: int
) -> None:
    reader = SqliteReader(tmp_path / CATALOGUE)
    for sees in (lambda doc: True, lambda doc: doc > "8"):
        assert NamesAtHand(reader).find(text, k, sees) == find_names(reader, text, k, sees)
    reader.close()


def test_a_session_finds_the_same_however_often_it_asks_and_what_is_new(library: LibraryStore) -> None:
    first = library.titles("harbour lease", 3, EVERYTHING, None)
    assert all(library.titles("harbour lease", 3, EVERYTHING, None) == first for _ in range(6))
    library.put_all([entry(document("new.md", "# Harbour Lease 9\n\nText.\n", title="Harbour Lease 9"))])
    assert [library.titles("harbour lease 9", 1, EVERYTHING, None)[0].names[0] for _ in range(6)] == [
        "Harbour Lease 9"
    ] * 6
