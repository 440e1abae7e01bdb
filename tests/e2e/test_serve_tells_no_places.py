"""What fails on the server is told without its folders and addresses: in answers, streams, traces, tools, and when it is busy."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from deref.engine import Engine, open_engine
from deref.errors import LibraryBusy, LibraryDamaged, ModelError
from deref.models.hashing import HashingEmbedder
from deref.models.overlap import OverlapReranker
from deref.replaying import replay
from deref.serve.access import LOCAL, Role
from deref.serve.libraries import Served
from deref.serve.problems import Busy, problem_of
from deref.serve.tokens import TokenFile
from deref.values import EVERYTHING
from e2e.mcp_clients import OverHttp, values
from e2e.serving import SETTINGS, Running, frames, indexed, running, until

RERANKING = replace(SETTINGS, retrieve=replace(SETTINGS.retrieve, rerank="overlap"))
ASKED = {"question": "When is the rent due?"}
PLACES = ("quiet-folder", "10.9.8.7", "/srv/")
FAILS = "/srv/quiet-folder/my models/small.onnx: cannot be opened, nor http://10.9.8.7:99/v1 be reached"


class FailingReranker(OverlapReranker):
    """A reranker that cannot score, and says where it looked."""

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        raise ModelError(FAILS)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("failing")
    with running(folder / "team") as one, one.client() as client:
        client.put(
            "/libraries/team/collections/c/files/lease.md",
            content=b"# Lease\n\nThe rent is due on the first.\n",
        )
        indexed(client, "team")

    def open_one(one: Served) -> Engine:
        known = open_engine(one.folder, settings=one.settings(RERANKING))
        return Engine(
            store=known.store, settings=known.settings, embedder=HashingEmbedder, reranker=FailingReranker
        )

    tokens = TokenFile(folder / "tokens.json")
    with running(folder / "team", open_engine=open_one, tokens=tokens, settings=RERANKING) as one:
        yield one


def test_what_is_degraded_is_told_without_places_and_the_trace_is_replayed(
    served: Running, tmp_path: Path
) -> None:
    token = served.token(role=Role.ADMIN)

    async def by_tools() -> list[str]:
        async with OverHttp(f"{served.address}/mcp", None).client(token) as client:
            return [
                json.dumps(values(await client.call_tool(name, ASKED)), ensure_ascii=False)
                for name in ("ask", "search")
            ]

    with served.client(token) as client:
        asked = client.post("/libraries/team/ask", json=ASKED).json()
        assert "due on the first" in asked["answer"]["text"]
        with client.stream("POST", "/libraries/team/ask/stream", json=ASKED) as response:
            streamed = "".join(frame.text for frame in frames(response))
        trace = client.get(f"/libraries/team/questions/{asked['question']}/trace").text
        found = client.post("/libraries/team/search", json=ASKED).text
    for told in (json.dumps(asked, ensure_ascii=False), streamed, trace, found, *asyncio.run(by_tools())):
        assert "…/small.onnx: cannot be opened, nor [address] be reached" in told
        assert not [place for place in PLACES if place in told]
    (tmp_path / "trace.jsonl").write_text(trace)
    assert replay(tmp_path / "trace.jsonl").difference is None


def test_an_error_of_the_library_names_nothing_of_it() -> None:
    for error in (LibraryBusy(FAILS), LibraryDamaged(FAILS), ModelError(FAILS)):
        told = json.dumps(problem_of(error).values())
        assert not [place for place in PLACES if place in told]
    assert problem_of(Busy("9 requests are waiting")).detail == "9 requests are waiting"


def test_a_token_file_that_is_damaged_is_told_to_the_log_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    with running(tmp_path / "team", tokens=tokens) as one, one.client(one.token()) as client:
        assert client.get("/libraries").status_code == 200
        tokens.path.write_text("{")
        for address in (f"{one.address}/api/v1/libraries", f"{one.address}/mcp"):
            with caplog.at_level(logging.ERROR, logger="deref"):
                response = client.post(address) if address.endswith("mcp") else client.get(address)
            assert (response.status_code, response.json()["type"]) == (
                503,
                "urn:deref:problem:library-cannot-serve",
            )
            assert "tokens" not in response.text and "tokens.json: no tokens can be read" in caplog.text
            caplog.clear()


def test_a_question_that_the_library_cannot_serve_is_told_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def open_one(one: Served) -> Engine:
        known = open_engine(one.folder, settings=one.settings(SETTINGS))
        if known.store.shelf(EVERYTHING).cards():
            raise LibraryDamaged(FAILS)
        return known

    with running(tmp_path / "team", open_engine=open_one) as one, one.client() as client:
        client.put("/libraries/team/collections/c/files/lease.md", content=b"# Lease\n\nThe rent is due.\n")
        indexed_by_others = one.server.library(LOCAL, "team").records
        until(lambda: indexed_by_others.jobs()[0]["state"] == "done")
        with caplog.at_level(logging.ERROR, logger="deref"):
            response = client.post("/libraries/team/ask", json=ASKED)
        assert (response.status_code, response.json()["type"]) == (
            503,
            "urn:deref:problem:library-cannot-serve",
        )
        assert "quiet-folder" not in response.text
        assert FAILS in caplog.text
