"""Ctrl-C, or the end that a service manager asks for: one line, exit code 130, no process left, whatever is under way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.serving import DEAL_ROOM, until
from e2e.shell import Shell, commands_below

GOLD = DEAL_ROOM.with_suffix(".gold.jsonl")
TOLD = "deref: interrupted; what was stored is kept\n"


def begun(shell: Shell, *arguments: str | Path, importing: bool = False) -> subprocess.Popen[str]:
    """Start a command in a session of its own, as a terminal does; `importing`, it tells each module that is loaded."""
    told = ["-X", "importtime"] if importing else []
    return subprocess.Popen(
        [sys.executable, *told, "-m", "deref.cli.main", *map(str, arguments)], env=shell.environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("arguments", "module"),
    [
        (["index", DEAL_ROOM, "--wait"], "onnxruntime"),
        (["check", DEAL_ROOM], "deref.references.check"),
        (["evaluate", "answers", "--data", DEAL_ROOM, "--gold", GOLD], "deref.evaluate.answers.run"),
    ],
)
def test_once_a_module_is_loaded(
    tmp_path: Path, arguments: list[str | Path], module: str, number: signal.Signals
):
    shell = Shell(tmp_path / "library", "bundled")
    with begun(shell, *arguments, importing=True) as running:
        assert running.stderr is not None
        while (line := running.stderr.readline()) and line.rstrip().rpartition(" ")[2] != module:
            assert line.startswith("import time:"), line
        os.killpg(running.pid, number)
        _, err = running.communicate(timeout=60)
    said = [line for line in err.splitlines(keepends=True) if not line.startswith("import time:")]
    assert said == [TOLD]
    assert running.returncode in (130, -signal.SIGINT)


_HALTING = """
import runpy, sys, time

class Halt:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            print("here", flush=True)
            time.sleep(600)

sys.meta_path.insert(0, Halt())
runpy.run_module("deref.cli.main", run_name="__main__")
"""
"""Halts where the command line is about to load a module: all of it is loaded in a tenth of a second."""


@pytest.mark.parametrize("module", ["click", "click.types"])
def test_while_the_command_line_itself_is_loaded(module: str):
    with subprocess.Popen(
        [sys.executable, "-c", _HALTING, module], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "here\n"
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, "", TOLD)


def test_while_a_class_is_made(tmp_path: Path):
    script = tmp_path / "interrupted.py"
    script.write_text(
        "import deref.cli\n\n\nclass Named:\n    def __set_name__(self, owner, name):\n        raise KeyboardInterrupt\n\n\n"
        "class Owner:\n    named = Named()\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (130, TOLD)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_tools_on_the_standard_streams_that_wait_for_a_line(tmp_path: Path, number: signal.Signals):
    with begun(Shell(tmp_path / "library", "none"), "mcp", DEAL_ROOM) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        running.stdin.flush()
        assert '"id":1' in running.stdout.readline()
        os.killpg(running.pid, number)
        assert running.wait(timeout=60) == 130  # Its standard input is open still.
        assert running.communicate() == ("", TOLD)


def test_a_server_whose_job_is_at_work(tmp_path: Path):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    for n in range(300):
        (shelf / f"{n}.md").write_text(f"# Ledger {n}\n\n" + f"The tally is {n}.\n\n" * 300)
    with begun(Shell(tmp_path / "library", "none"), "serve", shelf, "--port", "0") as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("Deref serves shelf at")
        until(lambda: list((tmp_path / "library").glob("chunks.lance/data/*")))
        assert any(b"index_job" in line for line in commands_below(running.pid))
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
