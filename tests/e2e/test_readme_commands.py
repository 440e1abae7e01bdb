"""Everything that the README tells a newcomer to type is typed here, and its session is what is printed.

Blocks marked ```sh run and ```python run, and the examples in the table of commands, run in order in a folder that
holds a copy of `examples/`, with the bundled embedder and a library of their own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def blocks(mark: str) -> list[str]:
    """Return the fenced blocks with this info string, in order."""
    return re.findall(rf"^```{mark}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("sh run") for line in block.splitlines() if line.strip()]
EXAMPLES = re.findall(r"^\|.*\| `(deref [^`]+)` \|$", README, re.MULTILINE)
SERVERS = re.findall(r"^\|.*\| `(deref [^`]+)` \(until stopped\) \|$", README, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Desk:
    """A folder with a copy of the examples, and a library."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        here = Path(sys.executable).parent
        return {
            **os.environ,
            "PATH": f"{here}{os.pathsep}{os.environ['PATH']}",
            "DEREF_LIBRARY": str(self.folder / "library"),
            "DEREF_MODELS_EMBEDDER": "bundled",
            "DEREF_MODELS_BACKGROUND": "0",
            "COLUMNS": "80",
        }

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return a desk whose library is indexed with all vectors, as `make demo` leaves it."""
    folder = tmp_path_factory.mktemp("newcomer")
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    desk = Desk(folder)
    done = desk.run(["deref", "index", "examples/deal-room", "--wait"])
    assert done.returncode == 0, done.stderr
    return desk


def test_the_readme_shows_each_command_of_deref(desk: Desk):
    shown = {example.split()[1] for example in [*COMMANDS, *EXAMPLES, *SERVERS]}
    told = desk.run(["deref", "--help"]).stdout.partition("Commands:")[2]
    assert shown == set(re.findall(r"^  (\w+)  ", told, re.MULTILINE))


def test_the_help_is_plain_text(desk: Desk):
    told = desk.run(["deref", "ask", "--help"]).stdout
    assert "[required]" in told and "\\" not in told


_PROGRESS = re.compile(r"[A-Z][^:]*: \d+ of \d+")
"""What takes longer than some seconds tells how far it is, and that is no complaint."""


@pytest.mark.bundled
def test_every_command_of_the_readme_runs_and_prints(desk: Desk):
    for command in [*COMMANDS, *EXAMPLES]:
        done = desk.run(["bash", "-euo", "pipefail", "-c", command])
        # 1 is an answer in part, and what the checker found.
        expected = (0, 1) if command.startswith(("deref ask", "deref check")) else (0,)
        assert done.returncode in expected, f"{command}\n{done.stdout}{done.stderr}"
        written = re.search(r" -o (\S+)$", command)
        assert (desk.folder / written[1]).is_file() if written else done.stdout.strip(), (
            f"{command} tells nothing"
        )
        complaints = [line for line in done.stderr.splitlines() if not _PROGRESS.match(line)]
        assert not complaints, f"{command} complains: {complaints}"


@pytest.mark.bundled
def test_every_server_of_the_readme_serves(desk: Desk):
    web, tools = (command.split() for command in SERVERS)
    said = ""
    with subprocess.Popen([*web, "--port", "0"], cwd=desk.folder, env=desk.environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:  # fmt: skip
        assert server.stdout is not None
        try:
            while not (address := re.search(r"http://127\.0\.0\.1:\d+/", said)):
                line = server.stdout.readline()
                assert line, f"no address is told: {said}"
                said += line
            with urllib.request.urlopen(f"{address.group()}api/v1/libraries", timeout=60) as answer:
                assert "deal-room" in answer.read().decode()
        finally:
            server.terminate()
    # The one who started it has nothing to say: it leaves.
    done = subprocess.run(tools, cwd=desk.folder, env=desk.environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, timeout=60)  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.bundled
def test_the_session_in_the_readme_is_what_is_printed(desk: Desk, rewrite_golden: bool):
    """When the answer has changed for the better, run this file with --rewrite-golden: it pastes the session anew."""
    (session,) = blocks("text session")
    printed = desk.run(["bash", "-c", COMMANDS[0]]).stdout
    now = "".join(f"{shortened(line)}\n" for line in printed.splitlines())
    if rewrite_golden:
        (ROOT / "README.md").write_text(README.replace(session, now), "utf-8")
    else:
        assert session == now


def shortened(line: str, width: int = 118) -> str:
    """Return the line, cut at a word and ended with … when it is longer than the page."""
    return line if len(line) <= width else line[: line.rindex(" ", 0, width - 1)] + " …"


@pytest.mark.bundled
def test_the_python_of_the_readme_runs(desk: Desk):
    for block in blocks("python run"):
        done = desk.run([sys.executable, "-c", block])
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("complete\n")


def test_every_target_of_make_that_the_pages_name_is_in_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        named = re.findall(
            r"^ +make ([a-z]+)|`make ([a-z]+)`", (ROOT / page).read_text("utf-8"), re.MULTILINE
        )
        assert {a or b for a, b in named} <= targets, page


def test_every_line_to_type_is_run_or_is_pip_or_make():
    for block in blocks("sh"):
        for line in block.splitlines():
            assert re.match(r"(\S*/)?(pip|make|python3 -m venv)\b", line), f"mark the block to be run: {line}"
