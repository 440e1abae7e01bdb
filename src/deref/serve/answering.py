"""Questions and searches answered: by engines in threads of this process, or by processes of their own (`processes`).

Both do the same with an engine, the functions `answered` and `searched` here. What a question gives while it is at work (lines of its trace, pieces of an
answer) goes to the one who listens, who also says when it is called off.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Protocol, TypeVar, cast

from deref.engine import Engine
from deref.errors import Cancelled, NoSuchSource
from deref.serve import verbs
from deref.serve.engines import Engines, Lane, at_one_time
from deref.serve.offered import Choice, Offered
from deref.serve.problems import Busy
from deref.trace.events import Event
from deref.trace.sinks import JsonLinesSink, nowhere
from deref.values import Scope

T = TypeVar("T")
Values = dict[str, Any]
Hide = Callable[[str], str]
"""Takes the secrets that are in use out of JSON text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked. What is None is as the settings have it; `history` is oldest first. `traced` says whether its trace is wanted."""

    text: str
    where: str | None = None
    recipe: str | None = None
    model: str | None = None
    budget: int | None = None
    passages: int | None = None
    history: tuple[str, ...] = ()
    traced: bool = True

    @property
    def choice(self) -> Choice:
        """What it chooses of what is offered."""
        return Choice(recipe=self.recipe, model=self.model, budget=self.budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What is searched for: `k` passages (the setting when None), by a recipe or as the settings have it."""

    text: str
    where: str | None = None
    recipe: str | None = None
    k: int | None = None


class Listener(Protocol):
    """Who is told of a question while it is at work."""

    def write(self, text: str, /) -> int:
        """Take a line of the trace."""
        ...

    def flush(self) -> None:
        """Bring what was written on."""
        ...

    def hear(self, n: int, text: str) -> None:
        """Take a piece of the answer of pass `n`; "" says that it begins anew."""
        ...

    def called_off(self) -> bool:
        """Tell whether the question is called off."""
        ...


class Unheard:
    """The listener of a question of which only the end is wanted. `Listener`."""

    def __init__(self) -> None:
        """Begin with one who waits."""
        self._gone = threading.Event()

    def write(self, text: str) -> int:
        """Leave a line of the trace."""
        return len(text)

    def flush(self) -> None:
        """Do nothing."""

    def hear(self, n: int, text: str) -> None:
        """Leave a piece of the answer."""

    def called_off(self) -> bool:
        """Tell whether the one who asked has gone."""
        return self._gone.is_set()

    async def end(self, future: Future[T]) -> T:
        """Wait for what comes of it; a wait that is given up calls the question off."""
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            self._gone.set()
            raise


class Answering(Protocol):
    """Who answers the questions of one library."""

    def ask(self, asked: Asked, scope: Scope, to: Listener) -> Future[Values]:
        """Have a question answered. What it raises is in the future. Raises LibraryBusy when too many wait."""
        ...

    def search(self, sought: Sought, scope: Scope, to: Listener) -> Future[Values]:
        """Have passages searched, until they are called off. What it raises is in the future. Raises LibraryBusy when too many wait."""
        ...

    def waiting(self) -> int:
        """Return how many wait or are being answered."""
        ...

    def close(self) -> None:
        """Drop what waits, and wait for what is being done."""
        ...


def answered(
    engine: Engine, asked: Asked, scope: Scope, *, offered: Offered, called: str, to: Listener, hide: Hide
) -> Values:
    """Return the answer in the form of docs/json.md. `called` is what the trace calls the library.

    Raises NotOffered, Cancelled, Busy when a document went meanwhile, and what the engine raises.
    """
    settings = offered.settings(asked.choice)
    out = cast("IO[str]", to)
    replayable = asked.traced and settings.serve.traces == "replayable"
    events = JsonLinesSink(out, time.time, hide) if asked.traced and not replayable else nowhere

    def emit(event: Event) -> None:
        if to.called_off():
            raise Cancelled("the one who asked has gone; ask again")
        events(event)

    with told_when_it_changes(engine):
        answer = engine.under(settings).ask(
            asked.text,
            where=asked.where,
            scope=scope,
            budget=offered.budget(asked.choice),
            passages=asked.passages,
            history=asked.history,
            # Where the library lies is no business of those who ask over the network.
            called=called,
            emit=emit,
            trace=out if replayable else None,
            heard=to.hear,
            cancelled=to.called_off,
        )
        return verbs.answer_row(engine, answer, scope)


@contextmanager
def told_when_it_changes(engine: Engine) -> Iterator[None]:
    """Tell of a document that went while a question was at it as what it is: its trace is written, so it is not asked anew here."""
    before = engine.store.generation()
    try:
        yield
    except NoSuchSource as error:
        if engine.store.generation() == before:
            raise
        raise Busy("documents were changed while the question was answered; ask again") from error


def searched(engine: Engine, sought: Sought, scope: Scope, *, offered: Offered, to: Listener) -> Values:
    """Return passages in the form of docs/json.md. Raises NotOffered, Cancelled, and what the engine raises."""
    settings = offered.settings(Choice(recipe=sought.recipe))
    search = at_one_time(
        lambda known: verbs.search(
            known.under(settings),
            scope,
            text=sought.text,
            where=sought.where,
            k=sought.k,
            called_off=to.called_off,
        )
    )
    return search(engine)


class InThreads:
    """Answers by the engines of this process. `Answering`."""

    def __init__(self, engines: Engines, offered: Offered, called: str, hide: Hide) -> None:
        """Take the engines, which stay the caller's, what may be chosen, what traces call the library, and what hides secrets."""
        self._engines, self._offered, self._called, self._hide = engines, offered, called, hide

    def ask(self, asked: Asked, scope: Scope, to: Listener) -> Future[Values]:
        """Have a question answered, as `Answering` says."""
        return self._engines.do(
            Lane.QUESTIONS,
            lambda engine: answered(
                engine, asked, scope, offered=self._offered, called=self._called, to=to, hide=self._hide
            ),
        )

    def search(self, sought: Sought, scope: Scope, to: Listener) -> Future[Values]:
        """Have passages searched, as `Answering` says."""
        return self._engines.do(
            Lane.QUESTIONS, lambda engine: searched(engine, sought, scope, offered=self._offered, to=to)
        )

    def waiting(self) -> int:
        """Return how many wait or are being answered."""
        return self._engines.waiting(Lane.QUESTIONS)

    def close(self) -> None:
        """Leave the engines to their owner."""
