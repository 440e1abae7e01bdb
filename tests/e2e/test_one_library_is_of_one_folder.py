"""A library holds what one folder or file holds; lending it to another would drop what the first one put there."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.shell import Shell


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name, fact in (("north", "The mast is 12 m high."), ("south", "The keel is 4 m deep.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ship.md").write_text(f"# Ship\n\n{fact}\n")
    return tmp_path / "north", tmp_path / "south"


def test_another_folder_is_refused_and_nothing_is_lost(tmp_path: Path, folders: tuple[Path, Path]):
    deref = Shell(tmp_path / "library")
    north, south = folders
    assert deref("index", north).code == 0
    for asked in (south, north / "ship.md"):
        ran = deref("ask", asked, "How deep is the keel?")
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (3, "", 1)
        assert str(north) in ran.err
        assert "--library" in ran.err
    assert "12 m" in deref("ask", north, "How high is the mast?", "--json").values()["text"]


def test_rebuild_gives_the_library_to_another_folder(tmp_path: Path, folders: tuple[Path, Path]):
    deref = Shell(tmp_path / "library")
    north, south = folders
    assert deref("index", north).code == 0
    assert deref("index", south, "--rebuild").code == 0
    assert "4 m" in deref("ask", south, "How deep is the keel?", "--json").values()["text"]


def test_every_way_to_write_a_path_is_the_same_library(tmp_path: Path, folders: tuple[Path, Path]):
    north, _ = folders
    (tmp_path / "link").symlink_to(north, target_is_directory=True)
    deref = Shell(tmp_path / "library")
    assert deref("index", north).code == 0
    for way in (f"{north}/", tmp_path / "link", f"{north}/../north", north / "."):
        rows = deref("index", way, "--json")
        assert rows.code == 0, rows.err
        assert [r["outcome"] for r in rows.rows()] == ["unchanged"]


def test_a_library_is_not_put_among_its_documents(tmp_path: Path, folders: tuple[Path, Path]):
    deref = Shell(tmp_path / "library")
    north, _ = folders
    for asked in (north, north / "ship.md"):
        ran = deref("ask", asked, "How high is the mast?", "--library", north)
        assert (ran.code, ran.out, ran.err.count("a library is kept apart from its documents")) == (2, "", 1)
    assert [file.name for file in north.iterdir()] == ["ship.md"]


def test_a_library_below_the_documents_is_none_of_them(tmp_path: Path, folders: tuple[Path, Path]):
    north, _ = folders
    deref = Shell(north / "library")
    for _ in range(2):
        ran = deref("ask", north, "How high is the mast?")
        assert (ran.code, ran.err) == (0, "")
    assert deref("status", north, "--json").values()["passed_over"] == []
