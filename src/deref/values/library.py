"""What a library keeps of its files and of its past, and how far its vectors are."""

from __future__ import annotations

from collections.abc import Sequence

from deref.quick_dataclass import dataclass
from deref.values.document import Chunk, Document
from deref.values.reference import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What a library remembers of its former states, in nanoseconds since the epoch.

    From `begins_ns` on, the documents of each moment are known; `changed_ns` is when the last run began that changed
    any, 0 when none did. A run counts as one moment: its documents come and go together.
    """

    begins_ns: int
    changed_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """What the catalogue knows of one file: `error` is set instead of `doc` when it could not be read.

    `path` is relative to the root of the shelf, in posix form; `size` in bytes, `mtime_ns` as the file system says.
    `seen_ns` is the time at which its bytes were read, in nanoseconds since the epoch; 0 when that is not known.
    """

    path: str
    size: int
    mtime_ns: int
    doc: str | None
    error: str | None = None
    seen_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document and all that belongs to it, as the store takes it.

    `collection` is where it goes; None is where the store puts new documents.
    """

    document: Document
    chunks: Sequence[Chunk]
    references: Sequence[Reference]
    file: FileRecord
    collection: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the vectors are: `embedded` of `chunks`."""

    chunks: int
    embedded: int

    def missing(self, background: bool) -> tuple[str, ...]:
        """Tell people what is missing, nothing when all is there; `background` says whether the rest follows by itself."""
        if self.embedded >= self.chunks:
            return ()
        return (
            f"vectors are there for {self.embedded} of {self.chunks} passages; the rest was searched by words first "
            f"({'they follow in the background; ' * background}--wait waits for them)",
        )
