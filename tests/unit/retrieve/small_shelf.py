"""A small shelf for the tests of retrieval: two documents, one chunk a paragraph, pointers between them."""

from __future__ import annotations

from collections.abc import Sequence

from deref.ports import Entry, FileRecord
from deref.retrieve.hop import Mode, hop
from deref.retrieve.pack import pack
from deref.retrieve.stage import Stage
from deref.retrieve.ways import Ways
from deref.store.memory import MemoryStore
from deref.values import (
    Arrival,
    Candidate,
    Candidates,
    Chunk,
    Document,
    Line,
    Point,
    Reference,
    ReferenceKind,
    Resolution,
    Scope,
    Section,
    Span,
    Status,
    Target,
    Tier,
)
from deref.values.filters import Filter

_TEXTS = {
    "bridge": (
        "The bridge opens at dawn.",
        "The toll for carts is set out in Annex B.",
        "Carts of the mill pay a toll as Annex B says.",
        "A drover waits until the carts have passed.",
        "Annex B: a cart pays two pence, a drover one.",
    ),
    "ferry": (
        "The ferry takes no carts in winter.",
        "Its toll is that of the bridge, Annex B.",
        "A bell is rung when the river freezes.",
    ),
}


def _document(doc: str) -> Document:
    texts = _TEXTS[doc]
    whole = Section(id="s", label="1", title=doc, level=1, lines=Span(doc=doc, start=0, end=len(texts)))
    return Document(
        id=doc, name=f"{doc}.md", title=doc, aliases=(), sections=(whole,), items=(), links=(), fingerprint="f",
        lines=tuple(Line(doc=doc, n=n, page=1, row=n + 1, text=t, starts_block=True) for n, t in enumerate(texts)),
    )  # fmt: skip


def _chunk(doc: str, n: int) -> Chunk:
    text = _TEXTS[doc][n]
    lines = Span(doc=doc, start=n, end=n + 1)
    return Chunk(id=f"{doc}{n}", lines=lines, section="s", text=text, tokens=len(text.split()))


DOCUMENTS = {doc: _document(doc) for doc in _TEXTS}
CHUNKS = {f"{doc}{n}": _chunk(doc, n) for doc, texts in _TEXTS.items() for n in range(len(texts))}


def store(model: str = "none") -> MemoryStore:
    """Return a store that holds the shelf."""
    made = MemoryStore(model=model)
    for doc, document in DOCUMENTS.items():
        file = FileRecord(path=document.name, size=1, mtime_ns=1, doc=doc)
        chunks = chunks_of(doc, Scope())
        made.put_all([Entry(document=document, chunks=chunks, references=(), file=file)])
    return made


def chunks_of(doc: str, scope: Scope, where: Filter | None = None) -> Sequence[Chunk]:
    """Return the chunks of a document, or none when it is out of scope."""
    if scope.documents is not None and doc not in scope.documents:
        return ()
    assert where is None
    return tuple(c for c in CHUNKS.values() if c.lines.doc == doc)


def pointer(text: str, chunk: str) -> Reference:
    """Return a reference written in a chunk."""
    lines = CHUNKS[chunk].lines
    at = Point(doc=lines.doc, line=lines.start, char_start=0, char_end=len(text))
    return Reference(text=text, kind=ReferenceKind.ANNEX, labels=("B",), at=at)


def to(reference: Reference, chunk: str, kind: str = "annex", status: Status = Status.RESOLVED) -> Resolution:
    """Return the resolution that points a reference at a chunk, or at the document that holds it."""
    lines = CHUNKS[chunk].lines
    if kind == "document":
        lines = Span(doc=lines.doc, start=0, end=len(_TEXTS[lines.doc]))
    target = Target(lines=lines, kind=kind, label="B", title="")
    targets = (target,) if status is not Status.DANGLING else ()
    return Resolution(reference=reference, status=status, targets=targets, tier=Tier.LABEL, why="")


def hopping(*resolutions: Resolution, k: int = 9, mode: Mode = "append", **limits: int) -> Stage:
    """Return the hop stage over these pointers; the sentence of each is the text of its chunk. `bridge4` is "B"."""
    return hop(_ways(resolutions), k=k, mode=mode, **limits)


def packing(*resolutions: Resolution, k: int = 9) -> Stage:
    """Return the pack stage over these pointers; nothing has a part with a name."""
    return pack(_ways(resolutions), k=k, read=DOCUMENTS.get, named=lambda lines, sentence: None, grown=40)


def _ways(resolutions: Sequence[Resolution]) -> Ways:
    def references_in(chunk: Chunk) -> list[tuple[Reference, str]]:
        here = [r.reference for r in resolutions if r.reference.at.doc == chunk.lines.doc]
        return [(r, chunk.text) for r in here if r.at.line in chunk.lines]

    return Ways(
        references_in=references_in,
        resolve=lambda reference: next(r for r in resolutions if r.reference is reference),
        chunks_of=chunks_of,
        labels_in=lambda chunk: {"B"} if chunk.id == "bridge4" else set(),
    )


def candidate(chunk: str, by: Resolution | None = None) -> Candidate:
    """Return a chunk as a candidate, found by words or, given a resolution, by a hop."""
    return Candidate(
        chunk=CHUNKS[chunk], arrivals=(Arrival(by="hop" if by else "bm25", rank=0, reference=by),)
    )


def candidates(*chunks: str) -> Candidates:
    """Return primary candidates in this order."""
    return Candidates(tuple(candidate(c) for c in chunks))


def ids(found: Candidates) -> list[str]:
    """Return the chunk ids in order."""
    return [c.chunk.id for c in found]
