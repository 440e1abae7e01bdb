"""One file's bytes → what the store takes. Runs in this process or in a worker: everything here can be pickled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from deref.errors import DerefError, UnreadableFile
from deref.ingest.collections import folder_collection
from deref.ports import Parser
from deref.values import Chunk, Document, Parsed, Reference


class Structure(Protocol):
    """Lines to a document."""

    def __call__(self, parsed: Parsed, *, doc: str, name: str) -> Document:
        """Return the document."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The functions that a file goes through. For workers they must be module-level functions, or partials of such."""

    parse: Parser
    structure: Structure
    find: Callable[[Document], Sequence[Reference]]
    chunk: Callable[[Document], Sequence[Chunk]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What became of the bytes: a document with its chunks and references, or the error that is on record for them."""

    document: Document | None = None
    chunks: tuple[Chunk, ...] = ()
    references: tuple[Reference, ...] = ()
    error: str | None = None


def document_id(data: bytes, collection: str | None = None) -> str:
    """Return the identity of a document: 32 hex digits of the hash of its bytes.

    In a collection with a name the same bytes are another document than elsewhere: who sees the one collection must not
    be able to tell what is in the other.
    """
    digest = hashlib.sha256(data)
    if collection is not None:
        digest.update(b"\0in the collection " + collection.encode())
    return digest.hexdigest()[:32]


def holds(data: bytes, doc: str, path: str) -> bool:
    """Tell whether these bytes are those of a document, in the collection of the folder of its path or in none."""
    return doc in (document_id(data), document_id(data, folder_collection(path)))


def read(data: bytes, *, doc: str, name: str, password: str | None, steps: Steps) -> Read:
    """Take one file through all steps. Every failure that belongs to the file comes back as `Read.error`."""
    try:
        return _through(steps, data, doc, name, password)
    except UnreadableFile as error:
        return Read(error=str(error))
    except MemoryError:
        return Read(error=f"{name}: reading it takes more memory than there is; split the file")


def _through(steps: Steps, data: bytes, doc: str, name: str, password: str | None) -> Read:
    """Return what comes of a file.

    Raises UnreadableFile, also for a fault of ours, or of a library that we parse with, which one odd file brings out: that is
    a row in the report that says so, and not the end of the batch.
    """
    try:
        parsed = steps.parse(data, doc=doc, name=name, password=password)
        document = steps.structure(parsed, doc=doc, name=name)
        return Read(
            document=document,
            chunks=tuple(steps.chunk(document)),
            references=tuple(steps.find(document)),
        )
    except (DerefError, MemoryError):
        raise
    except Exception as error:
        raise UnreadableFile(
            f"{name}: reading it failed inside Deref ({type(error).__name__}: {error}); please report the file"
        ) from error
