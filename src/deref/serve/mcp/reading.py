"""The tools as functions of an engine, or of a library where a question is asked, of the scope of the caller, and of what is asked: all but `follow`."""

from __future__ import annotations

from typing import Any

from deref.engine import Engine
from deref.references.named_spans import named_spans
from deref.serve import verbs
from deref.serve.answering import Asked, Sought
from deref.serve.mcp import asked, given
from deref.serve.mcp.room import MOST_IN_ALL, Room
from deref.serve.mcp.shelves import Readable
from deref.text.cited import place_told
from deref.values import Document, Scope, Severity, Span

_MOST_OPEN = 30
_MOST_TARGETS = 10


def documents(engine: Engine, scope: Scope, ask: asked.ToDocuments) -> given.Documents:
    """Return documents by name."""
    rows, following, total = verbs.documents(engine, scope, start=ask.start, limit=ask.limit)
    names = given.DocumentGiven.model_fields
    listed = [given.DocumentGiven(**{k: v for k, v in row.items() if k in names}) for row in rows]
    return given.Documents(documents=listed, total=total, next=following, problems=[])


async def search(shelf: Readable, scope: Scope, ask: asked.ToSearch) -> given.Found:
    """Return passages, best first. Raises UsageError for a filter that is none."""
    found = await shelf.search(Sought(text=ask.question, where=ask.where, k=ask.k), scope)
    room = Room()
    passages = []
    for row in found["passages"]:
        lines = _range(*row["lines"])
        text = room.fit(row["text"], _cite(row), f"open {row['source']!r} with lines={lines}")
        led = next((a["reference"] for a in row["arrivals"] if a["reference"] is not None), None)
        # What the question itself found needs no reference to be here, whatever else points at it.
        by_question = any(a["reference"] is None for a in row["arrivals"])
        passages.append(
            given.Passage(
                cite=_cite(row), source=row["source"], lines=lines, section=row["path"], text=text,
                followed=None if led is None or by_question else pointer(led),
            )
        )  # fmt: skip
    return given.Found(passages=passages, left_out=room.left_out, problems=found["problems"])


async def ask(shelf: Readable, scope: Scope, ask: asked.ToAsk) -> given.Answer:
    """Return an answer. Raises UsageError, Cancelled, ModelError."""
    question = Asked(text=ask.question, where=ask.where, budget=ask.budget, traced=False)
    row = await shelf.ask(question, scope)
    room = Room()
    text = room.fit(row["text"], "the answer", "its quotes stand in `citations`")
    citations = [_citation(n, one, room) for n, one in enumerate(row["citations"], start=1)]
    return given.Answer(
        text=text,
        completeness=row["completeness"],
        citations=citations,
        open=_pointers(row["pending"], "open references", room),
        external=_pointers(row["external"], "references off the shelf", room),
        amendments=[given.Amendment(**one) for one in row["amendments"]],
        unquoted=_pointers(row["unquoted"], "references that were read and not quoted", room),
        conditions=[given.Told(text=c["text"], cite=_cite(c)) for c in row["conditions"]],
        definitions=[given.Told(text=f"{d['term']}: {d['text']}", cite=_cite(d)) for d in row["definitions"]],
        left_out=room.left_out,
        problems=row["problems"],
    )


def _citation(n: int, row: dict[str, Any], room: Room) -> given.Citation:
    origin, lines = row["referenced_from"], _range(*row["lines"])
    return given.Citation(
        n=n,
        cite=_cite(row),
        source=row["source"],
        lines=lines,
        section=row["section"] or "",
        quote=room.fit(row["quote"], f"[{n}]", f"open {row['source']!r} with lines={lines}"),
        pointer=row["reference"],
        pointer_cite=None if origin is None else _cite(origin),
    )


def _pointers(rows: list[dict[str, Any]], what: str, room: Room) -> list[given.Pointer]:
    if len(rows) > _MOST_OPEN:
        room.left_out.append(f"{what}: {len(rows) - _MOST_OPEN} of {len(rows)} are left out; ask about less")
    return [pointer(row) for row in rows[:_MOST_OPEN]]


def open_part(engine: Engine, scope: Scope, ask: asked.ToOpen) -> given.Opened:
    """Return the text of a part of a document. Raises NoSuchSource, UsageError."""
    document = named(engine, ask.document, scope)
    spans = named_spans(document, lines=ask.lines, page=ask.page, section=ask.section, item=ask.item)
    room = Room(each=MOST_IN_ALL)
    parts = [part(document, span, room) for span in spans]
    return given.Opened(source=document.name, parts=parts, left_out=room.left_out, problems=[])


def references(engine: Engine, scope: Scope, ask: asked.ToReferences) -> given.References:
    """Return references with what became of each, by document and place. Raises NoSuchSource."""
    names = () if ask.document is None else (named(engine, ask.document, scope).name,)
    every = (r for r in engine.references(names, scope) if not ask.status or r.status in ask.status)
    window, following = verbs.cut(every, ask.start, ask.limit)
    rows = [pointer(verbs.reference_row(engine, resolution, scope)) for resolution in window]
    return given.References(references=rows, next=following, problems=[])


def check(engine: Engine, scope: Scope, ask: asked.ToCheck) -> given.Findings:
    """Return what the checker finds. Raises NoSuchSource, and UsageError for a rule that is none."""
    doc = None if ask.document is None else named(engine, ask.document, scope).id
    found = verbs.findings(engine, scope, doc=doc, rules=ask.rules or ())
    rows = verbs.finding_rows(engine, found, scope, least=Severity(ask.severity))
    window, following = verbs.cut(rows, ask.start, ask.limit)
    listed = [
        given.FindingGiven(
            rule=row["rule"], severity=row["severity"], cite=_cite(row), source=row["source"], line=row["line"],
            text=row["text"], message=row["message"],
        )
        for row in window
    ]  # fmt: skip
    return given.Findings(findings=listed, next=following, problems=[])


# What several tools give


def named(engine: Engine, said: str, scope: Scope) -> Document:
    """Return a document by its name, the end of it, or its id. Raises NoSuchSource, which names some that are there."""
    return engine.find_document(said, scope) or engine.document_named(said, scope)


def part(document: Document, span: Span, room: Room) -> given.Part:
    """Return lines of a document as far as there is room, with the place of those that are given."""
    where = place(document, span)
    text, kept = room.lines(document, span, where)
    path = (" ".join(p for p in (s.label, s.title) if p) for s in document.section_path(span.start))
    return given.Part(
        cite=place(document, kept), lines=_range(kept.start, kept.end), section=" > ".join(path), text=text
    )


def place(document: Document, span: Span) -> str:
    """Return a span as it is cited. An empty one is the beginning of the document."""
    if not len(span) or span.start >= len(document.lines):
        return document.name
    first, last = document.lines[span.start], document.lines[span.end - 1]
    return place_told(document.name, first.page, first.row, last.page, last.row)


def pointer(row: dict[str, Any]) -> given.Pointer:
    """Return the row of a reference as a pointer."""
    targets, left = row["targets"][:_MOST_TARGETS], len(row["targets"]) - _MOST_TARGETS
    return given.Pointer(
        words=row["text"],
        cite=_cite(row),
        document=row["source"],
        line=row["line"],
        status=row["status"],
        why=row["why"] + (f" {left} more of its places are left out here." if left > 0 else ""),
        targets=[_cite(target) for target in targets],
    )


def _cite(row: dict[str, Any]) -> str:
    return place_told(row["source"], row["page"], row["row"], row.get("end_page"), row.get("end_row"))


def _range(start: int, end: int) -> str:
    return f"{start}-{end}"
