"""The embedder in the install: bge-small-en-v1.5, int8, read as data from a wheel (`models.onnx_wheel`).

Texts are sorted by length and put in batches of at most 4,096 padded tokens, so memory stays near 0.5 GB.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from deref.errors import ModelError
from deref.models.onnx_wheel import WheelModel, batches, encodable, run_batch

if TYPE_CHECKING:
    from deref.ports import Vectors

MODEL = WheelModel(
    name="bge-small-en-v1.5-int8",
    what="the bundled embedder",
    instead="choose embedder = none",
    folder="models/data/bge_small_en",
    model_sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    tokenizer_sha256="d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
)
_QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
_DIMENSIONS = 384


class BundledEmbedder:
    """bge-small-en-v1.5 on the CPU. Nothing is loaded before the first text, or `load()`. Safe to share by threads."""

    def __init__(self, *, threads: int = 2, cache: Path | None = None, brief: bool = False) -> None:
        """Take the number of threads of one call, and a folder where the optimised graph may be kept.

        `brief` is for a process that embeds a few short texts: it starts sooner, and each call takes a tenth longer.
        """
        self._threads = threads
        self._brief = brief
        self._cache = cache
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    @property
    def identity(self) -> str:
        """Name and hash of the model."""
        return f"{MODEL.name}@{MODEL.model_sha256[:12]}"

    @property
    def dimensions(self) -> int:
        """Length of a vector: 384."""
        return _DIMENSIONS

    def load(self) -> None:
        """Load model and tokenizer now.

        Raises ModelError when the package is missing, is another version, or is damaged.
        """
        self._parts()

    def load_beside(self) -> None:
        """Load the model in a thread; what goes wrong there goes wrong again, and is told, when the first vector is asked for.

        The engines are imported here: two threads that import hold each other up. The model loads outside the interpreter
        lock, the tokenizer keeps it for 16 ms: that one waits for the first text, when the search by words is under way.
        """
        with suppress(ModelError):
            MODEL.engines()
            threading.Thread(target=self._try_to_load, daemon=True).start()

    def _try_to_load(self) -> None:
        with suppress(ModelError):
            self._model()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), 384) float32 unit vectors, in order. Texts are cut at 512 word pieces.

        Raises ModelError as `load` does.
        """
        import numpy as np

        session, tokenizer = self._parts()
        out = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        if not texts:
            return out
        rows = [encoding.ids for encoding in tokenizer.encode_batch([encodable(t) for t in texts])]
        for batch in batches([len(row) for row in rows]):
            out[batch] = _vectors(session, [rows[n] for n in batch])
        return out

    def query(self, text: str) -> Vectors:
        """Return one (384,) float32 unit vector, with the query-side instruction. Raises ModelError as `load` does."""
        return cast("Vectors", self.passages([_QUERY_PREFIX + text])[0])

    def _parts(self) -> tuple[Any, Any]:
        session = self._model()
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = MODEL.tokenizer(self._cache)
            return session, self._tokenizer

    def _model(self) -> Any:
        with self._lock:
            if self._session is None:
                self._session = MODEL.session(self._threads, self._cache, brief=self._brief)
            return self._session


def _vectors(session: Any, rows: Sequence[Sequence[int]]) -> Vectors:
    import numpy as np

    hidden = run_batch(session, rows)
    first = np.asarray(hidden[:, 0, :], dtype=np.float32)
    lengths = np.linalg.norm(first, axis=1, keepdims=True)
    return cast("Vectors", first / np.maximum(lengths, 1e-12))
