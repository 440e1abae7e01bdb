"""Answers on gold questions, with and without following: `python -m benchmarks.quality --data DIR [--vectors]`.

For each shelf: every file must be indexed and every gold string must stand in a passage (else exit code 1). Then

    no loop   answers whose quotes hold the gold string, without following references
    loop      the same with one pass that follows them

The dense leg is lazy; `--vectors` computes all vectors first. What retrieval finds, stage by stage and arm by arm, is told by
`deref evaluate retrieval`.

Shelves: the deal room of this repository; with --data also the acquisition, manual and policy PDFs, the RFCs, the
Attention paper, and the sets of the pointer questions.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from benchmarks.command_line import command_line, run, there
from deref.engine import Engine, open_engine
from deref.evaluate.answers.run import asked as answered
from deref.evaluate.gold import GoldRow, read_gold
from deref.settings import ModelSettings, Settings
from deref.values import EVERYTHING

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder and its gold questions."""

    name: str
    folder: Path
    gold: tuple[GoldRow, ...]


def shelves(data: Path | None) -> list[Shelf]:
    deal = ROOT / "examples"
    out = [Shelf("deal-room", deal / "deal-room", tuple(read_gold(deal / "deal-room.gold.jsonl")))]
    if data is None:
        return out
    local = data / "localgpt-eval"
    for name in ("acquisition", "atlas7", "hr"):
        out.append(Shelf(name, local / "docs", tuple(read_gold(local / "goldset" / f"{name}.jsonl"))))
    out.append(Shelf("rfc", data / "rfc-dev" / "txt", tuple(read_gold(local / "goldset" / "rfc.jsonl"))))
    out.append(Shelf("attention", data / "attention", ()))
    pointers = read_gold(data / "gold" / "pointer-dev.jsonl")
    for corpus in sorted({row.corpus for row in pointers}):
        rows = tuple(row for row in pointers if row.corpus == corpus)
        out.append(Shelf(f"pointer {corpus}", data / corpus / "docs", rows))
    return out


def settings(embedder: str) -> Settings:
    return Settings(models=ModelSettings(embedder=cast(Any, embedder), background=False))


def measure(shelf: Shelf, place: Path, vectors: bool) -> bool:
    """Print the rows of one shelf; return whether every file and every gold string is there."""
    with open_engine(place, settings=settings("bundled")) as engine:
        report = engine.index(shelf.folder)
        failed = [row.path for row in report if row.outcome == "failed"]
        if vectors:
            engine.embed()
        passages = engine.progress().chunks
        print(f"{shelf.name}: {len(report) - len(failed)}/{len(report)} files, {passages} passages")
        if not shelf.gold:
            return not failed
        texts = [c.text for card in engine.shelf().cards() for c in engine.store.chunks(card.id, EVERYTHING)]
        asked = [row for row in shelf.gold if row.expected]
        uncovered = [row.id for row in asked if not row.met_by(texts)]
        loop = _right(engine, shelf.gold, budget=1)
        no_loop = _right(engine, shelf.gold, budget=0)
    covered = len(asked) - len(uncovered)
    print(f"    gold strings in a passage {covered}/{len(asked)}  {' '.join(uncovered)}")
    print(f"    answers  no loop {no_loop}/{len(shelf.gold)}  loop {loop}/{len(shelf.gold)}")
    return not failed and not uncovered


def _right(engine: Engine, gold: Sequence[GoldRow], *, budget: int) -> int:
    return sum(answered(engine, row, budget=budget).right for row in gold)


def main() -> int:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, help="a folder with real documents and gold questions")
    parser.add_argument("--only", help="shelves whose name begins so")
    parser.add_argument("--vectors", action="store_true", help="compute all vectors first")
    arguments = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as place:
        for shelf in shelves(arguments.data):
            if arguments.only is None or shelf.name.startswith(arguments.only):
                library = "".join(c if c.isalnum() else "-" for c in str(shelf.folder.resolve()))
                good &= measure(shelf, Path(place) / library, arguments.vectors)
    return 0 if good else 1


if __name__ == "__main__":
    run(main)
