"""Each link between the pages of the repository leads to a file that is there, and to a heading of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("examples/*.md"),
        *ROOT.glob("benchmarks/**/*.md"),
    ]
)
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s:]+)\)")


def anchors(page: str) -> set[str]:
    """Return what a link calls the headings: small letters, digits and hyphens, a number behind those that recur."""
    found: list[str] = []
    for heading in re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S), re.MULTILINE
    ):
        words = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading).lower()
        name = re.sub(r"[^\w -]", "", words).strip().replace(" ", "-")
        found.append(name)
    return {f"{name}-{n}" if (n := found[:at].count(name)) else name for at, name in enumerate(found)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for link in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            lost.append(link)
    assert lost == []


def test_a_heading_is_known_as_links_call_it() -> None:
    page = "# How [it](x.md) is built\n```sh\n# no heading\n```\n## `ask`\n## What, then?\n## `ask`\n"
    assert anchors(page) == {"how-it-is-built", "ask", "what-then", "ask-1"}
