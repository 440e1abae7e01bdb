"""`deref serve`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from deref.cli.options import HostOption, LibraryOption, PortOption
from deref.cli.streams import complain, say
from deref.errors import UsageError

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
    host: HostOption = "127.0.0.1",
    port: PortOption = 8377,
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

    try:
        import uvicorn  # noqa: F401 - missing parts are told before anything is opened

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
    from deref.cli.listening import address, listening, serve_on
    from deref.serve.libraries import served
    from deref.serve.server import Server
    from deref.serve.tokens import tokens_for
    from deref.settings import user_settings

    loopback = is_loopback(host)
    tokens = tokens_for(token_file, loopback=loopback)
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    with (
        listening(host, port) as listens,
        Server(served(paths or (), library), settings=user_settings(), tokens=tokens) as server,
    ):
        app = make_app(server, loopback_only=tokens is None)
        at = address(host, listens)
        say(f"Deref serves {', '.join(one.served.id for one in server.every_library())} at {at}/api/v1\n")
        if offers_mcp():
            say(f"Tools for a language model (MCP) are at {at}/mcp\n")
        sys.stdout.flush()  # A program that starts the server learns the address from a pipe.
        receivers = (one for library in server.every_library() for one in library.offered.sent_to)
        for receiver in dict.fromkeys(receivers):
            complain(
                f"questions and passages of the documents may be sent to {receiver}, as the settings say"
            )
        serve_on(listens, app, loopback=loopback)
