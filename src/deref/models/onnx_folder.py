"""An embedder in a folder of its own: any model exported to ONNX with its tokenizer, as Optimum and sentence-transformers write it.

1. The graph is `model.onnx`, else `onnx/model.onnx`, else the only `.onnx` there; two that could be meant are an error.
2. How hidden states become a vector is not guessed: an output that is one vector a text already, else what
   `1_Pooling/config.json` says (first token, mean, or last token).
3. What is put before a question and a passage: `query_prefix`, else the prompts of `config_sentence_transformers.json`.
4. Texts are cut at what `sentence_bert_config.json`, `tokenizer_config.json` or `config.json` names, 512 tokens when none does and
   8,192 at the most; they are sorted by length and batched by tokens.
5. The identity is the folder's name and the hash of all that decides on the vector of a passage: the same name with other weights is
   another embedder.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from deref.errors import ModelError
from deref.models.onnx_wheel import batches, encodable, opened_session, session_options
from deref.ports import Vectors

LONGEST_UNKNOWN, LONGEST_READ = 512, 8192
"""Tokens of a text that are read: when the folder names no limit, and at the most."""
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_POOLINGS = {
    "pooling_mode_cls_token": "first",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recipe:
    graph: Path
    tokenizer: Path
    pooling: str | None
    query_prefix: str
    passage_prefix: str
    longest: int


class OnnxFolderEmbedder:
    """The `Embedder` of a folder. The folder is looked at when made, the model loaded with the first text. Safe to share by threads."""

    def __init__(self, folder: Path, *, query_prefix: str = "", threads: int = 2) -> None:
        """Take the folder. Raises ModelError when it does not hold an embedder, or says too little of it."""
        self._folder = folder
        self._recipe = _recipe(folder, query_prefix)
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._pad = (0, "[PAD]")
        self._identity = f"{folder.resolve().name}@{_hash(self._recipe)}"

    @property
    def identity(self) -> str:
        """Name of the folder and hash of what is in it."""
        return self._identity

    @property
    def dimensions(self) -> int:
        """Length of a vector. Raises ModelError as `passages` does."""
        session, _ = self._parts()
        shape = session.get_outputs()[0].shape
        return shape[-1] if isinstance(shape[-1], int) else int(self.query("x").shape[0])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimensions) float32 unit vectors, in order. Raises ModelError when the model does not work."""
        return self._embedded([self._recipe.passage_prefix + text for text in texts])

    def query(self, text: str) -> Vectors:
        """Return one (dimensions,) float32 unit vector, with the query-side instruction. Raises ModelError likewise."""
        return cast(Vectors, self._embedded([self._recipe.query_prefix + text])[0])

    def _embedded(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        session, tokenizer = self._parts()
        encoded = tokenizer.encode_batch([encodable(text) for text in texts])
        out: Vectors | None = None
        for batch in batches([len(one.ids) for one in encoded]):
            vectors = self._run(session, [encoded[n] for n in batch])
            if out is None:
                out = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
            out[batch] = vectors
        assert out is not None
        return out

    def _run(self, session: Any, encoded: Sequence[Any]) -> Vectors:
        from onnxruntime.capi import onnxruntime_pybind11_state as state

        width = max(len(one.ids) for one in encoded)
        for one in encoded:
            one.pad(width, pad_id=self._pad[0], pad_token=self._pad[1])
        columns = {
            "input_ids": np.asarray([one.ids for one in encoded], dtype=np.int64),
            "attention_mask": np.asarray([one.attention_mask for one in encoded], dtype=np.int64),
            "token_type_ids": np.asarray([one.type_ids for one in encoded], dtype=np.int64),
        }
        wanted = [i.name for i in session.get_inputs()]
        try:
            hidden = session.run(None, {name: columns[name] for name in wanted})[0]
        except (state.Fail, state.InvalidArgument, state.RuntimeException, MemoryError) as error:
            raise ModelError(f"{self._recipe.graph}: the embedder failed ({error})") from error
        return _pooled(hidden, columns["attention_mask"], self._recipe.pooling, self._recipe.graph)

    def _parts(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()
            return self._loaded

    def _open(self) -> tuple[Any, Any]:
        import onnxruntime
        import tokenizers

        recipe = self._recipe
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(recipe.tokenizer))
        except Exception as error:  # what tokenizers raises has no class of its own
            raise ModelError(f"{recipe.tokenizer}: no tokenizer that can be read ({error})") from error
        padding = tokenizer.padding or {}
        self._pad = (int(padding.get("pad_id", 0)), str(padding.get("pad_token", "[PAD]")))
        tokenizer.enable_truncation(recipe.longest)
        tokenizer.no_padding()
        options = session_options(onnxruntime, self._threads)
        session = opened_session(onnxruntime, str(recipe.graph), options, recipe.graph, "copy it there anew")
        unknown = sorted({i.name for i in session.get_inputs()} - _INPUTS)
        if unknown:
            raise ModelError(
                f"{recipe.graph}: it asks for {', '.join(unknown)}, so it is no embedder; export it for feature extraction"
            )
        return session, tokenizer


def _pooled(hidden: Any, mask: Any, pooling: str | None, graph: Path) -> Vectors:
    if hidden.ndim == 2:
        vectors = hidden
    elif pooling == "first":
        vectors = hidden[:, 0]
    elif pooling == "last":
        vectors = hidden[np.arange(len(hidden)), mask.sum(axis=1) - 1]
    elif pooling == "mean":
        weights = mask[:, :, None].astype(np.float32)
        vectors = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    else:
        raise ModelError(
            f"{graph}: it gives a vector for each token, and nothing says which of them stand for the text; put the model's "
            'own 1_Pooling/config.json beside it, or one with {"pooling_mode_mean_tokens": true}'
        )
    vectors = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)):
        raise ModelError(f"{graph}: the embedder gave parts that are no numbers; copy it there anew")
    return cast(Vectors, vectors / np.maximum(lengths, 1e-12))


def _recipe(folder: Path, query_prefix: str) -> _Recipe:
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such folder; models.embedder_folder names where the ONNX model is")
    prompts = _read(folder / "config_sentence_transformers.json").get("prompts") or {}
    pooling = _read(folder / "1_Pooling" / "config.json")
    chosen = [name for key, name in _POOLINGS.items() if pooling.get(key)]
    if pooling and len(chosen) != 1:
        raise ModelError(
            f"{folder / '1_Pooling' / 'config.json'}: it names no way of pooling that is known, or several; known are "
            f"{', '.join(_POOLINGS)}"
        )
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise ModelError(f"{folder}: there is no tokenizer.json; copy the model's own there")
    return _Recipe(
        graph=_graph(folder),
        tokenizer=tokenizer,
        pooling=chosen[0] if chosen else None,
        query_prefix=query_prefix or str(prompts.get("query", "")),
        passage_prefix=str(prompts.get("document", prompts.get("passage", ""))),
        longest=_longest(folder),
    )


def _graph(folder: Path) -> Path:
    for path in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if path.is_file():
            return path
    found = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
    if len(found) == 1:
        return found[0]
    if not found:
        raise ModelError(f"{folder}: there is no .onnx file; models.embedder_folder names where the model is")
    raise ModelError(
        f"{folder}: several models are there ({', '.join(path.name for path in found)}); name one of them model.onnx"
    )


def _longest(folder: Path) -> int:
    sources: Sequence[tuple[str, str]] = (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    )
    for name, key in sources:
        told = _read(folder / name).get(key)
        # Tokenizers without a limit name one with thirty digits.
        if isinstance(told, int) and 0 < told < 10**6:
            return min(told, LONGEST_READ)
    return LONGEST_UNKNOWN


def _read(path: Path) -> Mapping[str, Any]:
    """Return the object in a JSON file, an empty one when there is no such file. Raises ModelError."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read ({error}); copy it there anew") from error
    return value if isinstance(value, dict) else {}


def _hash(recipe: _Recipe) -> str:
    """Return twelve hex digits of all that decides on the vector of a passage: half a second for each gigabyte of weights."""
    digest = hashlib.sha256(json.dumps([recipe.pooling, recipe.passage_prefix, recipe.longest]).encode())
    beside = sorted(recipe.graph.parent.glob(f"{recipe.graph.name}[._]data*"))
    for path in (recipe.tokenizer, recipe.graph, *beside):
        try:
            with path.open("rb") as file:
                while part := file.read(2**20):
                    digest.update(part)
        except OSError as error:
            raise ModelError(f"{path}: cannot be read ({error.strerror})") from error
    return digest.hexdigest()[:12]
