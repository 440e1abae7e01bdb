"""The stages that follow references in a search, put together over what an open library holds.

`hop` brings in what the best passages point at and what points at them; `pack` spends the words that passages would grow by
on more of what they point at. All that they read comes through the door of the caller's scope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from deref.answer.pointers import handed_on
from deref.answer.rank import asked_stems
from deref.loop.compete import NEAR_BEST
from deref.reading import Reading
from deref.retrieve.hop import hop
from deref.retrieve.pointing import ranked_pointers
from deref.retrieve.recipe import CONTEXT_TOKENS
from deref.retrieve.stage import Stage
from deref.retrieve.ways import Ways, labels_in, part_named, with_sentences
from deref.settings import RetrieveSettings
from deref.values import Candidate, Candidates, Chunk, Document, Passage, Query, Reference, Scope


def following(library: Reading, retrieve: RetrieveSettings, scope: Scope, k: int) -> tuple[Stage, ...]:
    """Return the stages that the settings ask for, in order; none when references are not followed."""
    if not retrieve.hop:
        return ()

    read = reader_of(library, scope)
    ways = Ways(
        references_in=partial(pointers_in, library, scope, read),
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


def worth_of_pointers(
    library: Reading, scope: Scope, query: Query, found: Candidates
) -> Iterator[tuple[float, Reference]]:
    """Yield the pointers of what a question found with what each is worth to it, the best first, as far as they compete."""
    kept, read = library.seen(scope).pointers, reader_of(library, scope)

    def pointers(candidate: Candidate) -> Sequence[tuple[Reference, str]]:
        chunk = candidate.chunk
        known = kept.get(chunk.id)
        return (
            kept.keep(chunk.id, pointers_in(library, scope, read, chunk, hanging=True))
            if known is None
            else known
        )

    for one in ranked_pointers(query, found, pointers, near=NEAR_BEST):
        yield one.score, one.reference


def handed_on_by(
    library: Reading, scope: Scope, query: Query, passage: Passage
) -> list[tuple[float, Reference]]:
    """Return the pointers by which a followed passage hands the matter over once more, those worth most first."""
    spans = passage.focus or (passage.lines,)
    pointers = library.seen(scope).looks.pointers
    return handed_on(library.read(passage.lines.doc, scope), spans, pointers, asked_stems(query.text))


def reader_of(library: Reading, scope: Scope) -> Callable[[str], Document]:
    """Return what reads the documents of one question, each once."""
    known: dict[str, Document] = {}

    def read(doc: str) -> Document:
        if doc not in known:
            known[doc] = library.read(doc, scope)
        return known[doc]

    return read


def pointers_in(
    library: Reading, scope: Scope, read: Callable[[str], Document], chunk: Chunk, *, hanging: bool = False
) -> Sequence[tuple[Reference, str]]:
    """Return the references in a passage, each with the sentence that it stands in; `hanging`: and what that hangs on."""
    # Most passages are looked through by their own text: their documents need not be read.
    lines = chunk.lines
    texts = lines_of(chunk) or [line.text for line in read(lines.doc).lines[lines.start : lines.end]]
    if library.names(scope).that_may_stand_in(texts):
        references: Sequence[Reference] = library.references_in(read(lines.doc), lines, scope)
    else:
        references = library.stored_in(lines, scope)
    return with_sentences(references, lines.start, texts, hanging=hanging)


def lines_of(chunk: Chunk) -> Sequence[str]:
    """Return the lines of a passage as its text has them, without the header rows above it; none when they are others."""
    texts = chunk.text.split("\n")
    own = texts[len(chunk.header) if chunk.header else 0 :]
    return own if len(own) == len(chunk.lines) else ()
