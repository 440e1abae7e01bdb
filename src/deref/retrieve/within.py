"""The best parts of a place that is too long to read whole: its chunks by meaning and by words, fused.

The words are those of the question and those of the text that points there: what is asked for often stands in the words of
the pointer alone. A part whose heading or term that text says goes before all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log

from deref.ports import Vectors
from deref.retrieve.fuse import fuse
from deref.text.tokens import stems_of
from deref.values import Chunk, Hit, Query, Span, Target

MOST_EMBEDDED = 24
"""Chunks of one place that are embedded on demand; the others are ranked by words alone."""


def best_within(
    query: Query,
    target: Target,
    chunks: Sequence[Chunk],
    similarity: Callable[[str, Sequence[Chunk]], Vectors] | None,
    *,
    said: str = "",
    named: Span | None = None,
    parts: int = 3,
) -> list[Span]:
    """Return up to `parts` spans inside the target, best first. `similarity` gives (n,) cosines, or is None.

    `said` is the text that points at it, `named` the part of the target that it calls by its name: that one comes first.
    """
    inside = [c for c in chunks if c.lines.start < target.lines.end and target.lines.start < c.lines.end]
    asked = stems_of(f"{query.text} {said}")
    told = {c.id: asked & stems_of(c.text) for c in inside}
    held = Counter(stem for stems in told.values() for stem in stems)
    shared = {id: sum(log(1 + len(inside) / held[stem]) for stem in stems) for id, stems in told.items()}
    by_words = sorted(inside, key=lambda c: (-shared[c.id], c.lines.start))
    legs = {"words": [Hit(chunk=c, score=shared[c.id]) for c in by_words if shared[c.id]]}
    if similarity is not None and inside:
        near = by_words[:MOST_EMBEDDED]
        scores = similarity(query.text, near)
        order = sorted(range(len(near)), key=lambda n: (-float(scores[n]), near[n].lines.start))
        legs["meaning"] = [Hit(chunk=near[n], score=float(scores[n])) for n in order]
    meant = [c for c in inside if named is not None and c.lines.start <= named.start < c.lines.end]
    best = dict.fromkeys([*(c.lines for c in meant), *(c.chunk.lines for c in fuse(legs).top(parts))])
    return [
        Span(
            doc=target.lines.doc,
            start=max(lines.start, target.lines.start),
            end=min(lines.end, target.lines.end),
        )
        for lines in list(best)[:parts]
    ]
