"""Which collection a file belongs to, told by its path on the shelf.

A collection is what permissions and filters (`collection:NAME`) speak of. Either all documents are in one, or each folder
right below the root of the shelf is one of its own, and files beside those folders are in the one that has no name.
"""

from __future__ import annotations

from collections.abc import Callable

CollectionOf = Callable[[str], str | None]
"""The path of a file, relative to the root of the shelf, to its collection; None is the one without a name."""

UNNAMED = "default"
"""What the store calls the collection without a name."""


def one_collection(_path: str) -> str | None:
    """Return None: all files are in the collection without a name."""
    return None


def folder_collection(path: str) -> str | None:
    """Return the first folder of a path, None for a file beside the folders and for a folder called "default"."""
    folder, inside, _ = path.partition("/")
    return folder if inside and folder != UNNAMED else None
