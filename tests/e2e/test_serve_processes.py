"""Questions answered in processes of their own: the same answers, called off, killed, and none left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from deref.serve.access import Role
from deref.serve.tokens import TokenFile
from deref.settings import Settings, settings_of
from e2e.mcp_clients import OverHttp, values
from e2e.serving import DEAL_ROOM, SETTINGS, Running, indexed, running, until
from e2e.shell import Shell
from unit.models.chat_server import Handler, says, serving

QUESTION = "What does the Customer pay for night and weekend support?"
MODULE = "deref.serve.question_process"


def _settings(**models: Any) -> Settings:
    return settings_of(
        {"models": {"embedder": "none", "background": False, **models}, "serve": {"processes": 2}}
    )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("processes"), DEAL_ROOM, settings=_settings()) as one:
        with one.client() as client:
            indexed(client, "deal-room")
        yield one


@pytest.fixture(scope="module")
def client(served: Running) -> Iterator[httpx.Client]:
    with served.client() as one:
        one.base_url = one.base_url.join("libraries/deal-room")
        yield one


def _below(parent: int) -> list[int]:
    """Return the processes that answer, of those that a process started."""
    told = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in told.splitlines()[1:]]
    return [int(pid) for pid, ppid, args in rows if int(ppid) == parent and MODULE in args]


def _both_at_work(client: httpx.Client) -> tuple[list[int], list[httpx.Response]]:
    """Ask two questions, with the process that is there held until there are two; return the processes and the answers."""
    held = _below(os.getpid())
    with ThreadPoolExecutor(2) as askers:
        for pid in held:
            os.kill(pid, signal.SIGSTOP)
        try:
            asked = [askers.submit(client.post, "/ask", json={"question": QUESTION}) for _ in range(2)]
            both: list[int] = until(lambda: len(now := _below(os.getpid())) == 2 and now)
        finally:
            for pid in held:
                os.kill(pid, signal.SIGCONT)
        return both, [one.result() for one in asked]


def _gone(pid: int) -> bool:
    """Tell whether a process runs no longer; one that is dead and that nobody has asked about has no command line."""
    try:
        return not Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return True


def test_they_answer_and_search_as_threads_do(client: httpx.Client, tmp_path: Path) -> None:
    with running(tmp_path / "library", DEAL_ROOM, settings=SETTINGS) as threads, threads.client() as other:
        indexed(other, "deal-room")
        other.base_url = other.base_url.join("libraries/deal-room")
        for route, body in (
            ("/ask", {"question": QUESTION}),
            ("/ask", {"question": "Which zeppelin?", "budget": 0}),
            ("/search", {"question": QUESTION, "k": 3}),
        ):
            one, two = (asked.post(route, json=body).json() for asked in (client, other))
            for told in (one, two):
                for changing in ("question", "created", "ended"):
                    told.pop(changing, None)
            assert one == two
    told = client.post("/search", json={"question": QUESTION, "where": "colour:red"})
    assert (told.status_code, told.json()["type"]) == (400, "urn:deref:problem:not-understood")


def test_a_second_one_starts_when_the_first_is_at_work(client: httpx.Client) -> None:
    _, answers = _both_at_work(client)
    with ThreadPoolExecutor(6) as askers:
        answers += askers.map(lambda _: client.post("/ask", json={"question": QUESTION}), range(6))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.json()["answer"]["text"] for answer in answers}) == 1
    assert len(_below(os.getpid())) == 2


def test_questions_of_tools_are_answered_there_too(served: Running, client: httpx.Client) -> None:
    """With the processes stopped a look is answered and a question is not, until they go on; its trace is not kept."""
    stopped, _ = _both_at_work(client)
    kept = client.get("/questions").json()["items"][0]["question"]

    async def by_tools() -> None:
        async with OverHttp(f"{served.address}/mcp", None).client() as tools:
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
            calls = [
                asyncio.ensure_future(tools.call_tool(name, {"question": QUESTION}))
                for name in ("ask", "search")
            ]
            try:
                assert values(await tools.call_tool("documents", {}))["total"] == 12
                done, _ = await asyncio.wait(calls, timeout=0.5)
                assert not done
            finally:
                for pid in stopped:
                    os.kill(pid, signal.SIGCONT)
            answer, found = [values(one) for one in await asyncio.gather(*calls)]
            assert "28,640" in answer["text"]
            assert "28,640" in json.dumps(found["passages"])

    asyncio.run(by_tools())
    assert client.get("/questions").json()["items"][0]["question"] == kept


def test_one_that_is_killed_costs_one_question_at_the_most(client: httpx.Client) -> None:
    for pid in _below(os.getpid()):
        os.kill(pid, signal.SIGKILL)
    until(lambda: not _below(os.getpid()))
    first = client.post("/ask", json={"question": QUESTION})
    if first.status_code != 200:  # Some thread of the process was not gone yet when the question came.
        assert (first.status_code, first.json()["type"]) == (503, "urn:deref:problem:busy")
        assert first.headers["retry-after"] == "5" and "ask again" in first.json()["detail"]
    assert client.post("/ask", json={"question": QUESTION}).status_code == 200


def test_what_another_collection_holds_is_not_searched_there_either(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    with running(tmp_path / "team", tokens=tokens, settings=_settings()) as one:
        admin, outsider = one.token(role=Role.ADMIN), one.token("a")
        with one.client(admin) as client:
            for collection, fee in (("a", 40), ("b", 50)):
                path = f"/libraries/team/collections/{collection}/files/lease.md?index=false"
                client.put(path, content=f"# Lease\n\n## 1 Rent\n\nThe rent is {fee} a month.\n".encode())
            client.post("/libraries/team/jobs")
            indexed(client, "team")
        question = {"question": "What is the rent?"}
        for token, seen in ((admin, {"a/lease.md", "b/lease.md"}), (outsider, {"a/lease.md"})):
            with one.client(token) as client:
                found = client.post("/libraries/team/search", json=question).json()["passages"]
                assert {row["source"] for row in found} == seen
                asked = client.post("/libraries/team/ask", json=question).json()["answer"]
                assert {c["source"] for c in asked["citations"]} <= seen and asked["citations"]


def test_who_goes_away_is_worked_for_no_longer(tmp_path: Path) -> None:
    """A model that does not answer is hung up on soon after its asker has gone; the process goes on with the next question."""
    begun, gate = threading.Event(), threading.Event()

    def waits(to: Handler) -> None:
        to.begin(Content_Type="text/event-stream")
        begun.set()
        while not gate.wait(0.05):
            to.chunk({"content": " "})

    def fails(to: Handler) -> None:
        says("no JSON at all")(to)

    with serving(waits, fails) as model:
        mine = _settings(language_model="openai/small", base_url=model.url)
        offered = settings_of({"serve": {"offer_models": "openai/small", "processes": 1}})
        settings = Settings(models=mine.models, serve=offered.serve)
        with (
            running(tmp_path / "library", DEAL_ROOM, settings=settings, grace=0.3) as one,
            one.client() as client,
        ):
            indexed(client, "deal-room")
            ask = "/libraries/deal-room/ask"
            chosen = {"question": QUESTION, "model": "openai/small"}
            with client.stream("POST", f"{ask}/stream", json=chosen):
                assert begun.wait(60)
            assert model.hung_up.wait(60), "the model is not listened to any more"
            newest = "/libraries/deal-room/questions"
            until(lambda: client.get(newest).json()["items"][0]["state"] == "cancelled")
            assert client.post(ask, json={"question": QUESTION}).status_code == 200
        gate.set()


def test_none_outlives_its_server_however_that_ends(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "library", "none", XDG_DATA_HOME=str(tmp_path / "data"))
    for number in (signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen(
            [sys.executable, "-m", "deref.cli.main", "serve", str(DEAL_ROOM), "--port", "0"],
            stdout=subprocess.PIPE, text=True, env=shell.environment(),
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Deref serves")
        (child,) = until(lambda parent=process.pid: _below(parent))
        process.send_signal(number)
        process.communicate(timeout=60)
        until(lambda child=child: _gone(child))
