"""Which language model the settings name, and to whom beyond this machine texts go.

Nothing goes anywhere unless the settings name who: without a language model and with the embedder of the install, all stays here.
A key belongs to the provider that the settings name: with another one it is not used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from deref.errors import UsageError

if TYPE_CHECKING:
    from deref.models.keys import Key
    from deref.ports import LanguageModel
    from deref.settings import Settings

EXAMPLE = "ollama/qwen3:4b"


def chosen_language_model(settings: Settings, environment: Mapping[str, str] = os.environ) -> LanguageModel:
    """Return the language model that the settings name; it connects with its first call.

    Raises UsageError when they name none, ModelError when what it takes is not installed, or its key is not there.
    """
    from deref.models.chat import ChatSpeaker
    from deref.models.providers import Served
    from deref.models.structured import StructuredModel

    models = settings.models
    if not models.language_model:
        raise UsageError(
            f"a language model is to be asked, and models.language_model names none; set it, e.g. to {EXAMPLE}"
        )
    provider, _, name = models.language_model.partition("/")
    served = Served(
        provider=provider,
        name=name,
        base_url=models.base_url,
        key=language_model_key(settings, environment),
    )
    speaker = ChatSpeaker(served, timeout_s=models.timeout_s, retries=models.retries)
    return StructuredModel(speaker, window=models.window, repairs=models.repairs)


def language_model_key(settings: Settings, environment: Mapping[str, str] = os.environ) -> Key | None:
    """Return the key of the language model, None when the settings name none. Raises ModelError when it is not there."""
    from deref.models.keys import read_key

    return read_key(settings.models.key_env, settings.models.key_file, environment)


def with_language_model(settings: Settings, name: str) -> Settings:
    """Return settings under which this language model writes, PROVIDER/NAME.

    Address and key stay when the provider is that of the settings, or when these name no model. Raises UsageError.
    """
    models = settings.models
    another = models.language_model and models.language_model.partition("/")[0] != name.partition("/")[0]
    try:
        changed = replace(
            models,
            writer="model",
            language_model=name,
            base_url="" if another else models.base_url,
            key_env="" if another else models.key_env,
            key_file="" if another else models.key_file,
        )
    except ValueError as error:
        raise UsageError(f"--model: {error}; name a provider and a model, e.g. {EXAMPLE}") from error
    if not name:
        raise UsageError(f"--model names no model; name a provider and a model, e.g. {EXAMPLE}")
    return replace(settings, models=changed)


def asks_a_language_model(settings: Settings, *, question: bool = True) -> bool:
    """Tell whether some part of Deref that is on asks the language model, be it for a `question` or, without one, to read files."""
    retrieve = settings.retrieve
    reading = settings.index.enrich == "model" or (
        retrieve.overviews != "off" and retrieve.overview_text == "model"
    )
    asking = settings.models.writer == "model" or (retrieve.retry and retrieve.reformulate == "model")
    return reading or (question and asking)


def sent_to(settings: Settings, *, question: bool = True) -> tuple[str, ...]:
    """Return the hosts, or the providers where no host is named, beyond this machine that texts of documents are sent to.

    Without a `question`, those that get what is read and indexed.
    """
    models = settings.models
    asks = asks_a_language_model(settings, question=question)
    provider = models.language_model.partition("/")[0] if asks else ""
    asked = (
        (models.embedder_url, models.embedder == "server"),
        (models.reranker_url, question and settings.retrieve.rerank == "server"),
        (models.base_url, bool(provider)),
    )
    addresses = [url for url, is_on in asked if is_on]
    if not addresses:
        return ()
    from deref.models.hosts import is_loopback, place_of

    hosts = [place_of(url) for url in addresses if url and not is_loopback(url)]
    if provider not in ("", "ollama") and not models.base_url:
        hosts.append(provider)
    return tuple(dict.fromkeys(hosts))
