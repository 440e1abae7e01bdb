"""A server that runs: uvicorn on loopback in a thread of its own, over libraries in a temporary folder."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from deref.engine import Engine
from deref.serve.access import Role
from deref.serve.api.app import make_app
from deref.serve.api.security import at_once
from deref.serve.libraries import Served, served
from deref.serve.server import Server
from deref.serve.tokens import TokenFile
from deref.settings import Settings, settings_of

ROOT = Path(__file__).parents[2]
DEAL_ROOM = ROOT / "examples" / "deal-room"
SETTINGS = settings_of({"models": {"embedder": "none", "background": False}, "serve": {"processes": 0}})


@dataclass(frozen=True, slots=True)
class Running:
    """A server at work."""

    server: Server
    app: FastAPI
    address: str
    tokens: TokenFile | None

    def client(self, token: str | None = None, **more: Any) -> httpx.Client:
        """Return a client of the API; close it."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=f"{self.address}/api/v1", headers=headers, timeout=60, **more)

    def token(self, *collections: str, role: Role = Role.READ, libraries: list[str] | None = None) -> str:
        """Return a token that sees these collections, all when none is named."""
        assert self.tokens is not None
        label = f"test {len(self.tokens.tokens())}"
        return self.tokens.add(label, role, collections=collections or None, libraries=libraries)[1]


@contextmanager
def running(
    library: Path | None,
    *paths: Path,
    tokens: TokenFile | None = None,
    settings: Settings = SETTINGS,
    grace: float = 3.0,
    open_engine: Callable[[Served], Engine] | None = None,
) -> Iterator[Running]:
    """Serve a library, or one of uploads, while the block runs. Without `library` each path has its own in the data folder of the tests."""
    with Server(
        served(paths, library), settings=settings, tokens=tokens, grace=grace, open_engine=open_engine
    ) as server:
        app = make_app(server, loopback_only=True)
        config = uvicorn.Config(app, port=0, log_level="critical", timeout_graceful_shutdown=2)
        running = uvicorn.Server(config)
        listening = at_once(config.bind_socket())
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: running.started)
            yield Running(server, app, f"http://127.0.0.1:{listening.getsockname()[1]}", tokens)
        finally:
            running.should_exit = True
            thread.join()


def until(true: Callable[[], Any], seconds: float = 120.0) -> Any:
    """Wait until a function gives something that is true, and return it."""
    end = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.02)
    return value


def indexed(client: httpx.Client, library: str) -> dict[str, Any]:
    """Wait for the newest job of a library, and return it."""

    def job() -> dict[str, Any] | None:
        newest: dict[str, Any] = client.get(f"/libraries/{library}/jobs").json()["items"][0]
        return newest if newest["state"] in ("done", "failed") else None

    found: dict[str, Any] = until(job)
    return found


@dataclass(frozen=True, slots=True)
class Frame:
    """A server-sent event; `id` is 0 where it has none."""

    id: int
    event: str
    data: Any
    text: str


def frames(response: httpx.Response) -> Iterator[Frame]:
    """Yield the events of a stream as they come."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield Frame(int(fields.get("id", 0)), fields["event"], json.loads(fields["data"]), fields["data"])
            fields = {}
