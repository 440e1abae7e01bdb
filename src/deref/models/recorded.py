"""A language model that answers from a recording: the other double of `LanguageModel`.

A recording is JSON lines, one call each: the hash of what was asked (model, messages, schema, name, limit), and the reply. A call
that is not there is an error, never a live call. The same call twice is one line: a recording says what was answered, not when.
Nothing of the connection is in it, so no key can be; what was asked is there as its hash alone, the reply as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from deref.errors import Cancelled, ModelError, UsageError
from deref.models.token_estimate import estimated_tokens
from deref.ports import LanguageModel, never, unheard_piece
from deref.values.messages import Message, Reply


def call_hash(
    identity: str, messages: Sequence[Message], schema: Mapping[str, Any], name: str, most_tokens: int
) -> str:
    """Return the hash of a call: 64 hex digits that are the same for the same question to the same model."""
    asked = {
        "model": identity,
        "messages": [[m.role, m.text] for m in messages],
        "schema": schema,
        "name": name,
        "most_tokens": most_tokens,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


class RecordingLanguageModel:
    """A `LanguageModel` around another one that writes each call and its reply to the end of a file."""

    def __init__(self, inner: LanguageModel, path: Path) -> None:
        """Take the model that answers, and the file."""
        self._inner = inner
        self._path = path
        if not path.exists():
            _append(path, {"model": inner.identity, "window": inner.window})

    @property
    def identity(self) -> str:
        """That of the model within."""
        return self._inner.identity

    @property
    def window(self) -> int:
        """That of the model within."""
        return self._inner.window

    def count(self, text: str) -> int:
        """Return what the model within counts."""
        return self._inner.count(text)

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any],
        name: str,
        most_tokens: int,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Reply:
        """Return the reply of the model within, kept. Raises what that raises, and ModelError when it cannot be kept."""
        reply = self._inner.reply(
            messages, schema=schema, name=name, most_tokens=most_tokens, heard=heard, cancelled=cancelled
        )
        call = call_hash(self.identity, messages, schema, name, most_tokens)
        _append(self._path, {"call": call, "reply": {**asdict(reply), "value": dict(reply.value)}})
        return reply


class RecordedLanguageModel:
    """A `LanguageModel` out of a recording. It asks nobody and needs nothing installed."""

    def __init__(self, path: Path) -> None:
        """Take the file. Raises UsageError when it is no recording."""
        self._path = path
        self._replies: dict[str, Reply] = {}
        self._model, self._window = "", 0
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"{path}: the recording cannot be read ({error}); record the calls anew"
            ) from error
        for n, line in enumerate(lines, 1):
            try:
                self._take(json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                raise UsageError(
                    f"{path}, line {n}: no line of a recording ({error}); record the calls anew"
                ) from error
        if not self._model:
            raise UsageError(f"{path}: the recording is empty; record the calls anew")

    def _take(self, values: Mapping[str, Any]) -> None:
        if "model" in values:
            self._model, self._window = str(values["model"]), int(values["window"])
        else:
            self._replies[values["call"]] = Reply(**values["reply"])

    @property
    def identity(self) -> str:
        """That of the model that was recorded."""
        return self._model

    @property
    def window(self) -> int:
        """That of the model that was recorded."""
        return self._window

    def count(self, text: str) -> int:
        """Return an estimate of the tokens of a text, rather too high."""
        return estimated_tokens(text)

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any],
        name: str,
        most_tokens: int,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Reply:
        """Return the reply that was recorded for this very call.

        Raises ModelError when there is none, Cancelled.
        """
        if cancelled():
            raise Cancelled("the call to the language model was called off")
        call = call_hash(self.identity, messages, schema, name, most_tokens)
        reply = self._replies.get(call)
        if reply is None:
            raise ModelError(
                f"{self._path}: no reply is recorded for this call ({call[:12]}); record it anew with the model"
            )
        heard(reply.text)
        return reply


def _append(path: Path, values: Mapping[str, Any]) -> None:
    try:
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(values) + "\n")
    except OSError as error:
        raise ModelError(f"{path}: the recording cannot be written ({error.strerror})") from error
