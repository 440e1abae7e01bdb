"""The public names of Deref, frozen: a change here is a change for everyone who uses it."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

import deref
from deref import values

VERBS = ["ask", "check", "graph", "open_library", "references", "replay", "search", "sessions"]
NOUNS = [
    "Answer", "Candidate", "Candidates", "Citation", "Completeness", "DerefError", "Document", "Finding", "Item", "Line",
    "Reference", "Resolution", "Section", "Severity", "Span", "Status", "Target",
]  # fmt: skip
HEAVY = [
    "lance",
    "pyarrow",
    "onnxruntime",
    "tokenizers",
    "sqlalchemy",
    "alembic",
    "psycopg",
    "pypdfium2",
    "docx",
    "lxml",
    "numpy",
    "typer",
    "rich",
    "networkx",
    "pydot",
    "fastapi",
    "uvicorn",
    "prometheus_client",
    "matplotlib",
    "pydantic_ai",
    "openai",
    "httpx2",
    "jsonschema",
    "mcp",
    "starlette",
    "IPython",
]


def test_the_public_names_are_these_and_no_others() -> None:
    assert sorted(deref.__all__) == sorted(NOUNS + VERBS)


@pytest.mark.parametrize("name", NOUNS + VERBS)
def test_every_public_name_is_there_and_says_what_it_is(name: str) -> None:
    assert len((getattr(deref, name).__doc__ or "").split()) > 2


def test_a_verb_stays_when_the_package_of_its_name_is_loaded() -> None:
    import deref.references.find  # noqa: PLC0415 - what it does to the names is what is tested

    assert all(callable(getattr(deref, name)) for name in VERBS)
    from deref.references import find  # noqa: PLC0415 - as above

    assert find.__module__ == "deref.references.find"


@pytest.mark.parametrize("name", [n for n in NOUNS if n != "DerefError"])
def test_the_nouns_are_those_of_values(name: str) -> None:
    assert getattr(deref, name) is getattr(values, name)


def test_values_export_what_they_define() -> None:
    assert len(set(values.__all__)) == len(values.__all__)
    assert all(hasattr(values, name) for name in values.__all__)


def test_importing_deref_loads_nothing_else_and_lists_its_names() -> None:
    """A command is interrupted in one line from the moment its package is loaded, which stands behind this one."""
    asked = (
        "import sys, types; before = set(sys.modules); import deref; print(sorted(set(sys.modules) - before)); "
        "print(sorted(set(deref.__all__) - set(dir(deref))))"
    )
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["['__future__', 'deref']", "[]"]


def test_the_errors_are_there_with_the_package() -> None:
    asked = "import deref; print(deref.errors.UsageError.__name__, issubclass(deref.errors.UsageError, deref.DerefError))"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout == "UsageError True\n"


def test_importing_deref_loads_no_engine() -> None:
    asked = f"import deref, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def _seconds(*command: str | Path) -> float:
    """Return the least CPU time of three runs: what the command costs when nobody else disturbs it."""
    least = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = min(least, spent)
    return least


def test_help_answers_at_once() -> None:
    """Half a second of CPU, or on a slow machine four times the bare import of the command-line library."""
    helped = _seconds(Path(sys.executable).with_name("deref"), "--help")
    bare = _seconds(sys.executable, "-c", "import typer")
    assert helped < max(0.5, 4 * bare), f"--help took {helped:.2f} s, `import typer` {bare:.2f} s"


def test_help_loads_no_engine() -> None:
    heavy = [m for m in HEAVY if m not in ("typer", "rich")]
    asked = f"import deref.cli.main, sys; print([m for m in {heavy!r} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
