"""Parsed lines → Document, in one pass of each concept over the lines."""

from __future__ import annotations

from deref.structure.clauses import find_clauses
from deref.structure.contents import find_contents
from deref.structure.headings import find_headings
from deref.structure.legal import is_legal
from deref.structure.look import Look
from deref.structure.ranks import rank_headings
from deref.structure.sections import build_sections, starts_of
from deref.values import Document, Parsed, Span


def build_document(parsed: Parsed, *, doc: str, name: str, fingerprint: str) -> Document:
    look = Look(parsed)
    total = len(parsed.lines)
    legal = is_legal(look.texts)
    found = find_headings(look, find_contents(look), legal=legal)
    starts = starts_of(found.headings, rank_headings(look, found.headings))
    sections = build_sections(starts, doc=doc, total=total)
    if legal:
        closed = look.blocked | frozenset(n for a, b in found.contents for n in range(a, b))
        clauses = find_clauses(look, sections, closed, numbered=found.numbered_paragraphs)
        starts = sorted([*starts, *clauses], key=lambda s: s.line)
        sections = build_sections(starts, doc=doc, total=total)
    return Document(
        id=doc,
        name=name,
        title="",
        aliases=(),
        lines=parsed.lines,
        sections=sections,
        items=(),
        links=(),
        fingerprint=fingerprint,
        contents=tuple(Span(doc=doc, start=a, end=b) for a, b in found.contents),
    )
