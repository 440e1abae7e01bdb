"""Calls of ports, told apart by content: the port, the method and the hash of the arguments.

A function among the arguments is no content, and of a port only its identity is. Arguments count by the name that the
Protocol gives them, whether they were given by place, by name or by default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Signature, signature
from typing import Any, NamedTuple

from deref.ports import (
    Clock,
    Embedder,
    LanguageModel,
    OverviewReader,
    Past,
    Reranker,
    Shelf,
    Store,
    Writer,
)
from deref.trace.codec import canonical, digest, encode, encode_fields

DOORS: Mapping[str, type[Any]] = {
    door.__name__: door
    for door in (Store, Shelf, Past, Embedder, Reranker, LanguageModel, Writer, Clock, OverviewReader)
}
"""The ports that can be recorded and replayed, by name."""


class Call(NamedTuple):
    """One call of a port. `key` is what an answer is kept under, `said` tells the call to people."""

    key: str
    said: str


@cache
def method_of(door: str, name: str) -> Signature | None:
    """Return the signature of a method of a port; None for what is no method of it but a value."""
    found = getattr(DOORS[door], name, None)
    return None if found is None or isinstance(found, property) else signature(found)


@cache
def opens(door: str, name: str) -> str | None:
    """Return the port that a method gives, None for one that gives values: its annotation names it."""
    method = method_of(door, name)
    given = None if method is None else method.return_annotation
    return given if given in DOORS else None


def arguments_of(door: str, name: str, args: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by name, those left out too. Raises TypeError as the call would."""
    method = method_of(door, name)
    if method is None:
        raise AttributeError(f"{door} has no method {name}")
    bound = method.bind(None, *args, **named)
    bound.apply_defaults()
    return dict(list(bound.arguments.items())[1:])


def call_of(place: str, name: str, arguments: Mapping[str, Any]) -> Call:
    """Return a call. `place` is the port, or for a port that another one gave the key of the call that gave it."""
    contents = {key: _content(value) for key, value in arguments.items() if not _is_function(value)}
    method = "" if name == "__call__" else f".{name}"
    told = ", ".join(_short(value) for value in arguments.values() if not _is_function(value))
    port = place.partition("(")[0]
    return Call(f"{place}{method}({digest(canonical(contents))})", f"{port}{method}({told})")


def _is_function(value: Any) -> bool:
    return callable(value) and not hasattr(value, "identity")


def _content(value: Any) -> Any:
    if isinstance(identity := getattr(value, "identity", None), str):
        return {"port": identity}
    return encode(value, _hashed)


def _hashed(value: Any) -> str:
    return digest(canonical(encode_fields(value, _hashed)))


def _short(value: Any, most: int = 60) -> str:
    told = getattr(value, "identity", None) or repr(value)
    return told if len(told) <= most else told[: most - 1] + "…"


Listener = Callable[..., Any]


def listeners(arguments: Mapping[str, Any]) -> dict[str, Listener]:
    """Return the functions among the arguments, by name."""
    return {name: value for name, value in arguments.items() if _is_function(value)}
