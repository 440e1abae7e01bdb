"""The shape of a reply, said once: a frozen dataclass gives its JSON Schema, and takes the values that obey it.

Fields may be text, a `StrEnum`, another such dataclass, or a tuple of one of these. `Annotated[str, "…"]` gives a
field its description in the schema. Every field is required and no other is allowed: what a model leaves out it leaves empty.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T")


def schema_of(shape: type) -> dict[str, Any]:
    """Return the JSON Schema of a dataclass, nothing referred to from elsewhere in it: small servers follow no `$ref`.

    Raises TypeError for a field of another type than the module says.
    """
    types = typing.get_type_hints(shape, include_extras=True)
    properties = {f.name: _schema(types[f.name]) for f in fields(shape)}
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _schema(kind: Any) -> dict[str, Any]:
    if typing.get_origin(kind) is typing.Annotated:
        inner, says = typing.get_args(kind)
        return {**_schema(inner), "description": says}
    if kind is str:
        return {"type": "string"}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"type": "string", "enum": [member.value for member in kind]}
    if is_dataclass(kind) and isinstance(kind, type):
        return schema_of(kind)
    if typing.get_origin(kind) is tuple:
        return {"type": "array", "items": _schema(typing.get_args(kind)[0])}
    raise TypeError(f"{kind!r} has no shape that a model could be asked for")


def value_of(shape: type[T], value: Any, *, at: str = "") -> T:
    """Return the dataclass that JSON values make.

    Raises ValueError that names the place, for values that do not obey the schema; `at` is where the value stands.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"{at or 'the reply'}: an object is needed, not {type(value).__name__}")
    types = typing.get_type_hints(shape)
    names = [f.name for f in fields(shape)]  # type: ignore[arg-type]
    if missing := [n for n in names if n not in value]:
        raise ValueError(f"{at or 'the reply'}: {missing[0]} is missing")
    made = {n: _value(types[n], value[n], f"{at}/{n}" if at else n) for n in names}
    return shape(**made)


def _value(kind: Any, value: Any, at: str) -> Any:
    if kind is str:
        if not isinstance(value, str):
            raise ValueError(f"{at}: text is needed, not {type(value).__name__}")
        return value
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value not in [*kind]:
            raise ValueError(f"{at}: {value!r} is none of {', '.join(kind)}")
        return kind(value)
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f"{at}: a list is needed, not {type(value).__name__}")
        inner = typing.get_args(kind)[0]
        return tuple(_value(inner, one, f"{at}/{n}") for n, one in enumerate(value))
    return value_of(kind, value, at=at)
