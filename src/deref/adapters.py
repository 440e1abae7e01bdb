"""What the settings name, put together for the engine: the steps of reading a folder, the head of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from deref.language_models import sent_to
from deref.models.remembering import Remembering
from deref.ports import LanguageModel, Store, Vectors
from deref.retrieve.ways import part_named
from deref.retrieve.within import best_within
from deref.settings import Settings
from deref.trace.events import FileRead, RunStarted
from deref.trace.sinks import Sink
from deref.values import Chunk, Document, Query, Span, Target

_UNRELATED, _SAME = 0.45, 0.90
"""Cosines of the bundled embedder: of text on another subject, and of the same said in other words."""


def read_folder(
    root: Path, store: Store, settings: Settings, *, emit: Sink, password: str | None, force: bool
) -> Sequence[FileRead]:
    """Read what changed in a folder or file into the store: see `Engine.index`."""
    from deref.index.chunk import chunk
    from deref.ingest import ingest
    from deref.ingest.collections import folder_collection, one_collection
    from deref.parse import SUFFIXES, parse
    from deref.references.find import find
    from deref.structure.build import build_document

    limits = settings.read
    return ingest(
        root,
        store,
        parse=partial(parse, max_unpacked=limits.max_unpacked_mb * 2**20),
        structure=partial(build_document, fingerprint=settings.stored_fingerprint),
        find=find,
        chunk=partial(chunk, max_tokens=settings.index.chunk_tokens),
        suffixes=SUFFIXES,
        emit=emit,
        password=password,
        max_bytes=limits.max_file_mb * 2**20,
        jobs=limits.jobs,
        force=force,
        collection_of=folder_collection if settings.index.collections == "folders" else one_collection,
    ).files


_ENRICHED_BY_MODEL = 8
"""Passages between two writes when each costs a call: what is lost when a run is ended."""


def enrich_missing_passages(
    store: Store, settings: Settings, language_model: Callable[[], LanguageModel], *, emit: Sink
) -> int:
    """Give the passages that have none their preamble, title and section path; return how many were given.

    With `index.enrich = model` the language model adds a sentence, one call a passage. Raises ModelError.
    """
    from deref.index.preamble import Whereabouts, whereabouts
    from deref.ingest.enrich import enrich_missing

    if settings.index.enrich == "model" and store.unenriched():
        from deref.index.in_words import PreamblesInWords

        in_words = PreamblesInWords(language_model())
        return enrich_missing(store, in_words, whereabouts, emit, batch=_ENRICHED_BY_MODEL)
    return enrich_missing(store, Whereabouts(), whereabouts, emit)


def run_started(query: Query, library: Store | str, settings: Settings, *, version: str) -> RunStarted:
    """Return the event that heads a run: the question, and against what it was asked, a library or what it is called."""
    return RunStarted(
        query=query,
        library=library if isinstance(library, str) else str(library.describe().get("place", "memory")),
        fingerprints={"stored": settings.stored_fingerprint, "asked": settings.asked_fingerprint},
        versions={"deref": version},
        sent_to=sent_to(settings),
    )


def lines_within(
    store: Store,
    embedder: Remembering | None,
    read: Callable[[str], Document],
    query: Query,
    target: Target,
    said: str,
) -> list[Span]:
    """Return the passages within a place that bear on the question, as `retrieve.within.best_within` chooses them."""
    chunks = store.chunks(target.lines.doc, query.scope, query.filter)

    def similarity(text: str, near: Sequence[Chunk]) -> Vectors:
        assert embedder is not None
        return store.vectors(near, embedder) @ embedder.query(text)

    named = part_named(read(target.lines.doc), target.lines, said)
    near = similarity if embedder is not None else None
    return best_within(query, target, chunks, near, said=said, named=named)


def nearness(store: Store, embedder: Remembering, question: str, texts: Sequence[str]) -> list[float]:
    """Return how near each text is to the question, 0..1; unrelated text lies at `_UNRELATED` for the embedder."""

    def kept(missing: Sequence[str]) -> Vectors:
        return store.vectors([_as_chunk(t) for t in missing], embedder)

    cosines = embedder.sentences(texts, kept) @ embedder.query(question)
    return [min(max((float(c) - _UNRELATED) / (_SAME - _UNRELATED), 0.0), 1.0) for c in cosines]


def _as_chunk(text: str) -> Chunk:
    """Return a text in the form in which the store keeps vectors: by the text alone."""
    return Chunk(id="", lines=Span(doc="", start=0, end=0), section=None, text=text, tokens=0)
