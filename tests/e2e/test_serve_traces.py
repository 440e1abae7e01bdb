"""Traces of the server: each is replayed from what the API gave, and tells nothing of other collections or of the machine."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from deref.cli.main import app
from deref.errors import DamagedFile
from deref.replaying import Replayed, replay
from deref.serve.access import Role
from deref.serve.tokens import TokenFile
from deref.settings import settings_of
from e2e.serving import DEAL_ROOM, Running, frames, indexed, running, until

QUESTION = "What does the Customer pay for night and weekend support?"
MODELS = {
    "embedder": "hashing",
    "background": False,
    "embedder_folder": "/srv/kept/model",
    "key_file": "/srv/kept/key",
}
SETTINGS = settings_of({"models": MODELS, "retrieve": {"rerank": "overlap"}})
OPEN = "# Terms\n\n## 1 Fees\n\nThe fee is due on the day that is set out in the raven payment policy, see Section 2.\n"
HIDDEN = "# Raven Payment Policy\n\n## 1 Belladonna\n\nThe quicksilver fee is due on Mondays.\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("traced") / "kept-here", DEAL_ROOM, settings=SETTINGS) as one:
        with one.client() as client:
            assert indexed(client, "deal-room")["outcomes"] == {"added": 12}
        yield one


@pytest.fixture(scope="module")
def client(served: Running) -> Iterator[httpx.Client]:
    with served.client() as one:
        one.base_url = one.base_url.join("libraries/deal-room")
        yield one


def _fetched(client: httpx.Client, question: str, folder: Path) -> Path:
    """Keep the trace of a question as whoever fetches it does; it is whole once the question has ended."""
    until(lambda: client.get(f"/questions/{question}").json()["state"] != "running")
    file = folder / "fetched.jsonl"
    file.write_bytes(client.get(f"/questions/{question}/trace").content)
    return file


def _replayed(client: httpx.Client, question: str, folder: Path) -> Replayed:
    again = replay(_fetched(client, question, folder))
    assert again.difference is None and again.notes == ()
    return again


def _all_told(trace: str) -> str:
    """Return a trace with what its recording holds unpacked."""
    *events, last = trace.splitlines()
    recording = json.loads(last)
    assert recording["kind"] == "recording"
    unpacked = zlib.decompress(base64.b64decode(recording.pop("data"))).decode("ascii")
    return "\n".join([*events, json.dumps(recording), unpacked])


@pytest.mark.parametrize(
    "how",
    [{}, {"budget": 3, "passages": 8, "recipe": "again"}, {"where": 'document:"01*"'}, {"budget": 0, "recipe": "spread"}],
    ids=["as it comes", "budget 3", "a filter", "a recipe"],
)  # fmt: skip
def test_a_trace_of_the_server_happens_again(
    client: httpx.Client, tmp_path: Path, how: dict[str, Any]
) -> None:
    asked = client.post("/ask", json={"question": QUESTION, **how}).json()
    again = _replayed(client, asked["question"], tmp_path)
    assert again.answer is not None and again.calls > 20
    assert again.answer.text == asked["answer"]["text"]


def test_the_command_replays_what_was_streamed_in_a_session(client: httpx.Client, tmp_path: Path) -> None:
    session = client.post("/sessions", json={"title": "Fees"}).json()["session"]
    client.post("/ask", json={"question": QUESTION, "session": session})
    with client.stream(
        "POST", "/ask/stream", json={"question": "And from when?", "session": session}
    ) as told:
        name = told.headers["deref-question"]
        heard = [frame for frame in frames(told) if frame.id]
    file = _fetched(client, name, tmp_path)
    lines = file.read_text("utf-8").splitlines()
    # The stream has the events, and then the answer; the recording behind them is for the file alone.
    assert [frame.text for frame in heard[:-1]] == lines[1:-1]
    assert json.loads(lines[1])["query"]["history"] == [QUESTION]
    ran = CliRunner().invoke(app, ["replay", str(file)])
    assert ran.exit_code == 0 and ran.output.startswith("The same again"), ran.output


def test_a_question_that_failed_fails_again(client: httpx.Client, tmp_path: Path) -> None:
    assert client.post("/ask", json={"question": QUESTION, "where": "colour:red"}).status_code == 400
    name = client.get("/questions").json()["items"][0]["question"]
    again = _replayed(client, name, tmp_path)
    assert (again.answer, again.events) == (None, 0)


def test_a_trace_tells_nothing_of_where_the_server_keeps_things(
    client: httpx.Client, served: Running
) -> None:
    name = client.post("/ask", json={"question": QUESTION}).json()["question"]
    told = _all_told(client.get(f"/questions/{name}/trace").text)
    library = served.server.library  # The folders are known here, and were told to nobody.
    assert library is not None
    for path in ("kept-here", str(DEAL_ROOM.parent), "/srv/kept"):
        assert path not in told
    head = json.loads(told.splitlines()[1])
    assert (head["kind"], head["library"]) == ("run_started", "deal-room")


def test_a_server_may_keep_events_alone(tmp_path: Path) -> None:
    brief = settings_of({"models": {"embedder": "none", "background": False}, "serve": {"traces": "events"}})
    with running(tmp_path / "team", settings=brief) as one, one.client() as client:
        client.put("/libraries/team/collections/c/files/terms.md", content=OPEN.encode())
        indexed(client, "team")
        client.base_url = client.base_url.join("libraries/team")
        name = client.post("/ask", json={"question": "When is the fee due?"}).json()["question"]
        file = _fetched(client, name, tmp_path)
    assert json.loads(file.read_text().splitlines()[1])["library"] == "team"
    with pytest.raises(DamagedFile, match="it can be explained, and not replayed"):
        replay(file)


def test_no_trace_holds_anything_of_another_collection(tmp_path: Path) -> None:
    """Not in an event, not in what a port answered, and not as a number of all documents."""
    with running(tmp_path / "team", tokens=TokenFile(tmp_path / "tokens.json"), settings=SETTINGS) as one:
        outsider, admin = one.token("open", role=Role.WRITE), one.token(role=Role.ADMIN)
        with one.client(admin) as client:
            for collection, name, text in (
                ("open", "terms.md", OPEN), ("hidden-shelf", "Raven Payment Policy.md", HIDDEN),
            ):  # fmt: skip
                path = f"/libraries/team/collections/{collection}/files/{name}?index=false"
                assert client.put(path, content=text.encode()).status_code == 201
            client.post("/libraries/team/jobs")
            assert indexed(client, "team")["outcomes"] == {"added": 2}
            hidden = next(
                d["document"]
                for d in client.get("/libraries/team/documents").json()["items"]
                if d["collection"] == "hidden-shelf"
            )
        question = {"question": "On which day is the fee due, and what is on Mondays?"}
        for token, sees in ((outsider, False), (admin, True)):
            with one.client(token) as client:
                client.base_url = client.base_url.join("libraries/team")
                name = client.post("/ask", json=question).json()["question"]
                told = _all_told(client.get(f"/questions/{name}/trace").text).casefold()
                _replayed(client, name, tmp_path)
            for mark in ("quicksilver", "belladonna", "hidden-shelf", "raven payment policy.md", hidden):
                assert (mark in told) is sees, (mark, sees)
