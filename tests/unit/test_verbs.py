"""The verbs of the package with what is easily given to them by mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

import deref
from deref.errors import LibraryError, NoSuchSource, UsageError
from deref.settings import ModelSettings, Settings

WORDS = Settings(models=ModelSettings(embedder="none"))


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "lease.md").write_text("# Lease\n\n1. The rent is ten pounds, as Section 9 says.\n")
    return folder


def test_one_name_does_for_a_list_of_one(shelf: Path, tmp_path: Path) -> None:
    with deref.open_library(shelf, library=tmp_path / "library", settings=WORDS) as library:
        assert [r.reference.text for r in library.references("lease.md")] == ["Section 9"]
        assert list(library.check("lease.md", rules="dangling")) == list(library.check(rules=["dangling"]))


def test_numbers_that_are_none_are_refused(shelf: Path, tmp_path: Path) -> None:
    with deref.open_library(shelf, library=tmp_path / "library", settings=WORDS) as library:
        for k in (0, -1):
            with pytest.raises(UsageError, match=f"k is {k}; ask for 1 passage or more"):
                library.search("rent", k=k)
        with pytest.raises(UsageError, match="budget is -1"):
            library.ask("What is the rent?", budget=-1)
        assert len(library.search("rent", k=1)) == 1


def test_a_level_that_is_none_is_refused(shelf: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="level is 'page'; give section or document"):
        deref.graph(shelf, level="page", library=tmp_path / "library")


def test_a_closed_library_says_that_it_is_closed(shelf: Path, tmp_path: Path) -> None:
    with deref.open_library(shelf, library=tmp_path / "library", settings=WORDS) as library:
        pass
    with pytest.raises(LibraryError, match="this library was closed; ask inside its `with` block"):
        library.ask("What is the rent?")


def test_what_cannot_be_read_at_all_is_no_empty_shelf(shelf: Path, tmp_path: Path) -> None:
    (shelf / "scan.pdf").write_bytes(b"%PDF-1.4 cut")
    with deref.open_library(shelf, library=tmp_path / "one") as library:
        assert [card.name for card in library.shelf().cards()] == ["lease.md"]
    with pytest.raises(
        NoSuchSource, match=r"nothing there that could be read: scan\.pdf: the PDF is cut short"
    ):
        deref.references(shelf / "scan.pdf", library=tmp_path / "two")
