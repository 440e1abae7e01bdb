"""Whether anything changed at all, and the report when nothing did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from deref.ingest.home import at_home
from deref.ingest.ledger import Ledger
from deref.ingest.walk import walk
from deref.ports import Store
from deref.trace.events import FileRead
from deref.values import EVERYTHING


class Report(NamedTuple):
    """What became of each file, in the order in which it was dealt with, and the paths passed over for their ending."""

    files: tuple[FileRead, ...]
    skipped: tuple[str, ...]


def settled_report(
    root: Path, store: Store, *, suffixes: frozenset[str], emit: Callable[[FileRead], None]
) -> Report | None:
    """Return what `ingest` would report when no file has to be read or forgotten, else None, with nothing emitted.

    Files that failed before and have not changed are in the report with their error.
    Raises NoSuchSource when there is nothing at `root`, LibraryMismatch when the store is the library of another folder
    or file.
    """
    walked = walk(root, suffixes=suffixes)
    if not at_home(root, store):
        return None
    ledger = Ledger(store.files(EVERYTHING), walked.found)
    if ledger.gone() or not all(ledger.settled(find, password=False) for find in walked.found):
        return None
    rows: list[FileRead] = []
    for n, find in enumerate(walked.found, start=1):
        record = ledger.before(find.path)
        error = record.error if record else None
        row = FileRead(
            path=find.path,
            outcome="failed" if error else "unchanged",
            done=n,
            total=len(walked.found),
            seconds=0.0,
            error=error,
        )
        rows.append(row)
        emit(row)
    return Report(files=tuple(rows), skipped=walked.skipped)
