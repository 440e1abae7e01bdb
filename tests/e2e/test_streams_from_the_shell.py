"""Whatever stdout and stderr are: no traceback, valid JSON, one line an error."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.shell import Shell


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "Gebühr.md").write_text(
        "# Gebühr\n\nDie Gebühr für das Lager beträgt 30 € im Monat 🪙.\n", "utf-8"
    )
    return folder


def run(tmp_path: Path, command: str) -> subprocess.CompletedProcess[str]:
    deref = f'"{sys.executable}" -m deref.cli.main'
    environment = {
        **os.environ, "DEREF_LIBRARY": str(tmp_path / "library"), "DEREF_MODELS_EMBEDDER": "hashing",
        "DEREF_MODELS_BACKGROUND": "0",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", command.replace("deref", deref)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_that_the_terminal_cannot_show_is_escaped_and_json_stays_json(
    tmp_path: Path, shelf: Path, encoding: str
):
    command = f"export PYTHONIOENCODING={encoding}; deref"
    assert run(tmp_path, f"{command} status shelf | cat >status.txt; exit ${{PIPESTATUS[0]}}").returncode == 0
    assert b"md  Geb" in (tmp_path / "status.txt").read_bytes()
    found = json.loads(run(tmp_path, f"{command} search shelf 'Gebühr Lager' --json").stdout)
    assert found["source"] == "Gebühr.md"
    assert "30 € im Monat 🪙" in found["text"]


def test_names_are_read_in_a_locale_of_pure_ascii(tmp_path: Path, shelf: Path):
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    rows = Shell(tmp_path / "library", **plain)("index", shelf, "--json").rows()
    assert [(r["path"], r["outcome"]) for r in rows] == [("Gebühr.md", "added")]


def test_a_full_disk_under_stdout_or_the_trace_is_one_line(tmp_path: Path, shelf: Path):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    for command in (
        "deref ask shelf lager > /dev/full",
        "deref --help > /dev/full",
        "deref ask shelf lager --trace /dev/full",
    ):
        ran = run(tmp_path, command)
        assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1), ran.stderr
        assert "space" in ran.stderr


def test_closed_streams_harm_nothing(tmp_path: Path, shelf: Path):
    assert run(tmp_path, "deref index shelf >&- 2>&- <&-").returncode == 0
    assert "30" in run(tmp_path, "deref ask shelf 'Gebühr Lager' <&-").stdout


def test_a_reader_that_leaves_early_is_no_failure(tmp_path: Path, shelf: Path):
    (shelf / "many.md").write_text("# Many\n\n" + "See section 4.2 of this text.\n\n" * 3000)
    ran = run(tmp_path, "set -o pipefail; deref refs shelf --json | head -1")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["status"]


@pytest.mark.parametrize(
    "arguments",
    [["ask"], ["ask", "shelf"], ["nope"], ["ask", "shelf", "x", "--budget", "9"], ["--versio"], ["show", "shelf", "-rf.md"], ["search", "shelf", "x", "-k", "0"], ["ask", "shelf", "x", "--library"]],
)  # fmt: skip
def test_arguments_that_make_no_sense_are_told_in_one_line(tmp_path: Path, shelf: Path, arguments: list[str]):
    ran = run(tmp_path, f"deref {' '.join(arguments)}")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert len(ran.stderr.splitlines()) == 1, ran.stderr
    assert "--help" in ran.stderr


def test_what_is_likely_meant_is_said(tmp_path: Path, shelf: Path):
    said = run(tmp_path, "deref ask shelf What is the rent").stderr
    assert "extra arguments (is the rent); words that belong together go in quotes; `" in said
    said = run(tmp_path, "deref ask shelf rent --jsn").stderr
    assert "No such option '--jsn'. Did you mean '--json'? `" in said
    assert run(tmp_path, "deref ask -h").stdout == run(tmp_path, "deref ask --help").stdout


def test_an_error_about_a_name_of_two_lines_is_one_line(tmp_path: Path, shelf: Path):
    (shelf / "two\nlines\x1b[2J.md").write_bytes(b"")
    ran = run(tmp_path, "deref index shelf")
    assert len(ran.stderr.splitlines()) == 1, ran.stderr
    assert r"two\nlines\x1b[2J.md" in ran.stderr


@pytest.mark.parametrize(
    ("told", "coloured"), [("TERM=xterm", True), ("TERM=dumb", False), ("TERM=xterm NO_COLOR=1", False)]
)
def test_colours_are_for_a_terminal_that_takes_them(tmp_path: Path, shelf: Path, told: str, coloured: bool):
    if not shutil.which("script"):
        pytest.skip("no `script` here, which makes a terminal")
    ran = run(tmp_path, f"unset NO_COLOR; {told} script -qec 'deref status shelf' typed")
    assert ("\x1b[" in ran.stdout) is coloured
    assert "Geb" in ran.stdout
    assert "\x1b[" not in run(tmp_path, f"{told} deref status shelf").stdout
