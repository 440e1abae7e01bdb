"""A pattern that compiles when it is first used: a question pays for the few that it meets, not for the grammar.

Once compiled, the methods of the pattern stand in slots of its own, so that a call costs what it costs on a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

_METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub")


class _Pattern:
    __slots__ = ("_flags", "_source", *_METHODS)


class _Uncompiled(_Pattern):
    __slots__ = ()

    def __init__(self, source: str | Callable[[], str], flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        source = self._source
        compiled = re.compile(source if isinstance(source, str) else source(), self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        # A class without __getattr__: the interpreter then reads the slots at full speed.
        self.__class__ = _Pattern  # type: ignore[assignment]
        return getattr(self, name)


def lazy(source: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that compiles at its first use. A callable gives a source that is itself costly to write.

    It has the methods of a pattern that match, no more: the functions of `re` do not take it for one.
    """
    return cast("re.Pattern[str]", _Uncompiled(source, flags))
