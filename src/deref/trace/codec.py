"""Values as JSON that says what they are, and back: what a recording keeps, and what the processes of a server are told.

A value of `deref.values` or `deref.ports` is an object with its type under "~" and its fields by name; those that have their
default are left out, so that a field which is added later does not make old files unreadable. A tuple of values of one
type is written by columns (one list of all texts, one of all pages, …): a tenth of the size and of the time for a
document of thousands of lines. What is not such a value, a plain one, or a list, set, mapping, day or matrix of them
is refused.

`Pool` keeps documents and passages, which come again and again, once each: elsewhere stands the hash of their content.
"""

from __future__ import annotations

import base64
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from hashlib import blake2b
from importlib import import_module
from operator import attrgetter
from typing import Any

from deref.errors import DamagedFile

_PLAIN = frozenset([str, int, float, bool, type(None)])
HOMES = (
    "answer",
    "document",
    "filters",
    "finding",
    "library",
    "messages",
    "parsed",
    "places",
    "reference",
    "retrieval",
    "standing",
)
"""The modules of `deref.values` whose types may be read from a file."""
_SHARED = frozenset(["Document", "Chunk"])
_FEWEST_FOR_COLUMNS = 4
_MOST_VALUES = 10_000_000
"""Values that one sequence may have: where all are alike, a few signs of a file stand for as many as it says."""

Share = Callable[[Any], str]
"""Keeps a value apart and returns the key that stands for it."""


def canonical(encoded: Any) -> str:
    """Return the one text of a JSON value: keys in order, no spaces, ASCII alone."""
    return json.dumps(encoded, sort_keys=True, separators=(",", ":"))


def digest(text: str) -> str:
    """Return the content hash of a text: 32 hex digits."""
    return blake2b(text.encode("ascii", "backslashreplace"), digest_size=16).hexdigest()


def encode(value: Any, share: Share | None = None) -> Any:
    """Return a value as JSON that `decode` reads. Raises TypeError for one that is none of the kinds above."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:
        return _sequence(value, share)
    if isinstance(value, Enum):
        return {"~": _name(kind), "=": value.value}
    if is_dataclass(kind):
        if share is not None and kind.__name__ in _SHARED:
            return {"@": share(value)}
        return encode_fields(value, share)
    if isinstance(value, list):
        return {"~": "list", "=": _sequence(value, share)}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return _sequence(value, share)
    if isinstance(value, set | frozenset):
        return {"~": "set", "=": sorted((encode(v, share) for v in value), key=canonical)}
    if isinstance(value, Mapping):
        return {"~": "map", "=": [[encode(k, share), encode(v, share)] for k, v in value.items()]}
    if isinstance(value, date):
        return {"~": "day", "=": value.isoformat()}
    if hasattr(value, "dtype"):
        return _numbers(value)
    raise TypeError(f"a {kind.__name__} cannot be kept in a trace")


def encode_fields(value: Any, share: Share | None) -> dict[str, Any]:
    """Return a dataclass by its fields, also one that is shared."""
    kind: Any = type(value)
    encoded: dict[str, Any] = {"~": _name(kind)}
    for name, default in _fields_of(kind):
        field_value = getattr(value, name)
        if default is MISSING or (field_value is not default and field_value != default):
            encoded[name] = encode(field_value, share)
    return encoded


def decode(encoded: Any, shared: Callable[[str], Any] | None = None) -> Any:
    """Return the value. `shared` gives what stands under a key.

    Raises DamagedFile for what `encode` never writes, or has fields that its type does not have.
    """
    try:
        return _decoded(encoded, shared)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedFile(f"what is kept there cannot be read ({error})") from error


class Written:
    """Documents, passages and sequences without them as pools wrote them last. They never change, and come again with the next question. Safe to share by threads."""

    def __init__(self, most: int = 32 * 2**20) -> None:
        """Take how many characters are kept."""
        self._most, self._size = most, 0
        self._lock = threading.Lock()
        self._hidden: object = None
        self._kept: OrderedDict[int, tuple[object, str, str]] = OrderedDict()

    def without(self, secrets: object) -> Written:
        """Return itself, without what was written while others were hidden."""
        with self._lock:
            if secrets != self._hidden:
                self._hidden, self._size = secrets, 0
                self._kept.clear()
        return self

    def get(self, value: object) -> tuple[str, str] | None:
        """Return key and text of this very value, None when it is not kept."""
        with self._lock:
            found = self._kept.get(id(value))
            if found is None:
                return None
            self._kept.move_to_end(id(value))
            return found[1:]

    def keep(self, value: object, key: str, text: str) -> None:
        """Keep a value with its key and its text; those that were not asked for longest go."""
        with self._lock:
            # The value is held beside its text, so that no other one can come to have its id.
            self._kept[id(value)] = (value, key, text)
            self._size += len(text)
            while self._size > self._most:
                self._size -= len(self._kept.popitem(last=False)[1][2])


class Pool:
    """Values of which each is written once, by the hash of what is written."""

    def __init__(self, hide: Callable[[str], str] = str, written: Written | None = None) -> None:
        """Start empty. `hide` takes out of a text what must not be written, `written` has what was written before."""
        self._hide = hide
        self._before = written or Written(0)
        self.texts: dict[str, str] = {}
        self._seen: dict[int, tuple[object, str]] = {}
        self._words: dict[str, str] = {}

    def add(self, value: Any) -> str:
        """Keep a value; return its key. The very same frozen value is not written again to find that out."""
        known = self._seen.get(id(value))
        if known is not None:
            return known[1]
        if type(value) is str:
            if value not in self._words:
                self._words[value] = self._kept(self._hide(canonical(value)))
            return self._words[value]
        as_fields = is_dataclass(value) and type(value).__name__ in _SHARED
        # A sequence that is no list is one whose values stay: a tuple, or one that makes them when they are asked for.
        if not as_fields and (not isinstance(value, Sequence) or isinstance(value, list)):
            return self._kept(self._hide(canonical(encode(value, self.add))))
        key = self._frozen(value, encode_fields if as_fields else encode)
        # The value is held beside its key, so that no other one can come to have its id.
        self._seen[id(value)] = (value, key)
        return key

    def _frozen(self, value: Any, write: Callable[[Any, Share], Any]) -> str:
        if (before := self._before.get(value)) is not None:
            key, self.texts[key] = before
            return key
        parts: list[str] = []

        def share(part: Any) -> str:
            parts.append(self.add(part))
            return parts[-1]

        text = self._hide(canonical(write(value, share)))
        key = self._kept(text)
        if not parts:  # Else the parts would be missing where it is not written again.
            self._before.keep(value, key, text)
        return key

    def _kept(self, text: str) -> str:
        key = digest(text)
        self.texts[key] = text
        return key


class Kept:
    """What a pool held, read back: each value is made once, when it is first asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Take the texts by key."""
        self._texts = texts
        self._made: dict[str, Any] = {}

    def __call__(self, key: str) -> Any:
        """Return the value under a key. Raises DamagedFile when it is missing, or is not what was kept."""
        if key not in self._made:
            text = self._texts.get(key)
            if text is None or digest(text) != key:
                raise DamagedFile(f"what is kept under {key} is missing or was changed")
            self._made[key] = decode(json.loads(text), self)
        return self._made[key]

    def of_type(self, name: str) -> list[Any]:
        """Return all values of a shared type, such as "document.Document", by key."""
        # Keys of an object are in order, and "~" is behind all letters.
        end = f'"~":"{name}"}}'
        return [self(key) for key in sorted(self._texts) if self._texts[key].endswith(end)]


def _name(kind: type[Any]) -> str:
    home = kind.__module__.removeprefix("deref.values.")
    if home not in HOMES and kind.__module__ != "deref.ports":
        raise TypeError(f"a {kind.__name__} of {kind.__module__} cannot be kept in a trace")
    return f"{home.removeprefix('deref.')}.{kind.__name__}"


@cache
def _fields_of(kind: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((f.name, _default(f)) for f in fields(kind))


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _sequence(values: Sequence[Any], share: Share | None) -> Any:
    if len(values) < _FEWEST_FOR_COLUMNS:
        return [v if type(v) in _PLAIN else encode(v, share) for v in values]
    kinds = set(map(type, values))
    if kinds <= _PLAIN:
        return list(values)
    if len(kinds) == 1:
        (kind,) = kinds
        if kind is tuple:
            return [_sequence(v, share) for v in values]
        if issubclass(kind, Enum):
            return {"~": _name(kind), "each": list(map(attrgetter("_value_"), values))}
        if is_dataclass(kind) and not (share is not None and kind.__name__ in _SHARED):
            return _columns(kind, values, share)
    return [encode(v, share) for v in values]


def _columns(kind: Any, values: Sequence[Any], share: Share | None) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for name, default in _fields_of(kind):
        column = list(map(attrgetter(name), values))
        first = column[0]
        same = first == column[-1] and column.count(first) == len(column)
        if same and len(set(map(type, column))) == 1:
            if default is MISSING or (first is not default and first != default):
                columns[name] = {"all": encode(first, share)}
        else:
            columns[name] = _sequence(column, share)
    return {"~": _name(kind), "n": len(values), "by": columns}


def _numbers(value: Any) -> Any:
    if value.ndim == 0:
        return value.item()
    little = value.astype("<f4", copy=False)
    if little.dtype != value.dtype:
        raise TypeError(f"a matrix of {value.dtype} cannot be kept in a trace")
    return {"~": "matrix", "shape": list(value.shape), "=": base64.b64encode(little.tobytes()).decode()}


def _decoded(encoded: Any, shared: Callable[[str], Any] | None) -> Any:
    if isinstance(encoded, list):
        return tuple(v if type(v) in _PLAIN else _decoded(v, shared) for v in encoded)
    if not isinstance(encoded, dict):
        return encoded
    if "@" in encoded:
        if shared is None:
            raise ValueError("a value stands elsewhere")
        return shared(encoded["@"])
    match encoded["~"]:
        case "list":
            return list(_decoded(encoded["="], shared))
        case "set":
            return frozenset(_decoded(encoded["="], shared))
        case "map":
            return {_decoded(k, shared): _decoded(v, shared) for k, v in encoded["="]}
        case "day":
            return date.fromisoformat(encoded["="])
        case "matrix":
            return _matrix(encoded)
        case name:
            return _value(_type_named(name), encoded, shared)


def _value(kind: type[Any], encoded: dict[str, Any], shared: Callable[[str], Any] | None) -> Any:
    if issubclass(kind, Enum):
        return tuple(map(kind, encoded["each"])) if "each" in encoded else kind(encoded["="])
    if "by" in encoded:
        n = encoded["n"]
        if n > _MOST_VALUES:
            raise ValueError(f"{n} values of one kind")
        columns = {
            name: [_decoded(column["all"], shared)] * n
            if isinstance(column, dict) and "all" in column
            else _decoded(column, shared)
            for name, column in encoded["by"].items()
        }
        if not columns:
            return tuple(kind() for _ in range(n))
        rows = zip(*columns.values(), strict=True)
        return tuple(kind(**dict(zip(columns, row, strict=True))) for row in rows)
    return kind(**{name: _decoded(v, shared) for name, v in encoded.items() if name != "~"})


@cache
def _type_named(name: str) -> type[Any]:
    home, _, kind = name.partition(".")
    if home not in HOMES and home != "ports":
        raise ValueError(f"there is no type {name}")
    module = "deref.ports" if home == "ports" else f"deref.values.{home}"
    found = getattr(import_module(module), kind)
    if not (
        isinstance(found, type)
        and found.__module__ == module
        and (is_dataclass(found) or issubclass(found, Enum))
    ):
        raise ValueError(f"there is no type {name}")
    return found


def _matrix(encoded: dict[str, Any]) -> Any:
    import numpy as np  # noqa: PLC0415 - a trace without vectors is read without it

    numbers = np.frombuffer(base64.b64decode(encoded["="]), dtype="<f4")
    return numbers.reshape(tuple(encoded["shape"])).astype(np.float32)
