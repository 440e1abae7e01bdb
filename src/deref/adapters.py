"""The models that the settings name: Settings → adapters. Only the engine asks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

from deref.errors import ModelError
from deref.ports import Embedder
from deref.settings import Settings, data_folder

if TYPE_CHECKING:
    from deref.models.bundled import BundledEmbedder


def chosen_embedder(settings: Settings, *, warm: bool) -> tuple[Callable[[], Embedder] | None, str]:
    """Return what opens the embedder, None when it is switched off, and the identity of the embedder.

    `warm` loads the bundled model beside the caller at once. Raises ModelError.
    """
    match settings.models.embedder:
        case "none":
            return None, "none"
        case "hashing":
            from deref.models.hashing import HashingEmbedder

            hashing = HashingEmbedder()
            return lambda: hashing, hashing.identity
        case "bundled":
            from deref.models.bundled import BundledEmbedder

            bundled = BundledEmbedder(threads=settings.models.threads, cache=data_folder() / "models")
            if warm:
                Thread(target=_loaded_early, args=(bundled,), daemon=True).start()
            return lambda: bundled, bundled.identity


def _loaded_early(embedder: BundledEmbedder) -> None:
    # What goes wrong here goes wrong again, and is told, when the first vector is asked for.
    with suppress(ModelError):
        embedder.load()
