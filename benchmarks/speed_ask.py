"""What a question costs in process, with the loop and without: `python -m benchmarks.speed_ask --data DIR [--library DIR]`.

The pointer questions of a set of about a thousand pages are asked over its library, each ROUNDS times in each way after a
first time that is not counted; of each question the least CPU time of the process, all threads. Medians and the worst.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.quality import settings
from deref.engine import Engine, open_engine
from deref.evaluate.gold import read_gold

ROUNDS = 3


def least(engine: Engine, question: str, budget: int) -> float:
    """Return milliseconds."""
    took = []
    for _ in range(ROUNDS + 1):
        begun = time.process_time()
        engine.ask(question, budget=budget)
        took.append((time.process_time() - begun) * 1000)
    return min(took[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with real documents and gold questions"
    )
    parser.add_argument("--set", default="pdf-manuals-dev", help="the set that is asked over")
    parser.add_argument("--library", type=Path, help="the library of the set, for the next run")
    arguments = parser.parse_args()
    rows = [r for r in read_gold(arguments.data / "gold" / "pointer-dev.jsonl") if r.corpus == arguments.set]
    with (
        tempfile.TemporaryDirectory() as thrown_away,
        open_engine(arguments.library or Path(thrown_away), settings=settings("bundled")) as engine,
    ):
        engine.index(arguments.data / arguments.set / "docs")
        pages = sum(engine.read(card.id).lines[-1].page for card in engine.shelf().cards())
        ways = {budget: [least(engine, row.query, budget) for row in rows] for budget in (0, 1)}
    print(f"{arguments.set}: {pages} pages, {len(rows)} questions, CPU ms of one once warm")
    for budget, took in ways.items():
        print(f"  budget {budget}: median {statistics.median(took):.0f}, worst {max(took):.0f}")
    share = sum(ways[1]) / sum(ways[0]) - 1
    print(f"  the loop adds {share:.0%}")


if __name__ == "__main__":
    main()
