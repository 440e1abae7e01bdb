"""The rules of the house: imports point down, modules are small and say what they do, nothing prints."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from architecture.source_tree import MODULES, ROOT, TREES

LONGEST_MODULE = 420
"""Lines. A module that grows past it holds two concepts."""
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}


def test_imports_point_down() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    ran = subprocess.run(
        [linter, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]


def test_every_package_has_its_init() -> None:
    folders = {name.rpartition("/")[0] for name in MODULES}
    assert {f"{f}/__init__.py".lstrip("/") for f in folders} <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_what_it_is(name: str) -> None:
    said = ast.get_docstring(TREES[name]) or ""
    assert len(said.split()) >= 2, f"{name} has no docstring that says something"


@pytest.mark.parametrize("name", MODULES)
def test_what_is_public_says_what_it_does(name: str) -> None:
    silent = [where for where, said in _public(TREES[name]) if len(said.split()) < 2]
    assert not silent, f"{name}: no docstring on {', '.join(silent)}"


def _public(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and docstring of public classes, and of public functions outside other functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
            yield inside + node.name, ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef) and node.name[0] != "_":
            yield from _public(node, f"{inside}{node.name}.")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_short(name: str) -> None:
    length = len(MODULES[name].read_text("utf-8").splitlines())
    assert length <= LONGEST_MODULE, f"{name} has {length} lines; split it by concept"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_named_for_a_concept(name: str) -> None:
    assert not EMPTY_NAMES & set(name.removesuffix(".py").split("/"))


@pytest.mark.parametrize("name", MODULES)
def test_nothing_prints(name: str) -> None:
    calls = [n for n in ast.walk(TREES[name]) if isinstance(n, ast.Call)]
    printed = [c.lineno for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]
    assert not printed, f"{name}: print in line {printed}"


@pytest.mark.parametrize("name", MODULES)
def test_no_error_is_caught_blindly(name: str) -> None:
    """An error never turns into an empty result: what is caught is named."""
    blind = [
        n.lineno
        for n in ast.walk(TREES[name])
        if isinstance(n, ast.ExceptHandler)
        and (n.type is None or (isinstance(n.type, ast.Name) and n.type.id in ("Exception", "BaseException")))
        and not any(isinstance(inner, ast.Raise) for inner in ast.walk(n))
    ]
    assert not blind, f"{name}: blind except in line {blind}"


def _texts(*folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".md", ".toml", ".jsonl", ".yml") and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT), path.read_text("utf-8")


def test_nothing_patches_what_it_tests() -> None:
    marks = ["unittest." + "mock", "Magic" + "Mock", "monkeypatch." + "setattr", "mocker" + "."]
    found = [(str(path), mark) for path, text in _texts("tests") for mark in marks if mark in text]
    assert not found


def test_no_path_of_a_developers_machine_is_in_the_repository() -> None:
    marks = ["/wo" + "rk/", "/ho" + "me/", ".libra" + "ry/"]
    found = [
        (str(path), mark)
        for path, text in _texts("src", "tests", "benchmarks", "examples", "docs")
        for mark in marks
        if mark in text
    ]
    assert not found
