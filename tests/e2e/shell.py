"""Run `deref` as a user does: a process of its own, its library in a temporary folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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


class Shell:
    """Runs commands against one library folder. `embedder` is hashing, bundled or none; `behind`
    is a command to put before."""

    def __init__(
        self, library: Path, embedder: str = "hashing", *, behind: Sequence[str] = (), **environment: str
    ) -> None:
        self._behind = behind
        self._environment = {
            **os.environ,
            "DEREF_LIBRARY": str(library),
            "DEREF_MODELS_EMBEDDER": embedder,
            "DEREF_MODELS_BACKGROUND": "0",
            **environment,
        }

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
        return Ran(done.returncode, done.stdout, done.stderr)
