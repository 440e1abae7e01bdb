"""Questions that name a document, and questions that name none: `python -m benchmarks.titles --data DIR [--together]`.

For each shelf, with the title stages on and off: the share of the questions naming a document whose first passage is of
another one, and how many of the questions that name none have the same passages in the same order. Exit code 1 when
more than 5 % of the named are wrong, or an order differs. `--together` puts the documents of all shelves on one.
`--vectors` computes all vectors first, `--libraries DIR` keeps the libraries for the next run.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command_line import command_line, run, there
from deref.engine import Engine, open_engine
from deref.settings import settings_of

GOLD = Path(__file__).parent / "gold" / "titles.jsonl"
FOLDERS = {
    "acquisition": "localgpt-eval/docs",
    "seriesseed": "dealroom-seriesseed/docs",
    "rfc": "rfc-dev/txt",
    "nist": "pdf-nist-dev/docs",
    "manuals": "pdf-manuals-dev/docs",
    "far": "far/docs",
    "cuad": "cuad-dev/docs",
}
"""Where the documents of each shelf are, in the folder of the data."""
MOST_WRONG = 0.05


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the file that it names (None: none), and what was found: (file, passage) in order, processor seconds."""

    query: str
    document: str | None
    found: tuple[tuple[str, str], ...]
    seconds: float

    @property
    def wrong(self) -> bool:
        """Whether the first passage is not of the document that is named."""
        return self.document is not None and (not self.found or self.found[0][0] != self.document)


def ask(
    folder: Path, place: Path, rows: Sequence[dict[str, str]], *, vectors: bool
) -> list[tuple[Asked, Asked]]:
    """Ask the questions of one shelf; return what came with the title stages on, and what came without.

    Each is asked twice in a row by both, and the second time counts: a question leaves vectors behind, by which the next
    one finds more, and the two that are compared must find the same ones there.
    """
    on = settings_of({"models": {"background": False}})
    off = settings_of({"models": {"background": False}, "retrieve": {"titles": False}})
    with open_engine(place, settings=on) as engine, open_engine(place, settings=off) as without:
        engine.index(folder)
        if vectors:
            engine.embed()
        names = {card.id: card.name.rpartition("/")[2] for card in engine.shelf().cards()}
        asked = []
        for row in rows:
            for first in (without, engine):
                first.search(row["query"])
            before = _asked(without, row, names)
            asked.append((_asked(engine, row, names), before))
        return asked


def _asked(engine: Engine, row: dict[str, str], names: dict[str, str]) -> Asked:
    begun = time.process_time()
    found = engine.search(row["query"])
    taken = time.process_time() - begun
    passages = tuple((names[c.chunk.lines.doc], c.chunk.id) for c in found)
    return Asked(row["query"], row["document"], passages, taken)


def together(data: Path, place: Path) -> Path:
    """Copy the documents of all shelves into one folder."""
    for name, folder in FOLDERS.items():
        shutil.copytree(data / folder, place / name, dirs_exist_ok=True)
    return place


def main() -> int:
    """Run the benchmark; return its exit code."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, required=True, help="a folder with the real documents")
    parser.add_argument("--together", action="store_true", help="one shelf of all documents")
    parser.add_argument("--vectors", action="store_true", help="compute all vectors first")
    parser.add_argument("--libraries", type=Path, help="keep the libraries in this folder")
    arguments = parser.parse_args()
    gold = [json.loads(line) for line in GOLD.read_text("utf-8").splitlines()]
    on: list[Asked] = []
    off: list[Asked] = []
    with tempfile.TemporaryDirectory() as temporary:
        places = arguments.libraries or Path(temporary)
        shelves = {
            name: (arguments.data / folder, [r for r in gold if r["shelf"] == name])
            for name, folder in FOLDERS.items()
        }
        if arguments.together:
            shelves = {"together": (together(arguments.data, places / "documents"), gold)}
        for name, (folder, rows) in shelves.items():
            for now, before in ask(folder, places / name, rows, vectors=arguments.vectors):
                on.append(now)
                off.append(before)
            print(f"{name}: {len(rows)} questions", flush=True)
    return report(on, off)


def report(on: Sequence[Asked], off: Sequence[Asked]) -> int:
    """Print the figures; return 1 when they are not good enough."""
    named = [(a, b) for a, b in zip(on, off, strict=True) if a.document is not None]
    unnamed = [(a, b) for a, b in zip(on, off, strict=True) if a.document is None]
    for a, b in named:
        if a.wrong or b.wrong:
            was = b.found[0][0] if b.found else "nothing"
            now = a.found[0][0] if a.found else "nothing"
            print(f"  {a.query}\n      wanted {a.document}\n      off {was}\n      on  {now}")
    moved = [a for a, b in unnamed if a.found != b.found]
    for a in moved:
        print(f"  order changed: {a.query}")
    wrong, before = sum(a.wrong for a, _ in named), sum(b.wrong for _, b in named)
    print(
        f"named:   first passage of another document {wrong}/{len(named)} = {wrong / len(named):.3f}  (off {before / len(named):.3f})"
    )
    print(f"unnamed: same passages in the same order {len(unnamed) - len(moved)}/{len(unnamed)}")
    for label, pairs in (("named", named), ("unnamed", unnamed)):
        spent = sorted(1000 * a.seconds for a, _ in pairs)[len(pairs) // 2]
        without = sorted(1000 * b.seconds for _, b in pairs)[len(pairs) // 2]
        print(f"median processor time, {label}: {spent:.1f} ms  (off {without:.1f} ms)")
    return int(bool(moved) or wrong > MOST_WRONG * len(named))


if __name__ == "__main__":
    run(main)
