"""What can be wrong with a library on disk, and what each message says to do."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from conformance.small_shelf import LEASE, MANUAL, document, entry
from deref.errors import LibraryDamaged, LibraryMismatch, UsageError
from deref.models.hashing import HashingEmbedder
from deref.store import statements
from deref.store.layout import LAYOUT
from deref.store.library import open_library
from deref.store.opening import remove_library
from deref.store.reading import CATALOGUE, CHUNKS
from deref.values import EVERYTHING, Scope
from unit.store.former_layouts import LAYOUT_2, LAYOUT_3, LAYOUT_4


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


def test_former_documents_go_when_they_are_too_old_or_too_many_and_the_record_says_from_when_it_is_whole(
    tmp_path: Path,
) -> None:
    store = open_library(tmp_path, fingerprint="f1", history_seconds=3600.0)
    now = store.history().begins_ns
    times = [now + 1, now + 2, now + 3]
    for n, at_ns in enumerate(times):
        store.put_all([entry(document("lease.md", f"The rent is {n} crowns."))], at_ns=at_ns)
    store.fold()
    assert [len(store.past(t, EVERYTHING).cards()) for t in (now, *times)] == [0, 1, 1, 1]
    store.close()
    (size,) = {row[0] for row in _read(tmp_path, "SELECT bytes FROM former")}
    store = open_library(tmp_path, fingerprint="f1", history_seconds=3600.0, history_bytes=size)
    store.fold()
    assert store.history().begins_ns == times[1]
    assert [card.name for card in store.past(times[1], EVERYTHING).cards()] == ["lease.md"]
    with pytest.raises(UsageError, match=r"history\.days and history\.max_mb"):
        store.past(times[0], EVERYTHING)
    store.close()
    store = open_library(tmp_path, fingerprint="f1", history_seconds=0.0)
    store.fold()
    assert (store.history().begins_ns, _read(tmp_path, "SELECT * FROM former")) == (times[2], [])
    store.close()


def _read(folder: Path, statement: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / CATALOGUE) as catalogue:
        return catalogue.execute(statement).fetchall()


def test_each_index_of_the_catalogue_serves_a_statement(tmp_path: Path) -> None:
    _built(tmp_path)
    indexes = {
        str(name) for (name,) in _read(tmp_path, "SELECT name FROM sqlite_master WHERE name LIKE 'ix%'")
    }
    with sqlite3.connect(tmp_path / CATALOGUE) as catalogue:
        plans = " ".join(
            str(row)
            for statement in (*vars(statements).values(), *_WRITTEN)
            if isinstance(statement, str) and statement.strip().startswith(("SELECT", "DELETE"))
            for row in catalogue.execute(
                f"EXPLAIN QUERY PLAN {statement}",
                dict.fromkeys(("doc", "key", "model", "most", "at", "n", "id", "hash"), 1),
            )
        )
    assert {name for name in indexes if name not in plans} == set()


_WRITTEN = (
    "SELECT path FROM files WHERE doc = :doc",
    "DELETE FROM vectors WHERE NOT EXISTS (SELECT n FROM passages WHERE passages.text_hash = vectors.text_hash)",
)
"""What writing asks for, in the words of the database."""


def test_a_library_of_the_layout_before_keeps_its_documents_and_vectors(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    _built(tmp_path)
    with closing(open_library(tmp_path, fingerprint="f1", model=embedder.identity)) as store:
        store.vectors(store.missing_vectors(100), embedder)
    with sqlite3.connect(tmp_path / CATALOGUE) as catalogue:
        catalogue.executescript(LAYOUT_2)
    before = time.time_ns()
    with closing(open_library(tmp_path, fingerprint="f1", model=embedder.identity)) as store:
        assert store.shelf(EVERYTHING).document(MANUAL.id) == MANUAL
        assert store.progress(EVERYTHING).embedded == store.progress(EVERYTHING).chunks > 0
        assert store.history().begins_ns >= before
        store.forget_files([LEASE.name])
        store.fold()
        now = store.history().changed_ns
        assert [c.id for c in store.past(now - 1, EVERYTHING).cards()] == [LEASE.id, MANUAL.id]
    fresh = tmp_path / "fresh"
    _built(fresh)
    assert _read(tmp_path, _TABLES) == _read(fresh, _TABLES)


def test_a_library_of_layout_3_finds_its_documents_by_name(tmp_path: Path) -> None:
    _built(tmp_path)
    made = [_read(tmp_path, f"SELECT * FROM {table} ORDER BY 1, 2") for table in ("names", "name_trigrams")]
    with sqlite3.connect(tmp_path / CATALOGUE) as catalogue:
        catalogue.executescript(LAYOUT_3)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        assert [hit.doc for hit in store.titles("mill house lease", 1, EVERYTHING)] == [LEASE.id]
    again = [_read(tmp_path, f"SELECT * FROM {table} ORDER BY 1, 2") for table in ("names", "name_trigrams")]
    assert again == made
    assert _read(tmp_path, "SELECT value FROM properties WHERE key = 'layout'") == [(LAYOUT,)]


def test_a_library_of_layout_4_knows_where_its_passages_stand_and_what_front_pages_say(
    tmp_path: Path,
) -> None:
    old = document("pump 1.txt", "Pump Note 1\n\nOil is changed each month.", title="Pump Note 1")
    new = document(
        "pump 2.txt", "Pump Note 2\nSupersedes: Pump Note 1\n\nOil is changed each week.", title="Pump Note 2"
    )
    _built(tmp_path)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        store.put_all([entry(old), entry(new)])
        store.fold()
    columns = "SELECT doc, n, paths, page, end_page, kinds FROM passages ORDER BY doc, n"
    passages, stated = _read(tmp_path, columns), _read(tmp_path, "SELECT * FROM stated")
    assert len(stated) == 1 and any(kinds for *_, kinds in passages)
    with sqlite3.connect(tmp_path / CATALOGUE) as catalogue:
        catalogue.executescript(LAYOUT_4)
    with closing(open_library(tmp_path, fingerprint="f1")) as store:
        assert store.standings(EVERYTHING)[old.id].successor == "pump 2.txt"
    assert _read(tmp_path, columns) == passages
    assert _read(tmp_path, "SELECT * FROM stated") == stated


_TABLES = "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name"


def test_another_layout_is_refused(tmp_path: Path) -> None:
    _built(tmp_path)
    with sqlite3.connect(tmp_path / CATALOGUE) as catalogue:
        catalogue.execute("UPDATE properties SET value = '1' WHERE key = 'layout'")
    with pytest.raises(LibraryMismatch, match=r"layout 1, now 7.*deref index PATH --rebuild"):
        open_library(tmp_path, fingerprint="f1")
