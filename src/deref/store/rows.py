"""Values to rows and back. Rows of a table are dicts by column on the way in, tuples in the order of `statements` out.

The body of a document is JSON by columns, not by lines (a list of all pages, a list of all texts, …), compressed:
a tenth of the size, and a fifth of the time to read.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from deref.ports import FileRecord
from deref.store.on_demand import OnDemand
from deref.text.names import normalize_name
from deref.values import (
    Box,
    Card,
    Chunk,
    Document,
    Effect,
    FoundBy,
    Item,
    ItemKind,
    Line,
    Link,
    LinkSource,
    Place,
    Point,
    Problem,
    Reference,
    ReferenceKind,
    Section,
    Selector,
    Span,
)

Row = dict[str, Any]


def storable(text: str) -> str:
    """Return the text with what no database takes (lone surrogates, NUL) replaced, one character for one."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def embedding_text(chunk: Chunk) -> str:
    """Return what is embedded for a chunk: its preamble, else its section path, then its text."""
    head = chunk.preamble or chunk.path
    return f"{head}\n{chunk.text}" if head else chunk.text


def text_hash(chunk: Chunk) -> str:
    """Return the key of a chunk's vector: 32 hex digits of what is embedded."""
    text = embedding_text(chunk).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def document_row(document: Document, revision: str, collection: str) -> Row:
    """Return the row of `documents`."""
    return {
        "id": document.id, "revision": revision, "collection": collection, "name": storable(document.name),
        "title": storable(document.title), "format": document.format, "language": document.language,
        "pages": document.pages, "status": "active", "body": _packed(document),
    }  # fmt: skip


def belonging_rows(
    document: Document, chunks: Sequence[Chunk], references: Sequence[Reference]
) -> dict[str, list[Row]]:
    """Return the rows of all tables whose rows belong to a document, by name of the table."""
    # Only writing needs them.
    from deref.store.cut_out import cut_columns
    from deref.store.facts import passage_columns, section_rows
    from deref.store.standing import front_page, stated_rows

    doc = document.id
    facts = passage_columns(
        [(chunk.lines.start, chunk.lines.end) for chunk in chunks],
        [line.page for line in document.lines],
        [(item.kind.value, item.lines.start, item.lines.end) for item in document.items],
        section_rows(document),
    )
    return {
        "aliases": [
            {"doc": doc, "n": n, "alias": storable(a)} for n, a in enumerate(document.aliases)
        ],
        "sections": [_section_row(doc, n, s) for n, s in enumerate(document.sections)],
        "items": [_item_row(doc, n, i) for n, i in enumerate(document.items)],
        "selectors": [
            {
                "doc": doc, "item": i, "n": n, "kind": s.kind, "tag": storable(s.tag),
                "line_start": s.lines.start, "line_end": s.lines.end,
            }
            for i, item in enumerate(document.items)
            for n, s in enumerate(item.selectors)
        ],
        "links": [_link_row(doc, n, link) for n, link in enumerate(document.links)],
        "document_references": [_reference_row(doc, n, r) for n, r in enumerate(references)],
        "passages": [
            {
                "doc": doc, "n": n, "id": c.id, "text_hash": text_hash(c), **columns,
                "paths": storable(columns["paths"]), **cut_columns(document, c),
            }
            for n, (c, columns) in enumerate(zip(chunks, facts, strict=True))
        ],
        "stated": stated_rows(doc, [storable(line) for line in front_page(document)]),
        "standings": [],  # Worked out when all are there.
    }  # fmt: skip


def _key(label: str | None) -> str | None:
    return None if label is None else storable(label.casefold())


def _section_row(doc: str, n: int, section: Section) -> Row:
    return {
        "doc": doc, "n": n, "id": section.id, "label": _maybe(section.label), "label_key": _key(section.label),
        "title": storable(section.title), "level": section.level, "line_start": section.lines.start,
        "line_end": section.lines.end, "parent": section.parent, "word": _maybe(section.word),
    }  # fmt: skip


def _item_row(doc: str, n: int, item: Item) -> Row:
    term = item.kind is ItemKind.DEFINITION and item.label is not None
    return {
        "doc": doc, "n": n, "id": item.id, "kind": item.kind.value, "label": _maybe(item.label),
        "label_key": _key(item.label), "term_key": storable(normalize_name(item.label or "")) if term else None,
        "caption": storable(item.caption), "line_start": item.lines.start, "line_end": item.lines.end,
        "header_start": item.header.start if item.header else None,
        "header_end": item.header.end if item.header else None,
    }  # fmt: skip


def _link_row(doc: str, n: int, link: Link) -> Row:
    span = link.target if isinstance(link.target, Span) else None
    return {
        "doc": doc, "n": n, "line": link.at.line, "char_start": link.at.char_start,
        "char_end": link.at.char_end, "end_line": link.at.end_line, "source": link.source.value,
        "target_start": span.start if span else None, "target_end": span.end if span else None,
        "uri": storable(link.target) if isinstance(link.target, str) else None,
    }  # fmt: skip


def _reference_row(doc: str, n: int, reference: Reference) -> Row:
    at = reference.at
    return {
        "doc": doc, "n": n, "text": storable(reference.text), "kind": reference.kind.value,
        "labels": json.dumps([storable(label) for label in reference.labels]), "line": at.line,
        "char_start": at.char_start, "char_end": at.char_end, "end_line": at.end_line,
        "selector": _maybe(reference.selector), "container": _maybe(reference.container),
        "effect": reference.effect.value, "found_by": reference.found_by.value,
    }  # fmt: skip


def _maybe(text: str | None) -> str | None:
    return None if text is None else storable(text)


def file_row(file: FileRecord) -> Row:
    """Return the row of `files`."""
    return {
        "path": file.path, "size": file.size, "mtime_ns": file.mtime_ns, "seen_ns": file.seen_ns,
        "doc": file.doc, "error": _maybe(file.error),
    }  # fmt: skip


def file_of(row: Sequence[Any]) -> FileRecord:
    """Return the record in a row (path, size, mtime_ns, seen_ns, doc, error)."""
    path, size, mtime_ns, seen_ns, doc, error = row
    return FileRecord(path=path, size=size, mtime_ns=mtime_ns, seen_ns=seen_ns, doc=doc, error=error)


def card_of(row: Sequence[Any], aliases: tuple[str, ...]) -> Card:
    """Return the card in a row (id, name, title, format, language, pages, status, successor, status_why)."""
    id_, name, title, format_, language, pages, status, successor, why = row
    return Card(
        id=id_, name=name, title=title, aliases=aliases, format=format_, language=language, pages=pages,
        status=status, successor=successor, status_why=why,
    )  # fmt: skip


def place_of(row: Sequence[Any]) -> Place:
    """Return the place in a row (doc, kind, label, title, line_start, line_end, word)."""
    doc, kind, label, title, start, end, word = row
    return Place(
        doc=doc, kind=kind, label=label, title=title, lines=Span(doc=doc, start=start, end=end), word=word
    )


# A question reads a hundred references, and hardly any of their labels is the only one of its kind.
_KINDS = {kind.value: kind for kind in ReferenceKind}
_EFFECTS = {effect.value: effect for effect in Effect}
_FOUND_BY = {found_by.value: found_by for found_by in FoundBy}


@lru_cache(maxsize=4096)
def _labels(written: str) -> tuple[str, ...]:
    return tuple(json.loads(written))


def reference_of(doc: str, row: Sequence[Any]) -> Reference:
    """Return the reference in a row (text, kind, labels, line, char_start, char_end, end_line, selector, …)."""
    text, kind, labels, line, char_start, char_end, end_line, selector, container, effect, found_by = row
    return Reference(
        text=text,
        kind=_KINDS[kind],
        labels=_labels(labels),
        at=Point(doc=doc, line=line, char_start=char_start, char_end=char_end, end_line=end_line),
        selector=selector,
        container=container,
        effect=_EFFECTS[effect],
        found_by=_FOUND_BY[found_by],
    )


def line_of(row: Sequence[Any]) -> int:
    """Return the line in which the reference in a row begins."""
    line: int = row[3]
    return line


def document_of(
    card: Card,
    body: bytes,
    sections: Sequence[Sequence[Any]],
    items: Iterable[Sequence[Any]],
    selectors: Iterable[Sequence[Any]],
    links: Iterable[Sequence[Any]],
) -> Document:
    """Return the document that these rows hold. All rows are in order."""
    doc = card.id
    values = json.loads(zlib.decompress(body))
    picks: dict[int, list[Selector]] = {}
    for item, kind, tag, start, end in selectors:
        lines = Span(doc=doc, start=start, end=end)
        picks.setdefault(item, []).append(Selector(kind=kind, tag=tag, lines=lines))
    return Document(
        id=doc,
        name=card.name,
        title=card.title,
        aliases=card.aliases,
        lines=_lines(doc, values["lines"]),
        sections=OnDemand(len(sections), lambda n: _section(doc, sections[n])),
        items=tuple(_item(doc, row, tuple(picks.get(row[0], ()))) for row in items),
        links=tuple(_link(doc, row) for row in links),
        fingerprint=values["fingerprint"],
        format=card.format,
        language=card.language,
        pages=card.pages,
        page_labels=tuple(values["page_labels"]),
        anchors=values["anchors"],
        contents=tuple(Span(doc=doc, start=a, end=b) for a, b in values["contents"]),
        code=tuple(Span(doc=doc, start=a, end=b) for a, b in values["code"]),
        problems=tuple(Problem(what=what, page=page) for what, page in values["problems"]),
    )


def _section(doc: str, row: Sequence[Any]) -> Section:
    id_, label, title, level, start, end, parent, word = row
    lines = Span(doc=doc, start=start, end=end)
    return Section(id=id_, label=label, title=title, level=level, lines=lines, parent=parent, word=word)


def _item(doc: str, row: Sequence[Any], selectors: tuple[Selector, ...]) -> Item:
    _, id_, kind, label, caption, start, end, header_start, header_end = row
    header = None if header_start is None else Span(doc=doc, start=header_start, end=header_end)
    return Item(
        id=id_, kind=ItemKind(kind), label=label, caption=caption, lines=Span(doc=doc, start=start, end=end),
        selectors=selectors, header=header,
    )  # fmt: skip


def _link(doc: str, row: Sequence[Any]) -> Link:
    line, char_start, char_end, end_line, source, start, end, uri = row
    at = Point(doc=doc, line=line, char_start=char_start, char_end=char_end, end_line=end_line)
    target: Span | str = uri if start is None else Span(doc=doc, start=start, end=end)
    return Link(at=at, target=target, source=LinkSource(source))


def _packed(document: Document) -> bytes:
    lines = document.lines
    values = {
        "lines": {
            "page": [line.page for line in lines],
            "row": [line.row for line in lines],
            "text": [line.text for line in lines],
            "box": [_corners(line.box) for line in lines],
            "size": [line.size_pt for line in lines],
            "block": [int(line.starts_block) for line in lines],
        },
        "fingerprint": document.fingerprint,
        "page_labels": document.page_labels,
        "anchors": dict(document.anchors),
        "contents": [(span.start, span.end) for span in document.contents],
        "code": [(span.start, span.end) for span in document.code],
        "problems": [(problem.what, problem.page) for problem in document.problems],
    }
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode("ascii"), 3)


def _corners(box: Box | None) -> tuple[float, float, float, float] | None:
    return None if box is None else (box.x0, box.top, box.x1, box.bottom)


def _lines(doc: str, columns: dict[str, list[Any]]) -> Sequence[Line]:
    pages, rows, texts, boxes, sizes, blocks = (
        columns[name] for name in ("page", "row", "text", "box", "size", "block")
    )

    def line(n: int) -> Line:
        box = boxes[n]
        return Line(
            doc=doc, n=n, page=pages[n], row=rows[n], text=texts[n],
            box=None if box is None else Box(x0=box[0], top=box[1], x1=box[2], bottom=box[3]),
            size_pt=sizes[n], starts_block=bool(blocks[n]),
        )  # fmt: skip

    return _Lines(texts, line)


class _Lines(OnDemand[Line]):
    """The lines of a document, of which mostly the text alone is wanted."""

    __slots__ = ("_texts",)

    def __init__(self, texts: Sequence[str], make: Callable[[int], Line]) -> None:
        super().__init__(len(texts), make)
        self._texts = texts

    def texts(self, start: int, end: int) -> Sequence[str]:
        """Return the texts of the lines from `start` up to `end`."""
        return self._texts[start:end]
