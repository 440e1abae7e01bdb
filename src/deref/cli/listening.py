"""What `deref serve` and `deref mcp --http` share: a socket that listens, and an application that is served on it."""

from __future__ import annotations

import os
from contextlib import suppress
from socket import AF_INET, AF_INET6, create_server, socket
from typing import TYPE_CHECKING

from deref.cli.streams import complain
from deref.errors import UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp


def listening(host: str, port: int) -> socket:
    """Return a socket that listens: who calls before all is ready waits, and is not refused. Raises UsageError."""
    from deref.serve.api.security import at_once

    try:
        return at_once(create_server((host, port), family=AF_INET6 if ":" in host else AF_INET, backlog=2048))
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or error
        raise UsageError(
            f"{host} port {port}: nothing can listen there ({why}); choose another --port or --host"
        ) from error


def address(host: str, at: socket) -> str:
    """Return how a client calls a socket that listens on a host."""
    return f"http://{f'[{host}]' if ':' in host else host}:{at.getsockname()[1]}"


def serve_on(at: socket, app: ASGIApp, *, loopback: bool) -> None:
    """Serve an application until a signal ends it. Off loopback it is told that nothing is encrypted."""
    import uvicorn

    if not loopback:
        complain("the connection is not encrypted: put a proxy with TLS before it")
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=5
    )
    with suppress(KeyboardInterrupt):  # It has ended in good order by then.
        uvicorn.Server(config).run(sockets=[at])
