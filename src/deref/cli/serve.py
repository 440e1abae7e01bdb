"""`deref serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deref.cli.options import LibraryOption
from deref.cli.streams import complain, say
from deref.errors import UsageError

_EXTRA = "the server needs more than is installed; install it with: pip install 'deref[serve]'"


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

        from deref.serve.api.app import make_app
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
    with Server(served(paths or (), library), settings=user_settings(), tokens=tokens) as server:
        app = make_app(server, loopback_only=loopback)
        config = uvicorn.Config(
            app, host=host, port=port, log_level="warning", access_log=False, server_header=False,
            timeout_graceful_shutdown=5,
        )  # fmt: skip
        running = uvicorn.Server(config)
        listening = config.bind_socket()
        listening.listen()  # Who calls as soon as the address is told waits, and is not refused.
        address = f"http://{host}:{listening.getsockname()[1]}"
        say(
            f"Deref serves {', '.join(one.served.id for one in server.libraries(LOCAL))} at {address}/api/v1\n"
        )
        if not loopback:
            complain("the connection is not encrypted: put a proxy with TLS before it")
        with suppress(KeyboardInterrupt):  # It has ended in good order by then.
            running.run(sockets=[listening])
