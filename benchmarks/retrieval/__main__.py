"""The hop on a set of rulebooks with pairs of passages: `python -m benchmarks.retrieval --data SET --library DIR`.

SET holds rulebooks as passages (`docs/N.json`) and `xref_qa.jsonl`. The recipe is asked for ten passages, without the hop
(base) and with it at equal slots; beside them the hop that knows documents by name alone (`named_hop`), which appends,
set beside the base with as many passages, and the recipe with the hop that does not look up places which questions name
(`retrieve.places` off), over the questions whose passages that changes and over all. Both@k: both passages of the pair among the first k.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.command_line import command_line, run, some, there
from deref.engine import Engine, open_engine
from deref.evaluate.gold import GoldRow, read_gold
from deref.evaluate.retrieval.corpora import corpora
from deref.evaluate.retrieval.named_hop import CHUNKS_PER_HOP, NamedHop
from deref.evaluate.retrieval.needs import Passages
from deref.evaluate.statistics import mcnemar, paired_bootstrap
from deref.retrieve.fuse import fuse
from deref.settings import ModelSettings, RetrieveSettings, Settings
from deref.values import Card, Chunk, Scope

DEPTHS = (3, 5, 10)
SLOTS = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the result where `--out` says."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=there, required=True, help="the set of rulebooks")
    parser.add_argument("--library", type=Path, required=True, help="where its library is kept")
    parser.add_argument("--half", choices=("dev", "rest"), default="rest")
    parser.add_argument("--limit", type=some, help="so many questions, evenly drawn")
    parser.add_argument("--embedder", choices=("bundled", "none"), default="bundled")
    parser.add_argument("--out", type=Path)
    said = parser.parse_args(arguments)
    rows = [r for r in read_gold(said.data / "xref_qa.jsonl") if r.half == said.half]
    if said.limit:
        rows = rows[:: max(len(rows) // said.limit, 1)][: said.limit]
    result = measured(said.data, rows, said.library, said.embedder)
    result = {"half": said.half, "embedder": said.embedder, **result}
    print(json.dumps(result, indent=1))
    if said.out:
        said.out.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    return 0


def measured(data: Path, rows: Sequence[GoldRow], library: Path, embedder: str) -> dict[str, Any]:
    """Return what comes of the rows under each arm."""
    (corpus,) = corpora(data, rows)
    with opened(library, embedder, hop=False) as engine:
        engine.index(corpus.root(library.parent))
        engine.embed()
        passages = Passages(engine, corpus.books)
        progress = engine.progress()
        gold = [[passages.holding(need) for need in passages.needs_of(row)] for row in rows]
        longer, seconds = asked(engine, rows, SLOTS + CHUNKS_PER_HOP)
        base = [found[:SLOTS] for found in longer]
        names = NamedHop(
            {card.id: names_of(card) for card in engine.shelf().cards()},
            lambda question, doc, k: within(engine, question, doc, k),
        )
        named = [
            [c.id for c in names(row.query, [passages.chunks[i] for i in found[:k]])]
            for row, found in zip(rows, base, strict=True)
            for k in DEPTHS
        ]
    with opened(library, embedder, hop=True) as engine:
        hopped, hop_seconds = asked(engine, rows, SLOTS)
    with opened(library, embedder, hop=True, places=False) as engine:
        unplaced, _ = asked(engine, rows, SLOTS)
    arms: dict[str, Any] = {
        "base": {"Both": both_at(base, gold), "cpu ms": round(1000 * seconds / len(rows), 1)},
        "hop": {"Both": both_at(hopped, gold), "cpu ms": round(1000 * hop_seconds / len(rows), 1)},
    }
    for k in DEPTHS:
        arms["hop"][f"beside base @{k}"] = beside(met(hopped, gold, k), met(base, gold, k))
    arms["hop, places off"] = {
        "Both": both_at(unplaced, gold),
        "other passages": sum(one != other for one, other in zip(hopped, unplaced, strict=True)),
    }
    for k in DEPTHS:
        arms["hop, places off"][f"hop beside it @{k}"] = beside(met(hopped, gold, k), met(unplaced, gold, k))
    for n, k in enumerate(DEPTHS):
        added = named[n :: len(DEPTHS)]
        lists = [[*found[:k], *more] for found, more in zip(base, added, strict=True)]
        control = [some[: len(one)] for some, one in zip(longer, lists, strict=True)]
        arms[f"named hop, k = {k}"] = {
            "fired": sum(bool(more) for more in added),
            "mean slots": round(sum(map(len, lists)) / len(lists), 2),
            "Both": share(met(lists, gold, 99)),
            "Both of base, as many slots": share(met(control, gold, 99)),
            "beside base, as many slots": beside(met(lists, gold, 99), met(control, gold, 99)),
        }
    return {"questions": len(rows), "vectors": [progress.embedded, progress.chunks], "arms": arms}


def opened(library: Path, embedder: str, *, hop: bool, places: bool = True) -> Engine:
    """Open the library with the recipe of an arm."""
    return open_engine(
        library,
        settings=Settings(
            models=ModelSettings(embedder=embedder, background=False),  # type: ignore[arg-type]
            retrieve=RetrieveSettings(k=SLOTS, hop=hop, places=places),
        ),
    )


def asked(engine: Engine, rows: Sequence[GoldRow], k: int) -> tuple[list[list[str]], float]:
    """Return the first `k` passages for each row, and the processor seconds that took."""
    begun = process_time()
    found = []
    for n, row in enumerate(rows):
        found.append([c.chunk.id for c in engine.search(row.query, k=k)])
        if n % 100 == 0:
            print(f"{n} of {len(rows)}", file=sys.stderr, flush=True)
    return found, process_time() - begun


def within(engine: Engine, question: str, doc: str, k: int) -> list[Chunk]:
    """Return the best passages of one document, by words and, with an embedder, by meaning: as both legs are fused."""
    scope = Scope(documents=frozenset([doc]))
    legs = {"lexical": engine.store.lexical(question, SLOTS, scope)}
    if engine.embedder is not None:
        legs["dense"] = engine.store.dense(engine.embedder.query(question), SLOTS, scope)
    return [candidate.chunk for candidate in fuse(legs).top(k)]


def names_of(card: Card) -> tuple[str, ...]:
    """Return file name and title; the title without the short name that was put behind it in brackets, too."""
    return (card.name.rpartition("/")[2].rpartition(".")[0], card.title, card.title.partition(" (")[0])


Gold = Sequence[Sequence[frozenset[str]]]


def met(lists: Sequence[Sequence[str]], gold: Gold, k: int) -> list[bool]:
    """Tell of each row whether the first k hold each passage of its pair."""
    return [
        all(held.intersection(found[:k]) for held in pair) for found, pair in zip(lists, gold, strict=True)
    ]


def both_at(lists: Sequence[Sequence[str]], gold: Gold) -> dict[str, float]:
    """Return Both@k for each depth."""
    return {str(k): share(met(lists, gold, k)) for k in DEPTHS}


def share(flags: Sequence[bool]) -> float:
    """Return the share that is true, to four digits."""
    return round(sum(flags) / max(len(flags), 1), 4)


def beside(arm: Sequence[bool], control: Sequence[bool]) -> dict[str, Any]:
    """Return the flips of an arm beside another, their p, and the interval of the difference."""
    gained = sum(a and not b for a, b in zip(arm, control, strict=True))
    lost = sum(b and not a for a, b in zip(arm, control, strict=True))
    interval = paired_bootstrap([a - b for a, b in zip(arm, control, strict=True)], seed=0)
    return {
        "gained": gained,
        "lost": lost,
        "p": float(f"{mcnemar(gained, lost):.2g}"),
        "difference": [round(end, 4) for end in interval or ()],
    }


if __name__ == "__main__":
    run(main)
