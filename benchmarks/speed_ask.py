"""What a question costs in process, with the loop and without: `python -m benchmarks.speed_ask --data DIR [--library DIR]`.

The pointer questions of a set of about a thousand pages are asked over its library. Of each question the least CPU time of
the process, all threads:

    again   of ROUNDS times after a first time that is not counted: what the engine keeps of passages is at hand
    first   of ROUNDS processes that were asked WARM questions of other sets, and this one never

Medians, the worst, and what the loop adds to all questions together.
"""

from __future__ import annotations

import gc
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.command_line import command_line, run, there
from benchmarks.quality import settings
from deref.engine import Engine, open_engine
from deref.evaluate.gold import GoldRow, read_gold

ROUNDS = 3
WARM = 16


def asked(engine: Engine, question: str, budget: int) -> float:
    """Return milliseconds. Garbage is collected before: whose turn it is else depends on what was asked until then."""
    gc.collect()
    begun = time.process_time()
    engine.ask(question, budget=budget)
    return (time.process_time() - begun) * 1000


def again(library: Path, rows: Sequence[GoldRow], budget: int) -> list[float]:
    """Return milliseconds for each question."""
    with open_engine(library, settings=settings("bundled")) as engine:
        took = [[asked(engine, row.query, budget) for _ in range(ROUNDS + 1)] for row in rows]
    return [min(some[1:]) for some in took]


def first(library: Path, others: Sequence[GoldRow], rows: Sequence[GoldRow], budget: int) -> list[float]:
    """Return milliseconds for each question, in a process that has just begun."""
    with open_engine(library, settings=settings("bundled")) as engine:
        for row in others:
            engine.ask(row.query, budget=1)
        return [asked(engine, row.query, budget) for row in rows]


def in_new_processes(
    library: Path, others: Sequence[GoldRow], rows: Sequence[GoldRow], budget: int
) -> list[float]:
    """Return the least of ROUNDS processes for each question."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned, max_tasks_per_child=1) as pool:
        rounds = [pool.submit(first, library, others, rows, budget).result() for _ in range(ROUNDS)]
    return [min(some) for some in zip(*rounds, strict=True)]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument(
        "--data", type=there, required=True, help="a folder with real documents and gold questions"
    )
    parser.add_argument("--set", default="pdf-manuals-dev", help="the set that is asked over")
    parser.add_argument("--library", type=Path, help="the library of the set, for the next run")
    arguments = parser.parse_args()
    gold = read_gold(arguments.data / "gold" / "pointer-dev.jsonl")
    rows = [row for row in gold if row.corpus == arguments.set]
    others = [row for row in gold if row.corpus != arguments.set][:WARM]
    with tempfile.TemporaryDirectory() as thrown_away:
        library = arguments.library or Path(thrown_away)
        with open_engine(library, settings=settings("bundled")) as engine:
            engine.index(arguments.data / arguments.set / "docs")
            pages = sum(engine.read(card.id).lines[-1].page for card in engine.shelf().cards())
        print(f"{arguments.set}: {pages} pages, {len(rows)} questions, CPU ms of one")
        tell("again", {budget: again(library, rows, budget) for budget in (0, 1)})
        tell("first", {budget: in_new_processes(library, others, rows, budget) for budget in (0, 1)})


def tell(when: str, ways: dict[int, list[float]]) -> None:
    for budget, took in ways.items():
        print(f"  {when}, budget {budget}: median {statistics.median(took):.0f}, worst {max(took):.0f}")
    print(f"  {when}: the loop adds {sum(ways[1]) / sum(ways[0]) - 1:.0%}")


if __name__ == "__main__":
    run(main)
