"""Files that come over the network: a name that is only a label, a limit on size, and a place inside the library.

No path of the client is ever opened. Of the name it gives the last part is taken, cleaned to letters, digits and a few
signs that no file system and no terminal takes amiss; the place is made of that label and of the collection's. Bytes go
to a hidden file as they come, which takes its name when all are there: the indexer never sees half a file.
"""

from __future__ import annotations

import os
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Self

from deref.errors import LibraryError, OversizedFile, UnsupportedFile, UsageError
from deref.ingest.collections import UNNAMED
from deref.parse import SUFFIXES
from deref.parse.detect import READS, suffix

_LONGEST = 120
"""Characters of a label; file systems take 255 bytes."""


def label(said: str) -> str:
    """Return a name as a label: one part of a path, never hidden, never empty. Raises UsageError when nothing is left."""
    last = unicodedata.normalize("NFC", said).replace("\\", "/").rstrip("/").rpartition("/")[2]
    kept = "".join(c if c.isalnum() or c in " ._-()[]&+,'–" else "_" for c in last)
    plain = " ".join(kept.split()).strip(". ")
    if not any(c.isalnum() for c in plain):
        raise UsageError(
            "the name is empty or has no letter or digit; give the file a name such as lease.pdf"
        )
    if len(plain) > _LONGEST or len(plain.encode()) > 2 * _LONGEST:
        stem, dot, ending = plain.rpartition(".")
        ending = dot + ending if dot and len(ending) <= 10 else ""
        plain = (stem if ending else plain).encode()[: _LONGEST - len(ending)].decode(
            "utf-8", "ignore"
        ).strip(". ") + ending
    return plain


def is_label(said: str) -> bool:
    """Tell whether a name is a label as it is: a file or collection that is called so gets this very name."""
    with suppress(UsageError):
        return label(said) == said
    return False


def file_label(said: str) -> str:
    """Return the label of a file. Raises UsageError, and UnsupportedFile when no parser reads files that end so."""
    plain = label(said)
    if suffix(plain) not in SUFFIXES:
        raise UnsupportedFile(f"{plain}: {READS}; a file must end in one of {', '.join(sorted(SUFFIXES))}")
    return plain


class Incoming:
    """A file on its way into a collection. Use as a context manager; without `keep` nothing is left of it."""

    def __init__(self, uploads: Path, collection: str, name: str, *, limit: int) -> None:
        """Take the folder of the uploads, the labels of collection and file, and the limit in bytes."""
        self._folder = uploads if collection == UNNAMED else uploads / collection
        self._uploads, self._name, self._limit = uploads, name, limit
        self.size = 0
        self._temporary: Path | None = None
        self._out: BinaryIO | None = None

    @property
    def path(self) -> str:
        """The path on the shelf that the file gets."""
        return (self._folder / self._name).relative_to(self._uploads).as_posix()

    def __enter__(self) -> Self:
        """Make the hidden file. Raises LibraryError."""
        with self._on_disk():
            number, name = tempfile.mkstemp(dir=self._uploads, prefix=".incoming-")
        self._temporary, self._out = Path(name), os.fdopen(number, "wb", buffering=0)
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was not kept."""
        if self._out is not None:
            self._out.close()
        if self._temporary is not None:
            with suppress(FileNotFoundError):
                self._temporary.unlink()

    def write(self, data: bytes) -> None:
        """Take the next bytes. Raises OversizedFile, LibraryError."""
        self.size += len(data)
        self.check(self.size)
        assert self._out is not None
        with self._on_disk():
            self._out.write(data)

    def check(self, size: int) -> None:
        """Raise OversizedFile when so many bytes are over the limit."""
        if size > self._limit:
            raise OversizedFile(
                f"{self._name}: is over the limit of {self._limit / 2**20:g} MB; split it, or have read.max_file_mb raised"
            )

    def keep(self) -> bool:
        """Give the file its name; tell whether there was none of that name.

        Raises UsageError for an empty one, and for a name that a collection has, or the other way round; LibraryError.
        """
        if not self.size:
            raise UsageError(f"{self._name}: the file is empty; send one that has something in it")
        assert self._out is not None
        assert self._temporary is not None
        self._out.close()
        place = self._folder / self._name
        with self._on_disk():
            self._folder.mkdir(exist_ok=True)
            new = not place.exists()
            self._temporary.replace(place)
        self._temporary = None
        return new

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        """Tell what the file system refuses."""
        try:
            yield
        except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
            raise UsageError(
                f"{self.path}: a file and a collection cannot have one name; choose another"
            ) from error
        except OSError as error:
            raise LibraryError(
                f"{self._uploads}: an upload cannot be written ({error.strerror}); make room, and see that the folder may be written"
            ) from error
