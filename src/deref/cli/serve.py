"""`deref serve`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli.options import LibraryOption
from deref.cli.streams import complain, say
from deref.errors import UsageError

if TYPE_CHECKING:
    from socket import socket

_EXTRA = "the server needs more than is installed; install it with: pip install -e '.[serve]' in the checkout of Deref"


def serve(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Folders or files, each with its library. Without any, a library into which files are uploaded.",
        ),
    ] = None,
    library: LibraryOption = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen. Any but loopback needs tokens.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8377,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help="The tokens of `deref tokens add`: who calls must have one, also on loopback.",
        ),
    ] = None,
) -> None:
    """Serve libraries over HTTP, with an API under /api/v1: docs/serve.md.

    On loopback whoever uses this machine may call. Elsewhere each caller needs a token.

    Example: deref serve contracts/

    Example: deref serve --library /srv/deref/team --host 0.0.0.0 --token-file /srv/deref/tokens.json
    """
    import logging
    from contextlib import suppress

    try:
        import uvicorn

        from deref.serve.api.app import make_app, offers_mcp
        from deref.serve.api.security import is_loopback
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (
            "fastapi",
            "uvicorn",
            "starlette",
            "prometheus_client",
            "pydantic",
        ):
            raise
        raise UsageError(_EXTRA) from error
    from deref.serve.access import LOCAL
    from deref.serve.libraries import served
    from deref.serve.server import Server
    from deref.serve.tokens import tokens_for
    from deref.settings import user_settings

    loopback = is_loopback(host)
    tokens = tokens_for(token_file, loopback=loopback)
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    listening = _listening(host, port)
    with (
        listening,
        Server(served(paths or (), library), settings=user_settings(), tokens=tokens) as server,
    ):
        app = make_app(server, loopback_only=tokens is None)
        config = uvicorn.Config(
            app, host=host, port=port, log_level="warning", access_log=False, server_header=False,
            timeout_graceful_shutdown=5,
        )  # fmt: skip
        running = uvicorn.Server(config)
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}"
        say(
            f"Deref serves {', '.join(one.served.id for one in server.libraries(LOCAL))} at {address}/api/v1\n"
        )
        if offers_mcp():
            say(f"Tools for a language model (MCP) are at {address}/mcp\n")
        for receiver in dict.fromkeys(
            one for library in server.libraries(LOCAL) for one in library.offered.sent_to
        ):
            complain(
                f"questions and passages of the documents may be sent to {receiver}, as the settings say"
            )
        if not loopback:
            complain("the connection is not encrypted: put a proxy with TLS before it")
        with suppress(KeyboardInterrupt):  # It has ended in good order by then.
            running.run(sockets=[listening])


def _listening(host: str, port: int) -> socket:
    """Return a socket that listens: who calls before all is ready waits, and is not refused. Raises UsageError."""
    from socket import AF_INET, AF_INET6, create_server

    from deref.serve.api.security import at_once

    try:
        return at_once(create_server((host, port), family=AF_INET6 if ":" in host else AF_INET, backlog=2048))
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or error
        raise UsageError(
            f"{host} port {port}: nothing can listen there ({why}); choose another --port or --host"
        ) from error
