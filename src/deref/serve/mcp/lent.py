"""The libraries of `deref serve`, lent to the tools: the same engines and processes that answer, the same tokens.

The server brings its libraries up to date itself, by jobs that are on record. A call waits for none of them: it is answered from what
is stored, and told when a job that the caller may see is not done yet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from deref.engine import Engine
from deref.serve.access import Caller
from deref.serve.answering import Asked, Sought, Unheard, Values
from deref.serve.engines import Lane
from deref.serve.mcp.shelves import Shelves
from deref.serve.problems import Busy
from deref.serve.records import State
from deref.serve.server import Library as Served
from deref.serve.server import Server
from deref.values import Scope

T = TypeVar("T")


class Lent:
    """One library of a server that runs. `Readable`."""

    def __init__(self, library: Served) -> None:
        """Take the library, which stays the server's."""
        self.id = library.served.id
        self._library = library

    def look(self) -> None:
        """Leave it to the server."""

    def close(self) -> None:
        """Leave it to the server."""

    async def up_to_date(self, caller: Caller) -> list[str]:
        """Return what is to be told of documents that are being read in. Raises Busy when none is there yet."""
        jobs = self._library.jobs.every(caller)
        if not any(
            job["state"] in (State.QUEUED, State.RUNNING) and job["phase"] != "vectors" for job in jobs
        ):
            return []
        if not await self.done(lambda engine: bool(engine.shelf(caller.scope).cards())):
            raise Busy("documents are being read in for the first time; call again in half a minute")
        return ["documents are being read in; what is new in them may be missing"]

    async def done(self, work: Callable[[Engine], T]) -> T:
        """Return what a look gives, as `Readable` says."""
        return await asyncio.wrap_future(self._library.engines.do(Lane.LOOKS, work))

    async def ask(self, asked: Asked, scope: Scope) -> Values:
        """Return the answer to a question, as `Readable` says: it is answered where those of the API are."""
        to = Unheard()
        return await to.end(self._library.answering.ask(asked, scope, to))

    async def search(self, sought: Sought, scope: Scope) -> Values:
        """Return passages, as `Readable` says."""
        to = Unheard()
        return await to.end(self._library.answering.search(sought, scope, to))


def lent_by(server: Server) -> Shelves:
    """Return the libraries of a server. They are its own: do not enter or close them."""
    return Shelves([Lent(library) for library in server.every_library()])
