"""Who serves a language model: "ollama/qwen3:4b" → the model as pydantic-ai has it, and the host that its texts go to.

`ollama/NAME` and `openai/NAME` with a base URL (any server that speaks OpenAI's protocol: llama.cpp, vLLM, LM Studio, TEI, a
gateway) get a client of their own, and never a key or a proxy that was meant for someone else. Any other name is a provider
that pydantic-ai knows, with what it needs installed; without a key of ours it looks for its own variable in the environment.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from deref.errors import ModelError
from deref.models.extra import needed
from deref.models.hosts import is_loopback, place_of
from deref.models.keys import Key

OLLAMA = "http://localhost:11434/v1"
_NO_KEY = "none"
"""What is sent where the client insists on a key and the server on none."""
_CONNECT_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A language model and where it is: `provider` and `name` as in "openai/gpt-4o", `base_url` "" for that of the provider."""

    provider: str
    name: str
    base_url: str = ""
    key: Key | None = None

    @property
    def identity(self) -> str:
        """Provider and model, and the host when one was named."""
        host = place_of(self.base_url)
        return f"{self.provider}/{self.name}" + (f"@{host}" if host else "")

    @property
    def speaks_openai(self) -> bool:
        """Whether it is reached by OpenAI's protocol at an address that we know."""
        return self.provider == "ollama" or (self.provider == "openai" and bool(self.base_url))


@asynccontextmanager
async def connected(served: Served, *, timeout_s: float) -> AsyncIterator[Any]:
    """Give the `pydantic_ai.models.Model`, and close its connections afterwards. Raises ModelError for one that cannot be."""
    if served.speaks_openai:
        async with _client(served.base_url or OLLAMA, timeout_s) as client:
            yield _at_address(served, client)
        return
    if not served.base_url:
        model = _by_name(served, None)
        async with model:
            yield model
        return
    async with _client(served.base_url, timeout_s) as client, _by_name(served, client) as model:
        yield model


def _client(base_url: str, timeout_s: float) -> Any:
    httpx = needed("httpx2")
    return httpx.AsyncClient(
        timeout=httpx.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
        trust_env=not is_loopback(base_url),
        follow_redirects=False,
    )


def _at_address(served: Served, client: Any) -> Any:
    key = served.key.reveal() if served.key else _NO_KEY
    # Servers that speak OpenAI's protocol know the older name of this field; OpenAI itself alone needs the newer one.
    older = {"openai_chat_supports_max_completion_tokens": False}
    merged = needed("pydantic_ai.profiles").merge_profile
    if served.provider == "ollama":
        provider = needed("pydantic_ai.providers.ollama").OllamaProvider(
            base_url=served.base_url or OLLAMA, api_key=key, http_client=client
        )
        kind = needed("pydantic_ai.models.ollama").OllamaModel
    else:
        provider = needed("pydantic_ai.providers.openai_compatible").OpenAICompatibleProvider(
            "server", base_url=served.base_url, api_key=key, http_client=client
        )
        kind = needed("pydantic_ai.models.openai").OpenAIChatModel
    model = kind(served.name, provider=provider)
    return kind(served.name, provider=provider, profile=merged(model.profile, older))


def _by_name(served: Served, client: Any) -> Any:
    """Return the model of a provider that the library knows; over `client`, where it takes one, when an address is named."""
    known = "openai-chat" if served.provider == "openai" else served.provider
    try:
        kind = needed("pydantic_ai.providers").infer_provider_class(known)
        given: dict[str, Any] = {"api_key": served.key.reveal()} if served.key else {}
        if served.base_url:
            given["base_url"] = served.base_url
        taken = set(inspect.signature(kind.__init__).parameters)
        unknown = set(given) - taken
        if unknown:
            raise ModelError(
                f"{served.identity}: this provider takes no {' and no '.join(sorted(unknown))}; leave it out, "
                "or use openai/NAME with models.base_url"
            )
        if client is not None and "http_client" in taken:
            given["http_client"] = client
        return needed("pydantic_ai.models").infer_model(f"{known}:{served.name}", lambda _name: kind(**given))
    except ImportError as error:
        raise ModelError(
            f"{served.identity}: the library of this provider is not installed ({error.name or error}); "
            f'pip install "pydantic-ai-slim[{served.provider}]"'
        ) from None
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001 - the libraries of providers have no error in common; it is raised
        said = (served.key.without(str(error)) if served.key else str(error)) or type(error).__name__
        raise ModelError(
            f"{served.identity}: {said.splitlines()[0]} (models.key_env or models.key_file names the key)"
        ) from None
