"""Making, checking and removing the folder of a library."""

from __future__ import annotations

import shutil
import unicodedata
from pathlib import Path

from deref.errors import LibraryDamaged, LibraryMismatch, UsageError
from deref.store import statements
from deref.store.layout import LAYOUT
from deref.store.lock import WriterLock
from deref.store.passages import ChunkIndex
from deref.store.reading import CATALOGUE, CHUNKS, FIX, LOCK, PLACE, Reader
from deref.store.view import properties


def check_name(folder: Path) -> None:
    """Raise UsageError for a path with control characters or not in UTF-8, and for an address in the place of a path."""
    if folder.parts and folder.parts[0] in ("postgresql:", "postgres:"):
        raise UsageError(
            "a library is a folder, also when its catalogue is in a database: name the folder with --library, and the "
            "database with DEREF_LIBRARY_CATALOGUE"
        )
    name = str(folder.absolute())
    shown = name.encode("utf-8", "backslashreplace").decode()
    if shown != name or any(unicodedata.category(sign) == "Cc" for sign in name):
        raise UsageError(
            f"{shown}: the path of a library must be valid UTF-8 without control characters; name another with --library"
        )


def there(catalogue: Path) -> bool:
    """Tell whether a catalogue is there. Raises LibraryDamaged when that cannot be told."""
    try:
        return catalogue.exists()
    except OSError as error:
        raise LibraryDamaged(
            f"{catalogue.parent}: the library cannot be opened ({error.strerror}); make the folder readable, or choose "
            "another place with --library"
        ) from error


def remove_library(folder: Path, *, timeout: float = 30.0) -> None:
    """Remove a library and nothing else that may be in its folder; a folder without one is left as it is.

    Raises LibraryBusy while another process writes, LibraryDamaged when something of it cannot be removed, LibraryError when
    its catalogue is in a database that cannot be reached.
    """
    if (folder / PLACE).exists():
        from deref.store.postgres.opening import remove_catalogue

        remove_catalogue(folder, timeout=timeout)
    if not there(folder / CATALOGUE) and not (folder / CHUNKS).exists():
        return
    with WriterLock(folder / LOCK, timeout=timeout).held():
        try:
            if (folder / CHUNKS).exists():
                shutil.rmtree(folder / CHUNKS)
            for suffix in ("-wal", "-shm", ""):
                (folder / (CATALOGUE + suffix)).unlink(missing_ok=True)
        except OSError as error:
            raise LibraryDamaged(
                f"{error.filename or folder}: the library cannot be removed ({error.strerror}); remove it by hand, or choose "
                "another place with --library"
            ) from error


def make_folder(folder: Path) -> None:
    """Make the folder of a library. Raises LibraryDamaged when it cannot be made there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LibraryDamaged(
            f"{folder}: the library cannot be made there ({error.strerror}); choose another place with --library"
        ) from error


def create(folder: Path, lock: WriterLock, fingerprint: str) -> None:
    """Make an empty library. Raises LibraryDamaged when it cannot be made there."""
    make_folder(folder)
    from deref.store.writing import CatalogueWriter, local_engine

    with lock.held():
        if (folder / CATALOGUE).exists():
            return
        # Renamed when it is whole, so nobody opens half a catalogue.
        unfinished = folder / f"{CATALOGUE}.new"
        unfinished.unlink(missing_ok=True)
        engine = local_engine(unfinished)
        CatalogueWriter(engine, str(folder)).create({"layout": LAYOUT, "fingerprint": fingerprint})
        engine.dispose()
        unfinished.replace(folder / CATALOGUE)


def check(folder: Path, reader: Reader, fingerprint: str) -> None:
    """Raise LibraryMismatch for another layout or fingerprint, LibraryDamaged when the chunk index is gone."""
    stored = properties(reader)
    layout = stored.get("layout", "")
    if layout.isdecimal() and int(layout) > int(LAYOUT):
        raise LibraryMismatch(
            f"{folder}: it was made by a newer version of Deref (layout {layout}, here {LAYOUT}); use that version"
        )
    for name, expected, what in (
        ("layout", LAYOUT, "its tables have another layout"),
        ("fingerprint", fingerprint, "it was indexed with other settings or by another version"),
    ):
        if stored.get(name) != expected:
            raise LibraryMismatch(
                f"{folder}: {what} ({name} {stored.get(name, 'missing')}, now {expected}); {FIX}"
            )
    chunks = reader.rows(statements.COUNTS)[0][1]
    if chunks and not ChunkIndex(folder / CHUNKS).exists():
        raise LibraryDamaged(f"{folder / CHUNKS}: the chunk index of this library is missing; {FIX}")
