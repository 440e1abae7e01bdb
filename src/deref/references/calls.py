"""Calls of footnotes: the small raised numbers that structure found a footnote for on their page.

Each is a reference to that footnote. It is no part of the word or number before it: for all others the lines are read
with blanks in its place, so that "Appendix C.¹⁷" set in two sizes is Appendix C.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from deref.references.scan import as_read
from deref.text.labels import normalize_label
from deref.values import Document, Line, LinkSource, Point, Reference, ReferenceKind

Calls = Mapping[int, Sequence[Point]]
"""The calls of a document by their line."""


def calls_of(document: Document) -> Calls:
    """Return the calls of a document."""
    out: dict[int, list[Point]] = {}
    for link in document.links:
        if link.source is LinkSource.CALL:
            out.setdefault(link.at.line, []).append(link.at)
    return out


def without_calls(lines: Sequence[Line], calls: Calls) -> Sequence[Line]:
    """Return the lines with blanks for the calls; every other character keeps its place."""
    return [_blanked(line, calls[line.n]) if line.n in calls else line for line in lines] if calls else lines


def _blanked(line: Line, calls: Sequence[Point]) -> Line:
    text = line.text
    for at in calls:
        text = text[: at.char_start] + " " * (at.char_end - at.char_start) + text[at.char_end :]
    return replace(line, text=text)


def with_calls(
    found: Sequence[Reference], lines: Sequence[Line], skip: Sequence[bool], calls: Calls
) -> list[Reference]:
    """Return the references in order, the calls in these lines among them, each with its words as they stand there."""
    if not calls:
        return list(found)
    shown = [replace(r, text=as_read(lines, r.at)) if _spans_call(r.at, calls) else r for r in found]
    return sorted([*shown, *_references(lines, skip, calls)], key=lambda r: (r.at.line, r.at.char_start))


def _spans_call(at: Point, calls: Calls) -> bool:
    return any(at.overlaps(call) for n in range(at.line, at.last_line + 1) for call in calls.get(n, ()))


def _references(lines: Sequence[Line], skip: Sequence[bool], calls: Calls) -> Iterator[Reference]:
    for n, line in enumerate(lines):
        if line.n in calls and not skip[n]:
            for at in calls[line.n]:
                text = line.text[at.char_start : at.char_end]
                label = normalize_label(text)
                yield Reference(text=text, kind=ReferenceKind.FOOTNOTE, labels=(label,), at=at)
