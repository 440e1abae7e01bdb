"""Native links → links of the document: a target line becomes the section or item that starts there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from deref.values import Item, ItemKind, Link, NativeLink, Parsed, Point, Section, Span

_new = object.__new__
_doc, _line, _char_start, _char_end, _end_line = (
    Point.__dict__[name].__set__ for name in ("doc", "line", "char_start", "char_end", "end_line")
)
_at, _target, _source = (Link.__dict__[name].__set__ for name in ("at", "target", "source"))
_NEAR = 1  # line: a destination often points just above its heading


def build_links(
    parsed: Parsed, sections: Sequence[Section], items: Sequence[Item], doc: str
) -> tuple[Link, ...]:
    """Return the links in the order of the parser. A link that aims outside its own lines is left out."""
    spans: dict[int, Span] = {}
    for item in items:
        if item.kind != ItemKind.DEFINITION:
            spans.setdefault(item.lines.start, item.lines)
            if item.header is not None:
                spans.setdefault(item.header.start, item.lines)
    for section in sections:
        spans[section.lines.start] = section.lines
    starts = sorted(spans)
    total = len(parsed.lines)
    aims: dict[int, Span] = {}
    out: list[Link] = []
    for link in parsed.links:
        target: Span | str | None = link.uri
        line = link.target_line
        if line is not None and 0 <= line < total:
            target = aims.get(line)
            if target is None:
                at = bisect_left(starts, line)
                near = at < len(starts) and starts[at] - line <= _NEAR
                target = aims[line] = spans[starts[at]] if near else Span(doc=doc, start=line, end=line + 1)
        if target is None:
            continue
        out.append(_link(doc, link, target))
    return tuple(out)


def _link(doc: str, link: NativeLink, target: Span | str) -> Link:
    """The link of the document, made field by field: an index has thousands, and a frozen dataclass sets each by name."""
    at = _new(Point)
    _doc(at, doc)
    _line(at, link.line)
    _char_start(at, link.char_start)
    _char_end(at, link.char_end)
    _end_line(at, link.end_line)
    made = _new(Link)
    _at(made, at)
    _target(made, target)
    _source(made, link.source)
    return made
