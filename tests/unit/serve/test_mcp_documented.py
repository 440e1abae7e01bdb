"""docs/mcp.md names each tool with what it takes and gives, and its snippets are what clients read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from deref.serve.mcp.asked import Asked
from deref.serve.mcp.room import MOST_EACH, MOST_IN_ALL
from deref.serve.mcp.tools import INSTRUCTIONS, TOOLS, Tool

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text("utf-8")
TOLD_ONCE = {"left_out", "problems", "next"}
"""What many tools give; it is told below the table."""


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_has_its_row(tool: Tool) -> None:
    row = re.search(rf"^\| `{tool.name}` \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)
    assert row is not None
    takes, gives = (set(re.findall(r"`(\w+)`", cell)) for cell in row.groups())
    assert takes == tool.takes.model_fields.keys() - Asked.model_fields.keys()
    fields = tool.gives.model_fields.keys() - TOLD_ONCE - ({"source"} if tool.name == "open" else set())
    assert fields <= gives


def test_every_field_that_a_model_gets_or_gives_is_described_to_it_or_plain() -> None:
    for tool in TOOLS:
        assert all(f"`{name}`" in PAGE for name in TOLD_ONCE | {"cite", "library"})
        takes = tool.takes.model_json_schema()["properties"]
        silent = {name for name, schema in takes.items() if "description" not in schema}
        assert silent <= {"limit"}, tool.name
    assert "Cite each statement" in INSTRUCTIONS


def test_the_bounds_are_those_of_the_code() -> None:
    assert f"holds {MOST_IN_ALL:,} characters of text\nat the most, and {MOST_EACH:,} of each passage" in PAGE


def test_the_snippets_start_deref() -> None:
    snippets = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    servers = [s.get("mcpServers") or s["servers"] for s in snippets]
    local = [s["deref"] for s in servers if "command" in s["deref"]]
    assert len(local) == 2
    assert all(one["command"].endswith("deref") and one["args"][0] == "mcp" for one in local)
