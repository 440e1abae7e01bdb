"""The libraries that tools read, each kept up to date with its folder by a thread of its own.

A folder is looked through before a call when that was not done within the last seconds; what is new or changed is read in, as
the commands do it. Who calls waits for that a while. After that, what is stored answers, and the answer says that more is on its
way; a shelf that was never read through has no answer yet. Another process may be reading the same folder in: then its work is
waited for by asking again. So any number of servers may stand over one library.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, Self, TypeVar

from deref.engine import Engine
from deref.errors import Cancelled, LibraryBusy, UsageError
from deref.serve import verbs
from deref.serve.access import Caller
from deref.serve.answering import Asked, Sought, Unheard, Values, told_when_it_changes
from deref.serve.engines import Engines, Lane, at_one_time
from deref.serve.libraries import Served
from deref.serve.problems import Busy
from deref.trace.events import Event, FileRead
from deref.values import Scope

T = TypeVar("T")
_LOG = logging.getLogger("deref.mcp")
_LOOK_EVERY_S = 2.0
_PATIENCE_WITH_OTHERS_S = 0.2


def nothing_more(_engine: Engine) -> None:
    """Leave it at that."""


class Readable(Protocol):
    """One library that tools read: `Shelf` reads its folder in, `lent.Lent` is that of a server which does so itself."""

    id: str

    def look(self) -> object:
        """See to it that the library is brought up to date."""
        ...

    async def up_to_date(self, caller: Caller) -> list[str]:
        """Return what is to be told of what may be missing. Raises Busy when nothing was ever read in."""
        ...

    async def done(self, work: Callable[[Engine], T]) -> T:
        """Return what a look gives, which is short, and is done with an engine. Raises what it raises."""
        ...

    async def ask(self, asked: Asked, scope: Scope) -> Values:
        """Return the answer to a question, as `verbs.answer_row` gives it; who goes away calls it off. Raises what the engine raises."""
        ...

    async def search(self, sought: Sought, scope: Scope) -> Values:
        """Return passages, as `verbs.search` gives them. Raises what the engine raises."""
        ...

    def close(self) -> None:
        """Let go of the library."""
        ...


class Shelf:
    """One library that is read."""

    def __init__(
        self,
        served: Served,
        open_engine: Callable[[], Engine],
        *,
        afterwards: Callable[[Engine], None] = nothing_more,
        patience_s: float = 20.0,
    ) -> None:
        """Take what is served, what opens an engine of it, what is done with one after reading, and how long a call waits for that."""
        self.id = served.id
        self._served, self._open, self._afterwards = served, open_engine, afterwards
        self._patience = patience_s
        self._engines = Engines(open_engine)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reading in")
        self._lock = threading.Lock()
        self._reading: Future[None] | None = None
        self._ended = 0.0
        self._closing = False

    def close(self) -> None:
        """Call reading off at its next file, wait for what else is being done, and let go of the library."""
        self._closing = True
        self._reader.shutdown(wait=True, cancel_futures=True)
        self._engines.close()

    def look(self) -> Future[None]:
        """Have the folder looked through, unless that is being done or was within the last seconds. What it raises is in the future."""
        with self._lock:
            known = self._reading
            if known is not None and (not known.done() or time.monotonic() - self._ended < _LOOK_EVERY_S):
                return known
            self._reading = self._reader.submit(self._bring_up)
            return self._reading

    async def up_to_date(self, caller: Caller) -> list[str]:
        """Wait until the folder is read in, if it does not take too long; return what is to be told otherwise.

        Who does not see all of the library waits for nothing: how long it takes tells of documents of others.
        Raises Busy when nothing was ever read in, and what reading raises.
        """
        reading = asyncio.wrap_future(self.look())
        patience = self._patience if caller.sees_all else _PATIENCE_WITH_OTHERS_S
        told = []
        try:
            ended, _ = await asyncio.wait([_heard(reading)], timeout=patience)
            if ended:
                reading.result()
            else:
                told = ["documents are being read in; what is new in them may be missing"]
        except LibraryBusy:
            told = ["another process is reading documents in; what is new in them may be missing"]
        if told and not await self.done(lambda engine: bool(engine.shelf(caller.scope).cards())):
            raise Busy("the documents are being read in for the first time; call again in half a minute")
        return told

    async def done(self, work: Callable[[Engine], T]) -> T:
        """Return what a look gives, as `Readable` says."""
        return await asyncio.wrap_future(self._engines.do(Lane.LOOKS, work))

    async def ask(self, asked: Asked, scope: Scope) -> Values:
        """Return the answer to a question, as `Readable` says."""
        to = Unheard()

        def work(engine: Engine) -> Values:
            with told_when_it_changes(engine):
                answer = engine.ask(
                    asked.text, where=asked.where, scope=scope, budget=asked.budget, cancelled=to.called_off
                )
                return verbs.answer_row(engine, answer, scope)

        return await to.end(self._engines.do(Lane.QUESTIONS, work))

    async def search(self, sought: Sought, scope: Scope) -> Values:
        """Return passages, as `Readable` says."""
        to = Unheard()
        work = at_one_time(
            lambda engine: verbs.search(
                engine, scope, text=sought.text, where=sought.where, k=sought.k, called_off=to.called_off
            )
        )
        return await to.end(self._engines.do(Lane.QUESTIONS, work))

    def _bring_up(self) -> None:
        try:
            with self._open() as engine:
                engine.index(self._served.source, emit=self._note)
                self._afterwards(engine)
        finally:
            self._ended = time.monotonic()

    def _note(self, event: Event) -> None:
        if self._closing:
            raise Cancelled("the server is ending; what was read is kept")
        if isinstance(event, FileRead) and event.error is not None:
            _LOG.info("%s", event.error)


def _heard(reading: asyncio.Future[None]) -> asyncio.Future[None]:
    """Have what it raises count as heard, also when nobody waits for it any more."""
    reading.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    return reading


class Shelves:
    """The libraries of one server. Use as a context manager."""

    def __init__(self, shelves: Sequence[Readable]) -> None:
        """Take the libraries."""
        self._shelves = {shelf.id: shelf for shelf in shelves}

    def __enter__(self) -> Self:
        """Begin to read the folders in."""
        for shelf in self._shelves.values():
            shelf.look()
        return self

    def __exit__(self, *_: object) -> None:
        """Close everything."""
        for shelf in self._shelves.values():
            shelf.close()

    def seen_by(self, caller: Caller) -> Iterator[Readable]:
        """Yield the libraries that are there for the caller."""
        return (shelf for name, shelf in self._shelves.items() if caller.sees_library(name))

    def named(self, caller: Caller, name: str | None) -> Readable:
        """Return a library by its name, without one the only one. Raises UsageError, which names those that are there."""
        seen = {shelf.id: shelf for shelf in self.seen_by(caller)}
        if name is None and len(seen) == 1:
            return next(iter(seen.values()))
        if name in seen:
            return seen[name]
        there = f"`library` is one of: {', '.join(seen)}" if seen else "no library is there for this caller"
        raise UsageError(
            f"there is no library {name!r}; {there}" if name else f"several libraries are served; {there}"
        )
