"""Where questions about pointers are lost: `python -m benchmarks.retrieval.losses --gold FILE --data DIR --library DIR`.

The gold says of each question where the pointer stands (`anchor_doc`, `anchor_text`). A row is counted in the first class
that holds:

    met            its answer is in what is handed on
    not found      no passage that holds the pointer is among the candidates that pointers are followed from
    no reference   such a passage holds no reference that leads to a passage with the answer, in one step
    not taken      it does, and nothing of the place was brought in
    other part     the place was brought in, another part of it

Beside the classes stand the ranks of the pointing passage and of the answer in the fused list, by row id alone.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.command_line import command_line, run, some, there
from deref.engine import Engine, open_engine
from deref.evaluate.gold import GoldRow, folded_text, read_gold
from deref.evaluate.retrieval.corpora import corpora
from deref.evaluate.retrieval.hops import Pointers
from deref.evaluate.retrieval.needs import Passages
from deref.retrieve.pointing import SOURCES
from deref.settings import ModelSettings, RetrieveSettings, Settings
from deref.text.tokens import content_stems
from deref.trace.events import Event, StageRan
from deref.values import Chunk

CLASSES = ("met", "not found", "no reference", "not taken", "other part")
_SAME = 0.5
"""Share of the stems of the pointing sentence that a passage must have to be its place, where it is not found verbatim."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the result where `--out` says."""
    parser = command_line(__doc__)
    parser.add_argument("--gold", type=there, required=True)
    parser.add_argument("--data", type=there, required=True)
    parser.add_argument("--library", type=Path, required=True, help="where libraries are kept, one a set")
    parser.add_argument("--embedder", choices=("bundled", "none"), default="bundled")
    parser.add_argument("-k", type=some, default=20)
    parser.add_argument("--out", type=Path)
    said = parser.parse_args(arguments)
    rows = [row for row in read_gold(said.gold) if row.answerable and row.dimensions.get("pointer_only")]
    settings = Settings(
        models=ModelSettings(embedder=said.embedder, background=False), retrieve=RetrieveSettings(k=said.k)
    )
    told: dict[str, dict[str, Any]] = {}
    for corpus in corpora(said.data, rows):
        with open_engine(said.library / corpus.name, settings=settings) as engine:
            engine.index(corpus.folder)
            passages = Passages(engine, corpus.books)
            for row in corpus.rows:
                told[row.id] = lost(engine, passages, row)
                print(row.id, json.dumps(told[row.id]), file=sys.stderr, flush=True)
    counted = Counter(one["class"] for one in told.values())
    result = {
        "embedder": said.embedder,
        "k": said.k,
        "rows": len(told),
        "classes": {name: counted[name] for name in CLASSES},
        "lost": {key: one for key, one in told.items() if one["class"] != "met"},
        "pointing passage among the first": {
            str(n): sum(one["pointing"] is not None and one["pointing"] < n for one in told.values())
            for n in (1, 3, 5, 10, SOURCES, 60)
        },
    }
    print(json.dumps(result, indent=1))
    if said.out:
        said.out.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    return 0


def lost(engine: Engine, passages: Passages, row: GoldRow) -> dict[str, Any]:
    """Return the class of a row, and the 0-based ranks of the pointing passage and of the answer in the first stage."""
    events: list[StageRan] = []

    def note(event: Event) -> None:
        if isinstance(event, StageRan):
            events.append(event)

    found = list(engine.search(row.query, emit=note))
    pool = events[0].after
    needs = passages.needs_of(row)
    gold = frozenset[str]().union(*(passages.holding(need) for need in needs))
    pointing = [chunk for chunk in _pointing(passages, row) if chunk.id in pool]
    rank = min((pool.index(chunk.id) for chunk in pointing), default=None)
    answer = min((pool.index(chunk) for chunk in gold if chunk in pool), default=None)
    spans = [c.context or c.chunk.lines for c in found]
    texts = [folded_text(engine.read(span.doc).text(span)) for span in spans]
    edges = Pointers(engine)
    places = [place for chunk in pointing for place in edges(chunk)]
    held = [passages.chunks[chunk].lines for chunk in gold]
    leads = [p for p in places if any(h.doc == p.doc and h.start < p.end and p.start < h.end for h in held)]
    taken = any(s.doc == p.doc and s.start < p.end and p.start < s.end for s in spans for p in leads)
    if any(need.held(span, text) for need in needs for span, text in zip(spans, texts, strict=True)):
        name = "met"
    elif rank is None or rank >= SOURCES:
        name = "not found"
    elif not leads:
        name = "no reference"
    else:
        name = "other part" if taken else "not taken"
    return {"class": name, "kind": row.dimensions.get("kind"), "pointing": rank, "answer": answer}


def _pointing(passages: Passages, row: GoldRow) -> Iterator[Chunk]:
    """Yield the passages that hold the pointing sentence: verbatim, else the one with most of its stems."""
    here = [c for c in passages.chunks.values() if passages.names[c.lines.doc] == row.anchor_doc]
    sentence = folded_text(row.anchor_text)
    verbatim = [chunk for chunk in here if sentence in folded_text(chunk.text)]
    if verbatim:
        yield from verbatim
        return
    stems = frozenset(content_stems(row.anchor_text))
    shares = {c.id: len(stems.intersection(content_stems(c.text))) / max(len(stems), 1) for c in here}
    best = max(here, key=lambda chunk: shares[chunk.id], default=None)
    if best is not None and shares[best.id] >= _SAME:
        yield best


if __name__ == "__main__":
    run(main)
