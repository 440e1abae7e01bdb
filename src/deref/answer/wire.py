"""An answer as JSON-ready values: the field names of the typed Answer, with pointers as flat rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deref.values import Answer, Citation, Resolution


def answer_values(answer: Answer, row: Callable[[Resolution], dict[str, Any]]) -> dict[str, Any]:
    """Return the answer as a JSON-ready object. `row` gives the flat form of a resolution."""
    return {
        "text": answer.text,
        "completeness": answer.completeness.value,
        "citations": [citation_values(c) for c in answer.citations],
        "pending": [row(r) for r in answer.pending],
        "conditions": [
            {"text": c.text, "source": c.at.source, "page": c.at.page, "line": c.at.line, "row": c.at.row}
            for c in answer.conditions
        ],
        "definitions": [
            {
                "term": d.term,
                "text": d.text,
                "source": d.at.source,
                "page": d.at.page,
                "line": d.at.line,
                "row": d.at.row,
            }
            for d in answer.definitions
        ],
        "external": [row(r) for r in answer.external],
        "unquoted": [row(r) for r in answer.unquoted],
        "amendments": [{"amended": a.amended, "amending": a.amending} for a in answer.amendments],
        "problems": list(answer.problems),
    }


def citation_values(citation: Citation) -> dict[str, Any]:
    """Return a citation as a JSON-ready object. `lines` is half-open and 0-based; `page` and `row` are 1-based."""
    origin = citation.referenced_from
    return {
        "source": citation.source,
        "title": citation.title,
        "section": citation.section,
        "page": citation.page,
        "row": citation.row,
        "end_page": citation.end_page,
        "end_row": citation.end_row,
        "lines": [citation.lines.start, citation.lines.end],
        "boxes": [
            {"page": r.page, "x0": r.box.x0, "top": r.box.top, "x1": r.box.x1, "bottom": r.box.bottom}
            for r in citation.boxes
        ],
        "quote": citation.quote,
        "arrived": citation.arrived.value,
        "reference": citation.reference,
        "referenced_from": None
        if origin is None
        else {"source": origin.source, "page": origin.page, "line": origin.line, "row": origin.row},
    }
