"""A server on loopback that speaks OpenAI's protocol, and misbehaves as it is told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """One request: it is kept, and answered by the next of the prepared answers."""

    protocol_version = "HTTP/1.1"
    server: ChatServer  # type: ignore[assignment]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked: dict[str, Any] = json.loads(body)
        self.server.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, self.asked))
        try:
            self.server.next_answer()(self)
        except OSError:
            self.server.hung_up.set()
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def begin(self, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Connection", "close")
        self.end_headers()

    def chunk(self, delta: dict[str, Any], finish: str | None = None, **more: Any) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.event({"choices": [choice], **more})

    def event(self, values: dict[str, Any]) -> None:
        whole = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "small", **values}
        self.wfile.write(f"data: {json.dumps(whole)}\n\n".encode())
        self.wfile.flush()


class ChatServer(ThreadingHTTPServer):
    """`requests` holds (path, headers, body) of each call; `hung_up` is set when a caller went away before the end."""

    daemon_threads = True

    def __init__(self, answers: Sequence[Answer]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self._answers = list(answers)
        self._lock = threading.Lock()
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.hung_up = threading.Event()

    def next_answer(self) -> Answer:
        with self._lock:
            return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, _, body in self.requests]


@contextmanager
def serving(*answers: Answer) -> Iterator[ChatServer]:
    with ChatServer(answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def says(text: str, *, finish: str | None = "stop", pieces: int = 3, usage: bool = True) -> Answer:
    """Stream a text in pieces, as `content`."""

    def answer(to: Handler) -> None:
        to.begin(Content_Type="text/event-stream")
        to.chunk({"role": "assistant", "content": ""})
        size = max(1, -(-len(text) // pieces))
        for start in range(0, len(text), size):
            to.chunk({"content": text[start : start + size]})
        if finish:
            to.chunk({}, finish)
            if usage:
                to.event(
                    {
                        "choices": [],
                        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
                    }
                )
            to.wfile.write(b"data: [DONE]\n\n")

    return answer


def calls_the_tool(arguments: str) -> Answer:
    """Stream a call of the tool that was offered."""

    def answer(to: Handler) -> None:
        to.begin(Content_Type="text/event-stream")
        name = to.asked["tools"][0]["function"]["name"]
        call = {"index": 0, "id": "c1", "type": "function", "function": {"name": name, "arguments": ""}}
        to.chunk({"role": "assistant", "tool_calls": [call]})
        for part in (arguments[:5], arguments[5:]):
            to.chunk({"tool_calls": [{"index": 0, "function": {"arguments": part}}]})
        to.chunk({}, "tool_calls")
        to.wfile.write(b"data: [DONE]\n\n")

    return answer


def refuses(status: int, message: str = "no", *, code: str | None = None, **headers: str) -> Answer:
    """Answer with a status and an error as OpenAI words it."""

    def answer(to: Handler) -> None:
        body = json.dumps({"error": {"message": message, "type": "error", "code": code}}).encode()
        to.begin(status, Content_Type="application/json", Content_Length=str(len(body)), **headers)
        to.wfile.write(body)

    return answer


def breaks_off(text: str) -> Answer:
    """Begin a reply and close the connection in the middle of it."""

    def answer(to: Handler) -> None:
        to.begin(Content_Type="text/event-stream", Content_Length="100000")
        to.chunk({"content": text})

    return answer


def drips(times: int = 200, pause: float = 0.05) -> Answer:
    """Send a letter every now and then."""

    def answer(to: Handler) -> None:
        to.begin(Content_Type="text/event-stream")
        for _ in range(times):
            to.chunk({"content": "x"})
            time.sleep(pause)

    return answer


def a_page(to: Handler) -> None:
    """Answer with a page for people."""
    body = b"<html><body>Log in</body></html>"
    to.begin(Content_Type="text/html", Content_Length=str(len(body)))
    to.wfile.write(body)


def by_form(native: Answer, tool: Answer, prompted: Answer) -> Answer:
    """Answer by the form in which the shape is asked for."""

    def answer(to: Handler) -> None:
        if "response_format" in to.asked and to.asked["response_format"]["type"] == "json_schema":
            native(to)
        elif "tools" in to.asked:
            tool(to)
        else:
            prompted(to)

    return answer
