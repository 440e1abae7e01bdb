"""The one implementation of `LanguageModel`: any way to say something to a model, and what makes its reply one of a shape.

1. A call that cannot fit the window is refused before anything is sent: a server would cut the prompt without a word.
2. The shape is asked for in the strongest form that the model has: a JSON Schema that binds the decoder (`native`), a tool
   that must be called (`tool`), the schema in the prompt (`prompted`). A server that refuses a form, or takes it and sends
   no JSON object, is asked in the next one from then on; the object remembers it.
3. The reply is read and checked (`models.shape`). When it is not of the shape, the model is shown what it wrote and told what is
   wrong with it, at most `repairs` times. Then it is an error, never half a reply.
4. Tokens of all attempts are added up; where the server does not count, they are estimated.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from deref.errors import ModelError
from deref.models.shape import Misshapen, Shape
from deref.models.token_estimate import estimated_tokens
from deref.ports import Clock, never, unheard_piece
from deref.values.messages import Message, Reply

Form = Literal["native", "tool", "prompted"]
"""How a shape is asked for."""

_TURN = 8
"""Tokens that a chat template spends on a message beside its text."""


class FormRefused(ModelError):
    """The server does not take the form in which a shape was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a model wrote. `cut`: it was ended before it was done; tokens are None where the server does not count."""

    text: str
    cut: bool = False
    prompt_tokens: int | None = None
    reply_tokens: int | None = None


class Speaker(Protocol):
    """One request to a model, answered as it comes."""

    @property
    def identity(self) -> str:
        """Provider, model, and where it is; never a key."""
        ...

    @property
    def forms(self) -> Sequence[Form]:
        """The forms that may be tried, strongest first; `prompted` is the last."""
        ...

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
        """Return what the model writes. Raises FormRefused, ModelError, Cancelled."""
        ...


class StructuredModel:
    """A `LanguageModel` made of something that speaks. Safe to share by threads if that is."""

    def __init__(
        self, speaker: Speaker, *, window: int, repairs: int = 2, clock: Clock = time.monotonic
    ) -> None:
        """Take what speaks, the tokens that fit its window, and how often a reply may be set right."""
        self._speaker = speaker
        self._window = window
        self._repairs = repairs
        self._clock = clock
        self._lock = threading.Lock()
        self._refused = 0

    @property
    def identity(self) -> str:
        """That of what speaks."""
        return self._speaker.identity

    @property
    def window(self) -> int:
        """Tokens that fit, messages and reply together."""
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
        """Return the reply to the last message, in shape; see `LanguageModel`. Raises ModelError, Cancelled."""
        shape = Shape(name, schema)
        self._must_fit(messages, shape, most_tokens)
        begun = self._clock()
        asked = list(messages)
        prompt_tokens = reply_tokens = 0
        wrong, cut = "", False
        for attempt in range(self._repairs + 1):
            if attempt:
                heard("")
            said = self._said(asked, shape, most_tokens, heard, cancelled)
            prompt_tokens += self._counted(said.prompt_tokens, *(m.text for m in asked))
            reply_tokens += self._counted(said.reply_tokens, said.text)
            try:
                value = shape.read(said.text, cut=said.cut)
            except Misshapen as error:
                wrong, cut = str(error), said.cut
                if not error.object_found and not said.cut:
                    self._give_up_form()
                asked = self._told_what_is_wrong(messages, shape, said.text, wrong, most_tokens)
                continue
            return Reply(
                value=value,
                text=said.text,
                repairs=attempt,
                prompt_tokens=prompt_tokens,
                reply_tokens=reply_tokens,
                seconds=self._clock() - begun,
            )
        fix = "raise models.repairs, or choose another model"
        if cut:
            fix = f"it may say {most_tokens} tokens, and a model that thinks first spends them on that: switch it off at the server"
        raise ModelError(
            f"{self.identity} gave no {name} of the right shape in {self._repairs + 1} attempts; the last: {wrong}; {fix}"
        )

    def _said(
        self,
        asked: Sequence[Message],
        shape: Shape,
        most_tokens: int,
        heard: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Said:
        while True:
            form = self._form()
            try:
                return self._speaker.say(
                    asked, shape, form, most_tokens=most_tokens, heard=heard, cancelled=cancelled
                )
            except FormRefused:
                if form == self._speaker.forms[-1]:
                    raise
                self._give_up_form(form)

    def _form(self) -> Form:
        return self._speaker.forms[self._refused]

    def _give_up_form(self, form: Form | None = None) -> None:
        """Use the next form from now on; `form` is the one that was tried, for another thread may have gone on."""
        with self._lock:
            if form in (None, self._form()):
                self._refused = min(self._refused + 1, len(self._speaker.forms) - 1)

    def _counted(self, told: int | None, *texts: str) -> int:
        return told if told else sum(self.count(text) + _TURN for text in texts)

    def _must_fit(self, messages: Sequence[Message], shape: Shape, most_tokens: int) -> None:
        # The schema may have to stand in the prompt.
        asked = self.count(json.dumps(shape.schema)) + sum(self.count(m.text) + _TURN for m in messages)
        if asked + most_tokens > self._window:
            raise ModelError(
                f"about {asked} tokens are asked and {most_tokens} may be answered, which is more than the window of "
                f"{self._window}; ask with fewer passages, or raise models.window if the model has more"
            )

    def _told_what_is_wrong(
        self, messages: Sequence[Message], shape: Shape, text: str, wrong: str, most_tokens: int
    ) -> list[Message]:
        """Return the call that asks for a better reply; what was written is shown as far as it fits."""
        told = Message(
            "user",
            f"That reply cannot be used: {wrong}. Reply again with the whole JSON object, and nothing but it.",
        )
        used = most_tokens + self.count(json.dumps(shape.schema))
        left = self._window - used - sum(self.count(m.text) + _TURN for m in (*messages, told)) - _TURN
        shown = text.strip()
        while shown and self.count(shown) > left:
            shown = shown[: len(shown) // 2] if len(shown) > 20 else ""
        return [*messages, *([Message("assistant", shown)] if shown else []), told]
