"""What can be wrong with a library on disk, and what each message says to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conformance.small_shelf import LEASE, MANUAL, document, entry
from deref.errors import LibraryDamaged, LibraryMismatch, UsageError
from deref.store.library import CATALOGUE, CHUNKS, open_library, remove_library
from deref.values import EVERYTHING, Scope


def _built(folder: Path) -> Path:
    store = open_library(folder, fingerprint="f1")
    store.put_all([entry(LEASE), entry(MANUAL)])
    store.fold()
    store.close()
    return folder


def test_a_library_is_as_it_was_left_when_it_is_opened_again(tmp_path: Path) -> None:
    store = open_library(_built(tmp_path), fingerprint="f1")
    assert store.shelf(EVERYTHING).document(MANUAL.id) == MANUAL
    assert store.lexical("landlord roof", 5, EVERYTHING)
    assert store.describe()["place"] == str(tmp_path)


def test_other_settings_are_refused_and_the_message_names_what_differs_and_the_fix(tmp_path: Path) -> None:
    with pytest.raises(LibraryMismatch, match=r"fingerprint f1, now f2.*deref index PATH --rebuild"):
        open_library(_built(tmp_path), fingerprint="f2")


def test_another_embedder_only_makes_vectors_missing(tmp_path: Path) -> None:
    store = open_library(_built(tmp_path), fingerprint="f1", model="other@1")
    assert store.progress(EVERYTHING).embedded == 0
    assert store.lexical("rent", 5, EVERYTHING)


def test_a_missing_catalogue_is_damage(tmp_path: Path) -> None:
    (_built(tmp_path) / CATALOGUE).unlink()
    with pytest.raises(LibraryDamaged, match=r"catalogue.db.*missing.*--rebuild"):
        open_library(tmp_path, fingerprint="f1")


def test_a_missing_chunk_index_is_damage(tmp_path: Path) -> None:
    shutil.rmtree(_built(tmp_path) / CHUNKS)
    with pytest.raises(LibraryDamaged, match=r"chunks.lance.*missing.*--rebuild"):
        open_library(tmp_path, fingerprint="f1")


@pytest.mark.parametrize("content", [b"", b"this is no database at all, but it is long enough" * 50])
def test_a_catalogue_that_is_no_database_is_damage(tmp_path: Path, content: bytes) -> None:
    _built(tmp_path)
    for suffix in ("-wal", "-shm"):
        (tmp_path / (CATALOGUE + suffix)).unlink(missing_ok=True)
    (tmp_path / CATALOGUE).write_bytes(content)
    with pytest.raises(LibraryDamaged, match=r"catalogue.db.*cannot be read.*--rebuild"):
        open_library(tmp_path, fingerprint="f1")


def test_a_chunk_index_with_broken_files_is_damage_and_not_an_empty_result(tmp_path: Path) -> None:
    for path in (_built(tmp_path) / CHUNKS).rglob("*"):
        if path.is_file() and "_versions" in path.parts:
            path.write_bytes(b"broken")
    store = open_library(tmp_path, fingerprint="f1")
    with pytest.raises(LibraryDamaged, match=r"chunks.lance: the chunk index cannot be used.*--rebuild"):
        store.lexical("rent", 5, EVERYTHING)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryDamaged, match=r"file/library: the library cannot be made there.*--library"):
        open_library(tmp_path / "file" / "library", fingerprint="f1")


def test_removing_a_library_leaves_what_else_is_in_its_folder(tmp_path: Path) -> None:
    _built(tmp_path)
    (tmp_path / "letter.txt").write_text("keep me")
    remove_library(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "keep me"
    assert not (tmp_path / CATALOGUE).exists()
    assert not (tmp_path / CHUNKS).exists()
    store = open_library(tmp_path, fingerprint="f2")
    assert store.lexical("rent", 5, EVERYTHING) == ()


def test_removing_a_library_that_is_not_there_touches_nothing(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("keep me")
    remove_library(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["letter.txt"]


def test_collections_limit_every_read(tmp_path: Path) -> None:
    one = open_library(tmp_path, fingerprint="f1", collection="open")
    one.put_all([entry(LEASE)])
    two = open_library(tmp_path, fingerprint="f1", collection="closed")
    two.put_all([entry(MANUAL)])
    scope = Scope(collections=frozenset(["open"]))
    assert {h.chunk.lines.doc for h in two.lexical("tenant pump flow", 9, scope)} == {LEASE.id}
    assert two.shelf(scope).document(MANUAL.id) is None
    both = Scope(collections=frozenset(["open"]), documents=frozenset([MANUAL.id]))
    assert two.lexical("tenant pump flow", 9, both) == ()


def test_a_folded_library_has_one_data_file_and_everything_in_its_indexes(tmp_path: Path) -> None:
    store = open_library(tmp_path, fingerprint="f1")
    for n in range(12):
        store.put_all([entry(document(f"{n}.md", f"Barley number{n}."))])
    assert len(store.lexical("barley", 50, EVERYTHING)) == 12
    store.fold()
    assert len(store.lexical("barley", 50, EVERYTHING)) == 12
    dataset = store._index._dataset()
    assert len(dataset.get_fragments()) == 1
    assert dataset.stats.index_stats("bm25")["num_unindexed_rows"] == 0


@pytest.mark.parametrize(
    "name", ["a?mode=ro", "a%20b %41#c", "s3:", "file:x", 'it\'s "q"', "библиотека", "-x", "a*[b]"]
)
def test_a_library_lies_where_its_path_says_whatever_signs_are_in_it(tmp_path: Path, name: str) -> None:
    library = open_library(tmp_path / name, fingerprint="f1")
    library.put_all([entry(LEASE)])
    library.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    again = open_library(tmp_path / name, fingerprint="f1")
    assert again.chunks(LEASE.id, EVERYTHING)
    again.close()


@pytest.mark.parametrize("name", ["two\nlines", "bad\udcff"])
def test_a_library_whose_path_cannot_be_written_down_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="UTF-8"):
        open_library(tmp_path / name, fingerprint="f1")
    assert list(tmp_path.iterdir()) == []
