"""What a trace costs: CPU time with and without it in the same run, the size of the file, and the time of its replay.

python -m benchmarks.trace_cost examples/deal-room "What does the Customer pay for night and weekend support?"
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.command_line import command_line, run, some, there
from deref.engine import Engine, open_engine
from deref.replaying import replay


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """The CPU time of the fastest of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best * 1000


def traced(engine: Engine, question: str) -> str:
    """The trace of a question."""
    out = io.StringIO()
    engine.ask(question, trace=out)
    return out.getvalue()


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("path", type=there)
    parser.add_argument("questions", nargs="+", metavar="QUESTION")
    parser.add_argument(
        "--library", type=Path, help="where the library of the path is kept; default: a new one"
    )
    parser.add_argument("--rounds", type=some, default=5)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_engine(given.library or Path(folder, "library")) as engine,
    ):
        engine.index(given.path)
        engine.embed()
        print(f"{'plain':>9} {'traced':>9} {'replay':>9} {'events':>9} {'recording':>9}  question")
        for question in given.questions:
            engine.ask(question)
            plain = milliseconds(partial(engine.ask, question), given.rounds)
            with_trace = milliseconds(partial(traced, engine, question), given.rounds)
            text = traced(engine, question)
            file = Path(folder, "trace.jsonl")
            file.write_text(text, "utf-8")
            again = milliseconds(partial(replay, file), given.rounds)
            assert (difference := replay(file).difference) is None, difference
            recording = len(text.splitlines()[-1])
            print(
                f"{plain:6.0f} ms {with_trace:6.0f} ms {again:6.0f} ms {(len(text) - recording) / 1024:6.0f} KB "
                f"{recording / 1024:6.0f} KB  {question}"
            )


if __name__ == "__main__":
    run(main)
