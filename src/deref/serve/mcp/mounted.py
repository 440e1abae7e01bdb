"""The tools in an application that serves something else too: the SDK of MCP is loaded when the first client calls.

It takes 25 MB and half a second, which a server that no model calls need not spend. What the SDK runs beside its requests has to begin and end in one
task; so a task of the application waits for the first call, begins it, and ends it with the application.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

PATH = "/mcp"
_LOG = logging.getLogger("deref.mcp")


def add_mcp(app: Starlette, made: Callable[[], Starlette]) -> None:
    """Have an application serve at `PATH` what `made` makes, for as long as it runs. It has a guard of hosts and origins of its own."""
    tools = _AtFirstCall(made)
    app.router.routes.append(Route(PATH, endpoint=tools))
    app.router.lifespan_context = tools.lifespan


class _AtFirstCall:
    """An application that is made, and begins to run, when it is first called."""

    def __init__(self, made: Callable[[], Starlette]) -> None:
        self._made = made
        self._app: Starlette | None = None
        self._called, self._runs, self._ends = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._called.set()
        await self._runs.wait()
        if self._app is None:
            raise RuntimeError("the tools of MCP could not be loaded; the log says why")
        await self._app(scope, receive, send)

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        running = asyncio.create_task(self._run())
        try:
            yield
        finally:
            self._ends.set()
            self._called.set()
            await running

    async def _run(self) -> None:
        await self._called.wait()
        if self._ends.is_set():
            return
        try:
            app = await asyncio.to_thread(self._made)
        except Exception as error:
            _LOG.error("the tools of MCP cannot be loaded", exc_info=error)
            self._runs.set()
            raise
        async with app.router.lifespan_context(app):
            self._app = app
            self._runs.set()
            await self._ends.wait()
