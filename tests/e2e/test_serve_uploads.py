"""Files that are uploaded: where they go, what is refused, and what becomes of them."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from deref.serve.access import LOCAL
from deref.settings import settings_of
from deref.store.lock import WriterLock
from e2e.serving import Running, indexed, running, until

LEASE = b"# Lease\n\n## 1 Rent\n\nThe rent is 40 a month, see Section 2.\n\n## 2 Dates\n\nIt is due on the first.\n"
SMALL = settings_of({"models": {"embedder": "none", "background": False}, "read": {"max_file_mb": 1}})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("uploads") / "team", settings=SMALL) as one:
        yield one


@pytest.fixture
def client(served: Running) -> Iterator[httpx.Client]:
    with served.client() as one:
        one.base_url = one.base_url.join("libraries/team")
        yield one


def _files(served: Running) -> set[str]:
    (library,) = served.server.libraries(LOCAL)
    uploads = library.served.source
    return {p.relative_to(uploads).as_posix() for p in uploads.rglob("*") if p.is_file()}


def test_an_upload_is_read_asked_replaced_and_removed(tmp_path: Path) -> None:
    with running(tmp_path / "team", settings=SMALL) as served, served.client() as client:
        client.base_url = client.base_url.join("libraries/team")
        assert (
            client.put("/collections/hr/files/note.md?index=false", content=b"# Note\n\nNothing.\n").json()[
                "job"
            ]
            is None
        )
        sent = client.put("/collections/hr/files/lease.md", content=LEASE)
        assert sent.status_code == 201
        told = sent.json()
        assert (told["source"], told["collection"], told["bytes"], told["new"]) == (
            "hr/lease.md",
            "hr",
            len(LEASE),
            True,
        )
        with served.client() as other:
            assert indexed(other, "team")["outcomes"] == {"added": 2}
        document, note = client.get("/documents").json()["items"]
        assert (document["source"], document["collection"], document["title"]) == (
            "hr/lease.md",
            "hr",
            "Lease",
        )
        assert {"name": "hr", "documents": 2} in client.get("/collections").json()["items"]
        session = client.post("/sessions", json={}).json()["session"]
        answer = client.post("/ask", json={"question": "When is the rent due?", "session": session}).json()[
            "answer"
        ]
        assert "due on the first" in answer["text"]
        changed = LEASE.replace(b"40", b"50")
        again = client.put("/collections/hr/files/lease.md?index=false", content=changed)
        assert (again.status_code, again.json()["new"]) == (200, False)
        assert client.delete(f"/documents/{note['document']}").status_code == 202
        with served.client() as other:
            assert indexed(other, "team")["outcomes"] == {"changed": 1, "removed": 1}
        (document,) = client.get("/documents").json()["items"]
        # Who removes what it sees does not remove what another one has just put in its place.
        client.put("/collections/hr/files/lease.md?index=false", content=changed.replace(b"50", b"60"))
        assert client.delete(f"/documents/{document['document']}").status_code == 202
        with served.client() as other:
            assert indexed(other, "team")["outcomes"] == {"changed": 1}
        client.put("/collections/hr/files/lease.md", content=changed)
        with served.client() as other:
            assert indexed(other, "team")["outcomes"] == {"changed": 1}
        assert "50 a month" in client.post("/search", json={"question": "rent"}).json()["passages"][0]["text"]
        (turn,) = client.get(f"/sessions/{session}").json()["turns"]
        assert {(c["standing"], c["now"]) for c in turn["answer"]["citations"]} == {
            ("changed", "hr/lease.md")
        }


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("../../../etc/passwd.txt", "passwd.txt"),
        ("..%5C..%5Cboot.md", "boot.md"),
        (".hidden.md", "hidden.md"),
        ("a\x00b\n‮c.md", "a_b__c.md"),
        ("/absolute/path.md", "path.md"),
        ("é" * 300 + ".md", None),
        ("  two   words .md", "two words .md"),
    ],
)
def test_of_a_name_only_a_label_is_kept(
    served: Running, client: httpx.Client, said: str, kept: str | None
) -> None:
    before = _files(served)
    # A slash in a name has to be written twice over: once decoded, it would part the path of the address.
    name = quote(said.replace("%5C", "\\").replace("/", "\\"), safe="")
    response = client.put(f"/collections/names/files/{name}?index=false", content=b"text")
    assert response.status_code == 201, response.text
    (new,) = _files(served) - before
    assert new == response.json()["source"]
    assert kept is None or new == f"names/{kept}"
    assert len(new.encode()) < 255


@pytest.mark.parametrize("said", ["..", ".", "%20", "%2E%2E%5C", "-", "…"])
def test_a_name_without_a_letter_is_none(served: Running, client: httpx.Client, said: str) -> None:
    before = _files(served)
    assert client.put(f"/collections/c/files/{said}", content=b"x").status_code in (400, 404, 405)
    assert client.put(f"/collections/{said}/files/a.md", content=b"x").status_code in (400, 404, 405)
    assert _files(served) == before


def test_what_no_parser_reads_is_refused(served: Running, client: httpx.Client) -> None:
    before = _files(served)
    for name in ("virus.exe", "page.php", "noending"):
        response = client.put(f"/collections/c/files/{name}", content=b"x")
        assert (response.status_code, response.json()["type"]) == (415, "urn:deref:problem:unsupported-type")
    assert _files(served) == before


@pytest.mark.parametrize("declared", [True, False])
def test_what_is_too_large_leaves_nothing(served: Running, client: httpx.Client, declared: bool) -> None:
    before = _files(served)
    piece = b"x" * 300_000
    content = piece * 4 if declared else iter([piece] * 4)
    response = client.put("/collections/c/files/large.md", content=content)
    assert (response.status_code, response.json()["type"]) == (413, "urn:deref:problem:too-large")
    assert client.put("/collections/c/files/empty.md", content=b"").status_code == 400
    assert _files(served) == before


def test_a_file_and_a_collection_of_one_name_are_refused(served: Running, client: httpx.Client) -> None:
    client.put("/collections/default/files/clash.md?index=false", content=b"# Clash")
    client.put("/collections/crash.md/files/a.md?index=false", content=b"# Crash")
    before = _files(served)
    for collection, name in (("clash.md", "a.md"), ("default", "crash.md")):
        response = client.put(f"/collections/{collection}/files/{name}?index=false", content=b"x")
        assert (response.status_code, response.json()["type"]) == (400, "urn:deref:problem:not-understood")
        assert "choose another" in response.json()["detail"]
    assert _files(served) == before


def test_an_upload_that_cannot_be_written_is_told_without_places(
    served: Running, client: httpx.Client
) -> None:
    (library,) = served.server.libraries(LOCAL)
    moved = library.served.source.rename(library.served.source.with_name("elsewhere"))
    try:
        response = client.put("/collections/c/files/a.md", content=b"x")
    finally:
        moved.rename(library.served.source)
    assert (response.status_code, response.json()["type"]) == (503, "urn:deref:problem:library-cannot-serve")
    assert str(library.served.folder) not in response.text


def test_a_file_that_cannot_be_removed_is_a_problem(
    served: Running, client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    client.put("/collections/held/files/note.md", content=b"# Note\n\nIt stays.\n")
    with served.client() as other:
        assert indexed(other, "team")["state"] == "done"
    (note,) = [d for d in client.get("/documents").json()["items"] if d["source"] == "held/note.md"]
    (library,) = served.server.libraries(LOCAL)
    file = library.served.source / "held" / "note.md"
    file.unlink()
    file.mkdir()
    refused = client.delete(f"/documents/{note['document']}")
    assert (refused.status_code, refused.json()["type"]) == (503, "urn:deref:problem:library-cannot-serve")
    assert "note.md: cannot be removed (Is a directory)" in caplog.text
    file.rmdir()
    assert client.delete(f"/documents/{note['document']}").status_code == 202
    with served.client() as other:
        assert indexed(other, "team")["outcomes"].get("removed") == 1


def test_jobs_go_on_when_the_records_can_be_written_again(
    served: Running, client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    (library,) = served.server.libraries(LOCAL)
    with sqlite3.connect(library.served.kept / "records.db") as records:
        records.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        )
        assert client.post("/jobs").status_code == 202
        until(lambda: "the index jobs of team stand still" in caplog.text)
        records.execute("DROP TRIGGER full")
    assert client.post("/jobs").status_code == 202
    with served.client() as other:
        assert indexed(other, "team")["state"] == "done"


def test_an_upload_that_breaks_off_leaves_nothing_and_is_no_failure_of_the_server(served: Running) -> None:
    before = _files(served)
    counted = '{method="PUT",route="/libraries/{library}/collections/{collection}/files/{name}",status="%d"}'
    host, port = served.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as cut:
        head = "PUT /api/v1/libraries/team/collections/c/files/cut.md HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
        cut.sendall(head.encode() + b"x" * 1000)
        until(lambda: list((served.server.library(LOCAL, "team").served.source).glob(".incoming-*")))
    with served.client() as other:
        until(lambda: counted % 409 in other.get("/metrics").text)
        assert counted % 500 not in other.get("/metrics").text
    assert _files(served) == before
    assert not list((served.server.library(LOCAL, "team").served.source).glob(".incoming-*"))


def test_html_that_is_uploaded_is_never_sent_as_html(served: Running, client: httpx.Client) -> None:
    script = b"<!doctype html><title>Note</title><h1>Note</h1><p>Fine <script>alert(1)</script> &lt;script&gt; print.</p>"
    client.put("/collections/web/files/note.html", content=script)
    with served.client() as other:
        assert indexed(other, "team")["state"] == "done"
    (document,) = [d for d in client.get("/documents").json()["items"] if d["source"] == "web/note.html"]
    place = f"/documents/{document['document']}"
    for path in (
        "",
        "/outline",
        "/lines?start=0&end=9",
        "/pages/1",
        "/references",
        "/pages/1/picture",
        "/file",
        "/raw",
    ):
        response = client.get(place + path)
        assert response.headers["content-type"] in ("application/json", "application/problem+json"), path
        assert response.headers["x-content-type-options"] == "nosniff"


def _serving(library: Path) -> tuple[subprocess.Popen[str], httpx.Client]:
    """Start `deref serve` as a user does, and return its process and a client."""
    process = subprocess.Popen(
        [sys.executable, "-m", "deref.cli.main", "serve", "--library", str(library), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "DEREF_MODELS_EMBEDDER": "none"},
    )
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    return process, httpx.Client(base_url=f"{address}/libraries/{library.name}", timeout=60)


def _most_memory(process: subprocess.Popen[str]) -> int:
    """Return the most memory that a process has held so far, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def test_a_large_file_is_not_held_and_a_job_survives_the_death_of_its_server(tmp_path: Path) -> None:
    library = tmp_path / "team"
    process, client = _serving(library)
    try:
        client.get("/documents")
        before = _most_memory(process)
        large = client.put(
            "/collections/c/files/large.txt?index=false", content=(b"line\n" * 200_000 for _ in range(80))
        )
        assert large.json()["bytes"] == 80_000_000
        assert _most_memory(process) - before < 30_000_000
        (library / "uploads" / "c" / "large.txt").unlink()
        # Another one writes to the library meanwhile, so the job is not done before it is interrupted.
        with WriterLock(library / "writer.lock", timeout=60).held():
            job = client.put("/collections/c/files/lease.md", content=LEASE).json()["job"]["job"]
            until(lambda: _jobs_of(library) and client.get(f"/jobs/{job}").json()["state"] == "running")
            process.send_signal(signal.SIGKILL)
            process.wait()
            until(lambda: not _jobs_of(library))
    finally:
        process.kill()
        process.wait()
        client.close()
    process, client = _serving(library)
    try:
        told = until(lambda: (now := client.get(f"/jobs/{job}").json())["state"] == "done" and now)
        assert (told["attempts"], told["outcomes"]) == (2, {"added": 1})
        assert [d["source"] for d in client.get("/documents").json()["items"]] == ["c/lease.md"]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        client.close()


def _jobs_of(library: Path) -> list[str]:
    """Return the command lines of the processes that index a library."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            told = file.read_text("utf-8", "replace")
            if "deref.serve.index_job" in told and str(library) in told:
                found.append(told)
    return found
