"""A server on loopback that takes JSON and answers with prepared answers: embeddings, rerankers, and trouble."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from deref.models.hashing import HashingEmbedder

Answer = Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes]]
"""What is asked → status, headers, body."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: JsonDouble  # type: ignore[assignment]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, asked))
        status, headers, body = self.server.next_answer()(asked)
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class JsonDouble(ThreadingHTTPServer):
    """`requests` holds (path, headers, body) of each call."""

    daemon_threads = True

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._answers = list(answers)
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    def next_answer(self) -> Answer:
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def json_server(*answers: Answer) -> Iterator[JsonDouble]:
    with JsonDouble(answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def as_json(value: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {"Content-Type": "application/json"}, json.dumps(value).encode()


def says(value: Any) -> Answer:
    return lambda _asked: as_json(value)


def refuses(status: int, text: str = "no", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _asked: (status, named, text.encode())


def ranks(answer_of: Callable[[str], float]) -> Answer:
    """Answer as `/rerank`, best first, with the score that a function gives a text."""

    def answer(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        scores = [answer_of(text) for text in asked["documents"]]
        rows = [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]
        return as_json(
            {"model": asked["model"], "results": sorted(rows, key=lambda r: -float(r["relevance_score"]))}
        )

    return answer


def embeds(dimensions: int = 64, model: str = "small", scale: float = 3.0) -> Answer:
    """Answer as `/v1/embeddings`, last text first: what belongs where is said by `index` alone."""
    inner = HashingEmbedder(dimensions)

    def answer(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        if not all(asked["input"]):
            return 400, {}, b"input must not be empty"
        vectors = (inner.passages(asked["input"]) * scale).tolist()
        rows = [{"index": n, "embedding": v} for n, v in enumerate(vectors)]
        return as_json({"object": "list", "data": rows[::-1], "model": model})

    return answer
