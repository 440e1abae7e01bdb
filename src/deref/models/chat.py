"""One request to a language model through pydantic-ai: streamed, timed, tried again, called off.

1. Messages become one request in pydantic-ai's terms, the shape an output mode of its own: `native`, `tool` or `prompted`.
   Control tokens of chat templates that stand in a message ("<|im_start|>" in a document) are broken by the library where
   the server might obey them.
2. The reply is streamed. What the model thinks aloud is not part of it.
3. A request may take `timeout_s` from first to last byte; a server that drips is ended there.
4. What may pass is tried again, `retries` times: a refused or broken connection, 408, 409, 425, 429 and 5xx. The wait is what
   the server asks for (Retry-After), else 0.5 s and twice as much each time; a server that asks for more than a minute is
   not waited for. What the model had said before is heard no more ("" begins anew).
5. A stream that ends without saying that it is done, in the middle of its JSON, is a broken connection. One whose values are of
   other types than the protocol has, or that goes on far beyond the tokens that it may have, is an error.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deref.errors import ModelError
from deref.models.extra import must_be_there, needed
from deref.models.failures import BrokenOff, failures, pause_before_another, told_failure, unreadable
from deref.models.onnx_wheel import encodable
from deref.models.providers import Served, connected
from deref.models.shape import Shape
from deref.models.structured import Form, FormRefused, Said
from deref.models.waiting import wait_for
from deref.values.messages import Message

_FORMS: Mapping[Form, str] = {"native": "supports_json_schema_output", "tool": "supports_tools"}
_TOOL = "Give the reply."
_LONGEST_TOKEN = 32
"""Characters of a token, in the mean of a reply, at the most: what is longer was not held to its limit."""
_MOST_TOKENS = 10**9
_ODD = (AttributeError, TypeError, LookupError, ValueError, ArithmeticError, RecursionError)
"""What the library meets with when values of a reply are of other types than it takes for granted."""


class ChatSpeaker:
    """A `Speaker` over any provider that `models.providers` opens. Safe to share by threads: each request connects anew."""

    def __init__(self, served: Served, *, timeout_s: float, retries: int) -> None:
        """Take who serves, the seconds that a request may take, and how often it is tried again."""
        must_be_there("pydantic_ai")
        self._served = served
        self._timeout_s = timeout_s
        self._retries = retries

    @property
    def identity(self) -> str:
        """Provider, model and host."""
        return self._served.identity

    @property
    def forms(self) -> Sequence[Form]:
        """All three: what the library thinks a model can is passed over in `say`."""
        return ("native", "tool", "prompted")

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

        async def work(piece: Callable[[str], None]) -> Said:
            return await self._tried(messages, shape, form, most_tokens, piece)

        return wait_for(work, heard=heard, cancelled=cancelled)

    async def _tried(
        self,
        messages: Sequence[Message],
        shape: Shape,
        form: Form,
        most_tokens: int,
        piece: Callable[[str], None],
    ) -> Said:
        sleep = needed("anyio").sleep
        # What it warns of (a count of tokens that is no number) is no line of ours.
        warnings.filterwarnings("ignore", module="pydantic")
        for attempt in range(self._retries + 1):
            spoken = False

            def told(text: str) -> None:
                nonlocal spoken
                spoken = True
                piece(text)

            try:
                return await self._once(messages, shape, form, most_tokens, told)
            except failures() as error:
                wait = pause_before_another(error, attempt) if attempt < self._retries else None
                if wait is None:
                    raise told_failure(
                        error,
                        self._served,
                        attempts=attempt + 1,
                        timeout_s=self._timeout_s,
                        prompted=form == "prompted",
                    ) from None
            await sleep(wait)
            if spoken:
                piece("")
        raise AssertionError("the last attempt returns or raises")

    async def _once(
        self,
        messages: Sequence[Message],
        shape: Shape,
        form: Form,
        most_tokens: int,
        piece: Callable[[str], None],
    ) -> Said:
        stream_of = needed("pydantic_ai.direct").model_request_stream
        settings: dict[str, Any] = {
            "max_tokens": most_tokens,
            "temperature": 0.0,
            "thinking": False,
            "max_retries": 0,
            "request_timeout": self._timeout_s,
        }
        if self._served.provider == "ollama":
            # It lets models think that can, within the tokens of the reply, unless it is told so.
            settings["openai_reasoning_effort"] = "none"
        asked, parameters = _as_requests(messages), _asking_for(shape, form)
        async with connected(self._served, timeout_s=self._timeout_s) as model:
            if not model.profile.get(_FORMS.get(form, ""), True):
                raise FormRefused(f"{self.identity} has no {form} form")
            try:
                async with stream_of(
                    model, asked, model_settings=settings, model_request_parameters=parameters
                ) as stream:
                    said = 0
                    async for event in stream:
                        text = _piece_of(event)
                        said += len(text)
                        if said > _LONGEST_TOKEN * most_tokens:
                            raise ModelError(
                                f"{self.identity} goes on and on, and may say {most_tokens} tokens; this server does not hold "
                                "its model to max_tokens: take another one"
                            )
                        if text:
                            piece(text)
                    response = stream.get()
            except _ODD as error:
                raise unreadable(error) from error
            is_done = self._is_done(model, response)
        text = _text_of(response)
        if not is_done and not _is_json(text):
            raise BrokenOff("the connection was closed in the middle of the reply")
        if response.finish_reason == "content_filter":
            raise ModelError(f"{self.identity} refused to answer: its content filter was set off")
        usage = response.usage
        return Said(
            text=self._served.key.without(text) if self._served.key else text,
            cut=response.finish_reason == "length",
            prompt_tokens=_counted(usage.input_tokens),
            reply_tokens=_counted(usage.output_tokens),
        )

    def _is_done(self, model: Any, response: Any) -> bool:
        """Tell whether the server said that the reply is at its end; the library takes the end of the stream for it."""
        speaks_openai = isinstance(model, needed("pydantic_ai.models.openai").OpenAIChatModel)
        return not speaks_openai or "finish_reason" in (response.provider_details or {})


def _as_requests(messages: Sequence[Message]) -> list[Any]:
    spoken = needed("pydantic_ai.messages")
    made: list[Any] = []
    for message in messages:
        text = encodable(message.text)
        if message.role == "assistant":
            made.append(spoken.ModelResponse(parts=[spoken.TextPart(text)]))
            continue
        part = (spoken.SystemPromptPart if message.role == "system" else spoken.UserPromptPart)(text)
        if made and isinstance(made[-1], spoken.ModelRequest):
            made[-1] = spoken.ModelRequest(parts=[*made[-1].parts, part])
        else:
            made.append(spoken.ModelRequest(parts=[part]))
    return made


def _asking_for(shape: Shape, form: Form) -> Any:
    parameters = needed("pydantic_ai.models").ModelRequestParameters
    schema = dict(shape.schema)
    if form == "tool":
        tool = needed("pydantic_ai.tools").ToolDefinition(
            name=shape.name, description=_TOOL, parameters_json_schema=schema, kind="output"
        )
        return parameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    wanted = needed("pydantic_ai.output").OutputObjectDefinition(json_schema=schema, name=shape.name)
    return parameters(output_mode=form, output_object=wanted)


def _piece_of(event: Any) -> str:
    """Return the piece of JSON in an event of the stream; thoughts and ends of parts have none."""
    spoken = needed("pydantic_ai.messages")
    if isinstance(event, spoken.PartStartEvent):
        return _content_of(event.part)
    if isinstance(event, spoken.PartDeltaEvent):
        delta = event.delta
        if isinstance(delta, spoken.TextPartDelta):
            return str(delta.content_delta)
        if isinstance(delta, spoken.ToolCallPartDelta) and delta.args_delta:
            return delta.args_delta if isinstance(delta.args_delta, str) else json.dumps(delta.args_delta)
    return ""


def _content_of(part: Any) -> str:
    spoken = needed("pydantic_ai.messages")
    if isinstance(part, spoken.TextPart):
        return str(part.content)
    if isinstance(part, spoken.ToolCallPart) and part.args:
        return part.args if isinstance(part.args, str) else json.dumps(part.args)
    return ""


def _text_of(response: Any) -> str:
    """Return the reply: the arguments of the tool that was called, else the text."""
    spoken = needed("pydantic_ai.messages")
    called = [p for p in response.parts if isinstance(p, spoken.ToolCallPart)]
    parts = called[:1] or [p for p in response.parts if isinstance(p, spoken.TextPart)]
    return "".join(_content_of(part) for part in parts)


def _counted(tokens: Any) -> int | None:
    """Return tokens as a server counts them, None when that is no count."""
    return tokens if isinstance(tokens, int) and 0 < tokens < _MOST_TOKENS else None


def _is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True
