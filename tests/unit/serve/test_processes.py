"""A process that answers: what comes back in lines, and what is told when it is killed or breaks."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deref.errors import Cancelled, LibraryBusy
from deref.serve.api.security import at_once
from deref.serve.broken import BROKE
from deref.serve.libraries import Served
from deref.serve.problems import Busy, NotOffered, problem_of
from deref.serve.processes import FailedInside, Process
from deref.settings import settings_of

ECHO = """
import json, os, signal, sys
out = sys.stdout
for line in sys.stdin:
    asked = json.loads(line)
    match asked.get("do"):
        case "tell":
            out.write('t{"seq": 1}\\np[0, "It is "]\\np[0, "so"]\\nd{"n": %d}\\n' % asked["number"])
        case "fail":
            out.write('f["%s", "because"]\\n' % asked["kind"])
        case "break":
            raise ValueError("secret words")
        case "be killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "wait":
            out.write('p[0, "It waits"]\\n')
            out.flush()
            told = json.loads(sys.stdin.readline())
            out.write('d{"called_off": %d}\\n' % told["call_off"])
    out.flush()
"""


@dataclass
class Heard:
    """A listener that keeps what it is told."""

    lines: list[str] = field(default_factory=list)
    pieces: list[tuple[int, str]] = field(default_factory=list)
    flushed: int = 0
    gone: bool = False

    def write(self, text: str, /) -> int:
        self.lines.append(text)
        return len(text)

    def flush(self) -> None:
        self.flushed += 1

    def hear(self, n: int, text: str) -> None:
        self.pieces.append((n, text))

    def called_off(self) -> bool:
        return self.gone


@pytest.fixture
def process() -> Iterator[Process]:
    one = Process([sys.executable, "-c", ECHO], os.environ)
    yield one
    one.end()


def test_lines_and_pieces_come_as_they_are_sent(process: Process) -> None:
    heard = Heard()
    assert process.do({"do": "tell"}, heard) == {"n": 1}
    assert (heard.lines, heard.pieces, heard.flushed) == (['{"seq": 1}\n'], [(0, "It is "), (0, "so")], 1)
    assert process.do({"do": "tell"}, Heard()) == {"n": 2}, "it goes on with the next one"


@pytest.mark.parametrize("kind", [Cancelled, LibraryBusy, NotOffered, Busy])
def test_an_error_there_is_the_same_error_here(process: Process, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="because") as failed:
        process.do({"do": "fail", "kind": kind.__name__}, Heard())
    assert type(failed.value) is kind
    assert process.do({"do": "tell"}, Heard()) == {"n": 2}


def test_one_that_breaks_tells_nothing_of_why_and_is_started_again(
    process: Process, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FailedInside) as broken:
        process.do({"do": "break"}, Heard())
    assert "secret words" in capfd.readouterr().err, "the log has it"
    assert (problem_of(broken.value).status, "secret" in problem_of(broken.value).detail) == (500, False)
    assert process.do({"do": "tell"}, Heard()) == {"n": 2}


def test_one_that_is_killed_has_its_question_asked_again(process: Process) -> None:
    with pytest.raises(LibraryBusy, match="ask again"):
        process.do({"do": "be killed"}, Heard())
    assert process.do({"do": "tell"}, Heard()) == {"n": 2}


def test_a_trace_that_cannot_be_kept_leaves_nothing_for_the_next_request(process: Process) -> None:
    class Full(Heard):
        def write(self, text: str, /) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        process.do({"do": "tell"}, Full())
    heard = Heard()
    assert process.do({"do": "tell"}, heard) == {"n": 2}
    assert heard.pieces == [(0, "It is "), (0, "so")]


def test_a_request_is_called_off_by_its_number(process: Process) -> None:
    process.do({"do": "tell"}, Heard())
    process.look()

    class Gone(Heard):
        def hear(self, n: int, text: str) -> None:
            self.gone = True
            process.look()

    assert process.do({"do": "wait"}, Gone()) == {"called_off": 2}


def test_one_who_goes_while_the_next_request_begins_does_not_call_that_one_off(process: Process) -> None:
    asked, next_begun = threading.Event(), threading.Event()

    class Slow(Heard):
        def called_off(self) -> bool:
            asked.set()
            return next_begun.wait(60)  # Meanwhile its own request ends.

        def flush(self) -> None:
            assert asked.wait(60)

    class Next(Heard):
        def hear(self, n: int, text: str) -> None:
            next_begun.set()

    def both() -> None:
        process.do({"do": "tell"}, Slow())
        came.append(process.do({"do": "wait"}, Next()))

    came: list[Any] = []
    working = threading.Thread(target=both)
    working.start()
    while not asked.is_set():
        process.look()
    working.join()
    assert came == [{"called_off": 1}]


@pytest.mark.parametrize("module", ["index_job", "question_process"])
def test_a_process_that_breaks_while_it_waits_for_a_line_does_not_abort(tmp_path: Path, module: str) -> None:
    """An abort would be told as want of memory."""
    (tmp_path / "a file").write_text("")
    library = Served(id="a", folder=tmp_path / "a file" / "in it", source=tmp_path, uploads=False)
    settings = settings_of({"models": {"embedder": "none", "background": False}})
    with subprocess.Popen(
        [sys.executable, "-m", f"deref.serve.{module}", library.as_text(), json.dumps(asdict(settings)), "job"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write('{"neither": "a question nor a search"}\n')
        process.stdin.flush()
        told = process.stderr.read()
    assert process.returncode == BROKE
    assert "Traceback" in told and "Fatal" not in told


def test_what_is_answered_is_sent_at_once() -> None:
    """Connections take it from the socket that listens."""
    with (
        at_once(socket.create_server(("127.0.0.1", 0))) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
