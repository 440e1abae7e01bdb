"""A sequence whose values are made when they are asked for: a question looks at few of what is read together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast, overload

T = TypeVar("T")


class OnDemand(Sequence[T]):
    """So many values, each made once. It equals the sequence of them, and is sent to other processes as a tuple."""

    __slots__ = ("_made", "_make")

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        """Take how many there are, and what makes each."""
        self._make = make
        self._made: list[T | None] = [None] * count

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            made = self._made
            for n in range(*at.indices(len(made))):
                if made[n] is None:
                    made[n] = self._make(n)
            return cast("tuple[T, ...]", tuple(made[at]))
        value = self._made[at]
        return self._value(range(len(self._made))[at]) if value is None else value

    def __iter__(self) -> Iterator[T]:
        return map(self._value, range(len(self._made)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)

    def _value(self, n: int) -> T:
        value = self._made[n]
        if value is None:
            value = self._made[n] = self._make(n)
        return value
