"""Two processes that write to one library at once lose no document and leave no key behind twice."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from conformance.small_shelf import document, entry
from deref.errors import LibraryBusy
from deref.store.library import open_library
from deref.store.lock import WriterLock
from deref.values import EVERYTHING

_WRITER = """
import sys
from pathlib import Path
from conformance.small_shelf import document, entry
from deref.store.library import open_library

who = sys.argv[2]
sys.stdin.readline()
store = open_library(Path(sys.argv[1]), fingerprint="f1", database=sys.argv[3])
for n in range(8):
    store.put_all([entry(document("same.md", "Both of them write this line about barley."))])
    store.put_all([entry(document(f"{who}-{n}.md", f"Writer{who} tells of oats, number{n}."))])
    if n % 3 == 2:
        store.fold()
store.close()
"""


def test_two_writers_at_once_neither_lose_nor_double_a_document(tmp_path: Path, database: str) -> None:
    environment = {"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path), who, database],
            env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for who in ("a", "b")
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, errors = writer.communicate(timeout=90)
        assert writer.returncode == 0, errors
    store = open_library(tmp_path, fingerprint="f1")
    for _ in range(2):
        names = [card.name for card in store.shelf(EVERYTHING).cards()]
        assert names == sorted([*(f"{w}-{n}.md" for w in "ab" for n in range(8)), "same.md"])
        hits = store.lexical("barley oats", 100, EVERYTHING)
        assert set(Counter(hit.chunk.id for hit in hits).values()) == {1}
        assert len(hits) == 17
        store.fold()
    rows = store._index._dataset().to_table(columns=["key"]).column("key").to_pylist()
    assert len(rows) == len(set(rows)) == 17


def test_a_reader_sees_what_another_process_wrote(tmp_path: Path, database: str) -> None:
    reader = open_library(tmp_path, fingerprint="f1", database=database)
    assert reader.lexical("oats", 5, EVERYTHING) == ()
    subprocess.run(
        [sys.executable, "-c", _WRITER, str(tmp_path), "c", database],
        env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""},
        input="go\n", text=True, check=True, timeout=60,
    )  # fmt: skip
    assert len(reader.lexical("oats", 20, EVERYTHING)) == 8


def test_a_writer_that_waits_too_long_is_told_which_process_it_waits_for(tmp_path: Path) -> None:
    store = open_library(tmp_path, fingerprint="f1", timeout=0.1)
    with (
        WriterLock(tmp_path / "writer.lock", timeout=1).held(),
        pytest.raises(LibraryBusy, match=f"process {os.getpid()} has been writing"),
    ):
        store.put_all([entry(document("a.md", "Barley."))])
    store.put_all([entry(document("a.md", "Barley."))])
    assert len(store.lexical("barley", 5, EVERYTHING)) == 1
