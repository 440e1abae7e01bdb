"""The scripts in `examples/` that show how Deref is used: short, and doing what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHELF = "examples/deal-room"
SCRIPTS = ("ask", "follow_references", "check_in_ci", "passages_for_an_agent")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("examples") / "library"


def _run(library: Path, name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, f"examples/{name}.py", SHELF, *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "DEREF_LIBRARY": str(library), "DEREF_MODELS_EMBEDDER": "none"},
    )  # fmt: skip


def test_they_are_short_and_listed() -> None:
    told = (ROOT / "examples" / "README.md").read_text("utf-8")
    for name in SCRIPTS:
        lines = (ROOT / "examples" / f"{name}.py").read_text("utf-8").splitlines()
        assert len(lines) < 60
        assert f"`{name}.py`" in told
        assert f"python examples/{name}.py" in "\n".join(lines[:12])


@pytest.mark.parametrize("name", SCRIPTS)
def test_called_without_arguments_they_say_how_they_are_called(library: Path, name: str) -> None:
    done = _run(library, name)
    assert (done.returncode, done.stdout, done.stderr.count("Traceback")) == (1, "", 0)
    assert f"python examples/{name}.py examples/deal-room" in done.stderr


def test_ask(library: Path) -> None:
    done = _run(library, "ask", "What does the Customer pay for night and weekend support?")
    assert (done.returncode, done.stderr) == (0, "")
    assert "[3] 02 Exhibit B - Fee Schedule.pdf, p. 1, l. 28\n" in done.stdout
    assert (
        "from 01 Master Services Agreement.pdf, p. 4, l. 13: row (E) of Table B-1 in Exhibit B\n"
        in done.stdout
    )
    open_one = _run(
        library, "ask", "Which firms may the Supplier use as subcontractors without further approval?"
    )
    assert open_one.returncode == 1
    assert "not followed: Schedule 5 - dangling: There is no schedule 5" in open_one.stdout


def test_follow_references(library: Path) -> None:
    done = _run(library, "follow_references", "Side Letter.md")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    at = lines.index("Side Letter.md, line 8: Section 6.2 of the Master Services Agreement")
    assert lines[at + 1].startswith("    01 Master Services Agreement.pdf, p. 4, l. 38: 6.2 Payment.")
    assert any(line.startswith("    unresolved: ") for line in lines)


def test_check_in_ci(library: Path, tmp_path: Path) -> None:
    accepted = tmp_path / "accepted.json"
    done = _run(library, "check_in_ci", accepted)
    assert done.returncode == 1
    assert (
        done.stdout.endswith("\n2 new, 0 accepted\n")
        and "Section 14.9 of the Master Services Agreement" in done.stdout
    )
    assert _run(library, "check_in_ci", accepted, "--accept").returncode == 0
    again = _run(library, "check_in_ci", accepted)
    assert (again.returncode, again.stdout) == (0, "0 new, 2 accepted\n")


def test_passages_for_an_agent(library: Path) -> None:
    done = _run(library, "passages_for_an_agent", "What does night support cost?")
    assert (done.returncode, done.stderr) == (0, "")
    # The stand-in calls each tool once and says what came back.
    assert done.stdout.startswith('{"passages":[{"place":"')
    assert ", p. " in done.stdout and '"via":"' in done.stdout
