"""The whole recipe beside the bare hybrid search, on a large shelf: `python -m benchmarks.large_recipe [--deals 1000]`.

The shelf is written by `large_shelf` (1,000 deals: 5,000 papers, some 100,000 passages), read by the ordinary pipeline, and
given vectors of 384 numbers by the hashing embedder. *Bare* is what the store does alone: the best 60 by words, the best 60
by vectors, and the two lists fused; *whole* is `Engine.search` with the default recipe, hop included. Both run in one
process, each question once in each, and which of them goes first alternates; other questions have warmed the process.
Each is then asked again in each, with what it read still at hand.
The question's own vector is made before the clock starts, so it counts on neither side. Milliseconds, processor time of
all threads and wall. `--library DIR` keeps shelf and library for the next run; exit code 1 when whole takes more than
1.25 times bare, by the mean over all questions, asked for the first time.

`--filters` asks one question under each of some filters instead, each in a library opened anew and warmed by questions
without one, and a second question under the same filter.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from benchmarks.command_line import command_line, run, some
from benchmarks.large_shelf import LargeShelf, Question
from deref.engine import Engine
from deref.models.hashing import HashingEmbedder
from deref.ports import Store
from deref.retrieve.fuse import fuse
from deref.settings import Settings, settings_of
from deref.store.library import open_library
from deref.trace.events import Event, StageRan
from deref.values import EVERYTHING

DIMENSIONS = 384
TARGET = 1.25
_WARMING = 30
FILTERS = (
    *("page:1", "page:2-9 AND NOT kind:table", "kind:table", 'section:"*Fees*"', 'NOT section:"*Term*"'),
    *("document:*lease*",),
)


class Took(NamedTuple):
    """Milliseconds: processor time of all threads, and wall."""

    cpu: float
    wall: float


class Stopwatch:
    """The engine's clock, which keeps the processor time beside it: a stage reads it when it begins and when it ends."""

    def __init__(self) -> None:
        self._read: list[tuple[float, float]] = []

    def __call__(self) -> float:
        """Return wall seconds."""
        self._read.append((time.process_time(), time.perf_counter()))
        return self._read[-1][1]

    def last(self) -> Took:
        """Return what lies between the last two readings."""
        (cpu, wall), (cpu_then, wall_then) = self._read[-2:]
        self._read.clear()
        return Took(1000 * (cpu_then - cpu), 1000 * (wall_then - wall))


def took(action: Callable[[], object]) -> Took:
    """Run something once."""
    watch = Stopwatch()
    watch()
    action()
    watch()
    return watch.last()


class Measured:
    """What each part took, question by question."""

    def __init__(self) -> None:
        self.parts: dict[str, list[Took]] = defaultdict(list)

    def bare(self, store: Store, embedder: HashingEmbedder, question: str, pool: int) -> None:
        """Ask the store alone."""
        vector = embedder.query(question)
        found = {}

        def lexical() -> None:
            found["lexical"] = store.lexical(question, pool, EVERYTHING)

        def dense() -> None:
            found["dense"] = store.dense(vector, pool, EVERYTHING)

        parts = [("lexical", lexical), ("dense", dense), ("fuse", lambda: fuse(found))]
        every = []
        for name, part in parts:
            every.append(took(part))
            self.parts[f"bare: {name}"].append(every[-1])
        self.parts["bare"].append(Took(sum(t.cpu for t in every), sum(t.wall for t in every)))

    def whole(self, engine: Engine, watch: Stopwatch, question: str) -> None:
        """Ask the engine."""
        assert engine.embedder is not None
        engine.embedder.query(question)

        def heard(event: Event) -> None:
            if isinstance(event, StageRan):
                self.parts[f"stage: {event.stage}"].append(watch.last())

        self.parts["whole"].append(took(lambda: engine.search(question, emit=heard)))


def opened(place: Path, watch: Stopwatch, *, pack: bool = True) -> Engine:
    """Open the library with vectors of `DIMENSIONS` numbers; `pack` is the setting `retrieve.pack`."""
    embedder = HashingEmbedder(DIMENSIONS)
    settings = settings_of({"models": {"background": False}, "retrieve": {"pack": pack}})
    store = open_library(place, fingerprint=settings.stored_fingerprint, model=embedder.identity)
    return Engine(store=store, settings=settings, embedder=lambda: embedder, clock=watch)


def built(place: Path, deals: int, watch: Stopwatch) -> LargeShelf:
    """Write the shelf and bring the library up to date with it; return the shelf."""
    shelf, documents = LargeShelf(), place / "documents"
    shelf.write(documents, deals)
    with opened(place / "library", watch) as engine:
        begun = time.perf_counter()
        engine.index(documents)
        read = time.perf_counter() - begun
        while chunks := engine.store.missing_vectors(5000):
            engine.store.vectors(chunks, HashingEmbedder(DIMENSIONS))
        print(f"read and stored in {read:.0f} s, vectors in {time.perf_counter() - begun - read:.0f} s")
    return shelf


def measured(
    place: Path, questions: Sequence[Question], watch: Stopwatch, *, pack: bool = True
) -> tuple[Measured, Measured]:
    """Ask every question both ways, and at once both ways again; the first questions only warm the process."""
    found, again, embedder = Measured(), Measured(), HashingEmbedder(DIMENSIONS)
    with opened(place / "library", watch, pack=pack) as engine:
        state = engine.progress()
        print(
            f"{len(engine.shelf().cards()):,} documents, {state.chunks:,} passages, {state.embedded:,} vectors"
        )
        for n, question in enumerate(questions):
            if n == _WARMING:
                found.parts.clear()
                again.parts.clear()
            for now in (found, again):
                for bare in (True, False) if n % 2 else (False, True):
                    if bare:
                        now.bare(engine.store, embedder, question.text, Settings().retrieve.pool)
                    else:
                        now.whole(engine, watch, question.text)
    return found, again


def filtered(place: Path, watch: Stopwatch) -> None:
    """Print what a question takes under each filter, the first time and again."""
    warming = "what is due under the lease agreement"
    for where in FILTERS:
        with opened(place / "library", watch) as engine:
            for _ in range(4):
                engine.search(warming)
            first = took(partial(engine.search, warming, where=where))
            again = took(partial(engine.search, "when does notice end", where=where))
        print(f"{where:<30} CPU ms: first {first.cpu:.0f}, again {again.cpu:.0f}")


def report(found: Measured, kinds: Sequence[str]) -> bool:
    """Print the figures; return whether the target is met."""
    print(f"{len(kinds)} questions; milliseconds      CPU median    p95   mean   wall median    p95   mean")
    for name, taken in found.parts.items():
        columns = [sorted(t.cpu for t in taken), sorted(t.wall for t in taken)]
        told = [f"{median(c):11.1f} {c[int(0.95 * (len(c) - 1))]:7.1f} {mean(c):6.1f}  " for c in columns]
        print(f"{name:<30} {''.join(told)}")
    met = True
    bare, whole = found.parts["bare"], found.parts["whole"]
    for kind in ("all", *dict.fromkeys(kinds)):
        of = [n for n, other in enumerate(kinds) if kind in ("all", other)]
        cpu, wall = (mean(whole[n][unit] for n in of) / mean(bare[n][unit] for n in of) for unit in range(2))
        middle, middle_wall = (
            median(whole[n][unit] for n in of) / median(bare[n][unit] for n in of) for unit in range(2)
        )
        print(
            f"whole / bare, {kind:<8} CPU {cpu:.2f} x (medians {middle:.2f})   wall {wall:.2f} x (medians {middle_wall:.2f})"
        )
        met = met and (kind != "all" or cpu <= TARGET)
    added = mean(one.cpu - other.cpu for one, other in zip(whole, bare, strict=True))
    print(f"the recipe adds {added:.1f} ms of CPU to a bare search, by the mean")
    print(f"target {TARGET} x of the CPU mean: {'met' if met else 'NOT MET'}")
    return met


def main() -> int:
    """Run the benchmark; return its exit code."""
    parser = command_line(__doc__)
    parser.add_argument(
        "--deals", type=some, default=1000, help="five papers each, some twenty passages a paper"
    )
    parser.add_argument("--questions", type=some, default=120)
    parser.add_argument("--library", type=Path, help="keep shelf and library in this folder")
    parser.add_argument("--without-pack", action="store_true", help="the recipe with `retrieve.pack = false`")
    parser.add_argument("--filters", action="store_true", help="one question under each of some filters")
    arguments = parser.parse_args()
    # As the command line and the processes of the server have it.
    gc.set_threshold(200_000, 20, 20)
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.library or Path(temporary)
        shelf = built(place, arguments.deals, watch)
        if arguments.filters:
            filtered(place, watch)
            return 0
        questions = shelf.questions(_WARMING + arguments.questions)
        found, again = measured(place, questions, watch, pack=not arguments.without_pack)
    kinds = [q.kind for q in questions[_WARMING:]]
    print("\nAsked for the first time: its documents were not read before")
    met = report(found, kinds)
    print("\nAsked again at once: its documents are at hand")
    report(again, kinds)
    return 0 if met else 1


if __name__ == "__main__":
    run(main)
