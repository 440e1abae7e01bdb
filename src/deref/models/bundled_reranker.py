"""The reranker in the install: ms-marco-MiniLM-L12, int8, read as data from a wheel (`models.onnx_wheel`).

A cross-encoder: question and passage go through the model together, and one number comes out, a logit of which the
logistic function makes a score from 0 to 1. 180 to 250 CPU milliseconds a pair of 300 words: ten or twenty a question.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deref.errors import ModelError
from deref.models.onnx_wheel import WheelModel, batches, encodable, run_batch

MODEL = WheelModel(
    name="ms-marco-MiniLM-L12-int8",
    what="the bundled reranker",
    instead="set retrieve.rerank = off",
    folder="models/data/reranker_en",
    model_sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    tokenizer_sha256="cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
)


class BundledReranker:
    """ms-marco-MiniLM-L12 on the CPU. Nothing is loaded before `load()` or the first pair. Safe to share by threads."""

    def __init__(self, *, threads: int = 2, cache: Path | None = None) -> None:
        """Take the number of threads of one call, and a folder where the optimised graph may be kept."""
        self._threads = threads
        self._cache = cache
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    @property
    def identity(self) -> str:
        """Name and hash of the model."""
        return f"{MODEL.name}@{MODEL.model_sha256[:12]}"

    def load(self) -> None:
        """Load model and tokenizer now. Raises ModelError when the package is missing, another version, or damaged."""
        self._parts()

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Return a score from 0 to 1 for each passage, in order; question and passage are cut at 512 word pieces together.

        Raises ModelError as `load` does, and when the model fails.
        """
        session, tokenizer = self._parts()
        if not passages:
            return []
        asked = encodable(question)
        encoded = tokenizer.encode_batch([(asked, encodable(text)) for text in passages])
        out = [0.0] * len(passages)
        for batch in batches([len(one.ids) for one in encoded]):
            logits = _logits(session, [encoded[n] for n in batch])
            for n, logit in zip(batch, logits, strict=True):
                out[n] = 1 / (1 + math.exp(-logit)) if logit >= 0 else 1 - 1 / (1 + math.exp(logit))
        return out

    def _parts(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = MODEL.open(self._threads, self._cache)
            return self._loaded


def _logits(session: Any, encoded: Sequence[Any]) -> list[float]:
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    try:
        out = run_batch(session, [one.ids for one in encoded], [one.type_ids for one in encoded])
    except (state.Fail, state.InvalidArgument, state.RuntimeException, MemoryError) as error:
        raise ModelError(f"the bundled reranker failed ({error}); set retrieve.rerank = off") from error
    return [float(value) for value in out.reshape(len(encoded))]
