"""Whatever a model gives to a tool: a result of the shape that was promised, or one line that says what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.client import Client

from deref.serve.libraries import Served
from deref.serve.mcp.protocol import mcp_server
from deref.serve.mcp.shelves import Shelf, Shelves
from deref.serve.mcp.tools import TOOLS, Tool
from deref.settings import settings_of

SETTINGS = settings_of({"models": {"embedder": "none", "background": False}})
FILES = {
    "terms.md": "# Terms\n\n## 1 Fee\n\nThe fee is that of row (B) of Table 2 in the Price List, see Section 9 and ISO 27001.\n",
    "Price List.md": "# Price List\n\nTable 2. Prices\n\n| row | price |\n|---|---|\n| (A) | 100 |\n| (B) | 250 |\n",
    "empty.md": "",
    "odd.txt": "1 One\n\u202e\n\x00see 1\n",
}
SAID = ["terms.md", "Price List.md", "odd.txt", "row (B) of Table 2 in the Price List", "Section 9", "1", "table 2", "0-1", "5-3",
        "document:terms.md", "kind:table OR (page:1", "dangling", "warning", "fee", "*", "\\", "(", "\ud800", "'\"<b>"]  # fmt: skip
ANYTHING: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(SAID), st.none(), st.booleans(), st.integers(-3, 12), st.integers(), st.floats(), st.text(max_size=20),
    st.lists(st.sampled_from(SAID), max_size=3), st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
)  # fmt: skip


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelves]:
    folder = tmp_path_factory.mktemp("any-arguments")
    (folder / "shelf").mkdir()
    for name, text in FILES.items():
        (folder / "shelf" / name).write_text(text)
    served = Served(id="shelf", folder=folder / "library", source=folder / "shelf", uploads=False)
    with Shelves([Shelf(served, lambda: served.engine(SETTINGS))]) as at_hand:
        yield at_hand


def _likely(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Return what has the fields that the tool must have, and some of the others."""
    schema = tool.takes.model_json_schema()
    must = {name: st.sampled_from(SAID) for name in schema.get("required", ())}
    others = [name for name in schema["properties"] if name not in must]
    some = st.dictionaries(st.sampled_from(others), ANYTHING, max_size=2)
    return st.builds(lambda one, more: {**more, **one}, st.fixed_dictionaries(must), some)


def _any(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    names = st.one_of(st.sampled_from(list(tool.takes.model_fields)), st.text(max_size=5))
    return st.one_of(_likely(tool), st.dictionaries(names, ANYTHING, max_size=4))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_result_of_its_shape_or_one_line(shelves: Shelves, tool: Tool, data: st.DataObject) -> None:
    arguments = data.draw(_any(tool))

    async def call() -> None:
        async with Client(mcp_server(shelves)) as client:
            result = await client.call_tool(tool.name, arguments)
            (content,) = result.content
            assert content.type == "text"
            content.text.encode()
            if result.is_error:
                assert "\n" not in content.text
                assert len(content.text) < 2000
                assert "Something failed inside" not in content.text
            else:
                jsonschema.validate(
                    result.structured_content, tool.gives.model_json_schema(mode="serialization")
                )

    asyncio.run(call())
