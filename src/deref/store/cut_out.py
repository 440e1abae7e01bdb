"""Passages cut out of their documents: the catalogue knows the lines of each, and a question has read the document anyhow.

The chunk index keeps the texts for searching; to look one up there takes longer than to cut it out. It is asked for those
documents alone of which some passage is not what its lines say: one with a preamble, or that a caller has made up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from deref.store import statements
from deref.store.on_demand import OnDemand
from deref.store.passages import ChunkIndex
from deref.store.reading import MOST_IN_LIST, Reader
from deref.store.recent import Recent
from deref.store.rows import storable
from deref.values import Chunk, Document, Span


def cut_columns(document: Document, chunk: Chunk) -> dict[str, Any]:
    """Return what the catalogue keeps of a passage so that it can be cut out again; `cut_out` is 0 when it cannot."""
    row = (
        chunk.id, chunk.lines.start, chunk.lines.end, chunk.section, chunk.tokens, storable(chunk.path),
        chunk.header.start if chunk.header else None, chunk.header.end if chunk.header else None,
    )  # fmt: skip
    names = ("line_start", "line_end", "section", "tokens", "path", "header_start", "header_end")
    same = not chunk.preamble and _cut(document, row).text == storable(chunk.text)
    return {**dict(zip(names, row[1:], strict=True)), "cut_out": int(same)}


def _cut(document: Document, row: Sequence[Any]) -> Chunk:
    id_, start, end, section, tokens, path, header_start, header_end = row
    lines = Span(doc=document.id, start=start, end=end)
    header = None if header_start is None else Span(doc=document.id, start=header_start, end=header_end)
    text = document.text(lines)
    return Chunk(
        id=id_,
        lines=lines,
        section=section,
        text=storable(f"{document.text(header)}\n{text}" if header else text),
        tokens=tokens,
        path=path,
        header=header,
    )


class Passages:
    """The passages of the documents that were asked for last."""

    def __init__(self, reader: Reader, index: ChunkIndex, most: int) -> None:
        """Take the catalogue, the index for what cannot be cut out, and of how many documents passages are kept."""
        self._reader = reader
        self._index = index
        self._places: Recent[Sequence[Sequence[Any]]] = Recent(most)
        self._kept: Recent[Sequence[Chunk]] = Recent(most)

    def of(self, doc: str, revision: str, document: Callable[[str], Document | None]) -> Sequence[Chunk]:
        """Return the passages of a document, in order; `revision` is the write of it that counts, `document` reads one."""
        self.read_ahead({doc: revision})
        kept = self._kept.get(doc)
        if kept is not None:
            return kept
        whole, rows = document(doc), self._places.get(doc)
        if whole is None or not rows:
            return ()
        return self._kept.keep(doc, OnDemand(len(rows), partial(_nth, whole, rows)))

    def read_ahead(self, revisions: Mapping[str, str]) -> None:
        """Read of several documents at once where their passages stand, or those that the index has."""
        missing = {d: r for d, r in revisions.items() if not self._is_known(d)}
        rows: dict[str, list[Sequence[Any]]] = {doc: [] for doc in missing}
        wanted = sorted(missing)
        for start in range(0, len(wanted), MOST_IN_LIST):
            part = wanted[start : start + MOST_IN_LIST]
            statement = statements.passages_of(len(part))
            for doc, *row in self._reader.rows(statement, {f"d{n}": doc for n, doc in enumerate(part)}):
                rows[doc].append(row)
        for doc, some in rows.items():
            if all(row[-1] for row in some):
                self._places.keep(doc, some)
                del missing[doc]
        for doc, chunks in self._index.of_documents(missing).items() if missing else ():
            self._kept.keep(doc, chunks)

    def _is_known(self, doc: str) -> bool:
        return self._places.get(doc) is not None or self._kept.get(doc) is not None

    def clear(self) -> None:
        """Let go of all."""
        self._places.clear()
        self._kept.clear()


def _nth(document: Document, rows: Sequence[Sequence[Any]], n: int) -> Chunk:
    return _cut(document, rows[n][:-1])
