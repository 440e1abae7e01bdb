"""Where the catalogue of a library is when it is no file in its folder: `catalogue.json` there names database and schema.

Each library has a schema of its own, whose name is made once, by chance: so a folder always meets the catalogue that was
made for it, wherever the folder moves, and one database serves many libraries.
"""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path
from typing import NamedTuple

from deref.errors import LibraryDamaged
from deref.store.reading import PLACE
from deref.text.databases import DATABASE, TAKES

_SCHEMA = re.compile(r"[a-z][a-z0-9_]{0,62}")


class Place(NamedTuple):
    """A schema of a database. The address has no password."""

    address: str
    schema: str

    def __str__(self) -> str:
        """Return it for messages."""
        return f"{self.address} (schema {self.schema})"


def new_place(address: str, folder: Path) -> Place:
    """Return a place for a new library, whose schema is named for its folder so that people know it again."""
    plain = re.sub(r"[^a-z0-9]+", "_", folder.name.lower()).strip("_")[:30]
    return Place(address, f"deref_{plain or 'library'}_{uuid.uuid4().hex[:12]}")


def place_in(folder: Path) -> Place | None:
    """Return where the catalogue of the library in a folder is, None when the folder does not say. Raises LibraryDamaged."""
    path = folder / PLACE
    try:
        kept = json.loads(path.read_text("utf-8"))
        place = Place(str(kept["address"]), str(kept["schema"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise LibraryDamaged(
            f"{path}: it should say where the catalogue is, and cannot be read; write it as "
            '{"address": "postgresql://…", "schema": "deref_…"}'
        ) from None
    if not re.fullmatch(DATABASE, place.address):
        raise LibraryDamaged(f"{path}: address takes {TAKES}")
    if not _SCHEMA.fullmatch(place.schema):
        raise LibraryDamaged(f"{path}: schema takes the name that the library was made with, deref_…")
    return place


def keep_place(folder: Path, place: Place) -> None:
    """Write down where the catalogue of a library is, whole or not at all."""
    unfinished = folder / f"{PLACE}.new"
    unfinished.write_text(json.dumps(place._asdict(), indent=1) + "\n", "utf-8")
    unfinished.replace(folder / PLACE)
