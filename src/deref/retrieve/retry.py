"""Retry: when the evidence is too thin, the question is asked once more in other words, and the better attempt is kept.

1. Is the evidence sufficient? `evidence` says by how much what the first candidates hold is more (≥ 0) or less (< 0) than
   an answer needs. Enough: nothing happens.
2. One reformulation: by a model where there is one, else the question's rarest words (`rarest_terms`). None, or the same
   words again: nothing happens.
3. The whole attempt runs anew for the reformulated question: legs, overviews, names, rerank. A document that only the
   first wording names is still looked for.
4. Both attempts are measured against the *question that was asked*, never against its reformulation; so the cosines of
   the second are worked out anew. The first is kept unless the second is better. The trace tells which, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from deref.errors import DerefError
from deref.retrieve.stage import Stage
from deref.text.tokens import STOPWORDS, words
from deref.trace.events import Degraded, Retried
from deref.trace.sinks import Sink
from deref.values import Arrival, Candidates, Chunk, Query

Evidence = Callable[[Query, Candidates], float]
"""By how much the evidence in candidates exceeds (≥ 0) or falls short of (< 0) what an answer needs."""
Reformulate = Callable[[Query], Query | None]
Nearness = Callable[[Query, Sequence[Chunk]], Sequence[float]]
"""Cosines of passages with a question, in order."""

MEASURED = 10
"""Candidates of an attempt that count as its evidence; a second attempt's are embedded where they are not yet."""
_FEWEST = 2
COUNTED = 200
"""Passages that hold a word are counted up to here: what is in more is not rare."""


def retry(
    attempt: Callable[[Query], Candidates],
    *,
    evidence: Evidence,
    reformulate: Reformulate,
    nearness: Nearness | None,
    emit: Sink,
) -> Stage:
    """Return the stage; `attempt` runs the stages before it, for another question. An attempt that fails is told."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        before = evidence(query, candidates.top(MEASURED))
        if before >= 0:
            return candidates
        try:
            other = reformulate(query)
            if other is None or other.text == query.text:
                return candidates
            again = attempt(other)
            if nearness is not None:
                again = _measured_by(query, again, nearness)
        except DerefError as error:
            emit(Degraded(what=f"asking again failed, and the first attempt was kept: {error}"))
            return candidates
        after = evidence(query, again.top(MEASURED))
        better = bool(len(again)) and after > before
        emit(
            Retried(
                question=other.text,
                kept="second" if better else "first",
                why=f"the evidence falls short by {-before:.2f}; asked with {other.text!r} it "
                + (f"falls short by {-after:.2f}" if after < 0 else "is enough")
                + ("" if better else ", which is not better"),
            )
        )
        return again if better else candidates

    return Stage("retry", run, "the question was asked again in other words")


def _measured_by(query: Query, found: Candidates, nearness: Nearness) -> Candidates:
    """Give the first candidates the cosine with the question that was asked, the others none: theirs is of another."""
    first = found.top(MEASURED)
    cosines = dict(zip((c.chunk.id for c in first), nearness(query, [c.chunk for c in first]), strict=True))
    items = []
    for rank, candidate in enumerate(found):
        kept = [a if a.by != "dense" else replace(a, score=None) for a in candidate.arrivals]
        cosine = cosines.get(candidate.chunk.id)
        if cosine is not None:
            place = next((a.rank for a in kept if a.by == "dense"), rank)
            kept = [a for a in kept if a.by != "dense"]
            kept.append(Arrival(by="dense", rank=place, score=cosine))
        items.append(replace(candidate, arrivals=tuple(kept)))
    return Candidates(tuple(items))


def rarest_terms(
    count: Callable[[str, Query], int], *, keep: Collection[str] = ()
) -> Callable[[Query], str | None]:
    """Return what drops a question to its rarest words: the half that fewest passages hold, two at least, in their order.

    `count` tells how many passages hold a word, or any number from 200 on for more. Words that no passage holds go,
    as do those that say little; words in `keep` stay. None when that leaves the question as it was, or nothing of it.
    """

    def run(query: Query) -> str | None:
        said = list(dict.fromkeys(words(query.text)))
        telling = [w for w in said if w.casefold() not in STOPWORDS]
        held = {w: min(n, COUNTED) for w in telling if (n := count(w, query)) > 0}
        most = max(_FEWEST, (len(held) + 1) // 2)
        rare = set(sorted(held, key=lambda w: (held[w], said.index(w)))[:most])
        chosen = [w for w in said if w in rare or w in keep]
        return " ".join(chosen) if chosen and len(chosen) < len(telling) else None

    return run
