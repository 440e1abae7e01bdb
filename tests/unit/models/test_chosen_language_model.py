"""The language model that the settings name, whose key it gets, and to whom texts go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deref.errors import ModelError, UsageError
from deref.language_models import chosen_language_model, sent_to, with_language_model
from deref.settings import Settings, settings_of
from deref.values.messages import Message
from unit.models.chat_server import says, serving

SCHEMA = {"type": "object", "properties": {"fee": {"type": "integer"}}, "required": ["fee"]}


def named(**models: Any) -> Settings:
    return settings_of({"models": models})


def test_the_model_of_the_settings_is_asked_with_its_key(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("sk-from-file-0123\n")
    with serving(says('{"fee": 12}')) as server:
        model = chosen_language_model(
            named(language_model="openai/org/small:1b", base_url=server.url, key_file=str(key), window=2048)
        )
        reply = model.reply([Message("user", "Fee?")], schema=SCHEMA, name="fee_of", most_tokens=50)
    assert reply.value == {"fee": 12}
    assert model.window == 2048
    assert model.identity.startswith("openai/org/small:1b@127.0.0.1:")
    _, headers, body = server.requests[0]
    assert headers["authorization"] == "Bearer sk-from-file-0123"
    assert body["model"] == "org/small:1b"


def test_a_model_that_is_not_named_or_has_no_key_is_one_error() -> None:
    with pytest.raises(UsageError, match=r"models\.language_model names none; set it, e\.g\. to ollama/"):
        chosen_language_model(Settings())
    with pytest.raises(ModelError, match="NO_SUCH_KEY, which is not set"):
        chosen_language_model(named(language_model="ollama/m", key_env="NO_SUCH_KEY"), {})


def test_an_empty_key_of_the_environment_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    model = chosen_language_model(named(language_model="openai/gpt-4o"), {})
    with pytest.raises(ModelError, match=r"openai/gpt-4o: .*models\.key_env or models\.key_file"):
        model.reply([Message("user", "Fee?")], schema=SCHEMA, name="fee_of", most_tokens=50)


@pytest.mark.parametrize(
    ("name", "how", "said"),
    [
        ("nobody/m", {}, "nobody"),
        ("anthropic/claude", {}, r"anthropic.*not installed.*pip install"),
        ("openai/gpt-4o", {}, r"OPENAI_API_KEY.*models\.key_env or models\.key_file"),
    ],
)
def test_a_provider_that_cannot_serve_says_what_it_takes(
    name: str, how: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = chosen_language_model(named(language_model=name, **how), {})
    with pytest.raises(ModelError, match=said):
        model.reply([Message("user", "Fee?")], schema=SCHEMA, name="fee_of", most_tokens=50)


def test_another_provider_gets_neither_the_address_nor_the_key_of_this_one() -> None:
    settings = named(language_model="openai/a", base_url="http://here:1/v1", key_env="HERE", key_file="k")
    same = with_language_model(settings, "openai/b").models
    assert (same.language_model, same.base_url, same.key_env, same.writer) == (
        "openai/b", "http://here:1/v1", "HERE", "model",
    )  # fmt: skip
    other = with_language_model(settings, "ollama/b").models
    assert (other.base_url, other.key_env, other.key_file) == ("", "", "")
    unnamed = with_language_model(named(base_url="http://here:1/v1"), "openai/b").models
    assert unnamed.base_url == "http://here:1/v1"


@pytest.mark.parametrize("name", ["", "qwen3", "a b/c", "ollama/"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"--model.*e\.g\. ollama/qwen3:4b"):
        with_language_model(Settings(), name)


@pytest.mark.parametrize(
    ("models", "hosts"),
    [
        ({}, ()),
        ({"language_model": "openai/gpt-4o"}, ()),
        ({"writer": "model", "language_model": "ollama/m"}, ()),
        ({"writer": "model", "language_model": "openai/m", "base_url": "http://127.0.0.1:8000/v1"}, ()),
        ({"writer": "model", "language_model": "openai/m", "base_url": "http://[::1]:8000/v1"}, ()),
        ({"writer": "model", "language_model": "openai/m"}, ("openai",)),
        (
            {"writer": "model", "language_model": "ollama/m", "base_url": "http://10.0.0.5:1/v1"},
            ("10.0.0.5:1",),
        ),
        ({"embedder": "server", "embedder_url": "http://localhost:1/v1"}, ()),
        ({"embedder": "server", "embedder_url": "https://api.example/v1"}, ("api.example",)),
        ({"reranker_url": "https://api.example/v1"}, ()),
        ({"embedder": "bundled", "embedder_url": "https://api.example/v1"}, ()),
    ],
)
def test_who_is_sent_texts_is_told(models: dict[str, Any], hosts: tuple[str, ...]) -> None:
    assert sent_to(named(**models)) == hosts


@pytest.mark.parametrize(
    ("settings", "hosts"),
    [
        ({"models": {"embedder": "server", "embedder_url": "https://api.example/v1"}}, ("api.example",)),
        ({"models": {"writer": "model", "language_model": "openai/m"}}, ()),
        ({"models": {"language_model": "openai/m"}, "index": {"enrich": "model"}}, ("openai",)),
        (
            {"models": {"reranker_url": "https://api.example/v1"}, "retrieve": {"rerank": "server"}},
            (),
        ),
    ],
)
def test_who_is_sent_what_is_read_is_told_apart_from_who_is_sent_questions(
    settings: dict[str, Any], hosts: tuple[str, ...]
) -> None:
    assert sent_to(settings_of(settings), question=False) == hosts
