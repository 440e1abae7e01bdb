"""What people said of documents outlives a library that is built anew: it waits in a file until the new one has it.

However the rebuild ends (a database that cannot be reached, a full disk, a process that is killed), the next opening finds the file.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deref.errors import LibraryDamaged
from deref.store import statements
from deref.store.opening import there
from deref.store.reading import CATALOGUE, MARKS, PLACE, ROOM, Reader, SqliteReader

if TYPE_CHECKING:
    from deref.ports import Store
    from deref.values.standing import StatusMark


def set_marks_aside(folder: Path) -> None:
    """Write the marks of a library that is about to be removed into a file beside it; none where there are none, or it is damaged.

    Raises LibraryError when it cannot be told whether there are any, or they cannot be written.
    """
    marks = {mark.doc: mark for mark in (*_waiting(folder), *_kept(folder))}
    if not marks:
        return
    unfinished = folder / f"{MARKS}.new"
    try:
        unfinished.write_text(json.dumps([asdict(mark) for mark in marks.values()], indent=1) + "\n", "utf-8")
        unfinished.replace(folder / MARKS)
    except OSError as error:
        raise LibraryDamaged(f"{folder}: its marks cannot be set aside ({error.strerror}); {ROOM}") from error


def bring_marks_back(folder: Path, store: Store) -> None:
    """Give the marks that wait to the library of a folder. Raises LibraryDamaged for a file that cannot be read, LibraryBusy."""
    if marks := _waiting(folder):
        store.mark(marks)
        (folder / MARKS).unlink(missing_ok=True)


def _waiting(folder: Path) -> Sequence[StatusMark]:
    try:
        rows: list[dict[str, Any]] = json.loads((folder / MARKS).read_text("utf-8"))
        from deref.values.standing import DocumentStatus, StatusMark

        return [StatusMark(**{**row, "status": DocumentStatus(row["status"])}) for row in rows]
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LibraryDamaged(
            f"{folder / MARKS}: the marks that wait there cannot be read ({error}); mend the file, or remove it and mark "
            "anew with: deref status PATH --mark FILE STATUS"
        ) from error


def _kept(folder: Path) -> Sequence[StatusMark]:
    from deref.store.standing import marks_of

    try:
        with _reading(folder) as reader:
            return () if reader is None else marks_of(reader.rows(statements.MARKS))
    except LibraryDamaged:
        # Building anew is what mends a damaged catalogue, and what one of an older layout is given: it has no marks.
        return ()


@contextlib.contextmanager
def _reading(folder: Path) -> Iterator[Reader | None]:
    if (folder / PLACE).exists():
        from deref.store.postgres.opening import reading_everything

        with reading_everything(folder) as reader:
            yield reader
    elif there(folder / CATALOGUE):
        with contextlib.closing(SqliteReader(folder / CATALOGUE)) as file:
            yield file
    else:
        yield None
