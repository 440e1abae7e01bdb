"""What is said to a language model, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from deref.quick_dataclass import dataclass

Role = Literal["system", "user", "assistant"]
"""Who speaks: the rules, the one who asks, the model itself in an earlier turn."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a language model."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply in the shape that was asked for.

    `value` obeys the schema of the call; `text` is what the model wrote, the last attempt only. `repairs`: how often it was asked
    to set its reply right. Tokens are those of all attempts together, as the server counts them, estimated where it does not.
    """

    value: Mapping[str, Any]
    text: str
    repairs: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0
