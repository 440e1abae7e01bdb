"""Indexes that lead to sections, words set off by signs, lists that a line breaks off, pointers that announce a document."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, find, find_in, resolve
from deref.structure import build_document
from deref.values import Document, Line, Status

from .small_documents import document

BODY = "\n\n".join(f"{n}.  Ovens {n}\n\n   Bread is baked." for n in range(1, 5))


def built(text: str) -> Document:
    parsed = parse(text.encode(), doc="a.txt", name="a.txt")
    return build_document(parsed, doc="a.txt", name="a.txt", fingerprint="x")


def test_an_index_that_leads_to_sections_holds_pointers() -> None:
    index = (
        "".join(
            f"   oven {n}  Section {n}, Paragraph 1; Section {n}, Paragraph 2;\n      Table 1\n"
            for n in range(1, 5)
        )
        * 2
    )
    found = find(built(f"{BODY}\n\nIndex\n\n{index}"))
    assert {r.labels[0][0] for r in found if r.kind.value == "section"} == {"1", "2", "3", "4"}


def test_an_index_that_leads_to_pages_holds_none() -> None:
    index = "".join(f"   oven {n}, {n}, {n + 7}\n   Section {n}, {n + 2}\n" for n in range(1, 9))
    assert find(built(f"{BODY}\n\nIndex\n\n{index}")) == ()


@pytest.mark.parametrize("text", ["see *_Section 4.1.2_*; more", "as _Section 4.1.2_ says"])
def test_a_pointer_may_be_set_off_by_underlines(text: str) -> None:
    assert [r.labels for r in find(document(text))] == [("4.1.2",)]


@pytest.mark.parametrize("text", ["my_section 4 is", "__section 4 is", "Table 3_b is", "Section 4_000 is"])
def test_an_underline_inside_a_name_sets_nothing_off(text: str) -> None:
    assert find(document(text)) == ()


def test_the_last_number_of_a_list_may_begin_the_next_line() -> None:
    made = built(
        "9.  Ovens\n\n   As described in Sections 9.1 and\n   9.2.  An oven MAY skip it.\n\n9.1.  Heat\n\n   x\n\n9.2.  Doors\n\n   y\n"
    )
    assert [r.labels for r in find(made)] == [("9.1", "9.2")]


LEASE = document("# 1 Rent\nTen.", name="lease.txt", title="Lease")


def announced(text: str) -> list[tuple[str, str]]:
    home = document(f"# 1 Start\n{text}", name="home.txt", title="Memo on Ovens")
    shelf = MemoryShelf([home, LEASE])
    return [(r.text, resolve(r, home=home, shelf=shelf).status.value) for r in find(home)]


def test_an_exhibit_of_an_announced_document_leaves_the_document_a_pointer_of_its_own() -> None:
    assert announced("Due under Exhibit B - Fees of the Document: Lease now.") == [
        ("Exhibit B", "dangling"),
        ("Lease", "resolved"),
    ]


def test_an_exhibit_of_an_announced_document_off_the_shelf_is_external() -> None:
    assert announced("Due under Exhibit B of the Document: Deed of Sale now.") == [
        ("Exhibit B", "external"),
        ("Deed of Sale", "dangling"),
    ]


def test_a_document_announced_in_a_short_clause_is_no_title() -> None:
    home = document("## 4.2 See Document: Lease\nx", name="home.txt", title="Memo on Ovens")
    assert [r.text for r in find(home)] == ["Lease"]


def test_a_document_announced_at_a_line_end_is_named_on_the_next() -> None:
    lines = [Line(doc="d", n=0, page=1, row=1, text="It is shown in the Document:", starts_block=True),
             Line(doc="d", n=1, page=1, row=2, text="Master Lease.", starts_block=False)]  # fmt: skip
    assert [r.labels for r in find_in(lines)] == [("Master Lease",)]


def test_an_exhibit_without_numbers_is_given_whole_for_a_section_of_it() -> None:
    made = document(
        "# 1 Start\nSee Section 2.2 of Exhibit D and Section 9 of Exhibit E.\n@exhibit D Disclosures\nTo come.\nSoon.\n\n@exhibit E Fees\n# 1 Low\nx"
    )
    shelf = MemoryShelf([made])
    outcomes = [resolve(r, home=made, shelf=shelf) for r in find(made)]
    assert [o.status for o in outcomes] == [Status.RESOLVED, Status.DANGLING]
    assert [t.label for t in outcomes[0].targets] == ["D"]


def test_a_heading_in_brackets_keeps_its_number() -> None:
    made = build_document(
        parse(b"# Notes\n\nSee Exhibit A.\n\n# [EXHIBIT A\n\nTerms\n\n]\n", doc="a.md", name="a.md"),
        doc="a.md",
        name="a.md",
        fingerprint="x",
    )
    assert [i.label for i in made.items if i.kind.value == "exhibit"] == ["A"]


def test_a_paragraph_counted_by_its_place_is_part_of_the_pointer_to_its_section() -> None:
    found = find(document("see Section 7.2, Paragraph 4.2.1; and Section 5, paragraph 5.2."))
    assert [(r.labels, r.selector) for r in found] == [
        (("7.2",), "Paragraph 4.2.1"),
        (("5",), None),
        (("5.2",), None),
    ]
