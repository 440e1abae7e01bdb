"""Which files a path stands for.

A file stands for itself, whatever it is called. A folder stands for the files in it and below, in order of their
path, whose ending is wanted; names that begin with a dot are passed over, and with "~$", which Office gives to a note that
a document is open. A folder that is a library of Deref is not entered. A link to a folder inside the walk is not either
(that folder is met as itself), and one to a folder elsewhere is entered once, so no loop of links is endless.
What cannot be listed, opened or named is a find with an error: no file drops out in silence.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from deref.errors import NoSuchSource

_A_LIBRARY_HAS = "chunks.lance"
_MOST_NS = 2**63 - 1
"""No database takes more: the year 2262. An archive may give its files any time."""


class Found(NamedTuple):
    """A file of the walk. `path` is relative to the root, in posix form, and printable; `error` says why it is not readable.

    `changed_ns` is when the system last noted a change to the file, which no program can set back.
    `folder` is True for a folder that could not be listed: what it holds is not known.
    """

    path: str
    place: Path
    size: int = 0
    mtime_ns: int = 0
    changed_ns: int = 0
    error: str | None = None
    folder: bool = False


class Walk(NamedTuple):
    """What was found, and the paths of the files that were passed over for their ending; each in order of path."""

    found: tuple[Found, ...]
    skipped: tuple[str, ...]


def walk(root: Path, *, suffixes: frozenset[str]) -> Walk:
    """Return the files that a path stands for. `suffixes` are wanted endings in small letters, with the dot.

    Raises NoSuchSource when there is nothing at the path.
    """
    try:
        status = root.stat()
    except OSError as error:
        raise NoSuchSource(
            f"{root}: there is no such file or folder ({error.strerror}); check the path"
        ) from error
    if not stat.S_ISDIR(status.st_mode):
        return Walk(found=(_file(root, root.name),), skipped=())
    seen = {(status.st_dev, status.st_ino)}
    found: list[Found] = []
    skipped: list[str] = []
    for find in _below(root, seen):
        wanted = find.folder or find.place.suffix.lower() in suffixes
        if wanted:
            found.append(find)
        else:
            skipped.append(find.path)
    return Walk(found=tuple(sorted(found, key=lambda f: f.path)), skipped=tuple(sorted(skipped)))


def _below(root: Path, seen: set[tuple[int, int]]) -> Iterator[Found]:
    """Yield the files below a folder; not by calls within calls, for folders may nest deeper than calls may."""
    top = os.path.realpath(root)
    waiting: list[tuple[Path, PurePosixPath, os.DirEntry[str] | None]] = [(root, PurePosixPath(), None)]
    while waiting:
        folder, inside, entered = waiting.pop()
        if entered is not None and not _enters(entered, top, seen):
            continue
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            shown = printable(str(inside))
            yield Found(
                path=shown, place=folder, folder=True,
                error=f"{shown}: the folder cannot be listed ({error.strerror}); check its permissions",
            )  # fmt: skip
            continue
        if entered is not None and any(entry.name == _A_LIBRARY_HAS for entry in entries):
            continue
        folders = []
        for entry in entries:
            if entry.name.startswith((".", "~$")):
                continue
            place, below = folder / entry.name, inside / entry.name
            if _is_folder(entry):
                folders.append((place, below, entry))
            else:
                yield _file(place, str(below))
        waiting += reversed(folders)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # A link to itself, or below a folder that may be listed and not searched: `_file` says why.
        return False


def _enters(entry: os.DirEntry[str], top: str, seen: set[tuple[int, int]]) -> bool:
    real = os.path.realpath(entry.path)
    if entry.is_symlink() and os.path.commonpath([real, top]) == top:
        return False
    try:
        status = entry.stat()
    except OSError:
        # Listing it fails in turn, and says why.
        return True
    key = (status.st_dev, status.st_ino)
    if key in seen:
        return False
    seen.add(key)
    return True


def printable(path: str) -> str:
    """Return a path that is valid Unicode, whatever the locale: bytes that are not UTF-8 show as \\xNN."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _file(place: Path, path: str) -> Found:
    path, written = printable(path), os.fsencode(path)
    if path.encode() != written:
        return Found(path=path, place=place, error=f"{path}: the name is not valid UTF-8; rename the file")
    try:
        status = place.stat()
    except OSError as error:
        why = (
            "points at a file that is not there"
            if place.is_symlink()
            else f"cannot be read ({error.strerror})"
        )
        return Found(path=path, place=place, error=f"{path}: {why}; mend or remove it")
    if not stat.S_ISREG(status.st_mode):
        return Found(path=path, place=place, error=f"{path}: is no regular file; move it out of the folder")
    return Found(
        path=path,
        place=place,
        size=status.st_size,
        mtime_ns=max(-_MOST_NS, min(status.st_mtime_ns, _MOST_NS)),
        changed_ns=status.st_ctime_ns,
    )
