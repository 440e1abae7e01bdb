"""The SDK's own client against `deref mcp`: over the standard streams of a process, and over HTTP on loopback."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from deref.serve.libraries import served
from deref.serve.mcp.http import mcp_app
from deref.serve.mcp.shelves import Shelf, Shelves
from deref.serve.tokens import TokenFile
from e2e.serving import SETTINGS, until


def values(result: CallToolResult) -> dict[str, Any]:
    """Return the structured content of a call that went well; the text must say the same."""
    (content,) = result.content
    assert not result.is_error, content
    assert content.type == "text"
    assert result.structured_content == json.loads(content.text)
    return dict(result.structured_content)


def complaint(result: CallToolResult) -> str:
    """Return the one line of a call that failed."""
    (content,) = result.content
    assert result.is_error and content.type == "text"
    assert "\n" not in content.text
    return content.text


@asynccontextmanager
async def on_stdio(
    *arguments: str | Path, errors: Path, mode: str = "auto", **environment: str
) -> AsyncIterator[Client]:
    """Connect to a process of its own, whose standard error goes into a file."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "deref.cli.main", "mcp", *map(str, arguments)],
        env={**os.environ, "DEREF_MODELS_EMBEDDER": "none", "DEREF_MODELS_BACKGROUND": "0", **environment},
    )
    with errors.open("w") as log:
        async with Client(stdio_client(server, errlog=log), mode=mode) as client:
            yield client


@dataclass(frozen=True, slots=True)
class OverHttp:
    """A server at work."""

    address: str
    tokens: TokenFile | None

    @asynccontextmanager
    async def client(self, token: str | None = None, mode: str = "auto") -> AsyncIterator[Client]:
        """Connect with a token."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(self.address, http_client=http), mode=mode) as client,
        ):
            yield client


@contextmanager
def over_http(library: Path | None, *paths: Path, tokens: TokenFile | None = None) -> Iterator[OverHttp]:
    """Serve libraries over HTTP on loopback while the block runs."""
    shelves = [Shelf(one, partial(one.engine, SETTINGS)) for one in served(paths, library)]
    with Shelves(shelves) as at_hand, socket.create_server(("127.0.0.1", 0)) as listening:
        for shelf in shelves:
            shelf.look().result()
        app = mcp_app(at_hand, tokens=tokens, loopback_only=True)
        running = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=2))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: running.started)
            yield OverHttp(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", tokens)
        finally:
            running.should_exit = True
            thread.join()


def told(results: Sequence[Any]) -> str:
    """Return all that results of a client tell, as one text."""
    return "\n".join(result.model_dump_json() for result in results)
