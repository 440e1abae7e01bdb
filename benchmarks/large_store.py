"""A large library, made of numbers drawn at random: `python -m benchmarks.large_store [--chunks 50000]`.

Prints seconds to write, to fold, and the milliseconds of a full-text and of a vector search, first and warm; beside
them the bare matrix product over the same vectors in memory. The figures of `docs/decisions/0003` come from here.
"""

from __future__ import annotations

import hashlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.command_line import command_line, run, some
from deref.models.hashing import HashingEmbedder
from deref.ports import Entry, FileRecord
from deref.store.library import open_library
from deref.values import EVERYTHING, Chunk, Document, Line, Span

WORDS = [f"w{n}" for n in range(20_000)]


def entry(number: int, chunks: int, draw: random.Random) -> Entry:
    doc = hashlib.sha256(str(number).encode()).hexdigest()[:32]
    texts = [" ".join(draw.choices(WORDS, k=120)) for _ in range(chunks)]
    lines = tuple(Line(doc=doc, n=n, page=1, row=n + 1, text=t) for n, t in enumerate(texts))
    document = Document(
        id=doc, name=f"{number}.txt", title=f"Document {number}", aliases=(), lines=lines, sections=(), items=(),
        links=(), fingerprint="bench",
    )  # fmt: skip
    made = [
        Chunk(
            id=f"{doc[:16]}:{n}-{n + 1}",
            lines=Span(doc=doc, start=n, end=n + 1),
            section=None,
            text=t,
            tokens=120,
        )
        for n, t in enumerate(texts)
    ]
    return Entry(
        document=document,
        chunks=made,
        references=(),
        file=FileRecord(path=f"{number}.txt", size=1, mtime_ns=1, doc=doc),
    )


def milliseconds(action: Callable[[int], object], runs: int = 10) -> tuple[float, float]:
    taken = []
    for n in range(runs + 1):
        begun = time.perf_counter()
        action(n)
        taken.append((time.perf_counter() - begun) * 1000)
    return taken[0], statistics.median(taken[1:])


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--chunks", type=some, default=50_000)
    total = parser.parse_args().chunks
    draw = random.Random(7)
    embedder = HashingEmbedder(384)
    with tempfile.TemporaryDirectory() as place:
        store = open_library(Path(place), fingerprint="bench", model=embedder.identity)
        begun = time.perf_counter()
        for first in range(0, total // 100, 20):
            store.put_all([entry(n, 100, draw) for n in range(first, min(first + 20, total // 100))])
        wrote = time.perf_counter() - begun
        begun = time.perf_counter()
        store.fold()
        folded = time.perf_counter() - begun
        while chunks := store.missing_vectors(2000):
            store.vectors(chunks, embedder)
        store.close()
        store = open_library(Path(place), fingerprint="bench", model=embedder.identity)
        questions = [" ".join(draw.choices(WORDS, k=8)) for _ in range(11)]
        lexical = milliseconds(lambda n: store.lexical(questions[n], 60, EVERYTHING))
        vectors = [embedder.query(q) for q in questions]
        dense = milliseconds(lambda n: store.dense(vectors[n], 60, EVERYTHING))
        matrix = np.random.default_rng(7).standard_normal((total, 384), dtype=np.float32)
        bare = milliseconds(lambda n: np.argpartition(matrix @ vectors[n], -60)[-60:])
        store.close()
    print(f"{total:,} passages: write {wrote:.1f} s, fold {folded:.1f} s")
    print(f"full text   first {lexical[0]:.0f} ms, warm {lexical[1]:.1f} ms")
    print(
        f"vectors     first {dense[0]:.0f} ms, warm {dense[1]:.1f} ms   bare product in memory {bare[1]:.1f} ms"
    )


if __name__ == "__main__":
    run(main)
