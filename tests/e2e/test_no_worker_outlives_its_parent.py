"""A large batch is read in worker processes; however the command ends, none of them is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.shell import Shell

_TEXT = "".join(f"## {n}. Part {n}\n\nThe tally is {n}, as Section {n + 1} has it.\n\n" for n in range(60))
_FILES = 480
"""So many that most are still to be read when the first are stored."""


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
        catalogue = tmp_path / "library" / "chunks.lance"
        deadline = time.monotonic() + 30
        while not catalogue.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        if number is signal.SIGINT:
            os.killpg(running.pid, number)  # Ctrl-C reaches all processes of the terminal.
        else:
            os.kill(running.pid, number)
        # The pipe closes when the last process that holds it is gone.
        _, err = running.communicate(timeout=20)
    assert "Traceback" not in err
    if number is signal.SIGKILL:
        done = Shell(tmp_path / "library", "none")("status", shelf, "--json")
        assert len(done.values()["documents"]) == _FILES
    else:
        # Where the interrupt strikes inside `exec`, as dataclasses use it, CPython ends by the signal after all, though it
        # was caught and told; a shell shows 130 for both.
        assert running.returncode in (130, -signal.SIGINT)
        assert err.splitlines()[-1] == "deref: interrupted; what was stored is kept"
