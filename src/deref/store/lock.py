"""One writer at a time, over processes and threads: an exclusive lock on a file in the library.

The system lets go of it when the process dies, however it dies. The file holds the number of the process, for the
message of whoever waits.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from deref.errors import LibraryBusy, LibraryDamaged

_PAUSE = 0.02


class WriterLock:
    """The lock of one library. Re-entrant within a thread."""

    def __init__(self, path: Path, *, timeout: float) -> None:
        """Take the path of the lock file and the seconds to wait for another writer."""
        self._path = path
        self._timeout = timeout
        self._threads = threading.RLock()
        self._depth = 0
        self._file = -1

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock.

        Raises LibraryBusy when another writer keeps it too long, LibraryDamaged when its file cannot be written.
        """
        if not self._threads.acquire(timeout=self._timeout):
            raise LibraryBusy(f"{self._path.parent}: another thread is still writing; try again later")
        try:
            if self._depth == 0:
                self._file = self._acquired()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    os.close(self._file)
        finally:
            self._threads.release()

    def _acquired(self) -> int:
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LibraryDamaged(
                f"{self._path.parent}: the library cannot be written ({error.strerror}); "
                "make the folder writable, or choose another with --library"
            ) from error
        deadline = time.monotonic() + self._timeout
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    holder = os.pread(file, 32, 0).decode("ascii", "replace").strip() or "unknown"
                    os.close(file)
                    raise LibraryBusy(
                        f"{self._path.parent}: process {holder} has been writing to this library for more than "
                        f"{self._timeout:g} s; wait until it is done, or end it"
                    ) from None
                time.sleep(_PAUSE)
            else:
                with contextlib.suppress(OSError):  # A full disk is told by whoever has more to write.
                    os.ftruncate(file, 0)
                    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
                return file
