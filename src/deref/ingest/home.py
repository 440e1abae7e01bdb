"""One library is of one folder or file: what is not found there is forgotten, so another one's documents would go."""

from __future__ import annotations

from pathlib import Path

from deref.errors import LibraryMismatch
from deref.ingest.walk import printable
from deref.ports import Store


def at_home(root: Path, store: Store) -> bool:
    """Tell whether the library is that of this folder or file; False when it is nobody's yet.

    Raises LibraryMismatch when it is that of another one.
    """
    home, here = store.home(), _name(root)
    if home is not None and home != here:
        raise LibraryMismatch(
            f"{store.describe()['place']}: this is the library of {home}, not of {here}; name another with --library "
            "(or unset DEREF_LIBRARY), or give it to this one: deref index PATH --rebuild"
        )
    return home is not None


def move_in(root: Path, store: Store) -> None:
    """Make the library that of this folder or file.

    Raises LibraryMismatch when it is that of another one, and what the store raises.
    """
    if not at_home(root, store):
        store.claim(_name(root))


def _name(root: Path) -> str:
    return printable(str(root.resolve()))
