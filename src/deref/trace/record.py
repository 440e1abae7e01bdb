"""Record: ports that answer as the ones behind them do, and what they answered, kept by content.

    recorder = Recorder()
    store = recorder.port("Store", store)

An answer is kept under its call (`calls.Call`), in the order in which it came; the same answer again is counted. What is
called from inside a port is that port's own business and not recorded: on replay the outer one answers. An error is an
answer too. A port that a port gives (`Store.shelf`) is recorded as well, and so is what a listener among the
arguments heard. What gives values one by one is recorded as they are taken.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from deref.errors import DerefError
from deref.trace.calls import arguments_of, call_of, listeners, method_of, opens
from deref.trace.codec import Pool, Written
from deref.trace.secrets import without_places
from deref.values import Answer, Scope

P = TypeVar("P")


class Port(Protocol):
    """Gives a port for a port: `door` is the name of its Protocol, one of `calls.DOORS`."""

    def __call__(self, door: str, port: P, /) -> P:
        """Return a port that stands before the other one, or in its place."""
        ...


class Came(NamedTuple):
    """An answer that came: how it is to be given again, its key in the pool, and how often it came in a row."""

    form: str
    key: str
    times: int


_PLAIN = frozenset([str, Scope, type(None)])
"""Types whose equal values are the same content: a 1 and a true are not."""

GAVE, OPENED, FAILED, YIELDED, HEARD = "gave", "opened", "failed", "yielded", "heard"
"""The forms: a value; a port; an error; values one by one; a value, and what listeners heard before it."""


class Recorder:
    """Everything that the ports answered while one question was asked."""

    def __init__(self, hide: Callable[[str], str] = str, written: Written | None = None) -> None:
        """Start with nothing. `hide` takes the secrets out of JSON text; `written` has documents that were written before."""
        self.answers: dict[str, list[Came]] = {}
        self.pool = Pool(hide, written)
        self.keys: dict[tuple[Any, ...], str] = {}
        self._depth = threading.local()

    def port(self, door: str, port: P) -> P:
        """Return a port that records, as `Port` says."""
        return cast(P, _Recorded(self, door, door, port))

    @property
    def inside(self) -> bool:
        """Whether a port is at work in this thread."""
        return getattr(self._depth, "inside", 0) > 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Mark that a port is at work in this thread."""
        before = getattr(self._depth, "inside", 0)
        self._depth.inside = before + 1
        try:
            yield
        finally:
            self._depth.inside = before

    def keep(self, call: str, form: str, answer: Any) -> None:
        """Keep an answer to a call, given by its key."""
        key = self.pool.add(answer)
        came = self.answers.setdefault(call, [])
        if came and came[-1][:2] == (form, key):
            came[-1] = Came(form, key, came[-1].times + 1)
        else:
            came.append(Came(form, key, 1))


def failed(error: DerefError) -> tuple[str, str]:
    """Return an error as it is kept: its kind and its words, without secrets and places."""
    return (type(error).__name__, without_places(str(error)))


def how_it_ended(ended: Answer | DerefError | None) -> Any:
    """Return the end of a question as it is kept: its answer, its error, or None when it was broken off."""
    if isinstance(ended, DerefError):
        return failed(ended)
    if ended is None:
        return None
    return replace(ended, problems=tuple(map(without_places, ended.problems)))


class _Recorded:
    """Stands before a port. `place` is what its calls are kept under."""

    def __init__(self, recorder: Recorder, door: str, place: str, port: Any) -> None:
        self._recorder, self._door, self._place, self._port = recorder, door, place, port

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or method_of(self._door, name) is None:
            value = getattr(self._port, name)
            self._recorder.keep(f"{self._place}.{name}", GAVE, value)
            return value
        found = partial(self._called, name)
        self.__dict__[name] = found
        return found

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._called("__call__", *args, **named)

    def _called(self, name: str, /, *args: Any, **named: Any) -> Any:
        method: Callable[..., Any] = self._port if name == "__call__" else getattr(self._port, name)
        recorder = self._recorder
        if recorder.inside:
            return method(*args, **named)
        key, arguments = self._key(name, args, named)
        heard: list[tuple[str, tuple[Any, ...]]] = []
        ears = {n: _overheard(n, f, heard) for n, f in listeners(arguments).items()}
        try:
            with recorder.at_work():
                answer = method(**{**arguments, **ears}) if ears else method(*args, **named)
        except DerefError as error:
            recorder.keep(key, FAILED, failed(error))
            raise
        if (inner := opens(self._door, name)) is not None:
            recorder.keep(key, OPENED, inner)
            return _Recorded(recorder, inner, key, answer)
        if isinstance(answer, Iterator):
            return self._taken(key, answer)
        if heard:
            recorder.keep(key, HEARD, (answer, tuple(heard)))
        else:
            recorder.keep(key, GAVE, answer)
        return answer

    def _key(self, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """Return what a call is kept under, and its arguments by name. Those of few and plain arguments come again and again."""
        plain = _PLAIN.issuperset(map(type, (*args, *named.values())))
        said = (self._place, name, args, tuple(named.items()))
        known = self._recorder.keys
        if plain and said in known:
            return known[said], {}
        arguments = arguments_of(self._door, name, args, named)
        key = call_of(self._place, name, arguments).key
        if plain:
            known[said] = key
        return key, arguments

    def _taken(self, key: str, values: Iterator[Any]) -> Iterator[Any]:
        """Yield the values; keep those that were taken, and the error that ended them, None when none did."""
        taken: list[Any] = []
        ended: tuple[str, str] | None = None
        try:
            while True:
                with self._recorder.at_work():
                    value = next(values)
                taken.append(value)
                yield value
        except StopIteration:
            return
        except DerefError as error:
            ended = failed(error)
            raise
        finally:
            self._recorder.keep(key, YIELDED, (tuple(taken), ended))


def _overheard(name: str, function: Callable[..., Any], heard: list[Any]) -> Callable[..., Any]:
    """Return the function, which notes what it was told where it has nothing to answer: then it is a listener."""

    def listen(*told: Any) -> Any:
        answer = function(*told)
        if answer is None:
            heard.append((name, told))
        return answer

    return listen
