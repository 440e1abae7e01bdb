"""The overviews beside a library: tied to it and to the embedder, brought up by what is missing alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from deref.errors import LibraryDamaged, LibraryMismatch
from deref.models.hashing import HashingEmbedder
from deref.ports import Vectors
from deref.store.overviews import OVERVIEWS, OverviewFile

TEXTS = {"d1": "A lease of the mill", "d2": "A manual of the wheel", "d3": "A bond"}


class Counting(HashingEmbedder):
    """An embedder that keeps what it embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return super().passages(texts)


def file(folder: Path, home: str = "/shelf", model: str = "hashing-64") -> OverviewFile:
    return OverviewFile(folder, home=home, model=model)


def test_what_was_brought_up_is_read_in_order(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    assert file(tmp_path).bring_up(["d2", "d1"], TEXTS.__getitem__, embedder) == 2
    kept = file(tmp_path).read()
    assert kept.documents == ("d2", "d1")
    assert np.array_equal(kept.vectors, embedder.passages([TEXTS["d2"], TEXTS["d1"]]))
    assert [p.name for p in tmp_path.iterdir()] == [OVERVIEWS]


def test_only_new_documents_are_embedded_and_those_that_left_go(tmp_path: Path) -> None:
    embedder = Counting()
    file(tmp_path).bring_up(["d1", "d2"], TEXTS.__getitem__, embedder)
    assert file(tmp_path).complete(["d2", "d1"]) and not file(tmp_path).complete(["d1"])
    embedder.embedded.clear()
    assert file(tmp_path).bring_up(["d2", "d3"], TEXTS.__getitem__, embedder) == 1
    assert embedder.embedded == [TEXTS["d3"]]
    assert file(tmp_path).read().documents == ("d2", "d3")
    assert file(tmp_path).bring_up(["d3", "d2"], TEXTS.__getitem__, embedder) == 0


@pytest.mark.parametrize(("home", "model"), [("/other", "hashing-64"), ("/shelf", "hashing-128")])
def test_those_of_another_library_or_embedder_are_refused_and_made_anew(
    tmp_path: Path, home: str, model: str
) -> None:
    file(tmp_path).bring_up(["d1"], TEXTS.__getitem__, HashingEmbedder())
    with pytest.raises(LibraryMismatch, match=r"belong to another .*deref index PATH --wait"):
        file(tmp_path, home, model).read()
    assert file(tmp_path, home, model).bring_up(["d1"], TEXTS.__getitem__, HashingEmbedder()) == 1
    assert file(tmp_path, home, model).read().documents == ("d1",)


@pytest.mark.parametrize("damage", [None, b"", b"no archive", "cut", "columns", "rows"])
def test_those_that_are_missing_or_cannot_be_read_say_how_to_make_them(
    tmp_path: Path, damage: object
) -> None:
    path = tmp_path / OVERVIEWS
    file(tmp_path).bring_up(list(TEXTS), TEXTS.__getitem__, HashingEmbedder())
    if damage is None:
        path.unlink()
    elif isinstance(damage, bytes):
        path.write_bytes(damage)
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    elif damage == "columns":
        np.savez(path, home=np.array("/shelf"))
    else:
        np.savez(
            path, home=np.array("/shelf"), model=np.array("hashing-64"), documents=np.array(["d1", "d2"]),
            vectors=np.zeros((1, 64), dtype=np.float32),
        )  # fmt: skip
    with pytest.raises(LibraryDamaged, match="deref index PATH --wait"):
        file(tmp_path).read()
    assert file(tmp_path).bring_up(list(TEXTS), TEXTS.__getitem__, HashingEmbedder()) == 3


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(LibraryDamaged, match="cannot be written"):
        file(tmp_path / "gone").bring_up(["d1"], TEXTS.__getitem__, HashingEmbedder())
