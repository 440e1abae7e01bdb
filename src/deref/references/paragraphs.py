"""The paragraphs of a section, or of a numbered paragraph of a law, as "the second paragraph of" counts them.

A heading is none. What stands in a list, "(a)", "•", or in a table belongs to the paragraph before it, unless the paragraphs
are numbered themselves, "1.", "(2)". Counting ends where a section inside begins with a heading of its own, so that of what
has such sections nothing tells which paragraph is the last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice, takewhile

from deref.references.told import plain_words
from deref.text.lazy import lazy
from deref.values import Document, Item, ItemKind, Section, Span

_MARK = lazy(r"[\s>_]*(?:(?P<open>\(?)(?:(?P<figure>\d{1,3})|[A-Za-z]|[ivxIVX]{1,5})[.)]|[•‣–—*-])(?=\s|$)")
_RUN_IN = lazy(r"\w{3}\. [A-Z]")
_LONGEST_HEADING = 400
_ENDS = (".", ";", ":", ",")
_NO_TEXT = frozenset(
    {ItemKind.TABLE, ItemKind.FIGURE, ItemKind.EQUATION, ItemKind.LISTING, ItemKind.FOOTNOTE}
)


def blocks_of(document: Document, span: Span) -> list[Span]:
    """Return the blocks (heading, paragraphs, list items) of a span of lines, in order."""
    starts = [n for n in range(span.start, span.end) if document.lines[n].starts_block or n == span.start]
    ends = [*starts[1:], span.end]
    return [Span(doc=span.doc, start=a, end=b) for a, b in zip(starts, ends, strict=True)]


def nth_paragraph(
    document: Document, span: Span, item: Item | None, number: int, *, sub: bool
) -> Span | None:
    """Return a paragraph of a place by its number, from 0, or -1 for the last; None when it could not be told apart.

    `item` is the place, if it is an item. `sub` says that a paragraph of a paragraph is meant, which has no title.
    """
    if sub and item is None and next(_begun(document, span.start), None) is None:
        return None  # a mere block: of which paragraph it is one is not told
    heading = _heading(document, span, item)
    found: list[tuple[int, int]] = []
    way: str | None = None
    mark_alone = False
    for block in blocks_of(document, span):
        text = document.text(block).strip()
        if not found and _is_heading(text, heading, sub=sub):
            continue
        if any(
            _is_headed(section, text) for section in _begun(document, block.start) if block.start > span.start
        ):
            return _picked(span.doc, found, number) if number >= 0 else None
        mark = _MARK.match(text)
        own = None if mark is None else f"{mark['open']}1" if mark["figure"] else "list"
        if not found:
            if own == "list" or _holds_no_text(document, block.start):
                return None
            way = own
        elif mark_alone or (own is not None and own != way) or _holds_no_text(document, block.start):
            found[-1] = (found[-1][0], block.end)
            mark_alone = mark is not None and mark.end() == len(text)
            continue
        found.append((block.start, block.end))
        mark_alone = mark is not None and mark.end() == len(text)
    return _picked(span.doc, found, number)


def _picked(doc: str, found: list[tuple[int, int]], number: int) -> Span | None:
    if not -1 <= number < len(found) or not found:
        return None
    start, end = found[number]
    return Span(doc=doc, start=start, end=end)


def _heading(document: Document, span: Span, item: Item | None) -> frozenset[str]:
    """The words of the heading of a place; none of a part in brackets, which begins with its text."""
    told = [] if item is None else [f"{item.kind.value} {item.label or ''} {item.caption}"]
    told += [
        f"{s.word or ''} {s.label or ''} {s.title}"
        for s in _begun(document, span.start)
        if "(" not in (s.label or "")
    ]
    return frozenset(plain_words(" ".join(told)).split())


def _is_heading(text: str, heading: frozenset[str], *, sub: bool) -> bool:
    """Whether a block at the top says nothing but the heading: of a paragraph of a law its first words are its title."""
    if len(text) > _LONGEST_HEADING or _RUN_IN.search(text) or (sub and text.endswith(_ENDS)):
        return False
    return heading.issuperset(plain_words(text).split())


def _is_headed(section: Section, text: str) -> bool:
    """Whether the block that a section begins with is a heading, and no numbered paragraph or point of a list."""
    if section.word is not None:
        return True
    words = plain_words(f"{section.label or ''} {section.title}").split()
    return (
        "(" not in (section.label or "")
        and len(text) <= _LONGEST_HEADING
        and not text.endswith(_ENDS)
        and set(words).issuperset(plain_words(text).split())
    )


def _begun(document: Document, line: int) -> Iterator[Section]:
    """The sections that begin on a line."""
    first = bisect_left(document.sections, line, key=lambda s: s.lines.start)
    return takewhile(lambda s: s.lines.start == line, islice(document.sections, first, None))


def _holds_no_text(document: Document, line: int) -> bool:
    return any(i.kind in _NO_TEXT and line in i.lines for i in document.items)
