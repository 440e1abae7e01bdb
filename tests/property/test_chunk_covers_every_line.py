"""Whatever the document: each line that is not white space is in exactly one chunk, verbatim and in order."""

from __future__ import annotations

import itertools
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.small_shelf import document
from deref.index.chunk import chunk, indexed_lines
from deref.text.tokens import count_tokens
from deref.values import Document, Item, ItemKind, Section, Span

_LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "  ", "One word.", "See No.", "3.2 Title", "学習 データ。"]),
        st.integers(0, 40).map(lambda n: "word " * n),
        st.text(max_size=30).map(lambda s: " ".join(s.split())),
    ),
    min_size=1,
    max_size=40,
)


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    rows = draw(_LINES)
    size = len(rows)
    doc = document("a.md", "\n".join(rows))
    blocks = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    lines = tuple(replace(line, starts_block=b) for line, b in zip(doc.lines, blocks, strict=True))
    sections: list[Section] = []

    def divide(start: int, end: int, level: int, parent: str | None) -> None:
        cuts = sorted(draw(st.sets(st.integers(start, end), max_size=3)))
        for a, b in itertools.pairwise([*cuts, end]):
            if a < b:
                id_ = f"s{len(sections)}"
                span = Span(doc=doc.id, start=a, end=b)
                sections.append(
                    Section(id=id_, label=None, title=id_, level=level, lines=span, parent=parent)
                )
                if level < 3 and b - a > 1:
                    divide(a + 1, b, level + 1, id_)

    divide(0, size, 1, None)
    sections.sort(key=lambda s: (s.lines.start, s.level))
    tables = []
    for n in range(draw(st.integers(0, 2))):
        a, b = sorted((draw(st.integers(0, size)), draw(st.integers(0, size))))
        if a < b:
            header = Span(doc=doc.id, start=a, end=min(a + 1, b)) if draw(st.booleans()) else None
            tables.append(
                Item(id=f"t{n}", kind=ItemKind.TABLE, label=None, caption="", lines=Span(doc=doc.id, start=a, end=b),
                     header=header)
            )  # fmt: skip
    tables.sort(key=lambda t: t.lines.start)
    contents = ()
    if draw(st.booleans()):
        a, b = sorted((draw(st.integers(0, size)), draw(st.integers(0, size))))
        contents = (Span(doc=doc.id, start=a, end=b),)
    return replace(doc, lines=lines, sections=tuple(sections), items=tuple(tables), contents=contents)


@settings(max_examples=150, deadline=None)
@given(_documents(), st.integers(5, 80))
def test_every_line_that_matters_is_in_exactly_one_chunk_in_order(doc: Document, limit: int) -> None:
    chunks = chunk(doc, max_tokens=limit)
    covered = [n for c in chunks for n in range(c.lines.start, c.lines.end)]
    assert covered == sorted(set(covered))
    headed = {n for c in chunks if c.header for n in range(c.header.start, c.header.end)}
    assert indexed_lines(doc) <= set(covered) | headed
    for c in chunks:
        verbatim = doc.text(c.lines)
        assert c.text == (verbatim if c.header is None else f"{doc.text(c.header)}\n{verbatim}")
        assert c.text.strip()


@settings(max_examples=100, deadline=None)
@given(_documents(), st.integers(5, 80))
def test_no_chunk_of_several_lines_passes_the_limit_and_ids_differ(doc: Document, limit: int) -> None:
    chunks = chunk(doc, max_tokens=limit)
    assert len({c.id for c in chunks}) == len(chunks)
    for c in chunks:
        assert c.tokens == count_tokens(c.text)
        filled = [n for n in range(c.lines.start, c.lines.end) if doc.lines[n].text.strip()]
        header = 0 if c.header is None else count_tokens(doc.text(c.header))
        assert (
            c.tokens <= limit or len(filled) == 1 or header + count_tokens(doc.lines[filled[0]].text) > limit
        )
