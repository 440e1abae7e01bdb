"""Which embedder the settings name.

Loads none of the rest of the engine: a command that is going to ask starts loading the model here, beside everything
else that it has to import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deref.ports import Embedder
    from deref.settings import Settings


class ChosenEmbedder(NamedTuple):
    """What opens the embedder, None when it is switched off, and its identity."""

    opener: Callable[[], Embedder] | None
    identity: str


def chosen_embedder(settings: Settings, *, warm: bool = False) -> ChosenEmbedder:
    """Return the embedder that the settings name.

    `warm` loads the bundled model beside the caller at once. Raises ModelError.
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
