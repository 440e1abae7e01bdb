"""Small documents made by hand, for the suites of store, chunks and ingest."""

from __future__ import annotations

import hashlib

from deref.index.chunk import chunk
from deref.ports import Entry, FileRecord
from deref.values import (
    Box,
    Document,
    Effect,
    Item,
    ItemKind,
    Line,
    Link,
    LinkSource,
    Point,
    Problem,
    Reference,
    ReferenceKind,
    Section,
    Selector,
    Span,
)


def document(
    name: str,
    text: str,
    *,
    title: str = "",
    sections: tuple[tuple[str | None, str, int, int, int], ...] = (),
    items: tuple[Item, ...] = (),
    doc: str | None = None,
) -> Document:
    """Make a document; sections are (label, title, level, start, end), each inside the last one of a lower level."""
    id_ = doc or hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    rows = text.split("\n")
    lines = tuple(
        Line(doc=id_, n=n, page=1 + n // 40, row=1 + n % 40, text=row, starts_block=_starts(rows, n))
        for n, row in enumerate(rows)
    )
    made: list[Section] = []
    for n, (label, heading, level, start, end) in enumerate(sections):
        parent = next((s.id for s in reversed(made) if s.level < level), None)
        span = Span(doc=id_, start=start, end=end)
        made.append(Section(id=f"s{n}", label=label, title=heading, level=level, lines=span, parent=parent))
    return Document(
        id=id_,
        name=name,
        title=title or name,
        aliases=(name.rsplit(".", 1)[0], title or name),
        lines=lines,
        sections=tuple(made),
        items=items,
        links=(),
        fingerprint="test",
        pages=1 + len(rows) // 40,
    )


def _starts(rows: list[str], n: int) -> bool:
    return n == 0 or not rows[n - 1].strip()


def entry(document: Document, *references: Reference, path: str | None = None) -> Entry:
    """Make what the store takes, with real chunks."""
    file = FileRecord(path=path or document.name, size=1, mtime_ns=1, doc=document.id, seen_ns=9)
    return Entry(document=document, chunks=chunk(document, max_tokens=60), references=references, file=file)


LEASE = document(
    "lease.md",
    "1 Rent\n\nThe tenant pays a monthly rent of 1,250 crowns, as Schedule A says.\n\n"
    "2 Repairs\n\nThe landlord repairs the roof.\nSmall repairs fall to the tenant.\n\n"
    "2.1 Notice\n\nA defect is reported within nine days.",
    title="Lease of the Mill House",
    sections=(("1", "Rent", 1, 0, 4), ("2", "Repairs", 1, 4, 12), ("2.1", "Notice", 2, 9, 12)),
)

_ID = "manual00manual00manual00manual00"
_MANUAL_LINES = (
    "1 Limits\n\nThe value of ack_delay_exponent is never above 20; see Section 4.2.\n\n"
    "Table 3: Limits of the pump\n\nKind  Flow\nsmall  12\nlarge  48\n\n"
    "“Duty Point” means the flow at rest.\n\n学習された位置埋め込みを使用する。 Größe naïve Кошка"
)
MANUAL = Document(
    id=_ID,
    name="manuals/pump.txt",
    title="Pump Manual",
    aliases=("pump", "Pump Manual", "the Manual"),
    lines=tuple(
        Line(
            doc=_ID, n=n, page=1, row=n + 1, text=text, starts_block=True,
            box=Box(x0=72.0, top=10.25 * n, x1=300.1, bottom=10.25 * n + 9), size_pt=9.96,
        )
        for n, text in enumerate(_MANUAL_LINES.split("\n"))
    ),
    sections=(
        Section(
            id="s0", label="1", title="Limits", level=1, lines=Span(doc=_ID, start=0, end=13), word="chapter"
        ),
    ),
    items=(
        Item(
            id="i0", kind=ItemKind.TABLE, label="3", caption="Limits of the pump",
            lines=Span(doc=_ID, start=4, end=9),
            selectors=(Selector(kind="row", tag="large", lines=Span(doc=_ID, start=8, end=9)),),
            header=Span(doc=_ID, start=6, end=7),
        ),
        Item(
            id="i1", kind=ItemKind.DEFINITION, label="Duty Point", caption="Duty Point",
            lines=Span(doc=_ID, start=10, end=11),
        ),
    ),
    links=(
        Link(
            at=Point(doc=_ID, line=2, char_start=0, char_end=3), target=Span(doc=_ID, start=4, end=9),
            source=LinkSource.ANNOTATION,
        ),
        Link(
            at=Point(doc=_ID, line=2, char_start=5, char_end=8, end_line=3), target="http://example.org/a",
            source=LinkSource.ANCHOR,
        ),
    ),
    fingerprint="test",
    format="pdf",
    language="en",
    pages=2,
    page_labels=("i", "1"),
    anchors={"limits": 0},
    contents=(),
    code=(Span(doc=_ID, start=7, end=8),),
    problems=(Problem(what="no text on this page", page=2),),
)  # fmt: skip

POINTER = Reference(
    text="Section 4.2",
    kind=ReferenceKind.SECTION,
    labels=("4.2",),
    at=Point(doc=_ID, line=2, char_start=54, char_end=65),
    selector="row (E)",
    container="the Credit Agreement",
    effect=Effect.CONDITION,
)
