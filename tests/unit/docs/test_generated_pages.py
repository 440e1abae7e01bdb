"""The generated pages of docs/ say what the code says, and all pages link to what is there."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]
)


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_generated_page_is_stale(generate: ModuleType):
    assert generate.stale() == [], "run: python docs/generate.py"


def test_every_command_is_on_the_page_of_the_command_line(generate: ModuleType):
    page = generate.pages()["cli.md"]
    for command in (
        "ask",
        "search",
        "refs",
        "show",
        "index",
        "status",
        "explain",
        "replay",
        "sessions list",
        "sessions export",
        "evaluate answers",
        "evaluate references",
        "evaluate retrieval",
        "evaluate compare",
    ):
        assert f"## `deref {command}`" in page
    assert "`--json`" in page
    assert "`-k`, `--top`" in page


def test_every_setting_has_a_meaning_and_its_variable(generate: ModuleType):
    page = generate.pages()["settings.md"]
    assert "| `budget` | `DEREF_LOOP_BUDGET` | `1` | 0 to 3 |" in page
    assert not re.search(r"\| *\|$", page, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_links_to_files_and_headings_that_are_there(page: Path):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if target.startswith(("http:", "https:")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        assert file.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in _anchors(file), f"{page.name} links to {target}"


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def test_the_readme_is_shorter_than_150_lines():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 150
