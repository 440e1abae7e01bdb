"""One shelf with its catalogue in a file and in PostgreSQL: `python -m benchmarks.team_library --database postgresql://…`.

The shelf is that of `large_shelf`, each deal a collection; both libraries are read by the ordinary pipeline and have vectors of
384 numbers by the hashing embedder. Each question is asked of both by turns, in one process: by one who sees every collection,
and by one who sees every second. Printed are milliseconds, processor time of this process and wall (which holds the work of
the database), of `Engine.search`, of a look-up of a name before and after names are in memory, of a statement, and of the first question of a
caller; and of how many questions both libraries give the same candidates in the same order. The role of the address must be an
ordinary one that may create schemas, and the schema is dropped at the end. Exit code 1 when some candidates differ.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import TypeVar

from benchmarks.command_line import command_line, run, some
from benchmarks.large_recipe import DIMENSIONS, Took
from benchmarks.large_shelf import LargeShelf
from deref.engine import Engine
from deref.models.hashing import HashingEmbedder
from deref.settings import settings_of
from deref.store.library import open_library
from deref.store.opening import remove_library
from deref.values import EVERYTHING, Scope

FILE, POSTGRESQL = "file", "postgresql"
WARMING = 10

T = TypeVar("T")


def timed(action: Callable[[], T]) -> tuple[T, Took]:
    """Run something once; return what it gives, and milliseconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    found = action()
    return found, Took(1000 * (time.process_time() - cpu), 1000 * (time.perf_counter() - wall))


def opened(folder: Path, database: str) -> Engine:
    """Open the library in a folder; `database` is "" for a file."""
    embedder = HashingEmbedder(DIMENSIONS)
    settings = settings_of({"models": {"background": False}, "index": {"collections": "folders"}})
    store = open_library(
        folder, fingerprint=settings.stored_fingerprint, model=embedder.identity, database=database
    )
    return Engine(store=store, settings=settings, embedder=lambda: embedder)


def built(engine: Engine, name: str, documents: Path) -> None:
    """Read the documents, and print what it took."""
    _, reading = timed(lambda: engine.index(documents))

    def embed() -> None:
        while chunks := engine.store.missing_vectors(5000):
            engine.store.vectors(chunks, HashingEmbedder(DIMENSIONS))

    _, embedding = timed(embed)
    print(
        f"{name:<11} read in {reading.wall / 1000:.1f} s, vectors in {embedding.wall / 1000:.1f} s; {engine.progress().chunks:,} passages"
    )


def asked(engines: dict[str, Engine], questions: list[str], scopes: dict[str, Scope]) -> bool:
    """Ask every question of both by turns, print what it took; return whether all candidates are the same."""
    taken: dict[tuple[str, str], list[Took]] = defaultdict(list)
    same = {who: 0 for who in scopes}
    for n, question in enumerate(questions):
        for who, scope in scopes.items():
            found = {}
            for name in sorted(engines, reverse=bool(n % 2)):
                embedder = engines[name].embedder
                assert embedder is not None
                embedder.query(question)
                candidates, took = timed(partial(engines[name].search, question, scope=scope))
                found[name] = [candidate.chunk.id for candidate in candidates]
                taken[name, f"first question, {who}" if n == 0 else f"search, {who}"].append(took)
            same[who] += found[FILE] == found[POSTGRESQL]
    looks = {"name in the database": 3, "name in memory": 6}
    phrases = [card.title for card in engines[FILE].shelf().cards()[: WARMING * 2]]
    for what, until in looks.items():
        for name, engine in engines.items():
            for phrase in phrases:
                engine.store.mark([])  # A change, after which names are looked up in the database again.
                for _ in range(until - 1):
                    engine.store.titles(phrase, 10, EVERYTHING)
                took = timed(partial(engine.store.titles, phrase, 10, EVERYTHING))[1]
                taken[name, what].append(took)
    for name, engine in engines.items():
        for _ in range(20 * WARMING):
            taken[name, "a statement"].append(timed(engine.store.home)[1])
    print("milliseconds                        CPU median   mean   wall median   mean")
    for (name, what), every in sorted(taken.items(), key=lambda one: one[0][::-1]):
        kept = every if len(every) <= 2 * WARMING else every[WARMING:]
        cpu, wall = [t.cpu for t in kept], [t.wall for t in kept]
        print(
            f"{what:<24} {name:<11} {median(cpu):9.1f} {mean(cpu):6.1f} {median(wall):13.1f} {mean(wall):6.1f}"
        )
    for who, count in same.items():
        print(f"the same candidates, {who}: {count} of {len(questions)} questions")
    return all(count == len(questions) for count in same.values())


def main() -> int:
    """Run the benchmark; return its exit code."""
    parser = command_line(__doc__)
    parser.add_argument("--database", required=True, help="postgresql://ROLE@HOST/DATABASE")
    parser.add_argument(
        "--deals", type=some, default=200, help="five papers each, some twenty passages a paper"
    )
    parser.add_argument("--questions", type=some, default=60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        shelf = LargeShelf()
        shelf.write(place / "documents", arguments.deals)
        questions = [q.text for q in shelf.questions(WARMING + arguments.questions)]
        try:
            with (
                opened(place / FILE, "") as file,
                opened(place / POSTGRESQL, arguments.database) as postgresql,
            ):
                engines = {FILE: file, POSTGRESQL: postgresql}
                for name, engine in engines.items():
                    built(engine, name, place / "documents")
                collections = sorted(set(file.store.collections(EVERYTHING).values()))
                half = Scope(collections=frozenset(collections[::2]))
                same = asked(engines, questions, {"sees all": EVERYTHING, "sees half": half})
        finally:
            remove_library(place / POSTGRESQL)
    return 0 if same else 1


if __name__ == "__main__":
    run(main)
