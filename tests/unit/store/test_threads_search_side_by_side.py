"""Threads search one open library side by side, also while one of them writes and folds: each finds all that was there."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from conformance.conftest import EMBEDDER
from conformance.small_shelf import document, entry
from deref.ports import Entry
from deref.store.library import LibraryStore, open_library
from deref.store.passages import ChunkIndex
from deref.store.read_library import ReadLibrary
from deref.store.reading import CATALOGUE, CHUNKS, SqliteReader
from deref.values import EVERYTHING, Hit

ROUNDS = 6
"""Searches of each thread, at least."""

PAPERS = 12
"""Papers that are there when a search ends, at least."""

MOST = 999
"""Passages asked for: more than are written meanwhile."""


def opened(folder: Path) -> LibraryStore:
    return open_library(folder, fingerprint="f1", model=EMBEDDER.identity)


def paper(n: int) -> Entry:
    return entry(document(f"{n}.md", f"Paper {n} tells of barley.\n\nNumber {n}, of barley too.\n"))


class Meeting(ChunkIndex):
    """An index in which each search waits until another one is under way too."""

    met = threading.Barrier(2)

    def search(self, *args: Any, **named: Any) -> list[Hit]:
        self.met.wait(timeout=60)
        return super().search(*args, **named)

    def rank(self, *args: Any, **named: Any) -> Sequence[tuple[str, float]]:
        self.met.wait(timeout=60)
        return super().rank(*args, **named)


def test_a_search_does_not_keep_another_one_out(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as store:
        store.put_all([paper(n) for n in range(3)])
    reading = ReadLibrary(
        tmp_path, reader=SqliteReader(tmp_path / CATALOGUE), index=Meeting(tmp_path / CHUNKS)
    )
    with closing(reading), ThreadPoolExecutor(2) as threads:
        ranked = threads.submit(reading.rank_lexical, "barley", 9, EVERYTHING)
        found = threads.submit(reading.lexical, "barley", 9, EVERYTHING)
        assert [one for one, _ in ranked.result()] == [hit.chunk.id for hit in found.result()] != []


def test_what_was_there_when_a_search_began_is_found_while_another_thread_writes(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as store:
        store.put_all([paper(0)])
        store.vectors(store.missing_vectors(9), EMBEDDER)
        asked, there, stopped = EMBEDDER.query("barley"), [1], threading.Event()
        wrong: list[set[str]] = []

        def search() -> None:
            rounds = 0
            while (rounds < ROUNDS or there[0] < PAPERS) and not stopped.is_set():
                before, rounds = there[0], rounds + 1
                ids = [one for one, _ in store.rank_lexical("barley", MOST, EVERYTHING)]
                ranked = {chunk.lines.doc for chunk in store.passages(ids, EVERYTHING).values()}
                found = {hit.chunk.lines.doc for hit in store.lexical("barley", MOST, EVERYTHING)}
                near = {hit.chunk.lines.doc for hit in store.dense(asked, MOST, EVERYTHING)}
                wrong.extend(kind for kind in (ranked, found, near) if len(kind) < before)

        with ThreadPoolExecutor(2) as threads:
            searching = [threads.submit(search) for _ in range(2)]
            try:
                while not all(
                    one.done() for one in searching
                ):  # However slow the machine, searches meet writes.
                    n = there[0]
                    store.put_all([paper(n)])
                    store.vectors(store.missing_vectors(9), EMBEDDER)
                    there[0] = n + 1
                    if n % 3 == 0:
                        store.fold()
            finally:
                stopped.set()
            for one in searching:
                one.result()
        assert wrong == []
