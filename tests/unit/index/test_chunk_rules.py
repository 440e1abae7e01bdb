"""How a document is cut: sections, tables, sentences, contents."""

from __future__ import annotations

from dataclasses import replace

from conformance.small_shelf import document
from deref.index.chunk import chunk
from deref.values import Chunk, Document, Item, ItemKind, Span


def _texts(doc: Document, limit: int = 60) -> list[str]:
    return [c.text for c in chunk(doc, max_tokens=limit)]


def _table(doc: Document, start: int, end: int, header: tuple[int, int] | None) -> Document:
    span = Span(doc=doc.id, start=start, end=end)
    rows = None if header is None else Span(doc=doc.id, start=header[0], end=header[1])
    item = Item(id="i0", kind=ItemKind.TABLE, label="1", caption="Flows", lines=span, header=rows)
    return replace(doc, items=(item,))


def _lined(name: str, rows: list[str], **more: object) -> Document:
    """Make a document in which every row begins a block."""
    made = document(name, "\n".join(rows), **more)  # type: ignore[arg-type]
    return replace(made, lines=tuple(replace(line, starts_block=True) for line in made.lines))


def test_the_heading_of_a_section_is_in_the_text_of_its_first_chunk() -> None:
    doc = document("a.md", "3 Model\n\nBarley is " + "good " * 20, sections=(("3", "Model", 1, 0, 3),))
    assert _texts(doc)[0].startswith("3 Model\n\nBarley")


def test_the_path_names_the_sections_from_the_top_with_their_numbers() -> None:
    text = "3 Model\n\n" + "Barley grows. " * 12 + "\n\n3.5 Positional Encoding\n\n" + "Oats too. " * 12
    doc = document("a.md", text, sections=(("3", "Model", 1, 0, 7), ("3.5", "Positional Encoding", 2, 4, 7)))
    assert [c.path for c in chunk(doc, max_tokens=60)] == ["3 Model", "3 Model > 3.5 Positional Encoding"]


def test_a_title_that_carries_its_number_has_it_once_in_the_path() -> None:
    doc = document("a.md", "A Agreement\n\nOats.", sections=(("A", "A Agreement", 1, 0, 3),))
    assert chunk(doc, max_tokens=60)[0].path == "A Agreement"
    other = document("b.md", "A Agreement\n\nOats.", sections=(("A", "Agreement", 1, 0, 3),))
    assert chunk(other, max_tokens=60)[0].path == "A Agreement"


def test_two_sections_that_are_no_dwarfs_never_share_a_chunk() -> None:
    text = "1 One\n" + "barley " * 25 + "\n2 Two\n" + "oats " * 25
    doc = document("a.md", text, sections=(("1", "One", 1, 0, 2), ("2", "Two", 1, 2, 4)))
    assert ["barley" in t and "oats" in t for t in _texts(doc)] == [False, False]


def test_a_heading_with_nothing_but_headings_below_it_goes_with_the_first_of_them() -> None:
    doc = document(
        "a.md",
        "3 Model\n3.1 Shape\n" + "barley " * 15,
        sections=(("3", "Model", 1, 0, 3), ("3.1", "Shape", 2, 1, 3)),
    )
    (only,) = chunk(doc, max_tokens=60)
    assert (only.section, only.path) == ("s1", "3 Model > 3.1 Shape")


def test_tiny_siblings_share_a_chunk_and_cousins_do_not() -> None:
    doc = document(
        "a.md", "1 A\n1.1 b c\n1.2 d e\n2 F\n2.1 g h",
        sections=(("1", "A", 1, 0, 3), ("1.1", "b c", 2, 1, 2), ("1.2", "d e", 2, 2, 3), ("2", "F", 1, 3, 5),
                  ("2.1", "g h", 2, 4, 5)),
    )  # fmt: skip
    assert _texts(doc) == ["1 A\n1.1 b c\n1.2 d e", "2 F\n2.1 g h"]


def test_a_table_that_fits_is_whole() -> None:
    rows = ["Before.", "Table 1: Flows", "Kind Flow", *(f"kind{n} {n}" for n in range(10)), "After."]
    doc = _table(_lined("a.md", rows), 1, 13, (2, 3))
    (holding,) = [t for t in _texts(doc, 30) if "kind0" in t]
    assert "\n".join(rows[1:13]) in holding


def test_a_long_table_goes_on_with_its_header_rows_repeated() -> None:
    rows = ["Table 1: Flows", "Kind Flow", *(f"kind{n} {n}" for n in range(40))]
    doc = _table(_lined("a.md", rows), 0, 42, (1, 2))
    parts = chunk(doc, max_tokens=30)
    assert len(parts) > 2
    assert parts[0].header is None
    for part in parts[1:]:
        assert part.header == Span(doc=doc.id, start=1, end=2)
        assert part.text == "Kind Flow\n" + doc.text(part.lines)
    assert all(part.tokens <= 30 for part in parts)
    assert [n for part in parts for n in range(part.lines.start, part.lines.end)] == list(range(42))


def test_header_rows_that_would_fill_the_passage_are_not_repeated() -> None:
    rows = [*(f"head{n} cell" for n in range(12)), *(f"kind{n} {n}" for n in range(40))]
    doc = _table(_lined("a.md", rows), 0, 52, (0, 12))
    parts = chunk(doc, max_tokens=30)
    assert all(part.header is None and part.tokens <= 30 for part in parts)


def test_a_long_table_without_header_rows_is_cut_between_rows() -> None:
    doc = _table(_lined("a.md", [f"kind{n} {n}" for n in range(40)]), 0, 40, None)
    assert all(part.header is None for part in chunk(doc, max_tokens=30))


def test_a_block_that_is_too_long_is_cut_where_a_sentence_ends_with_its_line() -> None:
    rows = ["Barley grows in the north and it", "is sown in March. Then", "the farmer waits for rain.", "Oats grow in the",
            "south, and they are", "sown in April, no sooner."]  # fmt: skip
    doc = document("a.md", "\n".join(rows))
    assert _texts(doc, 22) == ["\n".join(rows[:3]), "\n".join(rows[3:])]


def test_an_abbreviation_at_the_end_of_a_line_ends_no_sentence() -> None:
    rows = [
        "The farmer pays what is due under No.",
        "7 of the list. And the miller",
        "pays the rest of it in kind.",
    ]
    doc = document("a.md", "\n".join(rows))
    assert _texts(doc, 15)[0] == "\n".join(rows[:1]) or "No.\n7" in _texts(doc, 15)[0]
    assert all(not t.endswith("No.") for t in _texts(doc, 16))


def test_one_line_over_the_limit_is_a_chunk_of_its_own_and_never_cut() -> None:
    rows = ["Short one.", "barley " * 100, "Short two."]
    assert rows[1] in _texts(_lined("a.md", rows), 30)


def test_pieces_of_a_long_section_are_of_about_equal_size() -> None:
    doc = _lined("a.md", ["ten words are in this line and no more here"] * 21)
    sizes = [c.tokens for c in chunk(doc, max_tokens=100)]
    assert max(sizes) <= 100
    assert min(sizes) >= 50


def test_printed_contents_are_not_indexed() -> None:
    doc = document(
        "a.md", "Contents\n1 Barley .... 7\n2 Oats .... 9\n\n" + "Wheat is sown. " * 9 + "\n\nA\n\nB\n\nC"
    )
    doc = replace(doc, contents=(Span(doc=doc.id, start=0, end=3),))
    assert all("...." not in text for text in _texts(doc))


def test_contents_that_are_the_matter_of_the_document_are_indexed() -> None:
    doc = document("a.md", "Contents\n1 Barley .... 7\n2 Oats .... 9\n\nEnd.")
    doc = replace(doc, contents=(Span(doc=doc.id, start=0, end=3),))
    assert "1 Barley .... 7" in "\n".join(_texts(doc))


def test_ids_are_those_of_the_lines_and_stay() -> None:
    doc = document("a.md", "Barley.\n\nOats.")
    first: tuple[Chunk, ...] = chunk(doc, max_tokens=60)
    assert [c.id for c in first] == [f"{doc.id[:16]}:0-3"]
    assert chunk(doc, max_tokens=60) == first


def test_a_document_without_words_has_no_chunks() -> None:
    assert chunk(document("a.md", "\n  \n\t"), max_tokens=60) == ()
    assert chunk(replace(document("a.md", ""), lines=()), max_tokens=60) == ()


def test_a_heading_before_a_list_of_contents_heads_the_text_after_it() -> None:
    rows = ["9 Grain", "9.1 Barley .... 7", "9.2 Oats .... 9", *["Grain is sown in March by hand."] * 5]
    doc = _lined("a.md", rows, sections=(("9", "Grain", 1, 0, 8),))
    doc = replace(doc, contents=(Span(doc=doc.id, start=1, end=3),))
    (only,) = chunk(doc, max_tokens=60)
    assert only.header == Span(doc=doc.id, start=0, end=1)
    assert only.lines == Span(doc=doc.id, start=3, end=8)
    assert only.text.startswith("9 Grain\nGrain is sown")


def test_a_title_page_goes_with_the_first_section() -> None:
    doc = _lined("a.md", ["LEASE", "1 Rent", "The rent is due."], sections=(("1", "Rent", 1, 1, 3),))
    assert [c.text for c in chunk(doc, max_tokens=60)] == ["LEASE\n1 Rent\nThe rent is due."]


def test_a_heading_above_a_long_child_is_not_left_alone() -> None:
    rows = ["3 Model", "3.1 Shape", *["Barley is sown in March by hand."] * 30]
    doc = _lined("a.md", rows, sections=(("3", "Model", 1, 0, 32), ("3.1", "Shape", 2, 1, 32)))
    assert chunk(doc, max_tokens=60)[0].text.startswith("3 Model\n3.1 Shape\nBarley")


def test_no_short_rest_is_left_at_the_end_of_a_section() -> None:
    rows = [*["ten words are in this line and no more here"] * 6, "A short rest."]
    assert [c.tokens for c in chunk(_lined("a.md", rows), max_tokens=60)][-1] > 10


def test_rows_of_one_block_leave_room_for_the_header_they_repeat() -> None:
    made = document("a.md", "Flow by valve\n\nOne word.\nFive words stand right here.")
    lines = tuple(replace(line, starts_block=line.n in (0, 2)) for line in made.lines)
    chunks = chunk(_table(replace(made, lines=lines), 0, len(lines), (0, 1)), max_tokens=9)
    assert all(c.tokens <= 9 for c in chunks)
    assert "Five words" in chunks[-1].text
