"""Citations: whole lines, quoted verbatim, with page, row and boxes, and how they arrived; and whether they do stand there."""

from __future__ import annotations

from collections.abc import Callable

from deref.values import Answer, Arrived, Citation, Document, Origin, Passage, Point, Span


def origin(document: Document, at: Point) -> Origin:
    """Return where a point stands, as people count it."""
    line = document.lines[at.line]
    return Origin(source=document.name, page=line.page, line=line.n, row=line.row)


def cite(document: Document, lines: Span, passage: Passage, read: Callable[[str], Document]) -> Citation:
    """Return the citation of these lines, which arrived as the passage did.

    Raises ValueError for an empty span.
    """
    if len(lines) == 0:
        raise ValueError(f"{document.name}: an empty span cannot be cited")
    first, last = document.lines[lines.start], document.lines[lines.end - 1]
    section = document.section_at(lines.start)
    followed = passage.arrived is Arrived.REFERENCE and passage.resolution is not None
    pointer = passage.resolution.reference if followed and passage.resolution else None
    return Citation(
        source=document.name,
        lines=lines,
        page=first.page,
        row=first.row,
        end_page=last.page,
        end_row=last.row,
        boxes=document.regions(lines),
        quote=document.text(lines),
        arrived=passage.arrived,
        reference=pointer.text if pointer else None,
        referenced_from=origin(read(pointer.at.doc), pointer.at) if pointer else None,
        section=" ".join(p for p in (section.label, section.title) if p) if section else None,
        title=document.title,
    )


def ungrounded(answer: Answer, read: Callable[[str], Document]) -> tuple[int, ...]:
    """Return the numbers (from 1) of the citations whose quote does not stand in their lines, whoever wrote the answer."""
    return tuple(n for n, cited in enumerate(answer.citations, start=1) if not _stands(cited, read))


def _stands(cited: Citation, read: Callable[[str], Document]) -> bool:
    document, lines = read(cited.lines.doc), cited.lines
    inside = 0 <= lines.start < lines.end <= len(document.lines)
    return inside and bool(cited.quote.strip()) and cited.quote in document.text(lines)
