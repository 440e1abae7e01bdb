"""Bring a library up to date with a file or folder.

1. Walk. A file whose size and time are those on record is not read, unless something was done to it after it was read
   or so shortly before that a later write may carry the same time, or the record is an error that may have passed.
2. What is left is read and hashed. The hash is the identity of the document. Known bytes at the same path are
   unchanged; at another path they are a copy, or, when no file that held them is left, the same document renamed
   (read again, for its name is part of its aliases; its vectors are kept). So is a copy when the file is gone that
   its document was named by.
3. New bytes are parsed, here or in worker processes, and written in small batches, each visible at once.
4. Files that are gone are forgotten. What is under a folder that cannot be listed is not gone.

A file that fails is a row in the report with its reason, and the rest goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from deref.errors import LibraryError
from deref.ingest.collections import CollectionOf, one_collection
from deref.ingest.home import move_in
from deref.ingest.lanes import Job, read_here, read_in_lanes
from deref.ingest.ledger import Ledger
from deref.ingest.read import Read, Steps, Structure, document_id
from deref.ingest.settled import Report
from deref.ingest.walk import Found, walk
from deref.ports import Clock, Entry, FileRecord, Parser, Store
from deref.trace.events import FileRead
from deref.values import EVERYTHING, Chunk, Document, Reference

_BATCH_FILES, _BATCH_SECONDS = 32, 1.0
_WORKERS_PAY_BYTES, _WORKERS_PAY_FILES = 3_000_000, 60


def ingest(
    root: Path,
    store: Store,
    *,
    parse: Parser,
    structure: Structure,
    find: Callable[[Document], Sequence[Reference]],
    chunk: Callable[[Document], Sequence[Chunk]],
    suffixes: frozenset[str],
    emit: Callable[[FileRead], None],
    password: str | None = None,
    max_bytes: int = 512 * 2**20,
    jobs: int = 1,
    force: bool = False,
    clock: Clock = time.time,
    collection_of: CollectionOf = one_collection,
) -> Report:
    """Bring the store up to date with a file or folder, and return what became of each file.

    The four steps are functions; with `jobs` above 1 they must be picklable, for then a large batch is read in that
    many processes. `suffixes` are the endings taken up from a folder; `password` opens encrypted files; a file over
    `max_bytes` fails; `force` reads every file again; `collection_of` tells by the path which collection a file belongs to.
    `emit` gets each row when it is true of the store.
    Raises NoSuchSource when there is nothing at `root`, LibraryMismatch when the store is the library of another folder
    or file, and what the store raises.
    """
    steps = Steps(parse=parse, structure=structure, find=find, chunk=chunk)
    # On record before the walk: what another process adds meanwhile has not been met, and is not gone.
    known = store.files(EVERYTHING)
    walked = walk(root, suffixes=suffixes)
    move_in(root, store)
    names = {card.id: card.name for card in store.shelf(EVERYTHING).cards()}
    ledger = Ledger(known, walked.found, names)
    run = _Run(
        store=store, ledger=ledger, emit=emit, clock=clock, password=password, max_bytes=max_bytes,
        force=force, total=len(walked.found) + len(ledger.gone()), at_ns=int(clock() * 1e9),
        collection_of=collection_of,
    )  # fmt: skip
    for job, read in _results(run, walked.found, steps, jobs):
        run.take(job, read)
    for job in run.twins_of_failures():
        for _, read in _one_result(job, password, steps, jobs):
            run.take(job, read)
    run.flush()
    run.settle_twins()
    run.forget(ledger.gone())
    run.remember()
    if run.changed:
        store.fold()
    return Report(files=tuple(run.rows), skipped=walked.skipped)


def _results(run: _Run, found: Sequence[Found], steps: Steps, jobs: int) -> Iterator[tuple[Job, Read]]:
    fresh = [find for find in found if not run.settled(find)]
    heavy = len(fresh) >= _WORKERS_PAY_FILES or sum(find.size for find in fresh) >= _WORKERS_PAY_BYTES
    todo = run.jobs(found)
    if jobs > 1 and heavy and len(fresh) > 1:
        return read_in_lanes(todo, password=run.password, steps=steps, lanes=jobs)
    return read_here(todo, password=run.password, steps=steps)


def _one_result(job: Job, password: str | None, steps: Steps, jobs: int) -> Iterator[tuple[Job, Read]]:
    if jobs > 1:  # A worker process may have died of these very bytes.
        return read_in_lanes([job], password=password, steps=steps, lanes=1)
    return read_here([job], password=password, steps=steps)


@dataclass(slots=True, kw_only=True)
class _Work:
    """A file whose bytes are being read: what will be on record, and what it is to the library."""

    record: FileRecord
    outcome: str


@dataclass(slots=True, kw_only=True)
class _Run:
    """One run of `ingest`: where it is, and what waits to be written."""

    store: Store
    ledger: Ledger
    emit: Callable[[FileRead], None]
    clock: Clock
    password: str | None
    max_bytes: int
    force: bool
    total: int
    at_ns: int
    collection_of: CollectionOf
    changed: bool = False
    rows: list[FileRead] = field(default_factory=list)
    _begun: dict[str, float] = field(default_factory=dict)
    _work: dict[str, _Work] = field(default_factory=dict)
    _reading: dict[str, str] = field(default_factory=dict)
    _failed: dict[str, tuple[str, str]] = field(default_factory=dict)
    _twins: list[tuple[Found, FileRecord]] = field(default_factory=list)
    _notes: list[FileRecord] = field(default_factory=list)
    _unchanged: list[FileRecord] = field(default_factory=list)
    _batch: list[tuple[Entry, str]] = field(default_factory=list)
    _flushed: float = 0.0

    def settled(self, find: Found) -> bool:
        """Tell whether the file need not be read."""
        return not self.force and self.ledger.settled(find, password=self.password is not None)

    def jobs(self, found: Sequence[Found]) -> Iterator[Job]:
        """Yield what must be parsed; deal with everything else on the way."""
        for find in found:
            self._begun[find.path] = self.clock()
            before = self.ledger.before(find.path)
            if find.error is not None:
                self._fail(find.path, find.error)
            elif before is not None and self.settled(find):
                self._row(find.path, "failed" if before.error else "unchanged", error=before.error)
            else:
                job = self._opened(find)
                if job is not None:
                    yield job

    def _opened(self, find: Found) -> Job | None:
        if find.size > self.max_bytes:
            size, limit = find.size / 2**20, self.max_bytes / 2**20
            why = f"is {size:.1f} MB, over the limit of {limit:.1f}; raise read.max_file_mb"
            self._fail(find.path, f"{find.path}: {why}", find)
            return None
        seen_ns = self._now_ns()
        try:
            data = find.place.read_bytes()
        except OSError as error:
            self._fail(find.path, f"{find.path}: cannot be read ({error.strerror}); check its permissions")
            return None
        doc = document_id(data, self.collection_of(find.path))
        record = FileRecord(path=find.path, size=find.size, mtime_ns=find.mtime_ns, doc=doc, seen_ns=seen_ns)
        if doc in self._reading:
            self._twins.append((find, record))
            return None
        outcome = self.ledger.outcome(find.path, doc)
        self.ledger.note(record)
        if outcome == "copy" or (outcome == "unchanged" and not self.force):
            self._noted(record, outcome)
            return None
        self._reading[doc] = find.path
        self._work[find.path] = _Work(
            record=record, outcome="changed" if self.force and outcome == "unchanged" else outcome
        )
        return Job(path=find.path, doc=doc, data=data)

    def _now_ns(self) -> int:
        return int(self.clock() * 1e9)

    def take(self, job: Job, read: Read) -> None:
        """Take what became of the bytes of a job."""
        work = self._work.pop(job.path)
        if read.document is None:
            error = read.error or f"{job.path}: cannot be read"
            self._failed[job.doc] = job.path, error
            self._fail(job.path, error, work.record)
            return
        entry = Entry(
            document=read.document, chunks=read.chunks, references=read.references, file=work.record,
            collection=self.collection_of(job.path),
        )  # fmt: skip
        self._batch.append((entry, work.outcome))
        self.changed = True
        if len(self._batch) >= _BATCH_FILES or self.clock() - self._flushed > _BATCH_SECONDS:
            self.flush()

    def twins_of_failures(self) -> Iterator[Job]:
        """Yield, one after the other, the files with the bytes of one that failed and with another ending: read so, they may do.

        With the same ending they fail as that one did.
        """
        twins, self._twins = self._twins, []
        for find, record in twins:
            doc = record.doc or ""
            path, error = self._failed.get(doc, ("", ""))
            if doc not in self._failed:
                self._twins.append((find, record))
            elif find.place.suffix.lower() == PurePosixPath(path).suffix.lower():
                self._fail(find.path, error.replace(path, find.path, 1), record)
            else:
                del self._failed[doc], self._reading[doc]
                job = self._opened(find)
                if job is not None:
                    yield job

    def settle_twins(self) -> None:
        """Record as copies the files whose bytes another file of this run brought in."""
        for _, record in self._twins:
            before = self.ledger.before(record.path)
            self._noted(record, "unchanged" if before and before.doc == record.doc else "copy")
        self.flush()

    def forget(self, gone: Sequence[str]) -> None:
        """Forget files that are not there any more."""
        if gone:
            self.store.forget_files(gone, at_ns=self.at_ns)
            self.changed = True
        for path in gone:
            self._row(path, "removed")

    def remember(self) -> None:
        """Note when unchanged files were read, so that they need not be next time. A library that may only be read goes without."""
        with suppress(LibraryError):
            self.store.note_files(self._unchanged, at_ns=self.at_ns)

    def flush(self) -> None:
        """Write what waits. Copies first, for what is written next may drop the last other holder of their bytes."""
        notes, self._notes = self._notes, []
        self.store.note_files(notes, at_ns=self.at_ns)
        batch, self._batch = self._batch, []
        self.store.put_all([entry for entry, _ in batch], at_ns=self.at_ns)
        for entry, outcome in batch:
            problems = tuple(
                p.what if p.page is None else f"page {p.page}: {p.what}" for p in entry.document.problems
            )
            self._row(
                entry.file.path, outcome, pages=entry.document.pages, chunks=len(entry.chunks), problems=problems
            )  # fmt: skip
        self._flushed = self.clock()

    def _noted(self, record: FileRecord, outcome: str) -> None:
        (self._unchanged if outcome == "unchanged" else self._notes).append(record)
        self.changed = self.changed or outcome == "copy"
        self._row(record.path, outcome)

    def _fail(self, path: str, error: str, seen: Found | FileRecord | None = None) -> None:
        """Record a failure, with the size and time that were seen, so that the same bytes are not read again.

        Without them each run tries anew: no time of the file will tell when its permissions are mended.
        """
        record = FileRecord(
            path=path, size=seen.size if seen else 0, mtime_ns=seen.mtime_ns if seen else 0, doc=None,
            error=error, seen_ns=self._now_ns(),
        )  # fmt: skip
        before = self.ledger.before(path)
        if before is None or replace(before, seen_ns=0) != replace(record, seen_ns=0):
            self._notes.append(record)
        elif seen:
            self._unchanged.append(record)
        self.changed = self.changed or (before is not None and before.doc is not None)
        self.ledger.note(record)
        self._row(path, "failed", error=error)

    def _row(
        self,
        path: str,
        outcome: str,
        *,
        pages: int = 0,
        chunks: int = 0,
        problems: tuple[str, ...] = (),
        error: str | None = None,
    ) -> None:
        now = self.clock()
        row = FileRead(
            path=path, outcome=outcome, done=len(self.rows) + 1, total=self.total,
            seconds=max(0.0, now - self._begun.pop(path, now)), pages=pages, chunks=chunks,
            problems=problems, error=error,
        )  # fmt: skip
        self.rows.append(row)
        self.emit(row)
