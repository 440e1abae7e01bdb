"""What is shown of each noun, before it is HTML or Markdown: a head, a text, and lists of rows with their places.

The order is that of the command line: the answer, its sources, the trail with both ends, what it hangs on, what is open and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from deref.notebook.papers import Read
from deref.text.citation_marks import own_numbers_told
from deref.text.cited import place_told
from deref.values import (
    Answer,
    Candidates,
    Citation,
    Completeness,
    Document,
    Finding,
    Origin,
    Reference,
    Resolution,
    Span,
    Target,
)

MOST_ROWS = 200
_MOST_LINES = 12
_SAID = {
    Completeness.COMPLETE: "complete: no reference that matters is left open",
    Completeness.PARTIAL: "partial: something that matters is open",
    Completeness.REFERENCES_UNRESOLVED: "references unresolved: something that matters was not read yet",
    Completeness.NOT_FOUND: "not found: nothing here bears on the question",
    Completeness.CONFLICT: "conflict: the passages contradict each other",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row: a sign before it, where it stands, a word or two on it, and a text, which is verbatim when it is `quoted`."""

    mark: str = ""
    place: str = ""
    note: str = ""
    text: str = ""
    quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A list of rows under a title."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is shown: what it is in a line, a text, and lists."""

    head: str
    text: str = ""
    parts: Sequence[Part] = ()


def view(value: Any, read: Read) -> View:
    """Return what is shown of a noun, or of a sequence of nouns. Raises TypeError for anything else."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _several(value, read)
    return _view(value, read)


@singledispatch
def _view(value: object, _read: Read) -> View:
    raise TypeError(
        f"{type(value).__name__} cannot be shown; give an Answer, Candidates, Citation, Resolution, Reference or Finding"
    )


@_view.register
def _(answer: Answer, read: Read) -> View:
    parts = [
        Part(title="Sources", rows=list(_sources(answer))),
        Part(title="Followed", rows=list(_trail(answer.citations))),
        Part(title="Followed and not quoted", rows=[_unquoted(r, read) for r in answer.unquoted]),
        Part(
            title="Amended",
            rows=[Row(mark=f"[{a.amended}]", place=f"by [{a.amending}]") for a in answer.amendments],
        ),
        Part(
            title="Holds on condition",
            rows=[Row(place=_origin(c.at), text=c.text, quoted=True) for c in answer.conditions],
        ),
        Part(
            title="As defined",
            rows=[
                Row(mark=d.term, place=_origin(d.at), text=d.text, quoted=True) for d in answer.definitions
            ],
        ),
        Part(title="Open", rows=[_pointer(r, read) for r in answer.pending]),
        Part(title="Off the shelf", rows=[_pointer(r, read) for r in answer.external]),
        Part(title="Note", rows=[Row(text=problem) for problem in answer.problems]),
    ]
    return View(head=_SAID[answer.completeness], text=answer.text, parts=parts)


@_view.register
def _(citation: Citation, _read: Read) -> View:
    return View(head="citation", parts=[Part(title="", rows=[_source(0, citation), *_trail([citation])])])


@_view.register
def _(found: Candidates, read: Read) -> View:
    rows = []
    for n, candidate in enumerate(found, start=1):
        chunk = candidate.chunk
        led = next((a.reference for a in candidate.arrivals if a.reference is not None), None)
        by = ", ".join(dict.fromkeys(a.by for a in candidate.arrivals))
        note = f"{chunk.path} · {by}" if chunk.path else by
        if led is not None and candidate.hopped:
            note += f" · “{led.reference.text}”, {_point(led.reference, read)}"
        rows.append(Row(mark=f"{n}", place=_span(chunk.lines, read), note=note, text=chunk.text, quoted=True))
    return View(head=_many(len(found), "passage"), parts=[Part(title="", rows=rows)])


@_view.register
def _(resolution: Resolution, read: Read) -> View:
    tier = f", by {resolution.tier.value}" if resolution.tier is not None else ""
    return View(
        head=f"{resolution.status.value}{tier}: {resolution.why}",
        parts=[
            Part(title="Written", rows=[_written(resolution.reference, read)]),
            Part(title="Points at", rows=[_target(target, read) for target in resolution.targets]),
        ],
    )


@_view.register
def _(reference: Reference, read: Read) -> View:
    labels = f" {', '.join(reference.labels)}" if reference.labels else ""
    return View(
        head=f"reference to {reference.kind.value}{labels}",
        parts=[Part(title="", rows=[_written(reference, read)])],
    )


@_view.register
def _(finding: Finding, _read: Read) -> View:
    return View(
        head=f"{finding.severity.value}: {finding.rule}", parts=[Part(title="", rows=[_finding(finding)])]
    )


def _several(values: Sequence[Any], read: Read) -> View:
    rows = [_row_of(value)(value, read) for value in values[:MOST_ROWS]]
    head = _many(len(values), "row")
    if len(values) > MOST_ROWS:
        head += f", the first {MOST_ROWS} shown"
    return View(head=head, parts=[Part(title="", rows=rows)])


def _row_of(value: object) -> Callable[[Any, Read], Row]:
    if isinstance(value, Resolution):
        return _pointer
    if isinstance(value, Reference):
        return _written
    if isinstance(value, Finding):
        return lambda finding, _read: _finding(finding)
    if isinstance(value, Citation):
        return lambda citation, _read: _source(0, citation)
    raise TypeError(f"a list with a {type(value).__name__} cannot be shown; show it by itself")


# Rows


def _sources(answer: Answer) -> Iterator[Row]:
    for n, citation in enumerate(answer.citations, start=1):
        yield _source(n, citation)
    if own := own_numbers_told(answer.text, [c.quote for c in answer.citations]):
        yield Row(text=own)


def _source(n: int, citation: Citation) -> Row:
    place = place_told(citation.source, citation.page, citation.row, citation.end_page, citation.end_row)
    mark = f"[{n}]" if n else ""
    return Row(mark=mark, place=place, note=citation.section or "", text=citation.quote, quoted=True)


def _trail(citations: Sequence[Citation]) -> Iterator[Row]:
    """Yield a row for each pointer that was followed: where it is written, its words, and every place that was read for it."""
    ends: dict[tuple[str, str], list[str]] = {}
    for c in citations:
        if c.reference is not None and c.referenced_from is not None:
            end = place_told(c.source, c.page, c.row, c.end_page, c.end_row)
            ends.setdefault((c.reference, _origin(c.referenced_from)), []).append(end)
    for (words, start), places in ends.items():
        yield Row(mark=f"“{words}”", place=f"{start} → {'; '.join(places)}")


def _pointer(resolution: Resolution, read: Read) -> Row:
    places = "; ".join(_span(target.lines, read) for target in resolution.targets[:3])
    more = f" and {len(resolution.targets) - 3} more" if len(resolution.targets) > 3 else ""
    start = _point(resolution.reference, read)
    return Row(
        mark=f"“{resolution.reference.text}”",
        place=f"{start} → {places}{more}" if places else start,
        note="" if resolution.why.startswith(resolution.status.value) else resolution.status.value,
        text=resolution.why,
    )


def _unquoted(resolution: Resolution, read: Read) -> Row:
    row = _pointer(resolution, read)
    return Row(mark=row.mark, place=row.place)


def _written(reference: Reference, read: Read) -> Row:
    document = read(reference.at.doc)
    there = document is not None and reference.at.last_line < len(document.lines)
    lines = Span(doc=reference.at.doc, start=reference.at.line, end=reference.at.last_line + 1)
    return Row(
        mark=f"“{reference.text}”",
        place=_point(reference, read),
        note="" if reference.effect == "plain" else reference.effect.value,
        text=document.text(lines) if document is not None and there else "",
        quoted=True,
    )


def _target(target: Target, read: Read) -> Row:
    document = read(target.lines.doc)
    name = " ".join(
        part for part in (target.kind, target.label, f"“{target.title}”" if target.title else "") if part
    )
    chosen = target.focus[0] if target.focus else target.lines
    place = "; ".join(_span(span, read) for span in target.focus) or _span(target.lines, read)
    text = ""
    if document is not None:
        spans = target.focus or (chosen,)
        text = "\n".join(_text(document, span) for span in spans)
    return Row(place=place, note=name, text=text, quoted=True)


def _finding(finding: Finding) -> Row:
    place = (
        place_told(finding.source, finding.page, finding.row)
        if finding.paged
        else f"{finding.source}, l. {finding.row}"
    )
    return Row(
        mark=f"“{finding.text}”",
        place=place,
        note=f"{finding.severity.value}, {finding.rule}",
        text=finding.message,
    )


# Places


def _text(document: Document, span: Span) -> str:
    end = min(span.end, span.start + _MOST_LINES)
    text = document.text(Span(doc=span.doc, start=span.start, end=end))
    return f"{text}\n…" if end < min(span.end, len(document.lines)) else text


def _origin(at: Origin) -> str:
    return place_told(at.source, at.page, at.row)


def _point(reference: Reference, read: Read) -> str:
    return _span(Span(doc=reference.at.doc, start=reference.at.line, end=reference.at.line + 1), read)


def _span(span: Span, read: Read) -> str:
    """Return where a span is: by name, page and row, or by id and line where its document is not at hand."""
    document = read(span.doc)
    if document is None:
        lines = f"line {span.start}" if len(span) == 1 else f"lines {span.start} to {span.end - 1}"
        return f"{lines} of document {span.doc[:12]}"
    if not len(span) or span.end > len(document.lines):
        return document.name
    first, last = document.lines[span.start], document.lines[span.end - 1]
    return place_told(document.name, first.page, first.row, last.page, last.row)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
