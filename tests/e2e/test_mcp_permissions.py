"""`deref mcp --http`, and `/mcp` of `deref serve`: tokens, loopback, and two callers with different collections: nothing of the one's comes to the other.

Each tool that the server itself describes is tried, so one that is added is tried too, or the test fails.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from deref.serve.access import Role
from deref.serve.tokens import TokenFile
from e2e.mcp_clients import OverHttp, complaint, on_stdio, over_http, told, values
from e2e.serving import indexed, running
from e2e.shell import Shell
from e2e.test_serve_permissions import ASKED, MARKS, OPEN, QUESTION, SECRET

HIDDEN = "hidden-shelf/Zephyr Deed.md"


@dataclass(frozen=True, slots=True)
class Callers:
    """A server over an open and a hidden collection, and a token for each."""

    server: OverHttp
    outsider: str
    insider: str


@pytest.fixture(scope="module", params=["deref mcp --http", "deref serve"])
def callers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callers]:
    folder = tmp_path_factory.mktemp("mcp-permissions")
    for collection, files in (("open", OPEN), ("hidden-shelf", SECRET)):
        (folder / "team" / "uploads" / collection).mkdir(parents=True)
        for name, text in files.items():
            (folder / "team" / "uploads" / collection / name).write_text(text)
    tokens = TokenFile(folder / "tokens.json")
    outsider = tokens.add("outsider", Role.READ, collections=["open"])[1]
    insider = tokens.add("insider", Role.READ, collections=["hidden-shelf"])[1]
    if request.param == "deref mcp --http":
        with over_http(folder / "team", tokens=tokens) as server:
            yield Callers(server, outsider, insider)
        return
    with running(folder / "team", tokens=tokens) as served:
        with served.client(tokens.add("admin", Role.ADMIN)[1]) as client:
            client.post("/libraries/team/jobs")
            assert indexed(client, "team")["outcomes"] == {"added": 4}
        yield Callers(OverHttp(f"{served.address}/mcp", tokens), outsider, insider)


def _asked(tool: str, document: str) -> list[dict[str, Any]]:
    """Return what a tool is to be asked for, with a document where it takes one."""
    words = SECRET["Raven Payment Policy.md"]
    return {
        "ask": [{"question": ASKED}, {"question": QUESTION}, {"question": ASKED, "budget": 3}],
        "search": [{"question": ASKED, "k": 30}, {"question": QUESTION}, {"question": words[:200]}],
        "follow": [
            {"document": document, "words": "Section 7"},
            {"document": "open/terms.md", "words": "raven payment policy"},
            {"document": "open/wharf.md", "words": "Section 9"},
        ],
        "open": [{"document": document}, {"document": document, "lines": "0-1"}, {"document": "open/terms.md"}],
        "references": [{}, {"document": document}],
        "check": [{"severity": "note"}, {"document": document}],
        "documents": [{}],
    }[tool]  # fmt: skip


async def _everything(client: Client, document: str) -> list[Any]:
    """Return what every tool gives, and every resource."""
    results: list[Any] = []
    for tool in (await client.list_tools()).tools:
        results += [await client.call_tool(tool.name, arguments) for arguments in _asked(tool.name, document)]
    listed = await client.list_resources()
    results.append(listed)
    results += [await client.read_resource(resource.uri) for resource in listed.resources]
    return results


def test_what_is_hidden_is_told_by_no_tool_and_no_resource(callers: Callers) -> None:
    async def run() -> None:
        async with callers.server.client(callers.insider) as client:
            seen = told(await _everything(client, HIDDEN))
            # All of it is there to be found, so that it is worth not being told.
            assert all(mark.casefold() in seen.casefold() for mark in MARKS)
            document = next(d for d in (await client.list_resources()).resources if d.name == HIDDEN).uri
        async with callers.server.client(callers.outsider) as client:
            for said in (HIDDEN, "Zephyr Deed.md", document.rpartition("/")[2]):
                results = await _everything(client, said)
                texts = told(results)
                assert "Boats pay a fee" in texts
                # What the caller itself said comes back in complaints.
                texts = texts.replace(said, "").replace("/tools", "")
                assert not [m for m in MARKS if m.casefold() in texts.casefold()]
                assert document.rpartition("/")[2] not in texts
            assert values(await client.call_tool("documents"))["total"] == 2
            with pytest.raises(MCPError, match="nothing here for this caller") as there:
                await client.read_resource(document)
            with pytest.raises(MCPError) as gone:
                await client.read_resource(document[:-4] + "0000")
            assert (there.value.error.code, there.value.error.message) == (
                gone.value.error.code,
                gone.value.error.message,
            )

    asyncio.run(run())


def test_what_is_hidden_answers_as_what_is_not_there(callers: Callers) -> None:
    async def run() -> None:
        async with callers.server.client(callers.outsider) as client:
            for tool in ("open", "follow", "references", "check"):
                more = {"words": "Section 7"} if tool == "follow" else {}
                there, gone = [
                    complaint(await client.call_tool(tool, {"document": name, **more}))
                    for name in (HIDDEN, "hidden-shelf/Nobody Deed.md")
                ]
                assert there.replace("Zephyr", "Nobody") == gone
            there, gone = [
                complaint(
                    await client.call_tool("search", {"question": "fee", "where": f"collection:{name}"})
                )
                for name in ("hidden-shelf", "nothing-here")
            ]
            assert there.replace("hidden-shelf", "nothing-here") == gone

    asyncio.run(run())


def test_a_token_of_another_library_sees_none(callers: Callers) -> None:
    async def run() -> None:
        assert callers.server.tokens is not None
        token = callers.server.tokens.add("other", Role.ADMIN, libraries=["other"])[1]
        async with callers.server.client(token) as client:
            for library in (None, "team", "nothing"):
                said = complaint(await client.call_tool("ask", {"question": ASKED, "library": library}))
                assert said.endswith("no library is there for this caller")
            assert (await client.list_resources()).resources == []

    asyncio.run(run())


def test_clients_of_the_former_protocol_have_the_same_scope(callers: Callers) -> None:
    async def run() -> None:
        async with callers.server.client(callers.outsider, mode="legacy") as client:
            assert values(await client.call_tool("documents"))["total"] == 2
        async with callers.server.client(callers.insider, mode="legacy") as client:
            listed = values(await client.call_tool("documents"))["documents"]
            assert [d["collection"] for d in listed] == ["hidden-shelf", "hidden-shelf"]

    asyncio.run(run())


def _post(address: str, **headers: str) -> httpx.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    return httpx.post(address, json=body, headers={**accept, **headers}, timeout=60)


def test_without_a_valid_token_nothing_is_answered(callers: Callers) -> None:
    tokens = callers.server.tokens
    assert tokens is not None
    removed = tokens.add("removed", Role.READ)[1]
    held = {"Authorization": f"Bearer {removed}"}
    assert _post(callers.server.address, **held).status_code == 200
    tokens.remove("removed")
    for headers in ({}, {"Authorization": "Bearer deref_wrong"}, {"Authorization": removed}, held):
        response = _post(callers.server.address, **headers)
        assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
        assert response.json()["type"] == "urn:deref:problem:no-token"


def test_pages_of_other_sites_and_other_names_of_this_machine_are_refused(callers: Callers) -> None:
    held = {"Authorization": f"Bearer {callers.outsider}"}
    for headers, status in (
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "rebound.example"}, 421),
        ({}, 200),
    ):
        assert _post(callers.server.address, **held, **headers).status_code == status


@contextmanager
def _over_http(shelf: Path, library: Path, *arguments: str | Path) -> Iterator[str]:
    """Run the command over HTTP, and yield its address; it has to end in good order and to say nothing else."""
    shell = Shell(library, "none", XDG_DATA_HOME=str(library.parent / "data"))
    process = subprocess.Popen(
        [sys.executable, "-m", "deref.cli.main", "mcp", str(shelf), "--http", "--port", "0", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=shell.environment(),
    )  # fmt: skip
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        assert said.startswith("deref: MCP is served at http://127.0.0.1:")
        yield said.split()[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "rules.md").write_text("# Rules\n\n## 1 Fee\n\nThe fee is 300, see Section 2.\n")
    return shelf


def test_the_command_serves_over_http(rules: Path, tmp_path: Path) -> None:
    async def run() -> None:
        async with OverHttp(address, None).client() as client:
            found = values(await client.call_tool("search", {"question": "fee"}))
            assert "300" in found["passages"][0]["text"]

    with _over_http(rules, tmp_path / "library") as address:
        asyncio.run(run())
        assert _post(address, Host="deref.example").status_code == 421


def test_where_tokens_are_asked_for_a_proxy_may_call_by_its_own_name(rules: Path, tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    held = {"Authorization": f"Bearer {tokens.add('team', Role.READ)[1]}"}
    with _over_http(rules, tmp_path / "library", "--token-file", tokens.path) as address:
        assert _post(address, **held, Host="deref.example").status_code == 200
        assert _post(address, Host="deref.example").status_code == 401


def test_several_libraries_are_told_apart(tmp_path: Path) -> None:
    for name, fee in (("north", 300), ("south", 450)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.md").write_text(f"# Rules\n\n## 1 Fee\n\nThe fee is {fee}.\n")

    async def run() -> None:
        data = {"XDG_DATA_HOME": str(tmp_path / "data")}
        server = on_stdio(tmp_path / "north", tmp_path / "south", errors=tmp_path / "errors", **data)
        async with server as client:
            for name, fee in (("north", "300"), ("south", "450")):
                found = values(await client.call_tool("search", {"question": "fee", "library": name}))
                assert fee in found["passages"][0]["text"]
            said = complaint(await client.call_tool("search", {"question": "fee"}))
            assert said == "several libraries are served; `library` is one of: north, south"
            uris = [r.uri for r in (await client.list_resources()).resources]
            uris += [r.uri for r in (await client.list_resources(cursor="1:0")).resources]
            assert [uri.split("/")[3] for uri in uris] == ["north", "south"]
            with pytest.raises(MCPError, match="give back what"):
                await client.list_resources(cursor="x")

    assert "DEREF_LIBRARY" not in os.environ
    asyncio.run(run())
