"""`/mcp` in the process of `deref serve`, with the SDK's own client: the same library, engines and jobs as the HTTP API."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deref.errors import LibraryBusy
from deref.serve.access import LOCAL, Caller, Role
from deref.serve.libraries import served
from deref.serve.mcp.lent import Lent
from deref.serve.server import Library
from deref.values import Scope
from e2e.mcp_clients import OverHttp, complaint, values
from e2e.serving import DEAL_ROOM, SETTINGS, Running, indexed, running

QUESTION = "What does the Customer pay for night and weekend support?"
LEASE = "# Lease\n\n## 1 Rent\n\nThe rent is 40 a month.\n"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("both"), DEAL_ROOM) as one:
        with one.client() as client:
            indexed(client, "deal-room")
        yield one


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_model_asks_follows_and_opens_what_the_api_serves(serving: Running, mode: str) -> None:
    async def run() -> None:
        async with OverHttp(f"{serving.address}/mcp", None).client(mode=mode) as client:
            answer = values(await client.call_tool("ask", {"question": QUESTION}))
            led = next(c for c in answer["citations"] if c["pointer"])
            assert led["cite"].startswith("02 Exhibit B") and led["pointer_cite"].startswith("01 Master")
            with serving.client() as api:
                asked = api.post("/libraries/deal-room/ask", json={"question": QUESTION}).json()
                assert answer["text"] == asked["answer"]["text"]
                there = {d["source"] for d in api.get("/libraries/deal-room/documents").json()["items"]}
            assert {r.name for r in (await client.list_resources()).resources} == there
            followed = values(
                await client.call_tool("follow", {"document": led["pointer_cite"].split(", p.")[0], "words": led["pointer"]})
            )  # fmt: skip
            assert "28,640" in followed["references"][0]["targets"][0]["picked"][0]["text"]
            assert "deal-room" in complaint(
                await client.call_tool("ask", {"question": "x", "library": "gone"})
            )

    asyncio.run(run())


def test_what_is_uploaded_is_there_for_the_tools(tmp_path: Path) -> None:
    async def asked(serving: Running) -> str:
        async with OverHttp(f"{serving.address}/mcp", None).client() as client:
            return str(values(await client.call_tool("ask", {"question": "What is the rent?"}))["text"])

    with running(tmp_path / "team") as one, one.client() as client:
        client.put("/libraries/team/collections/c/files/lease.md", content=LEASE.encode())
        indexed(client, "team")
        assert "40 a month" in asyncio.run(asked(one))
        client.put("/libraries/team/collections/c/files/lease.md", content=LEASE.replace("40", "50").encode())
        indexed(client, "team")
        assert "50 a month" in asyncio.run(asked(one))


def test_it_stands_behind_the_guard_of_the_server_and_not_among_its_routes(serving: Running) -> None:
    address = f"{serving.address}/mcp"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    answered = httpx.post(address, json=body, headers=accept, timeout=60)
    assert answered.status_code == 200
    assert answered.headers["cache-control"].startswith("no-")
    assert answered.headers["content-security-policy"].startswith("default-src 'none'; frame")
    assert (
        httpx.post(
            address, json=body, headers={**accept, "Origin": "https://evil.example"}, timeout=60
        ).status_code
        == 403
    )
    large = httpx.post(address, content=b" " * (2**20 + 1), headers=accept, timeout=60)
    assert (large.status_code, large.json()["type"]) == (413, "urn:deref:problem:too-large")
    assert not [path for path in serving.app.openapi()["paths"] if "mcp" in path]
    assert httpx.get(f"{serving.address}/", timeout=60).text.startswith("<!doctype html>")


def test_a_job_that_is_not_done_is_told_to_who_may_see_it(tmp_path: Path) -> None:
    (found,) = served((), tmp_path / "team")
    for collection, text in (("a", LEASE), ("b", LEASE.replace("40", "50"))):
        (found.source / collection).mkdir()
        (found.source / collection / "lease.md").write_text(text)
    library = Library(found, SETTINGS, grace=1.0, open_engine=lambda: found.engine(SETTINGS))
    other = Caller(name="other", role=Role.READ, scope=Scope(collections=frozenset(["b"])))
    lent = Lent(library)
    try:
        assert asyncio.run(lent.up_to_date(LOCAL)) == []
        job = library.jobs.add(LOCAL, "a")
        with pytest.raises(LibraryBusy, match="for the first time"):
            asyncio.run(lent.up_to_date(LOCAL))
        with found.engine(SETTINGS) as engine:
            engine.index(found.source)
        assert asyncio.run(lent.up_to_date(LOCAL)) == [
            "documents are being read in; what is new in them may be missing"
        ]
        assert asyncio.run(lent.up_to_date(other)) == [], (
            "a job of another collection is none of its business"
        )
        library.records.set_job(job["id"], state="done")
        assert asyncio.run(lent.up_to_date(LOCAL)) == []
    finally:
        library.engines.close()
        library.records.close()


def test_the_sdk_is_loaded_when_the_first_client_calls(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "sys.path[:0] = [sys.argv[2]]\n"
        "import httpx\n"
        "from e2e.serving import running\n"
        "with running(Path(sys.argv[1])) as one:\n"
        "    httpx.get(f'{one.address}/', timeout=60)\n"
        "    print('mcp.server' in sys.modules)\n"
        "    httpx.post(f'{one.address}/mcp', json={}, timeout=60)\n"
        "    print('mcp.server' in sys.modules)\n"
    )
    tests = Path(__file__).parents[1]
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "team"), str(tests)], capture_output=True, text=True, check=True
    )  # fmt: skip
    assert ran.stdout.split() == ["False", "True"]
