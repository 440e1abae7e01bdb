"""The libraries of a run: where each is kept, its documents read, its passages given vectors; and names for its rows.

A library is the same for all arms that may share it, so that a difference between them is not one of what is stored. With
`lazy` no vectors are computed first, and each arm asks a copy of its own, which is thrown away: what one arm had embedded
would help the next.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deref.evaluate.gold import GoldRow
from deref.evaluate.retrieval.corpora import Corpus
from deref.settings import Settings
from deref.trace.events import FileRead, VectorsComputed
from deref.trace.sinks import Sink

Progress = Callable[[str, int, int, str], None]
"""What is told meanwhile: words for what is done, how much of it is done, of how much, and what is at hand."""


def folder_of(corpus: Corpus, place: Path) -> Path:
    """Return the folder in which the libraries of a corpus are kept."""
    return place / f"{corpus.name.replace(' ', '-')}-{short_digest(str(corpus.folder))[:6]}"


def library_of(folder: Path, settings: Settings, *, lazy: bool) -> Path:
    """Return the library of a corpus that settings like these may share."""
    return folder / (settings.stored_fingerprint + ("-without-vectors" if lazy else ""))


@contextmanager
def asked_library(library: Path, *, lazy: bool) -> Iterator[Path]:
    """Yield the library to ask: with `lazy` a copy that is thrown away afterwards."""
    if not lazy:
        yield library
        return
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        yield Path(shutil.copytree(library, Path(folder) / "library"))


def short_digest(text: str) -> str:
    """Return 12 hex digits that stand for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def keys_of(rows: Sequence[GoldRow]) -> dict[int, str]:
    """Return a name for each row, by identity: its id, with its file and line where that is not its own."""
    times = Counter(row.id for row in rows)
    return {id(r): f"{r.file.stem}:{r.line}:{r.id}" if times[r.id] > 1 else r.id for r in rows}


def told(step: Progress, detail: str) -> Sink:
    """Return a sink that tells how far reading and vectors are."""

    def emit(event: object) -> None:
        match event:
            case FileRead(done=done, total=total, path=path):
                step(f"Reading, {detail}", done, total, path)
            case VectorsComputed(done=done, total=total):
                step(f"Vectors, {detail}", done, total, "")
            case _:
                pass

    return emit
