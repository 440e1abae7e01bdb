"""Folders and files as archives and other processes leave them, and files that parsers stumble over."""

from __future__ import annotations

import inspect
import os
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance import small_steps as steps
from conformance.small_shelf import document, entry
from deref.ingest import Report, ingest, settled_report
from deref.ports import Store
from deref.store.library import open_library
from deref.store.memory import MemoryStore
from deref.values import EVERYTHING, Document


def _run(root: Path, store: Store) -> Report:
    return ingest(
        root, store, parse=steps.parse, structure=steps.structure, find=steps.find, chunk=steps.chunk,
        suffixes=steps.SUFFIXES, emit=lambda _: None,
    )  # fmt: skip


def test_folders_may_nest_deeper_than_calls(tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    for _ in range(150):
        folder /= "a"
    folder.mkdir(parents=True)
    (folder / "oats.md").write_text("Oats.")
    most = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        report = settled_report(
            tmp_path / "shelf", MemoryStore(), suffixes=steps.SUFFIXES, emit=lambda _: None
        )
        assert report is None
        (row,) = _run(tmp_path / "shelf", MemoryStore()).files
    finally:
        sys.setrecursionlimit(most)
    assert row.path.endswith("a/a/oats.md") and row.outcome == "added"


def test_a_file_may_be_of_any_time(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    file = tmp_path / "shelf" / "oats.md"
    file.write_text("Oats.")
    os.utime(file, ns=(2**63 + 10**9, 2**63 + 10**9))
    if file.stat().st_mtime_ns < 2**63:
        pytest.skip("this file system has no times so late")
    store = open_library(tmp_path / "library", fingerprint="f")
    assert [row.outcome for row in _run(tmp_path / "shelf", store).files] == ["added"]
    assert [row.outcome for row in _run(tmp_path / "shelf", store).files] == ["unchanged"]
    store.close()


class _Shared(MemoryStore):
    """A store into which another process writes right after the walk: it is then that a run asks whose it is."""

    def __init__(self, shelf: Path) -> None:
        super().__init__()
        self._shelf = shelf

    def home(self) -> str | None:
        if not (self._shelf / "late.md").exists():
            (self._shelf / "late.md").write_text("Barley.")
            self.put_all([entry(document("late.md", "Barley."))])
        return super().home()


def test_what_another_process_adds_meanwhile_is_not_gone(tmp_path: Path) -> None:
    (tmp_path / "oats.md").write_text("Oats.")
    store = _Shared(tmp_path)
    _run(tmp_path, store)
    assert [card.name for card in store.shelf(EVERYTHING).cards()] == ["late.md", "oats.md"]


def _stumble(document: Document) -> Sequence[object]:
    struct.unpack("<H", b"")
    return ()


def test_an_error_of_any_library_is_a_row_and_the_rest_goes_on(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"Oats {name}.")
    report = ingest(
        tmp_path, MemoryStore(), parse=steps.parse, structure=steps.structure, find=_stumble,  # type: ignore[arg-type]
        chunk=steps.chunk, suffixes=steps.SUFFIXES, emit=lambda _: None,
    )  # fmt: skip
    assert [row.outcome for row in report.files] == ["failed", "failed"]
    assert "please report the file" in str(report.files[0].error)
