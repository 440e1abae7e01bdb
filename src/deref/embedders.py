"""Which embedder the settings name.

Loads none of the rest of the engine: a command that is going to ask starts loading the model here, beside everything
else that it has to import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from deref.errors import UsageError

if TYPE_CHECKING:
    from deref.models.keys import Key
    from deref.ports import Embedder
    from deref.settings import Settings


class ChosenEmbedder(NamedTuple):
    """What opens the embedder, None when it is switched off, and its identity."""

    opener: Callable[[], Embedder] | None
    identity: str


def chosen_embedder(settings: Settings, *, warm: bool = False) -> ChosenEmbedder:
    """Return the embedder that the settings name.

    `warm` loads the bundled model beside the caller at once. Raises ModelError, and UsageError when a setting is missing.
    """
    match settings.models.embedder:
        case "none":
            return ChosenEmbedder(None, "none")
        case "hashing":
            from deref.models.hashing import HashingEmbedder

            hashing = HashingEmbedder()
            return ChosenEmbedder(lambda: hashing, hashing.identity)
        case "bundled":
            from deref.models.bundled import BundledEmbedder
            from deref.settings import data_folder

            bundled = BundledEmbedder(
                threads=settings.models.threads, cache=data_folder() / "models", brief=warm
            )
            if warm:
                bundled.load_beside()
            return ChosenEmbedder(lambda: bundled, bundled.identity)
        case "onnx":
            from pathlib import Path

            from deref.models.onnx_folder import OnnxFolderEmbedder

            folder = _named(settings.models.embedder_folder, "onnx", "embedder_folder")
            onnx = OnnxFolderEmbedder(
                Path(folder).expanduser(),
                query_prefix=settings.models.query_prefix,
                threads=settings.models.threads,
            )
            return ChosenEmbedder(lambda: onnx, onnx.identity)
        case "server":
            from deref.models.server_embedder import ServerEmbedder

            server = ServerEmbedder(
                _named(settings.models.embedder_url, "server", "embedder_url"),
                _named(settings.models.embedder_model, "server", "embedder_model"),
                key=key_of(
                    settings.models.embedder_key_env,
                    settings.models.embedder_key_file,
                    group="models.embedder_key",
                ),
                query_prefix=settings.models.query_prefix,
                timeout_s=settings.models.timeout_s,
                retries=settings.models.retries,
            )
            return ChosenEmbedder(lambda: server, server.identity)


def _named(value: str, embedder: str, setting: str) -> str:
    if not value:
        raise UsageError(
            f"models.embedder is {embedder}, and models.{setting} names none; set models.{setting}"
        )
    return value


def key_of(variable: str, file: str, *, group: str) -> Key | None:
    """Return the key that settings name whose names begin with `group`; None when they name none. Raises ModelError."""
    import os

    from deref.models.keys import read_key

    return read_key(variable, file, os.environ, group=group)
