"""How far questions lie from a shelf, on its subject and off it: `python -m benchmarks.not_found`.

For each question the cosine of its nearest passage, the share of its words that the first passages hold, and whether
`answer.sufficiency.bears_on` lets it through. The figures of `docs/decisions/0006-not-found.md` come from here.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from benchmarks.quality import ROOT, settings
from deref.answer.rank import asked_stems
from deref.answer.sufficiency import bears_on
from deref.engine import Engine, open_engine
from deref.evaluate.gold import read_gold
from deref.text.tokens import content_stems

OFF = (
    "What is the capital of France?",
    "How do I bake sourdough bread?",
    "Who won the world cup in 1998?",
    "What is the boiling point of mercury?",
    "best hiking trails near Denver",
    "How many moons does Jupiter have?",
)


def distances(engine: Engine, question: str) -> tuple[float, float, bool]:
    found = engine.search(question, k=4).items
    asked = asked_stems(question)
    near = max((a.score or 0.0 for c in found for a in c.arrivals if a.by == "dense"), default=0.0)
    told = {s for c in found for s in content_stems(f"{c.chunk.path} {c.chunk.text}")}
    return near, len(asked & told) / max(len(asked), 1), bears_on(question, found)


def main() -> None:
    gold = read_gold(ROOT / "examples" / "deal-room.gold.jsonl")
    groups = {
        "off the subject": list(OFF),
        "no answer there": [r.query for r in gold if r.dimensions.get("status") == "unanswerable"],
        "answerable": [r.query for r in gold if r.dimensions.get("status") == "answerable"],
    }
    with (
        tempfile.TemporaryDirectory() as place,
        open_engine(Path(place), settings=settings("bundled")) as engine,
    ):
        engine.index(ROOT / "examples" / "deal-room")
        engine.embed()
        for name, questions in groups.items():
            rows = [distances(engine, q) for q in questions]
            near = [r[0] for r in rows]
            print(
                f"{name:<16} {len(rows):>3} questions  cosine {min(near):.2f} to {max(near):.2f}, "
                f"median {statistics.median(near):.2f}  let through {sum(r[2] for r in rows)}"
            )


if __name__ == "__main__":
    main()
