"""Modules that lie among the documents are documents at most: no process of Deref takes code from the working folder.

And no process runs the script that calls Deref once more.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from e2e.serving import until
from e2e.shell import Shell

_CODE = 'from pathlib import Path\n\nPath("taken").touch()\nraise ImportError("code of a stranger")\n'
_FILES = 70
"""So many that worker processes read them."""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    for n in range(_FILES):
        (folder / f"{n}.md").write_text(f"# Paper {n}\n\nThe tide of day {n} was low.\n")
    for module in ("lance", "numpy", "markdown_it", "re", "select"):
        (folder / f"{module}.py").write_text(_CODE)
    return folder


def _script(tmp_path: Path, *lines: str) -> Path:
    script = tmp_path / "script.py"
    script.write_text("\n".join(lines) + "\n")
    return script


def test_neither_workers_nor_the_process_of_the_vectors_take_code_from_the_folder(
    tmp_path: Path, shelf: Path
) -> None:
    deref = Shell(tmp_path / "library", DEREF_MODELS_BACKGROUND="1")
    command = Path(sys.executable).with_name("deref")
    ran = subprocess.run(
        [command, "index", "."], cwd=shelf, env=deref.environment(), capture_output=True, text=True
    )
    assert (ran.returncode, "Traceback" in ran.stderr) == (0, False)
    quiet = Shell(tmp_path / "library")

    def all_have_vectors() -> bool:
        state = quiet("status", shelf, "--json").values()
        return bool(state["chunks"] == state["embedded"] == _FILES)

    until(all_have_vectors)
    assert not (shelf / "taken").exists()


def test_a_script_is_run_once_and_needs_no_guard(tmp_path: Path, shelf: Path) -> None:
    script = _script(
        tmp_path, "import deref", 'print("begun")', f"with deref.open_library({str(shelf)!r}) as library:",
        '    print(len(library.shelf().cards()), "documents")',
    )  # fmt: skip
    environment = Shell(tmp_path / "library", "none").environment()
    ran = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == (f"begun\n{_FILES} documents\n", "")
