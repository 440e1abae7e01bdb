"""`deref mcp`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli import INTERRUPTED, INTERRUPTED_CODE
from deref.cli.options import HostOption, LibraryOption, PortOption
from deref.cli.streams import complain
from deref.errors import UsageError

if TYPE_CHECKING:
    from deref.serve.mcp.shelves import Shelves

_EXTRA = "the MCP server needs more than is installed; install it with: pip install -e '.[mcp]' in the checkout of Deref"
_HOST, _PORT = "127.0.0.1", 8378
_ITS_LIBRARIES = ("mcp", "mcp_types", "pydantic", "starlette", "fastapi", "uvicorn", "anyio")


def mcp(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Folders or files, each with its library. Without any, the library of uploads of `deref serve`.",
        ),
    ] = None,
    library: LibraryOption = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, at /mcp, instead of standard input and output.")
    ] = False,
    host: HostOption = _HOST,
    port: PortOption = _PORT,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help="The tokens of `deref tokens add`: who calls over HTTP must have one, also on loopback.",
        ),
    ] = None,
) -> None:
    """Serve libraries to a language model, by the Model Context Protocol: docs/mcp.md.

    On standard input and output the one who starts it calls. Over HTTP on loopback whoever uses this machine may call,
    elsewhere each caller needs a token.

    Example: deref mcp contracts/

    Example: deref mcp contracts/ --http --token-file tokens.json
    """
    if not http and (host, port, token_file) != (_HOST, _PORT, None):
        raise UsageError(
            "--host, --port and --token-file are for --http; on standard input and output the one who starts it calls"
        )
    try:
        from deref.serve.mcp.shelves import Shelf, Shelves

        if http:
            import uvicorn  # noqa: F401 - missing parts are told before anything is read

            from deref.serve.mcp.http import mcp_app  # noqa: F401 - as above
        else:
            from deref.serve.mcp.protocol import mcp_server  # noqa: F401
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _ITS_LIBRARIES:
            raise
        raise UsageError(_EXTRA) from error
    import logging
    from functools import partial

    from deref.cli.shelf import follow_with_vectors
    from deref.embedders import chosen_embedder
    from deref.language_models import sent_to
    from deref.serve.libraries import served
    from deref.settings import user_settings

    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    settings = user_settings()
    for receiver in sent_to(settings):
        complain(f"questions and passages of the documents are sent to {receiver}, as the settings say")
    embedder = chosen_embedder(settings)
    shelves = Shelves(
        [
            Shelf(
                one,
                partial(one.engine, settings, embedder),
                afterwards=partial(follow_with_vectors, folder=one.folder),
            )
            for one in served(paths or (), library)
        ]
    )
    if http:
        _over_http(shelves, host, port, token_file)
    else:
        _over_stdio(shelves)


def _over_stdio(shelves: Shelves) -> None:
    import asyncio
    import signal

    from mcp.server.stdio import stdio_server

    from deref.serve.mcp.protocol import mcp_server

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)

    async def serve() -> None:
        server = mcp_server(shelves)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    with shelves:
        asyncio.run(serve())


def _leave(*_: object) -> None:
    """End at once: the thread that waits for a line of input cannot be called off. What is stored is whole at any moment."""
    complain(INTERRUPTED)
    os._exit(INTERRUPTED_CODE)


def _over_http(shelves: Shelves, host: str, port: int, token_file: Path | None) -> None:
    from deref.cli.listening import address, listening, serve_on
    from deref.serve.api.security import is_loopback
    from deref.serve.mcp.http import mcp_app
    from deref.serve.mcp.mounted import PATH
    from deref.serve.tokens import tokens_for

    loopback = is_loopback(host)
    tokens = tokens_for(token_file, loopback=loopback)
    with listening(host, port) as listens, shelves:
        complain(f"MCP is served at {address(host, listens)}{PATH}")
        app = mcp_app(shelves, tokens=tokens, loopback_only=tokens is None)
        serve_on(listens, app, loopback=loopback)
