"""Run `deref` as a user does: a process of its own, its library in a temporary folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deref.replaying import replay


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def values(self) -> Any:
        """Return stdout as one JSON value."""
        return json.loads(self.out)

    def rows(self) -> list[dict[str, Any]]:
        """Return stdout as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def without_rights() -> list[str]:
    """Return what a command is put behind so that permissions count, also for root."""
    if os.geteuid():
        return []
    if not (tool := shutil.which("setpriv")):
        pytest.skip("permissions do not count for root, and setpriv is not here")
    rights = "-dac_override,-dac_read_search"
    return [tool, "--bounding-set", rights, "--inh-caps", rights]


def commands_below(pid: int) -> Iterator[bytes]:
    """Yield the command lines of the processes that a process has started and that are there still."""
    for started in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _held(started).split():
            yield _held(Path(f"/proc/{child.decode()}/cmdline"))


def _held(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


class Shell:
    """Runs commands against one library folder. `embedder` is hashing, bundled or none; `behind`
    is a command to put before.

    Every question that is asked with a trace is asked again from it, and the same must happen."""

    def __init__(
        self, library: Path, embedder: str = "hashing", *, behind: Sequence[str] = (), **environment: str
    ) -> None:
        self.replayed = 0
        self._behind = behind
        self._environment = {
            **os.environ,
            "DEREF_LIBRARY": str(library),
            "DEREF_MODELS_EMBEDDER": embedder,
            "DEREF_MODELS_BACKGROUND": "0",
            **environment,
        }

    def environment(self) -> dict[str, str]:
        """Return the environment that commands run in."""
        return dict(self._environment)

    def __call__(self, *arguments: str | Path, **environment: str) -> Ran:
        done = subprocess.run(
            [*self._behind, sys.executable, "-m", "deref.cli.main", *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            env={**self._environment, **environment},
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        if "--trace" in arguments and done.returncode in (0, 1):
            replayed = replay(arguments[arguments.index("--trace") + 1])
            assert replayed.same, replayed.difference
            self.replayed += 1
        return Ran(done.returncode, done.stdout, done.stderr)
