"""A library on a medium that may only be read answers; one that cannot be reached says so in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from e2e.shell import Shell, without_rights


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "well.md").write_text("# Well\n\nThe well is 30 m deep.\n")
    os.utime(folder / "well.md", (1_600_000_000, 1_600_000_000))
    return folder


def test_a_library_that_may_only_be_read_answers(tmp_path: Path, shelf: Path):
    library = tmp_path / "library"
    assert Shell(library)("index", shelf, "--wait").code == 0
    for path in (library, *library.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        deref = Shell(library, behind=without_rights())
        assert "30 m" in deref("ask", shelf, "How deep is the well?", "--json").values()["text"]
        assert deref("status", shelf).code == 0
        (shelf / "new.md").write_text("# New\n\nThe pump is new.\n")
        ran = deref("ask", shelf, "What is new?")
        assert (ran.code, len(ran.err.splitlines())) == (3, 1)
        assert "--library" in ran.err
    finally:
        for path in (library, *library.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_library_or_a_file_that_cannot_be_reached_is_told_in_one_line(tmp_path: Path, shelf: Path):
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "in.md").write_text("x")
    closed.chmod(0)
    try:
        for library, path in ((closed / "library", shelf), (tmp_path / "library", closed / "in.md")):
            ran = Shell(library, behind=without_rights())("ask", path, "How deep is the well?")
            assert ran.code in (2, 3)
            assert len(ran.err.splitlines()) == 1, ran.err
    finally:
        closed.chmod(0o755)
