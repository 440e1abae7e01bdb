"""Parsed lines → Document: each concept is one pass over the lines, in the order in which they need each other.

Printed lists first, for nothing in them is a heading; then headings and sections, sub-paragraphs of law, items, and last
names and links, which point at what was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from deref.structure.attachments import KINDS, attachment_items, whole_file
from deref.structure.bibliography import find_bibliography
from deref.structure.captions import find_captions
from deref.structure.clauses import find_clauses, without_titles_inside
from deref.structure.contents import find_contents
from deref.structure.definitions import find_definitions
from deref.structure.embedded import find_embedded
from deref.structure.equations import equations
from deref.structure.footnotes import Call, call_links, find_calls, find_footnotes
from deref.structure.headings import Heading, find_headings
from deref.structure.items import Draft, captioned_items, uncaptioned_tables
from deref.structure.language import guess_language
from deref.structure.legal import is_legal
from deref.structure.links import build_links
from deref.structure.look import Look, marks_of
from deref.structure.naming import aliases_of, title_of
from deref.structure.paths import find_paths
from deref.structure.ranks import rank_headings
from deref.structure.sections import build_sections, starts_of
from deref.values import Document, Item, MarkKind, Parsed, Section, Span


def build_document(parsed: Parsed, *, doc: str, name: str, fingerprint: str) -> Document:
    """Return the document that the parsed lines make.

    `doc` is its id, `name` its path in the shelf, `fingerprint` that of the settings that make it. Pure: the same
    input gives the same document. Lines, pages, anchors and problems are passed through.
    """
    look = Look(parsed)
    language = guess_language(look.texts, parsed.language)
    legal = is_legal(look.texts, language)
    found = find_headings(look, find_contents(look), legal=legal)
    listed = frozenset(n for start, end in found.contents for n in range(start, end))
    whole = whole_file(look, found.headings, listed)
    headings = [
        h
        for h in found.headings
        if not (whole and h.number and h.number.word == whole[0].word and h.line < 8)
    ]
    if legal:
        headings = find_embedded(look, headings, listed | look.blocked)
    paths = find_paths(look, doc)
    title = title_of(look, () if paths else found.headings, name)
    sections = paths or _sections(
        look, headings, listed, doc, legal=legal, numbered=found.numbered_paragraphs
    )
    attached = None
    drafts = attachment_items(sections)
    if whole is not None:
        number, caption = whole
        attached = f"{(number.word or '').capitalize()} {number.label}"
        kind = KINDS[number.word or "exhibit"]
        drafts.insert(
            0, Draft(kind=kind, label=number.label, caption=caption or title, start=0, end=len(parsed.lines))
        )
    heads = frozenset(s.lines.start for s in sections) | frozenset(h.line for h in found.headings)
    calls = find_calls(look)
    drafts += _content_items(look, sections, heads, listed, doc, calls, legal=legal)
    if whole is not None:
        again = (kind, number.label)
        drafts = [d for n, d in enumerate(drafts) if n == 0 or (d.kind, d.label) != again]
    items = _numbered(drafts, doc, len(parsed.lines))
    return Document(
        id=doc,
        name=name,
        title=title,
        aliases=aliases_of(look, title, name, exhibit=attached),
        lines=parsed.lines,
        sections=sections,
        items=items,
        links=(*build_links(parsed, sections, items, doc), *call_links(look, calls, items, doc)),
        fingerprint=fingerprint,
        format=parsed.format,
        language=language,
        pages=parsed.pages,
        page_labels=parsed.page_labels,
        anchors=parsed.anchors,
        contents=tuple(Span(doc=doc, start=start, end=end) for start, end in found.contents),
        code=tuple(Span(doc=doc, start=m.start, end=m.end) for m in marks_of(parsed.marks, MarkKind.CODE)),
        problems=parsed.problems,
    )


def _sections(
    look: Look, headings: Sequence[Heading], listed: frozenset[int], doc: str, *, legal: bool, numbered: bool
) -> tuple[Section, ...]:
    closed = look.blocked | listed
    if legal and not look.has_sizes:
        headings = without_titles_inside(look, headings, closed, numbered=numbered)
    starts = starts_of(headings, rank_headings(look, headings, legal=legal))
    sections = build_sections(starts, doc=doc, total=len(look.lines))
    if not legal:
        return sections
    clauses = find_clauses(look, sections, closed, numbered=numbered)
    starts = sorted([*starts, *clauses], key=lambda start: start.line)
    return build_sections(starts, doc=doc, total=len(look.lines))


def _content_items(
    look: Look,
    sections: Sequence[Section],
    heads: frozenset[int],
    listed: frozenset[int],
    doc: str,
    calls: Sequence[Call],
    *,
    legal: bool,
) -> list[Draft]:
    drafts = captioned_items(look, find_captions(look, listed, heads), heads, doc)
    drafts += uncaptioned_tables(look, drafts, doc)
    drafts += equations(look, listed)
    entries = find_bibliography(look, sections)
    taken = listed | frozenset(n for d in entries for n in range(d.start, d.end))
    drafts += entries
    drafts += find_footnotes(look, taken, calls)
    code = frozenset(n for m in look.parsed.marks if m.kind == MarkKind.CODE for n in range(m.start, m.end))
    drafts += find_definitions(look, taken | code, heads, legal=legal)
    return drafts


def _numbered(drafts: Sequence[Draft], doc: str, total: int) -> tuple[Item, ...]:
    ordered = sorted(drafts, key=lambda d: (d.start, -d.end, d.kind, d.label or ""))
    return tuple(
        Item(
            id=f"i{n}",
            kind=d.kind,
            label=d.label,
            caption=" ".join(d.caption.split()),
            lines=Span(doc=doc, start=d.start, end=min(d.end, total)),
            selectors=d.selectors,
            header=Span(doc=doc, start=d.header[0], end=d.header[1]) if d.header else None,
        )
        for n, d in enumerate(ordered)
    )
