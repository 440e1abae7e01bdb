"""The examples that the help of a command gives can be copied from it and run as they stand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from reportlab.pdfgen import canvas

from deref.cli.main import COMMANDS
from e2e.serving import DEAL_ROOM
from e2e.shell import Shell

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text("utf-8")
UNTIL_STOPPED = ("serve", "mcp")
MEASURES = ("evaluate",)
"""They need labelled data, and hold for them in tests/e2e/test_evaluate_*."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the contracts that the examples name."""
    place = tmp_path_factory.mktemp("examples")
    contracts = place / "contracts"
    shutil.copytree(DEAL_ROOM, contracts)
    (contracts / "01 Master Services Agreement.pdf").rename(contracts / "msa.pdf")
    for name in ("old.pdf", "new.pdf", "lease of 2020.pdf"):
        page = canvas.Canvas(str(contracts / name))
        page.drawString(72, 700, f"The {name} says that the fee is late.")
        page.save()
    return place


def helped(*command: str) -> list[str]:
    """Return the lines of a command's help, in a terminal of the usual width."""
    shown = subprocess.run(
        [sys.executable, "-m", "deref.cli.main", *command, "--help"], capture_output=True, text=True, check=True,
        env={"COLUMNS": "80"},
    )  # fmt: skip
    return shown.stdout.splitlines()


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in (*UNTIL_STOPPED, *MEASURES, "sessions")])
def test_the_examples_of_the_help_run(place: Path, command: str):
    run_examples(place, helped(command))


def test_the_examples_of_sessions_run_one_after_the_other(place: Path):
    lines = helped("sessions")
    for name in ("list", "show", "export", "delete"):
        lines += helped("sessions", name)
    run_examples(place, lines)


@pytest.mark.parametrize("command", re.findall(r"^## `deref (.*)`$", PAGE, re.MULTILINE))
def test_the_help_tells_once_what_each_argument_is(command: str):
    told = " ".join(" ".join(helped(*command.split())).split())
    part = PAGE.partition(f"\n## `deref {command}`\n")[2].partition("\n## ")[0].partition("| option |")[0]
    arguments = re.findall(r"^\| `(.*?)` \| (.*?) \|$", part, re.MULTILINE)
    assert all(told.count(f" {name} {says}") == 1 for name, says in arguments), told


def run_examples(place: Path, lines: list[str]) -> None:
    examples = [line.strip().removeprefix("Example: ") for line in lines if line.startswith("  Example: ")]
    after = [lines[n + 1 : n + 2] for n, line in enumerate(lines) if line.startswith("  Example: ")]
    assert examples
    assert all(not "".join(following).strip() for following in after), "an example is broken over two lines"
    environment = Shell(place / "library").environment() | {"XDG_DATA_HOME": str(place / "data")}
    for example in examples:
        done = subprocess.run(
            ["bash", "-c", f'deref() {{ "{sys.executable}" -m deref.cli.main "$@"; }}; {example}'],
            cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        too_new = "what was on the shelf is known from" in done.stderr
        assert done.returncode in (0, 1) or too_new, (example, done.stderr)
