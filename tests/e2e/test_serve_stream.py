"""Questions that take long: cut connections, taking a stream up, calling off, many at once beside a job."""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from deref.engine import Engine, open_engine
from deref.errors import Cancelled
from deref.models.hashing import HashingEmbedder
from deref.ports import never, unheard_piece
from deref.serve.libraries import Served
from deref.settings import Settings
from deref.trace.events import LeftOut
from deref.values import Answer, Candidates, Citation, Completeness, Document, Passage, Query
from deref.values.answer import Arrived
from e2e.serving import SETTINGS, Running, frames, indexed, running, until

LEASE = b"# Lease\n\n## 1 Rent\n\nThe rent is 40 a month.\n\n## 2 Dates\n\nThe rent is due on the first.\n"


class WriterBehindAGate:
    """A writer that begins, and waits until it may go on. `calls` counts those who wait, `called_off` those who were told to stop."""

    begins: Sequence[str] = ("It is so",)

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.calls = 0
        self.called_off = 0

    @property
    def identity(self) -> str:
        return "gate-1"

    def write(
        self,
        query: Query,
        passages: Sequence[Passage],
        read: Callable[[str], Document],
        *,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Answer:
        for piece in self.begins:
            heard(piece)
        self.calls += 1
        while not self.gate.wait(0.02):
            if cancelled():
                self.called_off += 1
                raise Cancelled("called off while it waited")
        document, lines = read(passages[0].lines.doc), passages[0].lines
        first, last = document.lines[lines.start], document.lines[lines.end - 1]
        quoted = Citation(
            source=document.name, lines=lines, page=first.page, row=first.row, end_page=last.page, end_row=last.row,
            boxes=(), quote=document.text(lines), arrived=Arrived.PRIMARY,
        )  # fmt: skip
        heard(" [1]")
        return Answer(
            text="It is so [1]", citations=(quoted,), pending=(), completeness=Completeness.COMPLETE
        )


@pytest.fixture
def writer() -> WriterBehindAGate:
    return WriterBehindAGate()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of uploads that is indexed."""
    folder = tmp_path_factory.mktemp("slow") / "team"
    with running(folder) as served, served.client() as client:
        client.put("/libraries/team/collections/c/files/lease.md", content=LEASE)
        indexed(client, "team")
    return folder


@pytest.fixture
def grace() -> float:
    """Seconds in which who was cut off may come back: longer than any machine takes for that."""
    return 600.0


@pytest.fixture
def served(library: Path, writer: WriterBehindAGate, grace: float) -> Iterator[Running]:
    def open_one(one: Served) -> Engine:
        known = open_engine(one.folder, settings=one.settings(SETTINGS))
        return Engine(store=known.store, settings=known.settings, embedder=HashingEmbedder, writer=writer)

    with running(library, grace=grace, open_engine=open_one) as one:
        yield one
        writer.gate.set()


@pytest.fixture
def client(served: Running) -> Iterator[httpx.Client]:
    with served.client() as one:
        one.base_url = one.base_url.join("libraries/team")
        yield one


@contextmanager
def _sent(client: httpx.Client, path: str, body: bytes) -> Iterator[socket.socket]:
    """Send a request, and go away without its answer when the block is left."""
    url = client.base_url
    with socket.create_connection((url.host, url.port), timeout=60) as caller:
        head = f"POST {url.path}{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        caller.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        yield caller


def _begun(client: httpx.Client, writer: WriterBehindAGate) -> str:
    """Ask, read two events of the stream, and go away while the writer waits; return the question."""
    with client.stream("POST", "/ask/stream", json={"question": "When is the rent due?"}) as response:
        every = frames(response)
        first, second = next(every), next(every)
        assert (first.id, second.id) == (1, 2), (first, second)
        until(lambda: writer.calls)
        return response.headers["deref-question"]


def test_who_is_cut_off_goes_on_where_the_stream_broke(
    client: httpx.Client, writer: WriterBehindAGate
) -> None:
    question = _begun(client, writer)
    with client.stream("GET", f"/questions/{question}/events", headers={"Last-Event-ID": "2"}) as response:
        rest = frames(response)
        third = next(rest)
        writer.gate.set()
        every = [third, *rest]
    seen = [f for f in every if f.event != "piece"]
    assert [f.data for f in every if f.event == "piece"] == [
        {"pass": 0, "text": ""},  # They begin anew: some had come before it was cut off.
        {"pass": 0, "text": "It is so"},
        {"pass": 0, "text": " [1]"},
    ]
    assert [f.id for f in seen] == list(range(3, 3 + len(seen)))
    assert (seen[-1].event, seen[-1].data["text"]) == ("answer", "It is so [1]")
    assert writer.called_off == 0
    kept = client.get(f"/questions/{question}/trace").text.splitlines()
    assert [f.text for f in seen[:-1]] == kept[3:-1], "the last line is what a replay answers from"


@pytest.mark.parametrize("grace", [0.5])
def test_a_client_that_goes_away_calls_its_question_off(
    client: httpx.Client, writer: WriterBehindAGate
) -> None:
    question = _begun(client, writer)
    until(lambda: writer.called_off == 1)
    told = until(lambda: (now := client.get(f"/questions/{question}").json())["state"] != "running" and now)
    assert (told["state"], told["answer"], told["problem"]["type"]) == (
        "cancelled", None, "urn:deref:problem:called-off",
    )  # fmt: skip
    with client.stream("GET", f"/questions/{question}/events") as response:
        assert list(frames(response))[-1].event == "problem"


@pytest.mark.parametrize("grace", [0.5])
def test_so_does_one_that_waits_for_json(client: httpx.Client, writer: WriterBehindAGate) -> None:
    with _sent(client, "ask", b'{"question": "When is the rent due?"}'):
        until(lambda: writer.calls)
    until(lambda: writer.called_off == 1)


@pytest.mark.parametrize("grace", [0.5])
def test_so_does_one_that_goes_while_more_is_sent_than_it_has_read(
    client: httpx.Client, writer: WriterBehindAGate
) -> None:
    writer.begins = ["It is so " * 200_000] * 12
    with _sent(client, "ask/stream", b'{"question": "When is the rent due?"}') as caller:
        until(lambda: writer.calls)
        assert caller.recv(100)
    until(lambda: writer.called_off == 1)


def test_an_end_that_cannot_be_kept_is_a_problem_and_no_one_waits_for_it(
    client: httpx.Client, writer: WriterBehindAGate, library: Path
) -> None:
    with (
        sqlite3.connect(library / "serve" / "records.db") as records,
        ThreadPoolExecutor(1) as pool,
        client.stream("POST", "/ask/stream", json={"question": "When is the rent due?"}) as streamed,
    ):
        asked = pool.submit(client.post, "/ask", json={"question": "When is the rent due?"})
        until(lambda: writer.calls == 2)
        records.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON questions BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        )
        writer.gate.set()
        *_, last = frames(streamed)
        assert (last.event, last.data["type"]) == ("problem", "urn:deref:problem:library-cannot-serve")
        assert (asked.result().status_code, asked.result().json()["type"]) == (503, last.data["type"])
        records.execute("DROP TRIGGER full")


def test_a_question_can_be_called_off_by_name(client: httpx.Client, writer: WriterBehindAGate) -> None:
    with client.stream("POST", "/ask/stream", json={"question": "When is the rent due?"}) as response:
        question = response.headers["deref-question"]
        until(lambda: writer.calls)
        assert client.delete(f"/questions/{question}").status_code == 204
    assert writer.called_off == 1
    assert client.get(f"/questions/{question}").status_code == 404


def test_a_page_can_be_looked_at_while_questions_wait(
    client: httpx.Client, writer: WriterBehindAGate
) -> None:
    with ThreadPoolExecutor(8) as askers:
        asked = [askers.submit(client.post, "/ask", json={"question": f"Is rent {n} due?"}) for n in range(8)]
        until(lambda: writer.calls == 2)  # The two engines of the lane; six wait.
        assert client.get("/documents").status_code == 200
        assert not any(one.done() for one in asked)
        writer.gate.set()
        assert [one.result().json()["state"] for one in asked] == ["done"] * 8


def test_many_ask_while_a_job_changes_the_library(tmp_path: Path) -> None:
    with running(tmp_path / "team") as served, served.client() as client:
        files = "/libraries/team/collections/c/files"
        client.put(f"{files}/lease.md", content=LEASE)
        indexed(client, "team")
        job = client.put(f"{files}/other.md", content=LEASE.replace(b"40", b"50")).json()["job"]["job"]

        def ask(n: int) -> int:
            return client.post(
                "/libraries/team/ask", json={"question": f"Is the rent of month {n} due?"}
            ).status_code

        with ThreadPoolExecutor(25) as askers:
            assert set(askers.map(ask, range(50))) == {200}
        until(lambda: client.get(f"/libraries/team/jobs/{job}").json()["state"] == "done")
        texts = client.post("/libraries/team/search", json={"question": "rent a month"}).text
        assert "40 a month" in texts and "50 a month" in texts


class SearchesOnAndOn(Engine):
    """An engine that is at a search until that is called off."""

    called_off = threading.Event()
    begun = threading.Event()

    def under(self, settings: Settings) -> Engine:
        return self

    def search(self, text: str, **how: Any) -> Candidates:
        self.begun.set()
        try:
            while True:
                how["emit"](LeftOut(what="nothing"))
                time.sleep(0.01)
        except Cancelled:
            self.called_off.set()
            raise


def test_a_search_whose_client_goes_away_is_called_off(library: Path) -> None:
    def open_one(one: Served) -> Engine:
        known = open_engine(one.folder, settings=one.settings(SETTINGS))
        return SearchesOnAndOn(store=known.store, settings=known.settings, embedder=None)

    with running(library, open_engine=open_one) as served, served.client() as client:
        with _sent(client, "libraries/team/search", b'{"question": "rent"}'):
            assert SearchesOnAndOn.begun.wait(60)
        assert SearchesOnAndOn.called_off.wait(60)
