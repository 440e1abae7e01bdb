"""An embedder that a server has, by OpenAI's `/v1/embeddings`: Ollama, TEI, vLLM, llama.cpp, or a hosted one.

Texts go in batches of at most 32 and of at most about 8,000 tokens. The vectors are made units here. What comes back must be as
many vectors as texts went, all of one length, by one model: a server that changes its model in the middle of a session is an error,
for vectors of two models never meet. The identity names the model and the host.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from deref.errors import ModelError
from deref.models.hosts import place_of
from deref.models.http_json import JsonServer
from deref.models.keys import Key
from deref.models.onnx_wheel import encodable
from deref.models.token_estimate import estimated_tokens
from deref.ports import Vectors

BATCH = 32
BATCH_TOKENS = 8000
_BLANK = "-"
"""Servers refuse an empty text."""


class ServerEmbedder:
    """The `Embedder` of a server. Nothing is asked before the first text, or `dimensions`. Safe to share by threads."""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key: Key | None = None,
        query_prefix: str = "",
        timeout_s: float = 60.0,
        retries: int = 2,
    ) -> None:
        """Take address and model, and what is put before a question. Raises ModelError without the extra `models`."""
        self._model = model
        self._identity = f"server/{model}@{place_of(base_url)}"
        self._server = JsonServer(
            base_url, what=f"the embedder {self._identity}", key=key, timeout_s=timeout_s, retries=retries
        )
        self._prefix = query_prefix
        self._lock = threading.Lock()
        self._known: tuple[int, str] | None = None

    @property
    def identity(self) -> str:
        """Name of the model, and the host."""
        return self._identity

    @property
    def dimensions(self) -> int:
        """Length of a vector; asks the server when nothing was embedded yet. Raises ModelError."""
        if self._known is None:
            self._embedded([_BLANK])
        assert self._known is not None
        return self._known[0]

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimensions) float32 unit vectors, in order. Raises ModelError."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate([self._embedded(batch) for batch in _batches(texts)])

    def query(self, text: str) -> Vectors:
        """Return one (dimensions,) float32 unit vector, with the query-side instruction. Raises ModelError."""
        return cast(Vectors, self._embedded([self._prefix + text])[0])

    def _embedded(self, texts: Sequence[str]) -> Vectors:
        asked = [encodable(text) if text.strip() else _BLANK for text in texts]
        answer = self._server.post(
            "embeddings", {"model": self._model, "input": asked, "encoding_format": "float"}
        )
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            indexes = [int(row["index"]) for row in rows]
            vectors = np.asarray([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(
                f"the embedder {self._identity} did not answer with embeddings ({error!r}); is its address that of /v1?"
            ) from error
        if indexes != list(range(len(texts))) or vectors.ndim != 2:
            raise ModelError(
                f"the embedder {self._identity} was given {len(texts)} texts and gave {len(indexes)} vectors"
            )
        self._check(vectors, answer)
        return cast(Vectors, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

    def _check(self, vectors: Vectors, answer: Any) -> None:
        lengths = np.linalg.norm(vectors, axis=1)
        if not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
            raise ModelError(
                f"the embedder {self._identity} gave a vector without length or with parts that are no numbers"
            )
        is_now = (vectors.shape[1], str(answer.get("model", "")))
        with self._lock:
            self._known = self._known or is_now
        if self._known != is_now:
            was = self._known
            raise ModelError(
                f"the embedder {self._identity} was {was[1]!r} of {was[0]} dimensions and is now {is_now[1]!r} of "
                f"{is_now[0]}; vectors of two models never meet: index with --rebuild once the server keeps to one"
            )


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    tokens = 0
    for text in texts:
        size = estimated_tokens(text)
        if batch and (len(batch) == BATCH or tokens + size > BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size
    if batch:
        yield batch
