"""References as rows for programs: one flat, JSON-ready object a reference, with both ends placed for people.

The same shape serves `deref refs --json`, the pending and external lists of an answer, and the HTTP API. Findings of the checker have
such rows too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from deref.text.clean import join_lines
from deref.values import Document, Finding, Resolution, Target

AROUND = 60
"""Characters of context before and after a reference."""
_WINDOW = 3
_TARGET_TEXT = 300


def row(resolution: Resolution, read: Callable[[str], Document | None]) -> dict[str, Any]:
    """Return the row of a resolution.

    `line` is 0-based in the document, `row` 1-based in its `page`; `char_start` and `char_end` are code points in the
    verbatim lines `line` and `end_line`. `targets` are in the order of the labels; `text` of a target is its first
    lines, `focus` the 0-based half-open line ranges that a selector narrows it to, and `focus_at` page and row where each begins.

    Raises KeyError when the citing document is not on the shelf.
    """
    reference = resolution.reference
    document = read(reference.at.doc)
    if document is None:
        raise KeyError(f"document {reference.at.doc} is not on the shelf")
    at = reference.at
    line = document.lines[at.line]
    before, after = _around(document, resolution)
    return {
        "source": document.name,
        "page": line.page,
        "line": at.line,
        "row": line.row,
        "char_start": at.char_start,
        "char_end": at.char_end,
        "end_line": at.last_line,
        "text": reference.text,
        "before": before,
        "after": after,
        "kind": reference.kind.value,
        "labels": list(reference.labels),
        "selector": reference.selector,
        "container": reference.container,
        "effect": reference.effect.value,
        "found_by": reference.found_by.value,
        "status": resolution.status.value,
        "tier": resolution.tier.value if resolution.tier else None,
        "why": resolution.why,
        "targets": [t for t in (_target(target, read) for target in resolution.targets) if t is not None],
    }


def _target(target: Target, read: Callable[[str], Document | None]) -> dict[str, Any] | None:
    document = read(target.lines.doc)
    if document is None:
        return None
    empty = target.lines.start >= len(document.lines)
    first = None if empty else document.lines[target.lines.start]
    text = document.text(target.lines)[:_TARGET_TEXT] if not empty else ""
    return {
        "source": document.name,
        "page": first.page if first else 1,
        "line": target.lines.start,
        "end_line": target.lines.end,
        "row": first.row if first else 1,
        "kind": target.kind,
        "label": target.label,
        "title": target.title,
        "text": text,
        "focus": [[s.start, s.end] for s in target.focus],
        "focus_at": [[document.lines[s.start].page, document.lines[s.start].row] for s in target.focus],
    }


def _around(document: Document, resolution: Resolution) -> tuple[str, str]:
    at = resolution.reference.at
    first = max(0, at.line - _WINDOW)
    head = [*document.lines[first : at.line]]
    before = join_lines(head).text + (" " if head else "") + document.lines[at.line].text[: at.char_start]
    tail = list(document.lines[at.last_line + 1 : at.last_line + 1 + _WINDOW])
    after = document.lines[at.last_line].text[at.char_end :] + (" " + join_lines(tail).text if tail else "")
    return " ".join(before.split())[-AROUND:], " ".join(after.split())[:AROUND]


def finding_row(finding: Finding, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a finding as a flat JSON-ready object; `names` are those of the documents by id.

    `line` is 0-based in the document, `row` 1-based in its `page`.
    """
    at = finding.at
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "source": finding.source,
        "page": finding.page,
        "row": finding.row,
        "line": at.line,
        "char_start": at.char_start,
        "char_end": at.char_end,
        "end_line": at.last_line,
        "text": finding.text,
        "message": finding.message,
        "fingerprint": finding.fingerprint,
        "related": [
            {
                "source": names.get(p.doc, p.doc),
                "line": p.line,
                "char_start": p.char_start,
                "char_end": p.char_end,
            }
            for p in finding.related
        ],
    }
