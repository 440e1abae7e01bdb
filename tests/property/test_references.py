from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from deref.references import MemoryShelf, Resolver, find, find_in
from deref.text.clean import verbatim
from deref.text.labels import expand_range
from deref.values import Document, Line, Section, Span, Status

PIECES = st.sampled_from([
    "Section", "Sections", "§", "Article", "Table", "Figure", "Exhibit", "paragraph", "4.2", "3", "IV", "B-1", "(a)", "(2)", "12", "and", "to", "–",
    ",", ".", "of", "in", "the", "this", "thereof", "[12]", "[RFC9000]", "RFC 9000", "the Credit Agreement", "row (E)", "see", "below", "9.406-1(d)",
    "Subject", "\u00a0", "\u00ad", "Sec-", "tion", "Schedule 2", "GEN 5.3.7", "page 3", "applies", "point (c)", "first subparagraph", "(", ")", "  ",
])  # fmt: skip
TEXTS = st.lists(st.lists(PIECES, max_size=9).map(" ".join), min_size=1, max_size=8)


def document(texts: list[str]) -> Document:
    lines = tuple(
        Line(doc="d", n=n, page=1 + n // 4, row=n % 4 + 1, text=t, starts_block=n % 3 == 0)
        for n, t in enumerate(texts)
    )
    section = Section(
        id="s", label="4.2", title="Fees", level=1, lines=Span(doc="d", start=0, end=len(lines))
    )
    return Document(
        id="d",
        name="d.txt",
        title="",
        aliases=(),
        lines=lines,
        sections=(section,),
        items=(),
        links=(),
        fingerprint="",
    )


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_references_never_overlap_and_stand_where_they_say(texts: list[str]) -> None:
    home = document(texts)
    found = find(home)
    for before, after in itertools.pairwise(found):
        assert (before.at.last_line, before.at.char_end) <= (after.at.line, after.at.char_start)
    for reference in found:
        assert verbatim(home.lines, reference.at) == reference.text
        assert reference.text.strip() == reference.text != ""
        assert len(set(reference.labels)) == len(reference.labels)


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_each_reference_has_one_resolution_and_targets_inside_the_document(texts: list[str]) -> None:
    home = document(texts)
    resolver = Resolver(MemoryShelf([home]))
    for reference in find(home):
        result = resolver(reference, home)
        assert result.reference is reference and result.why
        if result.status is Status.RESOLVED:
            assert result.targets
        for target in result.targets:
            assert 0 <= target.lines.start < target.lines.end <= len(home.lines)
            assert all(target.lines.start <= f.start < f.end <= target.lines.end for f in target.focus)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120))
def test_no_text_makes_the_finder_raise(text: str) -> None:
    lines = [Line(doc="d", n=n, page=1, row=n + 1, text=t) for n, t in enumerate(text.split("\n"))]
    find_in(lines)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 80), st.integers(0, 40))
def test_a_range_of_sections_gives_every_label_between_its_ends(first: int, more: int) -> None:
    last = first + more
    text = f"see Sections 7.{first} to 7.{last} of it"
    (found,) = find_in([Line(doc="d", n=0, page=1, row=1, text=text)])
    assert found.labels == expand_range(f"7.{first}", f"7.{last}")
    assert len(found.labels) == more + 1
