"""The tree of errors. Each message names the file, the place and the fix.

DerefError
├── InputError            the caller gave something that cannot be used      exit code 2
│   ├── UsageError        a flag, a filter or a question that makes no sense
│   ├── UnreadableFile    one file that could not be read; the batch goes on
│   │   ├── EncryptedFile     needs a password, or the password is wrong
│   │   ├── DamagedFile       cut short, or not the type its bytes should be
│   │   ├── UnsupportedFile   a type no parser reads
│   │   └── OversizedFile     a limit was passed (a zip bomb, a size limit)
│   └── NoSuchSource      a path, document or span that is not there
├── LibraryError          the stored library cannot serve
│   ├── LibraryMismatch   built with other settings or another embedder
│   ├── LibraryBusy       another process is writing
│   └── LibraryDamaged    a file of the library is missing or cut short
├── ModelError            a model that is switched on cannot work
├── Cancelled             the caller called it off
└── ReplayMismatch        the trace has no answer for a call, or a stream differs
"""

from __future__ import annotations

__all__ = [
    "Cancelled",
    "DamagedFile",
    "DerefError",
    "EncryptedFile",
    "InputError",
    "LibraryBusy",
    "LibraryDamaged",
    "LibraryError",
    "LibraryMismatch",
    "ModelError",
    "NoSuchSource",
    "OversizedFile",
    "ReplayMismatch",
    "UnreadableFile",
    "UnsupportedFile",
    "UsageError",
]


class DerefError(Exception):
    """The root: everything that Deref raises on purpose."""


class InputError(DerefError):
    """The caller gave something that cannot be used."""


class UsageError(InputError):
    """A flag, a filter or a question that makes no sense."""


class UnreadableFile(InputError):
    """One file that could not be read. The batch goes on without it."""


class EncryptedFile(UnreadableFile):
    """The file needs a password, or the one given is wrong."""


class DamagedFile(UnreadableFile):
    """The file is cut short, or is not what its bytes should be."""


class UnsupportedFile(UnreadableFile):
    """No parser reads this type of file."""


class OversizedFile(UnreadableFile):
    """The file passes a limit: its size, or what it unpacks to."""


class NoSuchSource(InputError):
    """A path, document or span that is not there, or not for this caller."""


class LibraryError(DerefError):
    """The stored library cannot serve."""


class LibraryMismatch(LibraryError):
    """The library was built with other settings or another embedder."""


class LibraryBusy(LibraryError):
    """Another process is writing to the library."""


class LibraryDamaged(LibraryError):
    """A file of the library is missing or cut short."""


class ModelError(DerefError):
    """A model that is switched on cannot work."""


class Cancelled(DerefError):
    """The caller called it off; nothing is wrong."""


class ReplayMismatch(DerefError):
    """A trace has no answer for a call, or the replayed stream differs."""
