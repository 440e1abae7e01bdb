"""Replay: ports that answer from a recording alone, and the first difference between two streams of events.

    ports = Replayer(answers, kept)
    store = cast(Store, ports.port("Store"))

The n-th call of one content gets the n-th answer that was recorded for it, and every further one the last of them: what
was told of a state goes on to be true, and the time stands still. A call that was never recorded is an error, and is
never asked of anything alive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from deref import errors
from deref.errors import DamagedFile, DerefError, ReplayMismatch
from deref.trace.calls import Call, arguments_of, call_of, listeners, method_of
from deref.trace.codec import Kept
from deref.trace.record import FAILED, HEARD, OPENED, YIELDED, Came


class Replayer:
    """The ports of one recording. `missing` is the first call that it has no answer to, as people read it."""

    def __init__(self, answers: Mapping[str, Sequence[Came]], kept: Kept) -> None:
        """Take the answers by call, and the values that they name."""
        self._answers = answers
        self._kept = kept
        self._asked: Counter[str] = Counter()
        self.missing: str | None = None

    def port(self, door: str) -> Any:
        """Return the port of this Protocol (a name of `calls.DOORS`)."""
        return _Replayed(self, door, door)

    def answer(self, call: Call) -> tuple[str, Any]:
        """Return the form and the value of the next answer to a call. Raises ReplayMismatch when there is none."""
        came = self._answers.get(call.key)
        if not came:
            self.missing = self.missing or call.said
            raise ReplayMismatch(
                f"the trace has no answer to {call.said}; it was written by another question or version"
            )
        before = self._asked[call.key]
        self._asked[call.key] += 1
        for one in came:
            if before < one.times:
                return one.form, self._kept(one.key)
            before -= one.times
        return came[-1].form, self._kept(came[-1].key)


class _Replayed:
    """A port that was recorded. `place` is what its calls were kept under."""

    def __init__(self, replayer: Replayer, door: str, place: str) -> None:
        self._replayer, self._door, self._place = replayer, door, place

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if method_of(self._door, name) is None:
            key = f"{self._place}.{name}"
            return self._replayer.answer(Call(key, f"{self._door}.{name}"))[1]
        return partial(self._called, name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._called("__call__", *args, **named)

    def _called(self, name: str, /, *args: Any, **named: Any) -> Any:
        arguments = arguments_of(self._door, name, args, named)
        call = call_of(self._place, name, arguments)
        form, value = self._replayer.answer(call)
        match form:
            case _ if form == OPENED:
                return _Replayed(self._replayer, value, call.key)
            case _ if form == FAILED:
                raise as_it_failed(value)
            case _ if form == YIELDED:
                return _again(*value)
            case _ if form == HEARD:
                value, heard = value
                ears = listeners(arguments)
                for ear, told in heard:
                    if ear in ears:
                        ears[ear](*told)
        return value


def _again(values: Sequence[Any], ended: Sequence[str] | None) -> Iterator[Any]:
    yield from values
    if ended is not None:
        raise as_it_failed(ended)


def as_it_failed(kept: Sequence[str]) -> DerefError:
    """Return the error that was recorded. Raises DamagedFile when it is none of ours."""
    kind, words = kept
    found = getattr(errors, kind, None)
    if not (isinstance(found, type) and issubclass(found, DerefError)):
        raise DamagedFile(f"there is no error {kind}; write the trace anew with `deref ask … --trace FILE`")
    return found(words)


_LEAD = 40
"""Signs that are shown before the place where two texts begin to differ."""
_NOT_COMPARED = frozenset({"seq", "at", "seconds", "versions", "fingerprints"})
"""The clock, and what replayed: a trace is compared with what happens, not with when, or by which version."""


def first_difference(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> str | None:
    """Return in words where the second stream of events first differs from the first, None when it does not.

    Events are JSON-ready, as `events.encode` gives them; times, versions and fingerprints are not compared.
    """
    for number, (was, other) in enumerate(zip_longest(before, now), start=1):
        if was is None:
            return f"event {number}: the trace had ended, and now there is {_event(other)}"
        if other is None:
            return f"event {number}: the trace has {_event(was)}, and now nothing more happens"
        if was["kind"] != other["kind"]:
            return f"event {number}: the trace has {_event(was)}, and now there is {_event(other)}"
        found = _differing(was, other, "")
        if found is not None:
            return f"event {number} ({was['kind']}): {found}"
    return None


def _event(event: Mapping[str, Any]) -> str:
    what = event.get("stage") or event.get("verdict") or event.get("what")
    return f"{event['kind']} ({_short(what)})" if what else str(event["kind"])


def _differing(was: Any, now: Any, place: str) -> str | None:
    """Return where two JSON-ready values first differ, and both values there."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys([*was, *now]):
            if name in _NOT_COMPARED:
                continue
            if name not in was or name not in now:
                return f"{place}{name} is only there {'in the trace' if name in was else 'now'}"
            if (found := _differing(was[name], now[name], f"{place}{name}.")) is not None:
                return found
        return None
    if isinstance(was, list) and isinstance(now, list):
        place = place.removesuffix(".")
        for n, (one, other) in enumerate(zip(was, now, strict=False)):
            if (found := _differing(one, other, f"{place}[{n}].")) is not None:
                return found
        if len(was) != len(now):
            return f"{place} has {len(now)} entries, and {len(was)} in the trace"
        return None
    if was != now:
        return f"{place.removesuffix('.')} is {_apart(now, was)}, and {_apart(was, now)} in the trace"
    return None


def _apart(value: Any, other: Any) -> str:
    """Return a value from a little before the place where a longer text begins to differ from the other."""
    if not isinstance(value, str) or not isinstance(other, str):
        return _short(value)
    same = next(
        (n for n, (a, b) in enumerate(zip(value, other, strict=False)) if a != b), min(len(value), len(other))
    )
    return _short(value) if same < _LEAD else f"“…{value[same - _LEAD : same + 80]}”"


def _short(value: Any, most: int = 120) -> str:
    told = f"“{value}”" if isinstance(value, str) else repr(value)
    return told if len(told) <= most else told[: most - 1] + "…"
