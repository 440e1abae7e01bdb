"""The libraries of a run: each with its documents read, its passages given vectors, and opened to be asked; and names for its rows.

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
from dataclasses import dataclass
from pathlib import Path

from deref.engine import Engine, open_engine
from deref.evaluate.gold import GoldRow
from deref.evaluate.retrieval.arms import Arm
from deref.evaluate.retrieval.corpora import Corpus
from deref.settings import Settings
from deref.trace.events import FileRead, VectorsComputed
from deref.trace.sinks import Sink

Progress = Callable[[str, int, int, str], None]
"""What is told meanwhile: words for what is done, how much of it is done, of how much, and what is at hand."""

UNMEASURED = "What is this about?"
"""A question that nobody measures, to be asked first: it pays for loading the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFacts:
    """What was asked over. `failed` are the files that could not be read; `vectors` (present, of) by arm, as they are read."""

    name: str
    digest: str
    documents: int
    passages: int
    rows: int
    failed: tuple[str, ...]
    vectors: dict[str, tuple[int, int]]


class CorpusLibraries:
    """The libraries of one corpus, one for each set of settings that changes stored bytes."""

    def __init__(self, corpus: Corpus, place: Path, *, lazy: bool, step: Progress) -> None:
        """Take the corpus, the folder in which the libraries of all are kept, and who hears how far things are."""
        self._corpus = corpus
        self._folder = place / f"{corpus.name.replace(' ', '-')}-{short_digest(str(corpus.folder))[:6]}"
        self._root = corpus.root(self._folder)
        self._lazy = lazy
        self._step = step
        self._failed: tuple[str, ...] = ()
        self._vectors: dict[str, tuple[int, int]] = {}

    @contextmanager
    def read(self, arm: Arm) -> Iterator[Engine]:
        """Yield the engine of an arm, its documents read, and its passages given vectors unless it is lazy."""
        with open_engine(self._library(arm.settings), settings=arm.settings) as engine:
            emit = _told(self._step, f"{self._corpus.name}, {arm.name}")
            rows = engine.index(self._root, emit=emit)
            self._failed = tuple(r.path for r in rows if r.outcome == "failed")
            if not self._lazy:
                engine.embed(emit=emit)
            progress = engine.progress()
            self._vectors[arm.name] = (progress.embedded, progress.chunks)
            yield engine

    @contextmanager
    def asked(self, arm: Arm) -> Iterator[Engine]:
        """Yield an engine of an arm that remembers no question; when lazy, over a copy that is thrown away."""
        with self._to_ask(arm.settings) as library, open_engine(library, settings=arm.settings) as engine:
            yield engine

    def must_work(self, arms: Sequence[Arm]) -> None:
        """Ask a question of each arm, before those that count: one that cannot work is told before the others took their time.

        Raises what asking raises.
        """
        for arm in arms:
            with self.read(arm):
                pass
            with self.asked(arm) as engine:
                engine.search(UNMEASURED)

    def facts(self, engine: Engine, rows: int) -> CorpusFacts:
        """Return what the engine, which `read` gave last, is asked over, and by how many rows."""
        cards = engine.shelf().cards()
        return CorpusFacts(
            name=self._corpus.name,
            digest=short_digest("\n".join(f"{card.name}\t{card.id}" for card in cards)),
            documents=len(cards),
            passages=engine.progress().chunks,
            rows=rows,
            failed=self._failed,
            vectors=self._vectors,
        )

    def _library(self, settings: Settings) -> Path:
        return self._folder / (settings.stored_fingerprint + ("-without-vectors" if self._lazy else ""))

    @contextmanager
    def _to_ask(self, settings: Settings) -> Iterator[Path]:
        library = self._library(settings)
        if not self._lazy:
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


def _told(step: Progress, detail: str) -> Sink:
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
