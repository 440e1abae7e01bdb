from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deref.structure import build_document
from deref.values import Box, Document, Line, LinkSource, Mark, MarkKind, NativeLink, Parsed

PIECES = st.sampled_from([
    "1.", "1.1", "2.3.4", "(a)", "(ii)", "A.", "IV.", "Article", "ARTICLE IX", "Section 2.1", "§ 7", "Chapter", "Appendix B", "EXHIBIT A",
    "Table 3:", "Figure 2.", "means", '"Ramp"', "(the “Depot”)", "....... 12", "Contents", "References", "[12]", "shall", "hereof",
    "pursuant to this Agreement", "第三条", "The ramp is a slope of wood.", "12", "4.9", "x", "|", "\t", "\u00a0", "\u00ad", "\ufffe", "[", "#", "**",
])  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=12), min_size=0, max_size=7).map(" ".join)


@st.composite
def parsed_files(draw: st.DrawFn) -> Parsed:
    texts = draw(st.lists(TEXTS, max_size=40))
    in_print = draw(st.booleans())
    lines: list[Line] = []
    page = 1
    for n, content in enumerate(texts):
        page += draw(st.integers(0, 9)) == 0
        size = draw(st.sampled_from([8.0, 10.0, 10.0, 14.0])) if in_print else None
        top = float(n * 13 % 700)
        lines.append(
            Line(
                doc="d", n=n, page=page, row=n + 1, text=content.replace("\n", " ").replace("\r", " "),
                box=Box(x0=72.0, top=top, x1=72.0 + 4 * len(content), bottom=top + 10) if in_print else None,
                size_pt=size, starts_block=draw(st.booleans()),
            )
        )  # fmt: skip
    total = len(lines)
    marks = []
    if total:
        for _ in range(draw(st.integers(0, 6))):
            start = draw(st.integers(0, total - 1))
            marks.append(
                Mark(
                    kind=draw(st.sampled_from(list(MarkKind))), start=start, end=min(total, start + draw(st.integers(1, 4))),
                    level=draw(st.none() | st.integers(1, 4)), label=draw(st.none() | st.sampled_from(["1", "header", "A"])),
                    from_outline=draw(st.booleans()),
                )
            )  # fmt: skip
    links = tuple(
        NativeLink(
            line=0,
            char_start=0,
            char_end=1,
            source=LinkSource.ANCHOR,
            target_line=draw(st.integers(0, total - 1)),
        )
        for _ in range(draw(st.integers(0, 2)) if total else 0)
    )
    return Parsed(
        format="pdf" if in_print else "text", lines=tuple(lines), marks=tuple(marks), links=links, pages=page
    )


def build(parsed: Parsed) -> Document:
    return build_document(parsed, doc="d", name="folder/file.txt", fingerprint="f")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(parsed_files())
def test_any_lines_make_a_sound_document(parsed: Parsed) -> None:
    document = build(parsed)
    total = len(parsed.lines)
    assert document.lines == parsed.lines
    assert document.title
    by_id = {section.id: section for section in document.sections}
    assert len(by_id) == len(document.sections)
    starts = [section.lines.start for section in document.sections]
    assert starts == sorted(starts)
    for section in document.sections:
        assert 0 <= section.lines.start < section.lines.end <= total
        assert section.label != ""
        if section.parent is None:
            assert section.level == 1
        else:
            parent = by_id[section.parent]
            assert section.level == parent.level + 1
            assert parent.lines.start <= section.lines.start and section.lines.end <= parent.lines.end
    assert len({item.id for item in document.items}) == len(document.items)
    assert [i.lines.start for i in document.items] == sorted(i.lines.start for i in document.items)
    for item in document.items:
        assert 0 <= item.lines.start < item.lines.end <= total
        assert item.label != ""
        assert all(s.tag and item.lines.start <= s.lines.start < s.lines.end <= total for s in item.selectors)
    for region in (*document.contents, *document.code):
        assert 0 <= region.start < region.end <= total
    assert len(document.links) == len(parsed.links)


@settings(max_examples=30, deadline=None)
@given(parsed_files())
def test_the_same_lines_make_the_same_document(parsed: Parsed) -> None:
    assert build(parsed) == build(parsed)


@settings(max_examples=60, deadline=None)
@given(parsed_files())
def test_the_section_of_a_line_is_the_innermost_that_holds_it(parsed: Parsed) -> None:
    document = build(parsed)
    for n in range(len(parsed.lines)):
        holding = [s for s in document.sections if n in s.lines]
        found = document.section_at(n)
        assert (found is None) == (not holding)
        if found is not None:
            assert found.level == max(s.level for s in holding)
            assert [s.id for s in document.section_path(n)][-1] == found.id


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1, max_size=6))
def test_a_well_numbered_document_gives_all_its_numbers(shape: list[tuple[int, int]]) -> None:
    lines: list[Line] = []
    wanted: list[str] = []

    def add(content: str, size: float) -> None:
        top = float(len(lines) * 13 % 700)
        lines.append(
            Line(
                doc="d", n=len(lines), page=1 + len(lines) // 50, row=1, text=content, size_pt=size, starts_block=True,
                box=Box(x0=72.0, top=top, x1=72.0 + 4 * len(content), bottom=top + size),
            )
        )  # fmt: skip

    for chapter, (sections, parts) in enumerate(shape, start=1):
        for label in (
            str(chapter),
            *(
                f"{chapter}.{s}" + (f".{p}" if p else "")
                for s in range(1, sections + 1)
                for p in range(parts)
            ),
        ):
            wanted.append(label)
            add(f"{label} The matter of {label}", 14.0)
            add(
                "The operator keeps a written log of every parcel and shows it to the owner on request.", 10.0
            )
    document = build(Parsed(format="pdf", lines=tuple(lines)))
    assert [s.label for s in document.sections] == wanted
