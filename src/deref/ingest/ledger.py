"""What is on record of each file, and what the bytes now at a path are to it. Pure: no file is opened here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deref.ingest.walk import Found
from deref.ports import FileRecord

_SAME_TICK_NS = 2_000_000_000
"""File times are as coarse as two seconds on some file systems."""


class Ledger:
    """The records of the last run, brought up to date as this run deals with one file after the other."""

    def __init__(
        self, known: Iterable[FileRecord], found: Sequence[Found], names: Mapping[str, str] | None = None
    ) -> None:
        """Take the records, what the walk found, and the name of each document by its id."""
        self._before = {record.path: record for record in known}
        self._found = {find.path: find for find in found}
        self._now = dict(self._before)
        self._holders: dict[str, set[str]] = {}
        for record in self._before.values():
            if record.doc is not None:
                self._holders.setdefault(record.doc, set()).add(record.path)
        gone = set(self.gone())
        self._heirs = {
            min(left)
            for doc, name in (names or {}).items()
            if name in gone and (left := self._holders.get(doc, set()) & self._found.keys())
        }

    def before(self, path: str) -> FileRecord | None:
        """Return the record of the last run."""
        return self._before.get(path)

    def gone(self) -> list[str]:
        """Return the paths on record that the walk did not meet, and that no unlistable folder may hold."""
        closed = [find.path for find in self._found.values() if find.folder]
        if "." in closed:
            return []
        prefixes = tuple(f"{path}/" for path in closed)
        return [p for p in self._before if p not in self._found and not (prefixes and p.startswith(prefixes))]

    def settled(self, find: Found, *, password: bool) -> bool:
        """Tell whether the record of this file can be trusted without reading it.

        Its size and time must be those on record, and nothing may have been done to it since it was read: a copy that
        keeps the time of its source may well have the size of the file it replaces. A copy that is to name its document
        is read again, for the file that named it is gone.
        """
        record = self._before.get(find.path)
        if record is None or find.path in self._heirs or (record.error is not None and password):
            return False
        if find.error is not None:
            return record.error == find.error
        same = (record.size, record.mtime_ns) == (find.size, find.mtime_ns)
        return same and max(find.mtime_ns, find.changed_ns) < record.seen_ns - _SAME_TICK_NS

    def outcome(self, path: str, doc: str) -> str:
        """Tell what bytes with this hash at this path are: unchanged, copy, renamed, changed or added."""
        before = self._before.get(path)
        if before is not None and before.doc == doc:
            return "renamed" if path in self._heirs else "unchanged"
        others = self._holders.get(doc, set()) - {path}
        if any(self._holds(other) for other in others):
            return "copy"
        if before is not None:
            return "changed"
        return "renamed" if others else "added"

    def _holds(self, path: str) -> bool:
        """Tell whether a file still has the bytes on record: dealt with in this run, or there with the same size and time."""
        if self._now[path] is not self._before.get(path):
            return True
        find, record = self._found.get(path), self._now[path]
        return find is not None and (find.size, find.mtime_ns) == (record.size, record.mtime_ns)

    def note(self, record: FileRecord) -> None:
        """Take what this run found out about a file."""
        old = self._now.get(record.path)
        if old is not None and old.doc is not None:
            self._holders[old.doc].discard(record.path)
        self._now[record.path] = record
        if record.doc is not None:
            self._holders.setdefault(record.doc, set()).add(record.path)
