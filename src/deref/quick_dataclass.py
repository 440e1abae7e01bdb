"""`dataclass` for frozen classes with slots, made in one compilation instead of six.

The standard library compiles each method of a dataclass by itself, most of a millisecond a class; every command makes
dozens of classes before it can do anything. Here the fields are still collected by `dataclasses`, so that `fields`,
`replace` and `asdict` work as ever. `__init__` alone is compiled; equality, hash, text and the refusal to be changed
need no code of their own for each class. What comes out behaves the same, and is made and constructed faster:
docs/decisions/0022-dataclasses-made-in-one-compilation.md.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import partial
from operator import attrgetter, ge, gt, le, lt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *, frozen: bool, slots: bool, kw_only: bool = False, order: bool = False
    ) -> Callable[[type], type]:
        """Return what makes a class a dataclass, as `dataclasses.dataclass` does. Both `frozen` and `slots` must be set."""
        if not (frozen and slots):
            raise TypeError("only for frozen classes with slots; take dataclasses.dataclass")
        return partial(_made, kw_only=kw_only, order=order)


def _made(bare: type, *, kw_only: bool, order: bool) -> type:
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(bare)
    made.__dataclass_params__.frozen = True
    every = fields(made)
    made.__init__ = _init(made, every, kw_only)
    values = _values_of([f.name for f in every])

    def equal(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    own = {"__eq__": equal, "__hash__": hashed, "__getstate__": lambda self: values(self)}
    if order:
        own |= {name: _ordered(compare, values) for name, compare in _ORDER.items()}
    for name, method in {**own, **_FOR_ALL}.items():
        if name not in bare.__dict__ or bare.__dict__[name] is None:
            setattr(made, name, method)
    kind: type = made
    return kind


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


def _ordered(
    compare: Callable[[Any, Any], bool], values: Callable[[Any], tuple[Any, ...]]
) -> Callable[[Any, object], bool]:
    def compared(self: Any, other: object) -> bool:
        return compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    return compared


def _init(made: Any, every: tuple[Field[Any], ...], kw_only: bool) -> Callable[..., None]:
    """Compile `__init__`: it sets each slot by its descriptor, which the class does not refuse."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    parameters, body = [], []
    for n, field in enumerate(every):
        scope[f"set_{n}"] = made.__dict__[field.name].__set__
        value = field.name
        if field.default is not MISSING:
            scope[f"default_{n}"] = field.default
            parameters.append(f"{value}=default_{n}")
        elif field.default_factory is not MISSING:
            scope[f"default_{n}"] = field.default_factory
            parameters.append(f"{value}=MISSING")
            value = f"default_{n}() if {value} is MISSING else {value}"
        else:
            parameters.append(value)
        body.append(f" set_{n}(self, {value})")
    if hasattr(made, "__post_init__"):
        body.append(" self.__post_init__()")
    star = ["*"] if kw_only and parameters else []
    head = f"def __init__({', '.join(['self', *star, *parameters])}):"
    exec("\n".join([head, *(body or [" pass"])]), scope)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__module__ = made.__module__
    init.__annotations__ = {**{f.name: f.type for f in every}, "return": None}
    return init


def _text(self: Any) -> str:
    told = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))
    return f"{self.__class__.__qualname__}({told})"


def _refuse_change(self: Any, name: str, _value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_removal(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _set_state(self: Any, state: tuple[Any, ...]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_ORDER = {"__lt__": lt, "__le__": le, "__gt__": gt, "__ge__": ge}
_FOR_ALL = {
    "__repr__": _text,
    "__setattr__": _refuse_change,
    "__delattr__": _refuse_removal,
    "__setstate__": _set_state,
}
