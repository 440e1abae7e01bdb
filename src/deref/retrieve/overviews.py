"""Overviews: which documents a question is about, told by one short text of each before any passage is looked at.

The overviews nearest to the question are ranked by cosine. Two uses, of which `boost` is the one that loses nobody:

`boost`     RRF (k = 60, no weights) of the candidates' order with the order of the chosen documents. Chosen are the first
            few, `most` at the most, behind which the widest gap among them lies, if it is `margin` wide: where all documents
            are about one thing, none stands out and the order is left alone. A distance from the median of the shelf was
            measured too and does not tell: on a mixed shelf some document always lies far above it.
`restrict`  the legs search the first `most` documents only. Nothing found there: they search everything, and it is said.
            A search that *fails* does not fall back: its error goes up.

Overviews that are missing, cannot be read, or belong to another library or embedder are told once, and the question is
searched without. Both are worked out anew for a reformulated question, which is another `Query`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from deref.errors import DerefError, LibraryError
from deref.ports import Embedder, Overviews
from deref.retrieve.fuse import RRF_K
from deref.retrieve.stage import Stage
from deref.trace.events import Degraded
from deref.trace.sinks import Sink
from deref.values import Arrival, Candidate, Candidates, Query

OVERVIEW = "overview"

Ranked = Sequence[tuple[str, float]]
"""Documents by id with the cosine of their overview, best first."""


class DocumentPrior:
    """Ranks the documents of the caller by their overviews. One question is ranked once, however often it is asked here."""

    def __init__(
        self,
        overviews: Callable[[], Overviews],
        embedder: Embedder,
        visible: Callable[[Query], Sequence[str]],
        *,
        emit: Sink,
    ) -> None:
        """Take what reads the overviews, the embedder of questions, the documents that may answer, and where notices go."""
        self._read = overviews
        self._embedder = embedder
        self._visible = visible
        self._emit = emit
        self._overviews: Overviews | None = None
        self._asked = False
        self._last: tuple[Query, Ranked] | None = None

    def __call__(self, query: Query) -> Ranked:
        """Return all documents that may answer and have an overview, the nearest first; none without overviews.

        Raises ModelError when the question cannot be embedded.
        """
        if not self._asked:
            self._asked = True
            try:
                self._overviews = self._read()
            except LibraryError as error:
                self._emit(Degraded(what=f"searched without overviews: {error}"))
        if self._overviews is None:
            return ()
        if self._last is None or self._last[0] != query:
            self._last = (query, self._ranked(query, self._overviews))
        return self._last[1]

    def _ranked(self, query: Query, overviews: Overviews) -> Ranked:
        allowed = set(self._visible(query))
        rows = [n for n, doc in enumerate(overviews.documents) if doc in allowed]
        if not rows:
            return ()
        scores = overviews.vectors[rows] @ self._embedder.query(query.text)
        scored = [(overviews.documents[row], float(score)) for row, score in zip(rows, scores, strict=True)]
        return sorted(scored, key=lambda one: (-one[1], one[0]))


def standing_out(ranked: Ranked, *, most: int, margin: float) -> Ranked:
    """Return the first documents, `most` at the most and never all, that lie `margin` above the next one.

    Of several such gaps the widest counts, the first of equal ones.
    """
    widest = max(range(1, min(most, len(ranked) - 1) + 1), key=lambda n: _gap(ranked, n), default=0)
    return ranked[:widest] if widest and _gap(ranked, widest) >= margin else ()


def _gap(ranked: Ranked, n: int) -> float:
    return ranked[n - 1][1] - ranked[n][1]


def boost(prior: Callable[[Query], Ranked], *, most: int, margin: float, emit: Sink) -> Stage:
    """Return the stage that fuses the candidates' order with that of the documents that stand out. It drops nobody."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        if not len(candidates):
            return candidates
        try:
            chosen = standing_out(prior(query), most=most, margin=margin)
        except DerefError as error:
            emit(Degraded(what=f"the overviews failed and were left out: {error}"))
            return candidates
        places = {doc: (rank, score) for rank, (doc, score) in enumerate(chosen)}
        if not any(c.chunk.lines.doc in places for c in candidates):
            return candidates
        fused = []
        for rank, candidate in enumerate(candidates):
            place = places.get(candidate.chunk.lines.doc)
            worth = 1 / (RRF_K + rank + 1) + (1 / (RRF_K + place[0] + 1) if place else 0.0)
            fused.append((worth, rank, _arrived(candidate, place) if place else candidate))
        return Candidates(tuple(c for _, _, c in sorted(fused, key=lambda one: (-one[0], one[1]))))

    return Stage("boost by overview", run, "its document is about what is asked")


def _arrived(candidate: Candidate, place: tuple[int, float]) -> Candidate:
    others = tuple(a for a in candidate.arrivals if a.by != OVERVIEW)
    return replace(candidate, arrivals=(*others, Arrival(by=OVERVIEW, rank=place[0], score=place[1])))


def restrict(first: Stage, prior: Callable[[Query], Ranked], *, most: int, emit: Sink) -> Stage:
    """Return the first stage over the `most` nearest documents alone; all of them again when it found nothing there.

    Raises what the prior or the first stage raise: a search that failed is no search that found nothing.
    """

    def run(query: Query, candidates: Candidates) -> Candidates:
        chosen = frozenset(doc for doc, _ in prior(query)[:most])
        if query.scope.documents is not None:
            chosen &= query.scope.documents
        if not chosen:
            return first.run(query, candidates)
        narrow = replace(query, scope=replace(query.scope, documents=chosen))
        found = first.run(narrow, candidates)
        if len(found):
            return found
        emit(
            Degraded(
                what=f"none of the {len(chosen)} documents chosen by overview matched; all were searched"
            )
        )
        return first.run(query, candidates)

    return Stage(first.name, run, first.why)
