"""A library that is built anew: what people said of its documents stays, however that ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deref.engine import open_engine
from deref.errors import DerefError, LibraryDamaged
from deref.settings import LibrarySettings, ModelSettings, Settings
from deref.store.opening import remove_library
from deref.values import EVERYTHING

HERE = Settings(models=ModelSettings(embedder="none"))
NOWHERE = replace(HERE, library=LibrarySettings(catalogue="postgresql://nobody@localhost:1/nothing"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "old.md").write_text("# Old\n\nTen crowns.\n")
    with open_engine(tmp_path / "library", settings=HERE) as engine:
        engine.index(tmp_path / "shelf")
        engine.mark("old.md", "withdrawn")
    return tmp_path / "library"


def _marks(folder: Path, *, rebuild: bool = False) -> dict[str, str]:
    with open_engine(folder, settings=HERE, rebuild=rebuild) as engine:
        return {mark.name: mark.status.value for mark in engine.store.marks(EVERYTHING)}


def test_marks_come_along(folder: Path) -> None:
    assert _marks(folder, rebuild=True) == {"old.md": "withdrawn"}
    assert not (folder / "marks.json").exists()


def test_marks_wait_for_the_next_opening_when_a_rebuild_fails(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(DerefError):
            open_engine(folder, settings=NOWHERE, rebuild=True)
    assert _marks(folder) == {"old.md": "withdrawn"}
    assert not (folder / "marks.json").exists()


def test_an_embedder_that_is_none_removes_nothing(folder: Path) -> None:
    wrong = replace(HERE, models=ModelSettings(embedder="onnx", embedder_folder=str(folder / "nothing")))
    with pytest.raises(DerefError, match="no such folder"):
        open_engine(folder, settings=wrong, rebuild=True)
    assert (folder / "catalogue.db").exists()


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"doc": "a"}]', '[{"status": "gone"}]'])
def test_marks_that_cannot_be_read_are_told_and_kept(folder: Path, text: str) -> None:
    (folder / "marks.json").write_text(text)
    with pytest.raises(LibraryDamaged, match=r"marks\.json: .* mend the file, or remove it"):
        open_engine(folder, settings=HERE)
    assert (folder / "marks.json").read_text() == text


def test_what_cannot_be_removed_is_told(tmp_path: Path) -> None:
    (tmp_path / "chunks.lance").write_text("a file, and no folder")
    with pytest.raises(LibraryDamaged, match=r"chunks\.lance: the library cannot be removed"):
        remove_library(tmp_path)
