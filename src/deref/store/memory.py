"""A library in memory: the double of `Store`, with its own small BM25. Nothing is kept when it goes.

BM25 with k1 = 1.2 and b = 0.75 over the stems of title, section path and text.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deref.ports import Embedder, Entry, FileRecord, History, Past, Progress, Ranking, Shelf, Vectors
from deref.store.facts import Choice, check_names, choose, document_facts, passage_columns, section_rows
from deref.store.memory_shelf import MemoryShelf
from deref.store.names import best_names, names_of, wanted
from deref.store.past import check_known
from deref.store.rows import embedding_text, text_hash
from deref.store.standing import Known, called, front_page, marks_told, standings, tell_names
from deref.text.standing import stated
from deref.text.tokens import STOPWORDS, stem, words
from deref.text.trigrams import name_words, trigrams
from deref.values import Chunk, Hit, Reference, Scope, Span, TitleHit
from deref.values.filters import DocumentFacts, Filter, PassageFacts
from deref.values.standing import Standing, StatusMark

_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stay:
    """A document under one name: from when it is there, and until when, None while it is."""

    entry: Entry
    collection: str
    since_ns: int
    until_ns: int | None = None


class MemoryStore:
    """`Store` without a disk. `model` is the identity of the embedder whose vectors count."""

    def __init__(self, *, model: str = "none", collection: str = "default") -> None:
        """Start empty."""
        self._model = model
        self._collection = collection
        self._stays: dict[str, _Stay] = {}
        self._former: list[_Stay] = []
        self._history = History(begins_ns=time.time_ns(), changed_ns=0)
        self._files: dict[str, FileRecord] = {}
        self._vectors: dict[tuple[str, str], Vectors] = {}
        self._home: str | None = None
        self._marks: dict[str, StatusMark] = {}
        self._generation = 0

    def put_all(self, entries: Sequence[Entry], *, at_ns: int | None = None) -> None:
        """Add or replace several documents."""
        self._generation += 1
        for entry in entries:
            self._put(entry, self._moment(at_ns))
            self.note_files([entry.file], at_ns=at_ns)

    def note_files(self, files: Sequence[FileRecord], *, at_ns: int | None = None) -> None:
        """Record several files."""
        self._generation += 1
        self._files.update({file.path: file for file in files})
        self._drop_unheld(self._moment(at_ns))
        self._name_by_files([file.path for file in files], self._moment(at_ns))

    def forget_files(self, paths: Iterable[str], *, at_ns: int | None = None) -> Sequence[str]:
        """Remove files; return the ids of documents that went."""
        self._generation += 1
        forgotten = set(paths)
        for path in forgotten:
            self._files.pop(path, None)
        gone = self._drop_unheld(self._moment(at_ns))
        self._name_by_files(forgotten, self._moment(at_ns))
        return gone

    def _moment(self, at_ns: int | None) -> int:
        return max(
            time.time_ns() if at_ns is None else at_ns, self._history.begins_ns, self._history.changed_ns
        )

    def _put(self, entry: Entry, at_ns: int) -> None:
        known = self._stays.get(entry.document.id)
        if known is not None and known.entry.document.name == entry.document.name:
            self._stays[entry.document.id] = replace(known, entry=entry)
            return
        self._end(entry.document.id, at_ns)
        collection = entry.collection or self._collection
        self._stays[entry.document.id] = _Stay(entry=entry, collection=collection, since_ns=at_ns)
        self._history = replace(self._history, changed_ns=at_ns)

    def _end(self, doc: str, at_ns: int) -> None:
        stay = self._stays.pop(doc, None)
        if stay is not None:
            self._history = replace(self._history, changed_ns=at_ns)
            if stay.since_ns < at_ns:
                self._former.append(replace(stay, until_ns=at_ns))

    def _name_by_files(self, paths: Collection[str], at_ns: int) -> None:
        """Give each document that is named by a file that does not hold it the first name of one that does."""
        for doc, stay in list(self._stays.items()):
            held = sorted(file.path for file in self._files.values() if file.doc == doc)
            document = stay.entry.document
            if document.name in paths and document.name not in held:
                self._put(replace(stay.entry, document=replace(document, name=held[0])), at_ns)

    def _drop_unheld(self, at_ns: int) -> list[str]:
        held = {file.doc for file in self._files.values()}
        gone = sorted(doc for doc in self._stays if doc not in held)
        for doc in gone:
            self._end(doc, at_ns)
        return gone

    def files(self, scope: Scope) -> Sequence[FileRecord]:
        """Return the file records, by path."""
        seen = self._limit(scope)
        return tuple(one for _, one in sorted(self._files.items()) if seen is None or one.doc in seen)

    def _limit(self, scope: Scope) -> frozenset[str] | None:
        """Return the documents that a scope leaves, None for all."""
        if scope.documents is None and scope.collections is None:
            return None
        return frozenset(self.collections(scope))

    def fold(self) -> None:
        """Do nothing: there is nothing to fold."""

    def mark(self, marks: Sequence[StatusMark]) -> None:
        """Keep what was said of the standing of documents."""
        self._generation += 1
        self._marks.update({mark.doc: mark for mark in marks})

    def collections(self, scope: Scope) -> Mapping[str, str]:
        """Return the collection of each document, by id."""
        return {doc: s.collection for doc, s in self._stays.items() if scope.holds(doc, s.collection)}

    def generation(self) -> str:
        """Return the word that every change of documents or their standing changes."""
        return str(self._generation)

    def marks(self, scope: Scope) -> Sequence[StatusMark]:
        """Return what was said of the standing of documents, by name; not what names a document that the caller does not see."""
        return marks_told(sorted(self._marks.values(), key=lambda m: (m.name, m.doc)), self._limit(scope))

    def standings(self, scope: Scope) -> Mapping[str, Standing]:
        """Return the documents that are not active, by id."""
        documents = [entry.document for entry in self._seen(Scope())]
        known = [
            Known(d.id, d.name, called(d.name, d.title, d.aliases), stated(front_page(d))) for d in documents
        ]
        worked_out, seen = standings(known, self._marks.values()), self._limit(scope)
        found = {doc: one.standing for doc, one in worked_out.items() if seen is None or doc in seen}
        return found if seen is None else tell_names(found, [d.card() for d in documents if d.id in seen])

    def _left(self, scope: Scope, where: Filter | None) -> list[tuple[Entry, list[Chunk]]]:
        """Return the documents of a scope of which a filter leaves some passage, each with those."""
        entries = self._seen(scope)
        if where is None:
            return [(entry, list(entry.chunks)) for entry in entries]
        chosen = self._chosen(entries, scope, where)
        return [
            (entry, [chunk for chunk in entry.chunks if chosen.holds(entry.document.id, chunk.id)])
            for entry in entries
            if chosen.touches(entry.document.id)
        ]

    def passes(self, where: Filter, scope: Scope) -> bool:
        """Tell whether a filter leaves anything. Raises UsageError for a document or collection that is not there."""
        entries = self._seen(scope)
        check_names(where, self._facts(entries, scope))
        return bool(self._chosen(entries, scope, where))

    def _chosen(self, entries: Sequence[Entry], scope: Scope, where: Filter) -> Choice:
        held = {entry.document.id: entry for entry in entries}
        return choose(
            where,
            self._facts(entries, scope),
            lambda docs: {doc: _passage_facts(held[doc]) for doc in docs},
        )

    def _facts(self, entries: Sequence[Entry], scope: Scope) -> list[DocumentFacts]:
        aside = self.standings(scope)

        def facts(entry: Entry) -> DocumentFacts:
            d = entry.document
            file = self._files.get(d.name)
            return document_facts(
                doc=d.id, name=d.name, title=d.title, aliases=d.aliases, collection=self._stays[d.id].collection,
                format=d.format, changed_ns=file.mtime_ns if file and file.doc == d.id else None,
                status=aside[d.id].status if d.id in aside else "active",
            )  # fmt: skip

        return [facts(entry) for entry in entries]

    def _seen(self, scope: Scope, at_ns: int | None = None) -> list[Entry]:
        """Return what this caller may see, or might have seen at a time, by name."""
        return sorted(
            (
                stay.entry
                for stay in (*self._stays.values(), *self._former)
                if (
                    stay.until_ns is None
                    if at_ns is None
                    else stay.since_ns <= at_ns and (stay.until_ns is None or at_ns < stay.until_ns)
                )
                and scope.holds(stay.entry.document.id, stay.collection)
            ),
            key=lambda entry: (entry.document.name, entry.document.id),
        )

    def shelf(self, scope: Scope) -> Shelf:
        """Return the registry as this caller may see it, as it is now."""
        return MemoryShelf(self._seen(scope), self.standings(scope))

    def history(self) -> History:
        """Return from when on the former states of the library are known, and when it last changed."""
        return self._history

    def past(self, at_ns: int, scope: Scope) -> Past:
        """Return the registry as this caller would have seen it at a time. Raises UsageError for one that is too early."""
        check_known(at_ns, self._history)
        return MemoryShelf(self._seen(scope, at_ns))

    def references(self, doc: str, scope: Scope, within: Span | None = None) -> Sequence[Reference]:
        """Return the references found in a document, in order; those that begin in the lines `within` when these are given."""
        every = (r for e in self._seen(scope) if e.document.id == doc for r in e.references)
        return tuple(r for r in every if within is None or within.start <= r.at.line < within.end)

    def chunks(self, doc: str, scope: Scope, where: Filter | None = None) -> Sequence[Chunk]:
        """Return the chunks of a document that pass a filter, in order."""
        return tuple(c for e, chunks in self._left(scope, where) if e.document.id == doc for c in chunks)

    def read_ahead(self, docs: Collection[str], scope: Scope) -> None:
        """Do nothing: all is at hand."""

    def unenriched(self) -> Sequence[str]:
        """Return the documents of which some passage has no preamble, by id."""
        seen = self._seen(Scope())
        return sorted({c.lines.doc for e in seen for c in e.chunks if not c.preamble})

    def lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks that pass a filter, by BM25 over all in scope, best first, ties by chunk id."""
        passing = {chunk.id for _, chunks in self._left(scope, where) for chunk in chunks}
        asked = {w.casefold() for w in words(text)}
        stems = {stem(w) for w in (asked - STOPWORDS or asked)}
        rows = [
            (
                chunk,
                Counter(
                    stem(w)
                    for w in words(f"{chunk.preamble or f'{e.document.title} {chunk.path}'} {chunk.text}")
                ),
            )
            for e in self._seen(scope)
            for chunk in e.chunks
        ]
        if not stems or not rows or k < 1:
            return ()
        average = sum(c.total() for _, c in rows) / len(rows) or 1.0
        weights = {s: _idf(sum(1 for _, c in rows if s in c), len(rows)) for s in stems}
        hits = [Hit(chunk=chunk, score=_bm25(counts, weights, average)) for chunk, counts in rows]
        found = sorted(
            (h for h in hits if h.score > 0 and h.chunk.id in passing), key=lambda h: (-h.score, h.chunk.id)
        )
        return tuple(found[:k])

    def dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Sequence[Hit]:
        """Return the best k chunks that pass a filter, by cosine among those with a vector, ties by chunk id."""
        hits = []
        for chunk in (chunk for _, chunks in self._left(scope, where) for chunk in chunks):
            kept = self._vectors.get((self._model, text_hash(chunk)))
            if kept is not None:
                hits.append(Hit(chunk=chunk, score=float(kept @ vector)))
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[: max(k, 0)])

    def rank_lexical(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `lexical` finds: (id, score), in its order."""
        return tuple((hit.chunk.id, hit.score) for hit in self.lexical(text, k, scope, where))

    def rank_dense(self, vector: Vectors, k: int, scope: Scope, where: Filter | None = None) -> Ranking:
        """Return what `dense` finds: (id, score), in its order."""
        return tuple((hit.chunk.id, hit.score) for hit in self.dense(vector, k, scope, where))

    def passages(self, ids: Sequence[str], scope: Scope) -> Mapping[str, Chunk]:
        """Return chunks by id; those that are not there for this caller are left out."""
        wanted = set(ids)
        return {c.id: c for entry in self._seen(scope) for c in entry.chunks if c.id in wanted}

    def titles(self, text: str, k: int, scope: Scope, where: Filter | None = None) -> Sequence[TitleHit]:
        """Return the best k documents by the name that is most like a text, best first, ties by document.

        Only those of which a filter leaves some passage.
        """
        asked = frozenset(wanted(text))
        known = {
            e.document.id: names_of(e.document.name, e.document.title, e.document.aliases)
            for e, _ in self._left(scope, where)
        }
        grams = [(d, trigrams(name_words(n.told))) for d, names in known.items() for n in names if n.sought]
        best = best_names(text, k, ((doc, len(own), len(own & asked)) for doc, own in grams))
        return tuple(
            TitleHit(doc=doc, names=tuple(n.told for n in known[doc]), score=alike) for doc, alike in best
        )

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

    def progress(self, scope: Scope, where: Filter | None = None) -> Progress:
        """Return how many chunks have their vector, of the documents of which a filter leaves some passage."""
        every = [chunk for entry, _ in self._left(scope, where) for chunk in entry.chunks]
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
            "documents": len(self._stays), "files": len(self._files), "chunks": progress.chunks,
            "embedded": progress.embedded,
        }  # fmt: skip

    def close(self) -> None:
        """Do nothing."""


def _passage_facts(entry: Entry) -> list[PassageFacts]:
    document = entry.document
    columns = passage_columns(
        [(chunk.lines.start, chunk.lines.end) for chunk in entry.chunks],
        [line.page for line in document.lines],
        [(item.kind.value, item.lines.start, item.lines.end) for item in document.items],
        section_rows(document),
    )
    return [
        PassageFacts(
            id=chunk.id, paths=tuple(row["paths"].split("\n")), first_page=row["page"], last_page=row["end_page"],
            kinds=frozenset(row["kinds"].split()),
        )
        for chunk, row in zip(entry.chunks, columns, strict=True)
    ]  # fmt: skip


def _idf(holding: int, rows: int) -> float:
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))


def _bm25(counts: Counter[str], weights: Mapping[str, float], average: float) -> float:
    norm = _K1 * (1 - _B + _B * counts.total() / average)
    return sum(w * counts[s] * (_K1 + 1) / (counts[s] + norm) for s, w in weights.items() if s in counts)
