"""Speed, each figure beside its baseline in the same run: `python -m benchmarks.speed [--data DIR]`.

    help      `deref --help`, beside the bare import of the command-line library
    shell     a question on an indexed shelf from the shell, beside the bare import of lance, onnxruntime and tokenizers
    warm      a question inside the process once warm, on the examples, and on ten agreements     (the second needs --data)
    classes   making the class of a noun, beside a dataclass of the standard library with the same fields
    parse     PDF → Document, over the bare text extraction of the same library, file by file        (needs --data)
    find      references found, MB of text a second of CPU, beside one bare pattern over the same text (needs --data)

Commands are measured in CPU seconds of the process and all its threads (what a busy machine leaves alone) and in wall
seconds. Command and baseline alternate, so that both meet the same machine, and the least of the rounds counts.

Targets: help under 0.5 s; shell at most 1.5 times; warm under 60 ms; parse at most 3 times for every file; find at
least 5 MB/s. Exit code 1 when one is not met.
"""

from __future__ import annotations

import dataclasses
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import speed_find, speed_pdf
from benchmarks.command_line import command_line, run, some, there
from deref import quick_dataclass
from deref.engine import open_engine
from deref.ports import Shelf

ROOT = Path(__file__).resolve().parents[1]
SHELF = ROOT / "examples" / "deal-room"
QUESTIONS = (
    "What does the Customer pay for night and weekend support?",
    "Which reserve must the borrower keep?",
    "Who must approve an assignment?",
    "How long does the confidentiality duty last?",
    "What is the notice period for termination?",
)
ENGINES = [sys.executable, "-c", "import lance, onnxruntime, tokenizers"]
TYPER = [sys.executable, "-c", "import typer"]
DEREF = [sys.executable, "-m", "deref.cli.main"]


class Took(NamedTuple):
    """Seconds of a command: CPU, user and system, and wall."""

    cpu: float
    wall: float


def took(command: Sequence[str]) -> Took:
    """Run a command once."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "DEREF_MODELS_BACKGROUND": "0"}
    # Installed packages are compiled; a checkout must be too, whatever this shell says.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run(command, check=False, capture_output=True, env=environment)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit code {ran.returncode}: {ran.stderr.decode()[-400:]}")
    return Took(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def alternated(commands: Sequence[Sequence[str]], rounds: int) -> list[Took]:
    """Return the least CPU and the least wall seconds of each command over some rounds after one that warms the disk."""
    every = [[took(command) for command in commands] for _ in range(rounds + 1)][1:]
    return [Took(min(t.cpu for t in one), min(t.wall for t in one)) for one in zip(*every, strict=True)]


def tell(name: str, value: str, baseline: str, target: str, met: bool) -> bool:
    """Print one row; return whether the target is met."""
    print(
        f"{name:<12} {value:<30} baseline {baseline:<42} target {target:<14} {'met' if met else 'NOT MET'}",
        flush=True,
    )
    return met


def helped(rounds: int) -> list[bool]:
    """Measure `--help`."""
    command, bare = alternated([[*DEREF, "--help"], TYPER], rounds)
    return [
        tell(f"help {unit}", f"{a:.3f} s", f"import typer {b:.3f} s", "0.5 s", a < 0.5)
        for unit, a, b in zip(Took._fields, command, bare, strict=True)
    ]


def once_warm(shelf: Path, library: Path) -> bool:
    """Measure a question inside the process; a file without pages counts one for each 3,000 characters."""
    with open_engine(library) as engine:
        engine.index(shelf)
        engine.embed()
        cards = engine.shelf().cards()
        pages = sum(max(card.pages, _characters(engine.shelf(), card.id) // 3000) for card in cards)
        for question in QUESTIONS:
            engine.ask(question)
        taken = []
        for question in QUESTIONS * 4:
            begun = time.perf_counter()
            engine.ask(question)
            taken.append(time.perf_counter() - begun)
    median = statistics.median(taken)
    told = f"{median * 1000:.0f} ms median, {max(taken) * 1000:.0f} worst"
    return tell("warm", told, f"{len(cards)} documents, {pages} pages", "60 ms", median < 0.060)


def _characters(shelf: Shelf, doc: str) -> int:
    document = shelf.document(doc)
    return sum(len(line.text) for line in document.lines) if document else 0


def asked(rounds: int) -> list[bool]:
    """Measure a question inside the process, then from the shell."""
    with tempfile.TemporaryDirectory() as place:
        library = Path(place) / "library"
        warm = once_warm(SHELF, library)
        question = [*DEREF, "ask", str(SHELF), QUESTIONS[0], "--library", str(library)]
        command, bare = alternated([question, ENGINES], rounds)
    met = [
        tell(
            f"shell {unit}", f"{a:.3f} s = {a / b:.2f} x", f"import engines {b:.3f} s", "1.5 x", a <= 1.5 * b
        )
        for unit, a, b in zip(Took._fields, command, bare, strict=True)
    ]
    return [*met, warm]


def classes_made(rounds: int = 200) -> bool:
    """Measure the making of one frozen class of six fields, least of some rounds."""
    names = ("source", "page", "row", "text", "label", "title")

    def made(decorate: Callable[[type], type]) -> float:
        taken = []
        for _ in range(rounds):
            bare = type("Noun", (), {"__doc__": "A noun.", "__annotations__": dict.fromkeys(names, "str"), "__module__": __name__})  # fmt: skip
            begun = time.perf_counter()
            decorate(bare)
            taken.append(time.perf_counter() - begun)
        return min(taken) * 1000

    quick = made(quick_dataclass.dataclass(frozen=True, slots=True, kw_only=True))
    standard = made(dataclasses.dataclass(frozen=True, slots=True, kw_only=True))
    return tell(
        "classes", f"{quick:.2f} ms", f"standard library {standard:.2f} ms", "half", quick < standard / 2
    )


def read(data: Path) -> list[bool]:
    """Measure parsing and finding on real documents; the tables of each follow below."""
    print(f"\nparse: `python -m benchmarks.speed_pdf --data {data}`, target 3 x for every file", flush=True)
    parsed = speed_pdf.main(["--data", str(data)]) == 0
    print(f"\nfind: `python -m benchmarks.speed_find --data {data}`, target 5 MB/s", flush=True)
    return [parsed, speed_find.main(["--data", str(data)]) == 0]


def main() -> int:
    """Print every figure; return 1 when a target is not met."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, help="a folder with real documents, for parse and find")
    parser.add_argument("--rounds", type=some, default=5, help="times that each command is run")
    arguments = parser.parse_args()
    met = [*helped(arguments.rounds), *asked(arguments.rounds), classes_made()]
    if arguments.data:
        with tempfile.TemporaryDirectory() as place:
            met.append(once_warm(arguments.data / "dealroom-seriesseed" / "docs", Path(place) / "library"))
        met += read(arguments.data)
    return 0 if all(met) else 1


if __name__ == "__main__":
    run(main)
