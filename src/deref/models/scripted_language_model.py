"""A language model that reads what it says off a list, or asks a function: the double of `LanguageModel`.

What is on the list goes the way of a real reply: it is streamed in pieces, read, checked against the schema, and repaired with
the next one when it is not of the shape. So a test can say what is answered, what was asked, and what a model that errs costs.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from deref.errors import Cancelled, ModelError
from deref.models.shape import Shape
from deref.models.structured import Form, Said, StructuredModel
from deref.values.messages import Message

Line: TypeAlias = "Mapping[str, Any] | str | ModelError"
"""What is said: an object, a text as a model might write it, or an error that is raised."""

_PIECE = 12
"""Characters of a piece that is heard."""


class _Prompter:
    """A `Speaker` that says prepared lines."""

    def __init__(self, lines: Iterable[Line] | Callable[[Sequence[Message]], Line]) -> None:
        self._answer = lines if callable(lines) else None
        self._lines = () if callable(lines) else tuple(lines)
        self._lock = threading.Lock()
        self.shown: list[tuple[Message, ...]] = []

    @property
    def identity(self) -> str:
        return "scripted" if self._answer else f"scripted-{len(self._lines)}"

    @property
    def forms(self) -> Sequence[Form]:
        return ("prompted",)

    def say(
        self,
        messages: Sequence[Message],
        shape: Shape,
        form: Form,
        *,
        most_tokens: int,
        heard: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Said:
        line = self._next(tuple(messages))
        if isinstance(line, ModelError):
            raise line
        text = line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
        for start in range(0, max(len(text), 1), _PIECE):
            if cancelled():
                raise Cancelled("the call to the language model was called off")
            heard(text[start : start + _PIECE])
        return Said(text=text)

    def _next(self, messages: tuple[Message, ...]) -> Line:
        with self._lock:
            self.shown.append(messages)
            n = len(self.shown)
        if self._answer is not None:
            return self._answer(messages)
        if n > len(self._lines):
            raise ModelError(
                f"the scripted language model has no reply left after {len(self._lines)}; prepare one for each call"
            )
        return self._lines[n - 1]


class ScriptedLanguageModel(StructuredModel):
    """Prepared replies in their order, or a function of the messages. `shown` holds the messages of each call so far."""

    def __init__(
        self,
        lines: Iterable[Line] | Callable[[Sequence[Message]], Line],
        *,
        window: int = 4096,
        repairs: int = 2,
    ) -> None:
        """Take what is said, the first one first, or what answers the messages of a call."""
        self._prompter = _Prompter(lines)
        super().__init__(self._prompter, window=window, repairs=repairs)

    @property
    def shown(self) -> Sequence[tuple[Message, ...]]:
        """The messages of each call, repairs too, the first one first."""
        return tuple(self._prompter.shown)
