"""The stages that follow references in a search, put together over what an open library holds.

`hop` brings in what the best passages point at and what points at them; `pack` spends the words that passages would grow by
on more of what they point at. All that they read comes through the door of the caller's scope.
"""

from __future__ import annotations

from collections.abc import Sequence

from deref.reading import Reading
from deref.retrieve.hop import hop
from deref.retrieve.recipe import CONTEXT_TOKENS
from deref.retrieve.stage import Stage
from deref.retrieve.ways import Ways, labels_in, part_named, with_sentences
from deref.settings import RetrieveSettings
from deref.values import Chunk, Document, Reference, Scope


def following(library: Reading, retrieve: RetrieveSettings, scope: Scope, k: int) -> tuple[Stage, ...]:
    """Return the stages that the settings ask for, in order; none when references are not followed."""
    if not retrieve.hop:
        return ()

    known: dict[str, Document] = {}

    def read(doc: str) -> Document:
        if doc not in known:
            known[doc] = library.read(doc, scope)
        return known[doc]

    def pointers(chunk: Chunk) -> Sequence[tuple[Reference, str]]:
        # Most passages are looked through by their own text: their documents need not be read.
        lines = chunk.lines
        texts = lines_of(chunk) or [line.text for line in read(lines.doc).lines[lines.start : lines.end]]
        if library.names(scope).that_may_stand_in(texts):
            return with_sentences(library.references_in(read(lines.doc), lines, scope), lines.start, texts)
        return with_sentences(library.stored_in(lines, scope), lines.start, texts)

    ways = Ways(
        references_in=pointers,
        resolve=lambda reference: library.resolve(reference, scope),
        chunks_of=library.store.chunks,
        read_ahead=library.store.read_ahead,
        labels_in=lambda chunk: labels_in(read(chunk.lines.doc), chunk.lines),
    )
    first = hop(ways, k=k, mode=retrieve.hop_mode, max_hops=retrieve.max_hops, per_hop=retrieve.per_hop)
    if not retrieve.pack:
        return (first,)
    from deref.retrieve.pack import pack

    return first, pack(
        ways,
        k=k,
        grown=CONTEXT_TOKENS,
        read=read,
        named=lambda lines, sentence: part_named(read(lines.doc), lines, sentence),
    )


def lines_of(chunk: Chunk) -> Sequence[str]:
    """Return the lines of a passage as its text has them, without the header rows above it; none when they are others."""
    texts = chunk.text.split("\n")
    own = texts[len(chunk.header) if chunk.header else 0 :]
    return own if len(own) == len(chunk.lines) else ()
