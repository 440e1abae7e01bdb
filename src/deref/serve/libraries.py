"""What is served: the library of a folder, or one without a folder of its own, into which files are uploaded.

A library of uploads keeps the files in `uploads/` inside its own folder, by collection: `uploads/hr/pay.pdf`. What the
server keeps of a library (jobs, questions, sessions, traces) is in `serve/` there, so that it goes where the library goes.
"""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from deref.embedders import ChosenEmbedder
from deref.engine import Engine, open_engine
from deref.errors import LibraryBusy, NoSuchSource, UsageError
from deref.ingest.collections import UNNAMED, folder_collection
from deref.settings import Settings, data_folder, library_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One library. `id` is its name in addresses; `folder` is where it is kept, `source` the files that it is of."""

    id: str
    folder: Path
    source: Path
    uploads: bool

    @property
    def kept(self) -> Path:
        """The folder of what the server keeps."""
        return self.folder / "serve"

    def settings(self, of_user: Settings) -> Settings:
        """Return the settings for it: those of the user, but in a library of uploads each folder is a collection."""
        if not self.uploads:
            return of_user
        return replace(of_user, index=replace(of_user.index, collections="folders"))

    def collection(self, path: str, of_user: Settings) -> str:
        """Return the collection of a file, by its path on the shelf."""
        by_folder = self.settings(of_user).index.collections == "folders"
        return (folder_collection(path) if by_folder else None) or UNNAMED

    def engine(self, settings: Settings, embedder: ChosenEmbedder | None = None) -> Engine:
        """Return an engine of its own over the library. Raises LibraryError, UsageError."""
        return open_engine(self.folder, settings=self.settings(settings), embedder=embedder)

    def path_of(self, name: str) -> Path:
        """Return where the file of a document lies, by the name that the catalogue has for it."""
        return self.source / name if self.source.is_dir() else self.source

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other servers off the library. Raises LibraryBusy."""
        self.kept.mkdir(parents=True, exist_ok=True)
        with (self.kept / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LibraryBusy(
                    f"{self.folder}: another `deref serve` serves this library; end it, or serve another one"
                ) from None
            yield

    def as_text(self) -> str:
        """Return it as a line that `from_text` reads."""
        return json.dumps([self.id, str(self.folder), str(self.source), self.uploads])


def from_text(text: str) -> Served:
    """Return the library that a line of `Served.as_text` says."""
    name, folder, source, uploads = json.loads(text)
    return Served(id=name, folder=Path(folder), source=Path(source), uploads=uploads)


def served(paths: Sequence[Path], library: Path | None) -> tuple[Served, ...]:
    """Return the libraries of these folders and files; without any, one of uploads in `library` or the user's data folder.

    Raises NoSuchSource for a path that is not there, UsageError for one library of several paths, and for a path twice.
    """
    if not paths:
        folder = (library or data_folder() / "libraries" / "uploads").absolute()
        source = folder / "uploads"
        source.mkdir(parents=True, exist_ok=True)
        return (Served(id=_plain(folder.name), folder=folder, source=source, uploads=True),)
    if library is not None and len(paths) > 1:
        raise UsageError("--library holds one path's documents; leave it out, or serve one PATH")
    found: dict[Path, Served] = {}
    ids: set[str] = set()
    for path in paths:
        if not path.exists():
            raise NoSuchSource(f"{path}: no such file or folder; name one that is there")
        folder = library_folder(path, library).absolute()
        if folder in found:
            raise UsageError(
                f"{path}: its library, {folder}, is that of another PATH here; give each PATH once, and unset DEREF_LIBRARY"
            )
        base = _plain(path.resolve().name)
        name = next(one for one in (base, *(f"{base}-{n}" for n in range(2, len(ids) + 3))) if one not in ids)
        ids.add(name)
        found[folder] = Served(id=name, folder=folder, source=path.resolve(), uploads=False)
    return tuple(found.values())


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "library"
