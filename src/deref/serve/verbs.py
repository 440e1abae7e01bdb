"""What the server answers, as JSON-ready values: functions of an engine and the scope of the caller, and of no request.

Each is a verb of the engine with places that a program can go to: `document` ids beside names. The fields of the rows are those of docs/json.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar

from deref.answer.wire import answer_values
from deref.conversations import Position, Turn, position_of
from deref.engine import Engine
from deref.errors import Cancelled, NoSuchSource, UsageError
from deref.ports import never
from deref.references.graph import document_map
from deref.references.graph_forms import as_json
from deref.references.graph_reading import with_degrees
from deref.references.rows import finding_row
from deref.serve.problems import NotThere
from deref.trace.events import Degraded, Event, LeftOut
from deref.trace.secrets import without_places
from deref.values import Answer, Card, Citation, Document, Finding, Resolution, Scope, Severity, Span, Status

Values = dict[str, Any]
T = TypeVar("T")


def cut(found: Iterable[T], start: int, limit: int) -> tuple[Sequence[T], int | None]:
    """Return `limit` of what is found from `start` on, and where the next ones start, None when there are none."""
    return first_of(list(islice(found, start, start + limit + 1)), start, limit)


def first_of(window: Sequence[T], start: int, limit: int) -> tuple[Sequence[T], int | None]:
    """Return `limit` of what was found from `start` on, of which one more was looked for, and where the next ones start."""
    return window[:limit], start + limit if len(window) > limit else None


# Documents


def seen(engine: Engine, doc: str, scope: Scope) -> Document:
    """Return a document by id. Raises NotThere when there is none for this caller."""
    found = engine.find_document(doc, scope)
    if found is None:
        raise NotThere
    return found


def counts(engine: Engine, scope: Scope) -> Values:
    """Return how many documents there are, how many passages, and how many of those have their vector."""
    state = engine.progress(scope)
    return {
        "documents": len(engine.shelf(scope).cards()),
        "passages": state.chunks,
        "vectors": state.embedded,
    }


def collections(engine: Engine, scope: Scope, known: Iterable[str]) -> list[Values]:
    """Return the collections by name, with the number of their documents; `known` are those that may be empty."""
    names: dict[str, int] = dict.fromkeys(known, 0)
    names |= Counter(engine.store.collections(scope).values())
    return [{"name": name, "documents": names[name]} for name in sorted(names)]


def documents(
    engine: Engine, scope: Scope, *, start: int, limit: int
) -> tuple[list[Values], int | None, int]:
    """Return documents by name from `start` on, where the next ones start, and how many there are."""
    cards = engine.shelf(scope).cards()
    places = engine.store.collections(scope)
    window, following = cut(cards, start, limit)
    return [_card(card, places[card.id]) for card in window if card.id in places], following, len(cards)


def document(engine: Engine, doc: str, scope: Scope) -> Values:
    """Return a document with what is known of it as a whole. Raises NotThere."""
    found = seen(engine, doc, scope)
    card = next((c for c in engine.shelf(scope).cards() if c.id == doc), found.card())
    return {
        **_card(card, engine.store.collections(scope).get(doc, "")),
        "aliases": list(found.aliases),
        "lines": len(found.lines),
        "sections": len(found.sections),
        "items": len(found.items),
        "problems": [{"page": p.page, "what": p.what} for p in found.problems],
        "picture_pages": found.pages if found.format == "pdf" else 0,
    }


def _card(card: Card, collection: str) -> Values:
    return {
        "document": card.id,
        "source": card.name,
        "title": card.title,
        "collection": collection,
        "format": card.format,
        "language": card.language,
        "pages": card.pages,
        "status": card.status,
        "successor": card.successor,
        "status_why": card.status_why,
    }


def outline(engine: Engine, doc: str, scope: Scope) -> Values:
    """Return sections and items of a document, in order, with their lines (0-based, half-open). Raises NotThere."""
    found = seen(engine, doc, scope)
    return {
        "document": doc,
        "sections": [
            {
                "id": s.id, "label": s.label, "title": s.title, "level": s.level, "parent": s.parent,
                "lines": [s.lines.start, s.lines.end], "page": _page(found, s.lines.start),
            }
            for s in found.sections
        ],
        "items": [
            {
                "id": i.id, "kind": i.kind.value, "label": i.label, "caption": i.caption,
                "lines": [i.lines.start, i.lines.end], "page": _page(found, i.lines.start),
            }
            for i in found.items
        ],
    }  # fmt: skip


def _page(found: Document, line: int) -> int:
    return found.lines[line].page if line < len(found.lines) else 1


def lines(engine: Engine, doc: str, scope: Scope, *, start: int, end: int) -> Values:
    """Return the lines `start` to `end` (0-based, half-open) of a document, with their boxes. Raises NotThere."""
    found = seen(engine, doc, scope)
    if start >= end:
        raise UsageError(f"lines {start} to {end}: give a start before the end, e.g. start=0&end=10")
    return _told(found, range(start, min(end, len(found.lines))))


def page(engine: Engine, doc: str, number: int, scope: Scope) -> Values:
    """Return the lines of a page, counted from 1 as in the file, with their boxes. Raises NotThere."""
    found = seen(engine, doc, scope)
    if not 1 <= number <= max(found.pages, 1):
        raise NoSuchSource(f"{found.name}: there is no page {number}; it has pages 1 to {found.pages}")
    on = [line.n for line in found.lines if line.page == number]
    return {"page": number, "pages": found.pages, **_told(found, on)}


def _told(found: Document, numbers: Sequence[int]) -> Values:
    rows = [
        {
            "line": line.n, "page": line.page, "row": line.row, "text": line.text, "starts_block": line.starts_block,
            "size_pt": line.size_pt,
            "box": None if line.box is None
            else {"x0": line.box.x0, "top": line.box.top, "x1": line.box.x1, "bottom": line.box.bottom},
        }
        for line in (found.lines[n] for n in numbers)
    ]  # fmt: skip
    path = (
        [" ".join(p for p in (s.label, s.title) if p) for s in found.section_path(numbers[0])] if rows else []
    )
    return {"document": found.id, "source": found.name, "path": path, "lines": rows}


# References


def references(
    engine: Engine, doc: str, scope: Scope, *, statuses: Sequence[Status], start: int, limit: int
) -> tuple[list[Values], int | None]:
    """Return rows of the references of a document, by place, those of some statuses or all. Raises NotThere."""
    document = seen(engine, doc, scope)
    every = (engine.resolve(reference, scope) for reference in engine.references_of(document, scope))
    window, following = cut((r for r in every if not statuses or r.status in statuses), start, limit)
    return [reference_row(engine, r, scope) for r in window], following


def reference_row(engine: Engine, resolution: Resolution, scope: Scope) -> Values:
    """Return the row of a reference, with the ids of the documents at both ends."""
    row = {"document": resolution.reference.at.doc, **engine.row(resolution, scope)}
    there = [t.lines.doc for t in resolution.targets if engine.find_document(t.lines.doc, scope) is not None]
    row["targets"] = [{"document": doc, **target} for doc, target in zip(there, row["targets"], strict=True)]
    return row


def findings(engine: Engine, scope: Scope, *, doc: str | None, rules: Sequence[str]) -> list[Finding]:
    """Return what the checker finds, in one document or all. Raises NotThere, and UsageError for a rule that is none."""
    names = () if doc is None else (seen(engine, doc, scope).name,)
    return list(engine.check(names, scope, rules=rules))


def finding_rows(engine: Engine, found: Iterable[Finding], scope: Scope, *, least: Severity) -> list[Values]:
    """Return findings as rows, those of `least` severity or a higher one."""
    names = {card.id: card.name for card in engine.shelf(scope).cards()}
    return [
        {"document": f.at.doc, **finding_row(f, names)} for f in found if f.severity.weight >= least.weight
    ]


def graph(engine: Engine, scope: Scope, *, by_document: bool, top: int) -> Values:
    """Return the graph of references, of places or of whole documents; docs/json.md tells its fields."""
    places = engine.graph(scope)
    if not by_document:
        return as_json(places, top=top)
    chosen = document_map(places)
    with_degrees(chosen)
    return as_json(chosen, top=top)


# Questions


def search(
    engine: Engine,
    scope: Scope,
    *,
    text: str,
    where: str | None,
    k: int | None,
    called_off: Callable[[], bool] = never,
) -> Values:
    """Return the best `k` passages (the setting when None), behind them those that were followed, and what was degraded or left out.

    Raises UsageError for a question or a filter that is none, Cancelled when it is `called_off`, and what the legs raise when all
    of them fail.
    """
    events: list[Event] = []

    def emit(event: Event) -> None:
        if called_off():
            raise Cancelled("the one who searched has gone; search again")
        events.append(event)

    found = engine.search(text, where=where, scope=scope, k=k, emit=emit)
    passages = []
    for candidate in found:
        row = engine.passage_row(candidate, scope)
        for arrival, told in zip(candidate.arrivals, row["arrivals"], strict=True):
            if arrival.reference is not None:
                told["reference"] = reference_row(engine, arrival.reference, scope)
        passages.append({"document": candidate.chunk.lines.doc, **row})
    return {
        "passages": passages,
        "problems": [without_places(event.what) for event in events if isinstance(event, Degraded | LeftOut)],
    }


def answer_row(engine: Engine, answer: Answer, scope: Scope) -> Values:
    """Return an answer as the command line prints it, with the ids of the documents that it cites and points at.

    A citation that arrived by a reference has as `followed` the row of that reference: where it leads, by which tier, and why.
    """
    values = answer_values(answer, lambda resolution: reference_row(engine, resolution, scope))
    values["problems"] = [without_places(one) for one in values["problems"]]
    ids = {card.name: card.id for card in engine.shelf(scope).cards()}
    for told in (*values["conditions"], *values["definitions"]):
        told["document"] = ids.get(told["source"])
    cited = []
    for citation, told in zip(answer.citations, values["citations"], strict=True):
        origin = told["referenced_from"]
        if origin is not None:
            origin["document"] = ids.get(origin["source"])
        cited.append(
            {"document": citation.lines.doc, **told, "followed": _followed(engine, citation, ids, scope)}
        )
    values["citations"] = cited
    return values


def _followed(engine: Engine, citation: Citation, ids: dict[str, str], scope: Scope) -> Values | None:
    """Return the row of the reference by which a citation arrived; None for another one, or when its document has changed since."""
    origin = citation.referenced_from
    if origin is None or (doc := ids.get(origin.source)) is None:
        return None
    # The words may run on to the next line, and begin on this one.
    lines = Span(doc=doc, start=origin.line, end=origin.line + 2)
    for reference in engine.references_in(seen(engine, doc, scope), lines, scope):
        if reference.at.line == origin.line and reference.text == citation.reference:
            return reference_row(engine, engine.resolve(reference, scope), scope)
    return None


def positions(engine: Engine, turn: Turn, scope: Scope) -> list[Position]:
    """Return what became of the document of each citation of a turn, in order, as far as the caller sees it."""
    names = {card.id: card.name for card in engine.shelf(scope).cards()}
    return [
        position_of(c["source"], turn.documents.get(c["source"]), names) for c in turn.answer["citations"]
    ]


def with_positions(engine: Engine, answer: Values, scope: Scope) -> Values:
    """Return an answer on record with what became of the document of each citation: its `standing`, and the name that it has `now`."""
    names = {card.id: card.name for card in engine.shelf(scope).cards()}
    cited = []
    for told in answer["citations"]:
        position = position_of(told["source"], told["document"], names)
        cited.append({**told, "standing": position.standing.value, "now": position.name or None})
    return {**answer, "citations": cited}
