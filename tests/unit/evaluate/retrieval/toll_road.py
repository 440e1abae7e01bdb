"""A small shelf of a toll road: what a cart pays stands only where its clause points."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deref.evaluate.gold import GoldRow, read_gold
from deref.evaluate.libraries import Progress
from deref.evaluate.retrieval.arms import Arm, arm
from deref.evaluate.retrieval.run import Run, run
from deref.settings import IndexSettings, ModelSettings, RetrieveSettings, Settings

ROAD = """# Road Rules

## 1 Carts

A cart that comes to the northern gate pays the sum that Section 7 sets, and it pays before the bar is lifted by the keeper on duty.

## 2 Gates

The northern gate opens at dawn for every cart, and the southern gate opens an hour later; a cart waits beside the gate until then.

## 3 Keepers

A keeper of the gate wears a grey coat, writes the number of each cart into the book, and hands the book over at dusk every day.

## 4 Drovers

Sheep go on the left and geese on the right; a drover whistles before the bend, and a dog is led on a rope when the mail coach nears.

## 5 Lamps

Lamps are lit on the bridge from the first of October, filled with oil on Mondays, and put out when the moon stands above the mill.

## 7 Sums

Two pence and a half is due from whoever is named elsewhere; coins of silver are taken, and change is given out of the iron box.

## 8 Repairs

Stones are laid in spring by the wardens, who are paid from the common chest, and the surface is rolled twice with the great roller.
"""

INN = """# Inn Rules

## 1 Stables

A horse may stand in the stable overnight for one shilling, hay included, and the ostler brushes it before the traveller departs.

## 2 Beds

A bed by the window costs a crown; a traveller who snores pays nothing more, and the innkeeper never wakes anybody before sunrise.
"""

QUESTION = "What does a cart pay at the northern gate?"


def row(key: str, query: str, *expected: str, **more: Any) -> dict[str, Any]:
    """Return a gold row as it is written."""
    return {"id": key, "corpus": "road", "query": query, "expected": list(expected), **more}


ROWS = (
    row("cart", QUESTION, "Two pence and a half", expected_sources=["road.md"], dimensions={"kind": "pointer", "requires_crossref": True}),
    row("horse", "What does a horse in the stable cost?", "one shilling", expected_sources=["inn.md"], dimensions={"kind": "plain", "requires_crossref": False}),
    row("bed", "What does a bed by the window cost?", "a crown", dimensions={"kind": "plain", "requires_crossref": False}),
    row("king", "Who is the king?", dimensions={"status": "unanswerable"}),
)  # fmt: skip


def shelf(folder: Path) -> Path:
    """Write the set "road" into a folder of sets; return that folder."""
    docs = folder / "road" / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    (docs / "road.md").write_text(ROAD, "utf-8")
    (docs / "inn.md").write_text(INN, "utf-8")
    return folder


def gold(folder: Path, *rows: Mapping[str, Any], name: str = "gold.jsonl") -> Path:
    """Write gold rows (`ROWS` when none is given) into a file of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(r) + "\n" for r in rows or ROWS), "utf-8")
    return path


def base(**retrieve: Any) -> Arm:
    """Return the base: one passage, what it points at behind it, the hashing embedder."""
    return Arm(
        name="base",
        settings=Settings(
            index=IndexSettings(chunk_tokens=40),
            models=ModelSettings(embedder="hashing", background=False),
            retrieve=RetrieveSettings(**{"k": 1, "hop_mode": "append", **retrieve}),
        ),
    )


def overlaid(name: str, group: str, **values: Any) -> Arm:
    """Return an arm over the base."""
    return arm(name, {group: values}, base().settings)


def ran(
    folder: Path,
    *arms: Arm,
    rows: tuple[Mapping[str, Any], ...] = ROWS,
    k: int | None = None,
    force: bool = False,
    lazy: bool = False,
    step: Progress = lambda *_: None,
) -> Run:
    """Return a run of the base and these arms over the small shelf."""
    read: list[GoldRow] = read_gold(gold(folder / "gold", *rows))
    return run(
        shelf(folder / "data"), read, [base(), *arms],
        place=folder / "libraries", k=k, force=force, lazy=lazy, step=step,
    )  # fmt: skip
