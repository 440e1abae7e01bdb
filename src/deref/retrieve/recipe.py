"""The recipe of a question: BM25 and vectors, fused; the document it names first; the best kept; what they point at;
each passage in its context.

What is switched off is not in the list: no embedder, no dense leg; no titles, no stage of theirs; no pointers, no hop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deref.ports import Embedder, Store
from deref.retrieve.cut import cut
from deref.retrieve.expand import expand
from deref.retrieve.hop import ReferencesIn, hop
from deref.retrieve.legs import Leg, dense_leg, first_stage, lexical_leg
from deref.retrieve.stage import Recipe
from deref.retrieve.title import NamedDocuments, best_extents, promote, reserve
from deref.text.clean import join_lines
from deref.text.tokens import sentences
from deref.trace.sinks import Sink
from deref.values import Document, Line, Reference, Resolution

CONTEXT_TOKENS = 120
"""Words that a passage may grow by inside its section before it is read."""


def recipe(
    store: Store,
    embedder: Embedder | None,
    *,
    document: Callable[[str], Document | None],
    resolve: Callable[[Reference], Resolution],
    pointers: ReferencesIn | None,
    titles: bool,
    k: int,
    pool: int,
    lazy: int,
    max_hops: int,
    emit: Sink,
) -> Recipe:
    """Return the stages that lead to the best `k` passages.

    `pool` are the candidates of each leg, `lazy` the BM25 hits embedded on demand; `pointers` gives the references of a
    passage, of which `max_hops` are followed at the most; `document` reads a document by id; `titles` says whether the
    document that a question names goes first.
    """
    legs: dict[str, Leg] = {"lexical": lexical_leg(store.lexical, pool=pool)}
    if embedder is not None:
        legs["dense"] = dense_leg(
            embedder=embedder,
            lexical=store.lexical,
            nearest=store.dense,
            vectors=store.vectors,
            progress=store.progress,
            pool=pool,
            lazy=lazy,
        )
    stages = [first_stage(legs, emit=emit)]
    if titles:
        named = NamedDocuments(store.titles, emit=emit)
        extents = best_extents(lexical=store.lexical, vectors=store.vectors, embedder=embedder)
        stages += [reserve(named, extents), promote(named)]
    stages.append(cut(k))
    if pointers is not None:
        stages.append(hop(references_in=pointers, resolve=resolve, chunks_of=store.chunks, max_hops=max_hops))
    return (*stages, expand(document, tokens=CONTEXT_TOKENS))


def with_sentences(references: Sequence[Reference], lines: Sequence[Line]) -> Sequence[tuple[Reference, str]]:
    """Return each reference of these lines with the sentence that it is the first to say; "" when none does."""
    if not references:
        return ()
    joined = join_lines(lines)
    spans = list(sentences(joined.text))
    found = []
    for reference in references:
        at = joined.text.find(reference.text)
        found.append((reference, next((joined.text[a:b] for a, b in spans if a <= at < b), "")))
    return found
