"""A writer that is killed at any moment loses nothing that was visible and shows nothing half-built."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.small_shelf import LEASE, document, entry
from deref.store.library import LibraryStore, open_library
from deref.values import EVERYTHING, Hit
from e2e.serving import until

_WRITER = """
import os, signal, sys
from pathlib import Path
from conformance.small_shelf import document, entry
from deref.store.library import LibraryStore
from deref.store.lock import WriterLock
from deref.store.passages import ChunkIndex
from deref.store.reading import SqliteReader

place, moment = Path(sys.argv[1]), sys.argv[2]


def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)


class DyingIndex(ChunkIndex):
    def append(self, entries, revisions):
        if moment == "before the chunks":
            die()
        super().append(entries, revisions)
        if moment == "after the chunks":
            die()

    def sweep(self, revisions):
        super().sweep(revisions)
        if moment == "after the sweep":
            die()

    def fold(self):
        super().fold()
        if moment == "after the fold":
            die()


store = LibraryStore(
    place,
    reader=SqliteReader(place / "catalogue.db"),
    lock=WriterLock(place / "writer.lock", timeout=5),
    index=DyingIndex(place / "chunks.lance"),
)
store.put_all([entry(document("lease.md", "The tenant now pays in barley and oats."))])
if moment == "before the fold":
    die()
store.fold()
"""


def _killed(place: Path, moment: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _WRITER, str(place), moment],
        env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""},
        check=False,
        capture_output=True,
        timeout=60,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr.decode()


def _texts(store: LibraryStore, question: str) -> list[str]:
    return [hit.chunk.text for hit in store.lexical(question, 9, EVERYTHING)]


@pytest.mark.parametrize("moment", ["before the chunks", "after the chunks"])
def test_a_write_that_is_killed_before_it_commits_leaves_the_old_document(
    tmp_path: Path, moment: str
) -> None:
    store = open_library(tmp_path, fingerprint="f1")
    store.put_all([entry(LEASE)])
    store.fold()
    before = _texts(store, "tenant monthly rent")
    _killed(tmp_path, moment)
    for _ in range(2):
        assert _texts(store, "barley oats") == []
        assert _texts(store, "tenant monthly rent") == before
        assert store.shelf(EVERYTHING).document(LEASE.id) == LEASE
        again = open_library(tmp_path, fingerprint="f1")
        assert _texts(again, "barley oats") == []
        assert [c.id for c in again.shelf(EVERYTHING).cards()] == [LEASE.id]
        again.close()
        store.fold()
    assert len(store._index.revisions()) == 1


@pytest.mark.parametrize("moment", ["before the fold", "after the sweep", "after the fold"])
def test_a_write_that_committed_is_there_whatever_happens_to_the_fold(tmp_path: Path, moment: str) -> None:
    store = open_library(tmp_path, fingerprint="f1")
    store.put_all([entry(LEASE)])
    store.fold()
    _killed(tmp_path, moment)
    for _ in range(2):
        assert _texts(store, "barley oats") == ["The tenant now pays in barley and oats."]
        assert _texts(store, "landlord roof") == []
        assert [c.name for c in store.shelf(EVERYTHING).cards()] == ["lease.md"]
        store.fold()
    assert len(store._index.revisions()) == 1


_MANY = """
import sys
from pathlib import Path
from conformance.small_shelf import document, entry
from deref.store.library import open_library

store = open_library(Path(sys.argv[1]), fingerprint="f1")
print("ready", flush=True)
for n in range(400):
    store.put_all([entry(document(f"{n:03}.md", f"Entry number{n} of the ledger tells of barley."))])
    print(n, flush=True)
    if n % 7 == 6:
        store.fold()
"""


@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.7])
def test_what_was_reported_as_written_survives_a_kill_at_a_random_moment(
    tmp_path: Path, seconds: float
) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", _MANY, str(tmp_path)],
        env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    time.sleep(seconds)
    writer.kill()
    written = {int(line) for line in writer.stdout.read().split()}
    writer.wait(10)
    store = open_library(tmp_path, fingerprint="f1")
    for _ in range(2):
        there = {int(card.name[:3]) for card in store.shelf(EVERYTHING).cards()}
        assert written <= there
        assert len(there - written) <= 1
        for n in there:
            assert len([t for t in _texts(store, f"number{n}") if f"number{n} " in t]) == 1
        store.fold()
    assert len(store._index.revisions()) == len(there)


def test_a_library_whose_first_write_was_killed_can_be_written_again(tmp_path: Path) -> None:
    open_library(tmp_path, fingerprint="f1").close()
    (tmp_path / "chunks.lance" / "data").mkdir(parents=True)
    (tmp_path / "chunks.lance" / "data" / "half.lance").write_bytes(b"half a file")
    store = open_library(tmp_path, fingerprint="f1")
    store.put_all([entry(document("a.md", "Barley stands in the field."))])
    assert _texts(store, "barley") == ["Barley stands in the field."]


_ONE_AFTER_THE_OTHER = """
import sys
from pathlib import Path
from conformance.small_shelf import document, entry
from deref.store.library import open_library

store = open_library(Path(sys.argv[1]), fingerprint="f1")
print("go", flush=True)
for n in range(1000):
    store.put_all([entry(document(f"{m}.md", f"Barley number{m} in round {sys.argv[2]} {n}.")) for m in range(6)])
    store.fold()
"""


def _unchanging(store: LibraryStore) -> tuple[list[str], Sequence[Hit]] | None:
    """Return the documents and what is found in them; None when a write that a database was told to keep came in between."""
    there, hits = sorted(store.collections(EVERYTHING)), store.lexical("barley", 50, EVERYTHING)
    return (there, hits) if there == sorted(store.collections(EVERYTHING)) else None


def test_at_whatever_moment_a_writer_is_killed_all_of_a_write_is_there_or_none(
    tmp_path: Path, database: str
) -> None:
    store = open_library(tmp_path, fingerprint="f1", database=database)
    store.put_all([entry(document(f"{n}.md", f"Barley number{n} in round none.")) for n in range(6)])
    for turn in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", _ONE_AFTER_THE_OTHER, str(tmp_path), str(turn)],
            env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""},
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None and writer.stdout.readline()
        time.sleep(0.15 + 0.11 * turn)
        writer.kill()
        writer.wait()
        for _ in range(2):
            there, hits = until(lambda: _unchanging(store))
            assert there == sorted(hit.chunk.lines.doc for hit in hits)
            assert len({hit.chunk.text.partition(" in ")[2] for hit in hits}) == 1, hits
            assert len(hits) == 6
            store.fold()
    store.close()
