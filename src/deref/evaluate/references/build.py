"""Bytes → documents, through the same steps as an indexing run: parse, structure, find. Nothing is stored.

Read in two processes when there is enough to read for them to pay. CPU seconds are those of all processes.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from deref.errors import DamagedFile
from deref.evaluate.references.labelled import LabelledSet
from deref.ingest.lanes import Job, read_here, read_in_lanes
from deref.ingest.read import Steps, document_id
from deref.parse import parse
from deref.references import find
from deref.structure import build_document
from deref.values import Chunk, Document, Reference

_WORTH_LANES_BYTES = 3_000_000

Progress = Callable[[str, int, int, str], None]
"""What is told meanwhile: words for what is done, how much of it is done, of how much, and the file at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The documents of a set by file name, what was found in each, and what building took."""

    documents: dict[str, Document]
    found: dict[str, tuple[Reference, ...]]
    cpu_s: float
    read_bytes: int


def build(labelled: LabelledSet, progress: Progress) -> Built:
    """Build the documents of a set. Raises DamagedFile for a document that cannot be read."""
    steps = Steps(
        parse=parse,
        structure=partial(build_document, fingerprint="evaluation"),
        find=find,
        chunk=_no_passages,
    )
    jobs = [Job(path=s.name, doc=_identity(s.name, s.data), data=s.data) for s in labelled.sources]
    size = sum(len(s.data) for s in labelled.sources)
    lanes = min(2, os.cpu_count() or 1, len(jobs)) if size > _WORTH_LANES_BYTES else 1
    begun = _cpu_seconds()
    documents: dict[str, Document] = {}
    found: dict[str, tuple[Reference, ...]] = {}
    results = (
        read_in_lanes(jobs, password=None, steps=steps, lanes=lanes)
        if lanes > 1
        else read_here(jobs, password=None, steps=steps)
    )
    for n, (job, read) in enumerate(results, start=1):
        if read.document is None:
            raise DamagedFile(f"{labelled.name}: {read.error}")
        documents[job.path] = read.document
        found[job.path] = read.references
        progress(f"Reading {labelled.name}", n, len(jobs), job.path)
    return Built(documents=documents, found=found, cpu_s=_cpu_seconds() - begun, read_bytes=size)


def _identity(name: str, data: bytes) -> str:
    # Two files of one content are two documents here: the labels name files.
    return document_id(name.encode("utf-8", "surrogatepass") + b"\0" + data)


def _no_passages(_document: Document) -> Sequence[Chunk]:
    return ()


def _cpu_seconds() -> float:
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
