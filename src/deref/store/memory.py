"""A library in memory: the double of `Store`, with its own small BM25. Nothing is kept when it goes.

BM25 with k1 = 1.2 and b = 0.75 over the stems of title, section path and text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deref.ports import Embedder, Entry, FileRecord, Progress, Shelf, Vectors
from deref.store.rows import embedding_text, text_hash
from deref.text.names import normalize_name
from deref.text.tokens import STOPWORDS, stem, words
from deref.values import Card, Chunk, Document, Hit, ItemKind, Place, Reference, Scope

_K1, _B = 1.2, 0.75


class MemoryStore:
    """`Store` without a disk. `model` is the identity of the embedder whose vectors count."""

    def __init__(self, *, model: str = "none", collection: str = "default") -> None:
        """Start empty."""
        self._model = model
        self._collection = collection
        self._entries: dict[str, Entry] = {}
        self._collections: dict[str, str] = {}
        self._files: dict[str, FileRecord] = {}
        self._vectors: dict[tuple[str, str], Vectors] = {}
        self._home: str | None = None

    def put(
        self, document: Document, chunks: Sequence[Chunk], references: Sequence[Reference], file: FileRecord
    ) -> None:
        """Add or replace a document with all that belongs to it."""
        self.put_all([Entry(document=document, chunks=chunks, references=references, file=file)])

    def put_all(self, entries: Sequence[Entry]) -> None:
        """Add or replace several documents."""
        for entry in entries:
            self._entries[entry.document.id] = entry
            self._collections[entry.document.id] = self._collection
            self.note_file(entry.file)

    def note_file(self, file: FileRecord) -> None:
        """Record a file without a new document."""
        self.note_files([file])

    def note_files(self, files: Sequence[FileRecord]) -> None:
        """Record several files."""
        self._files.update({file.path: file for file in files})
        self._drop_unheld()
        self._name_by_files([file.path for file in files])

    def forget_files(self, paths: Iterable[str]) -> Sequence[str]:
        """Remove files; return the ids of documents that went."""
        forgotten = set(paths)
        for path in forgotten:
            self._files.pop(path, None)
        gone = self._drop_unheld()
        self._name_by_files(forgotten)
        return gone

    def _name_by_files(self, paths: Collection[str]) -> None:
        """Give each document that is named by a file that does not hold it the first name of one that does."""
        for doc, entry in self._entries.items():
            held = sorted(file.path for file in self._files.values() if file.doc == doc)
            if entry.document.name in paths and entry.document.name not in held:
                self._entries[doc] = replace(entry, document=replace(entry.document, name=held[0]))

    def _drop_unheld(self) -> list[str]:
        held = {file.doc for file in self._files.values()}
        gone = sorted(doc for doc in self._entries if doc not in held)
        for doc in gone:
            del self._entries[doc]
        return gone

    def files(self) -> Sequence[FileRecord]:
        """Return all file records, by path."""
        return tuple(self._files[path] for path in sorted(self._files))

    def fold(self) -> None:
        """Do nothing: there is nothing to fold."""

    def _seen(self, scope: Scope) -> list[Entry]:
        """Return what this caller may see, by name."""
        return sorted(
            (
                entry
                for doc, entry in self._entries.items()
                if (scope.documents is None or doc in scope.documents)
                and (scope.collections is None or self._collections[doc] in scope.collections)
            ),
            key=lambda entry: (entry.document.name, entry.document.id),
        )

    def shelf(self, scope: Scope) -> Shelf:
        """Return the registry as this caller may see it, as it is now."""
        return _MemoryShelf([entry.document for entry in self._seen(scope)])

    def references(self, doc: str, scope: Scope) -> Sequence[Reference]:
        """Return the references found in a document, in order."""
        return tuple(r for e in self._seen(scope) if e.document.id == doc for r in e.references)

    def chunks(self, doc: str, scope: Scope) -> Sequence[Chunk]:
        """Return the chunks of a document, in order."""
        return tuple(c for e in self._seen(scope) if e.document.id == doc for c in e.chunks)

    def lexical(self, text: str, k: int, scope: Scope) -> Sequence[Hit]:
        """Return the best k chunks by BM25, best first, ties by chunk id."""
        asked = {w.casefold() for w in words(text)}
        stems = {stem(w) for w in (asked - STOPWORDS or asked)}
        rows = [
            (chunk, Counter(stem(w) for w in words(f"{e.document.title} {chunk.path} {chunk.text}")))
            for e in self._seen(scope)
            for chunk in e.chunks
        ]
        if not stems or not rows or k < 1:
            return ()
        average = sum(c.total() for _, c in rows) / len(rows) or 1.0
        weights = {s: _idf(sum(1 for _, c in rows if s in c), len(rows)) for s in stems}
        hits = [Hit(chunk=chunk, score=_bm25(counts, weights, average)) for chunk, counts in rows]
        found = sorted((h for h in hits if h.score > 0), key=lambda h: (-h.score, h.chunk.id))
        return tuple(found[:k])

    def dense(self, vector: Vectors, k: int, scope: Scope) -> Sequence[Hit]:
        """Return the best k chunks by cosine among those that have a vector, best first, ties by chunk id."""
        hits = []
        for chunk in (chunk for entry in self._seen(scope) for chunk in entry.chunks):
            kept = self._vectors.get((self._model, text_hash(chunk)))
            if kept is not None:
                hits.append(Hit(chunk=chunk, score=float(kept @ vector)))
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[: max(k, 0)])

    def vectors(self, chunks: Sequence[Chunk], embedder: Embedder) -> Vectors:
        """Return the vectors of these chunks, in order, computing and keeping those that are missing."""
        keys = [(embedder.identity, text_hash(chunk)) for chunk in chunks]
        missing = {key: c for key, c in zip(keys, chunks, strict=True) if key not in self._vectors}
        if missing:
            computed = embedder.passages([embedding_text(chunk) for chunk in missing.values()])
            self._vectors.update(zip(missing, computed, strict=True))
        if not chunks:
            return np.zeros((0, embedder.dimensions), dtype=np.float32)
        return np.stack([self._vectors[key] for key in keys])

    def missing_vectors(self, limit: int) -> Sequence[Chunk]:
        """Return up to `limit` chunks without a vector, by document name."""
        every = (chunk for entry in self._seen(Scope()) for chunk in entry.chunks)
        return tuple(c for c in every if (self._model, text_hash(c)) not in self._vectors)[: max(limit, 0)]

    def progress(self, scope: Scope) -> Progress:
        """Return how many chunks have their vector."""
        every = [chunk for entry in self._seen(scope) for chunk in entry.chunks]
        done = sum(1 for chunk in every if (self._model, text_hash(chunk)) in self._vectors)
        return Progress(chunks=len(every), embedded=done)

    def home(self) -> str | None:
        """Return the folder or file that the library is of; None before `claim`."""
        return self._home

    def claim(self, home: str) -> None:
        """Make this the library of a folder or file."""
        self._home = home

    def describe(self) -> Mapping[str, Any]:
        """Return what the library is, with the same keys as one on disk."""
        progress = self.progress(Scope())
        return {
            "place": "memory", "layout": "memory", "fingerprint": "memory", "embedder": self._model,
            "documents": len(self._entries), "files": len(self._files), "chunks": progress.chunks,
            "embedded": progress.embedded,
        }  # fmt: skip

    def close(self) -> None:
        """Do nothing."""


def _idf(holding: int, rows: int) -> float:
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))


def _bm25(counts: Counter[str], weights: Mapping[str, float], average: float) -> float:
    norm = _K1 * (1 - _B + _B * counts.total() / average)
    return sum(w * counts[s] * (_K1 + 1) / (counts[s] + norm) for s, w in weights.items() if s in counts)


class _MemoryShelf:
    """`Shelf` over a list of documents."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents

    def cards(self) -> Sequence[Card]:
        """Return the documents, by name."""
        return tuple(d.card() for d in self._documents)

    def document(self, doc: str) -> Document | None:
        """Return a document by id, or None."""
        return next((d for d in self._documents if d.id == doc), None)

    def labelled(self, label: str) -> Sequence[Place]:
        """Return all sections and items with this normalised label, by name and line."""
        key = label.casefold()
        return [p for d in self._documents for p in d.places() if p.label.casefold() == key]

    def defined(self, term: str) -> Sequence[Place]:
        """Return the definitions of a term, by name and line."""
        key = normalize_name(term)
        return [
            place
            for document in self._documents
            for place in document.places()
            if place.kind == ItemKind.DEFINITION and normalize_name(place.label) == key
        ]
