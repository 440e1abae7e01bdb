"""A large batch is read in worker processes; however the command ends, none of them is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.serving import until
from e2e.shell import Shell, commands_below

_TEXT = "".join(f"## {n}. Part {n}\n\nThe tally is {n}, as Section {n + 1} has it.\n\n" for n in range(60))
_FILES = 480
"""So many that most are still to be read when the first are stored."""
_LEFT = 80


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    for n in range(_FILES):
        (folder / f"{n:03}.md").write_text(f"# Ledger {n}\n\n{_TEXT}")
    return folder


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_its_parent(tmp_path: Path, shelf: Path, number: signal.Signals):
    environment = {**os.environ, "DEREF_LIBRARY": str(tmp_path / "library"), "DEREF_MODELS_EMBEDDER": "none"}
    command = [sys.executable, "-m", "deref.cli.main", "index", str(shelf)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:  # fmt: skip
        until((tmp_path / "library" / "chunks.lance").exists)
        if number is signal.SIGINT:
            os.killpg(running.pid, number)  # Ctrl-C reaches all processes of the terminal.
        else:
            os.kill(running.pid, number)
        # The pipe closes when the last process that holds it is gone.
        _, err = running.communicate(timeout=60)
    assert "Traceback" not in err
    if number is signal.SIGKILL:
        # It goes on from there. A part of them shows it: all would take a while.
        for file in sorted(shelf.iterdir())[_LEFT:]:
            file.unlink()
        done = Shell(tmp_path / "library", "none")("status", shelf, "--json")
        assert len(done.values()["documents"]) == _LEFT
    else:
        # Where the interrupt strikes inside `exec`, as dataclasses use it, CPython ends by the signal after all, though it
        # was caught and told; a shell shows 130 for both.
        assert running.returncode in (130, -signal.SIGINT)
        assert err.splitlines()[-1] == "deref: interrupted; what was stored is kept"


_FEW = 64
"""Just so many that worker processes are started for them."""


@pytest.mark.parametrize(
    ("number", "all_of_them"),
    [(signal.SIGINT, True), (signal.SIGTERM, True), (signal.SIGTERM, False)],
    ids=["Ctrl-C", "SIGTERM to all", "SIGTERM to the first"],
)
def test_struck_while_the_workers_start(tmp_path: Path, number: signal.Signals, all_of_them: bool):
    shelf, deref = tmp_path / "shelf", Shell(tmp_path / "library", "none")
    shelf.mkdir()
    (shelf / "before.md").write_text("# Before\n\nThe gate was shut at noon.\n")
    assert deref("index", shelf).code == 0
    for n in range(_FEW):
        (shelf / f"{n:02}.md").write_text(f"# Ledger {n}\n\n" + f"The tally is {n}.\n\n" * 200)
    for milliseconds in (0, 1, 3, 60):
        with subprocess.Popen(
            [sys.executable, "-m", "deref.cli.main", "index", str(shelf)], env=deref.environment(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as running:  # fmt: skip
            while running.poll() is None and not any(
                b"lane_process" in line for line in commands_below(running.pid)
            ):
                time.sleep(0.0005)
            time.sleep(milliseconds / 1000)
            (os.killpg if all_of_them else os.kill)(running.pid, number)
            # The pipes close when the last process that holds them is gone.
            out, err = running.communicate(timeout=60)
        assert (out, err) == ("", "deref: interrupted; what was stored is kept\n")
        assert running.returncode in (130, -signal.SIGINT)
    assert "shut at noon" in deref("ask", shelf, "When was the gate shut?", "--json").values()["text"]
    assert len(deref("status", shelf, "--json").values()["documents"]) == _FEW + 1
