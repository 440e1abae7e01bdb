"""What holds for every `LanguageModel`: the doubles, and the adapter in each form in which a server may take a shape."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from deref.errors import Cancelled, ModelError
from deref.models.chat import ChatSpeaker
from deref.models.providers import Served
from deref.models.recorded import RecordedLanguageModel, RecordingLanguageModel
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.models.structured import StructuredModel
from deref.ports import LanguageModel
from deref.values.messages import Message
from unit.models.chat_server import Answer, by_form, calls_the_tool, refuses, says, serving

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
    "required": ["claims"],
    "additionalProperties": False,
}
VALUE = {"claims": ["Der Preis beträgt 12 €.", '"Fee" {as defined}']}
TEXT = json.dumps(VALUE, ensure_ascii=False)
WRONG = '{"claims": "none"}'
NO = refuses(400, "unknown field")
ASKED = [
    Message("system", "Answer from the passages."),
    Message("user", "What is the fee? \ud800 學習"),
    Message("assistant", "Which one?"),
    Message("user", "The monthly one."),
]
REPAIRS = 1

Opened = Callable[[Path, str], AbstractContextManager[LanguageModel]]
"""A model that says a text, to every call and repair."""


def _served(provider: str, answer: Callable[[str], Answer]) -> Opened:
    @contextmanager
    def opened(_folder: Path, text: str) -> Iterator[LanguageModel]:
        with serving(answer(text)) as server:
            served = Served(provider=provider, name="small:1b", base_url=server.url)
            yield StructuredModel(ChatSpeaker(served, timeout_s=20, retries=0), window=4096, repairs=REPAIRS)

    return opened


@contextmanager
def _scripted(_folder: Path, text: str) -> Iterator[LanguageModel]:
    yield ScriptedLanguageModel(lambda _messages: text, repairs=REPAIRS)


@contextmanager
def _recording(folder: Path, text: str) -> Iterator[LanguageModel]:
    with _scripted(folder, text) as inner:
        yield RecordingLanguageModel(inner, folder / "calls.jsonl")


@contextmanager
def _recorded(folder: Path, text: str) -> Iterator[LanguageModel]:
    with _recording(folder, text) as inner:
        if text == TEXT:
            _asked(inner)
        else:
            with pytest.raises(ModelError):
                _asked(inner)
    yield RecordedLanguageModel(folder / "calls.jsonl")


MODELS: dict[str, Opened] = {
    "scripted": _scripted,
    "recording": _recording,
    "recorded": _recorded,
    "server, schema": _served("openai", says),
    "server, tool": _served("openai", lambda text: by_form(NO, calls_the_tool(text), NO)),
    "server, prompt": _served("openai", lambda text: by_form(NO, NO, says(f"```json\n{text}\n```"))),
    "vllm, by its name": _served("vllm", says),
    "ollama, schema": _served("ollama", says),
    "ollama, tool": _served("ollama", lambda text: by_form(NO, calls_the_tool(text), NO)),
}


@pytest.fixture(params=MODELS)
def opened(request: pytest.FixtureRequest) -> Opened:
    return MODELS[request.param]


def _asked(model: LanguageModel, **more: Any) -> Any:
    return model.reply(ASKED, schema=SCHEMA, name="claims_of", most_tokens=200, **more)


def test_a_reply_has_the_shape_and_is_accounted_for(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path, TEXT) as model:
        reply = _asked(model)
    assert reply.value == VALUE
    assert json.loads(reply.text.removeprefix("```json").removesuffix("```")) == VALUE
    assert reply.repairs == 0
    assert reply.prompt_tokens > 0
    assert reply.reply_tokens > 0
    assert reply.seconds >= 0


def test_the_pieces_that_are_heard_are_the_reply(opened: Opened, tmp_path: Path) -> None:
    heard: list[str] = []
    with opened(tmp_path, TEXT) as model:
        reply = _asked(model, heard=heard.append)
    assert "".join(heard) == reply.text


def test_the_same_call_has_the_same_reply(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path, TEXT) as model:
        assert _asked(model).value == _asked(model).value


def test_what_is_not_of_the_shape_is_never_a_reply(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path, WRONG) as model, pytest.raises(ModelError):
        _asked(model)


def test_a_call_that_is_called_off_is_no_error_of_the_model(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path, TEXT) as model, pytest.raises(Cancelled):
        _asked(model, cancelled=lambda: True)


def test_what_does_not_fit_the_window_is_refused(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path, TEXT) as model, pytest.raises(ModelError):
        model.reply(ASKED, schema=SCHEMA, name="claims_of", most_tokens=model.window)


def test_tokens_grow_with_the_text(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path, TEXT) as model:
        counts = [model.count("The fee is 12.50 GBP. " * n) for n in range(5)]
    assert counts[0] == 0
    assert counts == sorted(set(counts))


def test_the_identity_names_the_model(opened: Opened, tmp_path: Path) -> None:
    with opened(tmp_path, TEXT) as model:
        assert model.identity
        assert model.window > 0
