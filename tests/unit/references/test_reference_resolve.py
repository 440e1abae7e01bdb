from __future__ import annotations

from dataclasses import replace

import pytest

from deref.references import MemoryShelf, Resolver, find, find_names, resolve
from deref.values import Document, Point, Reference, ReferenceKind, Resolution, Span, Status, Tier

from .small_documents import document, link

LEASE = document(
    """
# 1 Rent
The rent is 40 a month. See Section 2.1 and Section 1.9.

# 2 Repairs
## 2.1 Roof
(a) The tenant mends tiles.
(b) The owner mends beams; see clause (a).
## 2.2 Walls
As Section 2.1(b) says. Table 3 row (B) has the colours, Table 3 row (Z) none.

@table 3 Colours
Tag Colour
= (A) white
= (B) blue

# [schedule 1] Parts
## [part 1] Keys
Two keys; the rest is in Part 2 of this Schedule.
## [part 2] Locks
Three locks; the keys are in Part 1.

# [schedule 2] More parts
## [part 1] Lamps
Four lamps; the bulbs are in Part 2.
## [part 2] Bulbs
Nine bulbs, as Part 1 of Schedule 1 says.
""",
    name="lease.txt",
    title="Lease Agreement",
)


def outcome(home: Document, text: str, *others: Document, links: bool = True) -> Resolution:
    found = [r for r in find(home) if r.text == text]
    assert found, [r.text for r in find(home)]
    return resolve(found[0], home=home, shelf=MemoryShelf([home, *others]), links=links)


def first_line(home: Document, result: Resolution) -> str:
    assert result.status is Status.RESOLVED, result.why
    return home.lines[result.targets[0].lines.start].text


def test_a_label_resolves_to_its_section() -> None:
    result = outcome(LEASE, "Section 2.1")
    assert first_line(LEASE, result) == "2.1 Roof"
    assert (result.tier, result.targets[0].label) == (Tier.LABEL, "2.1")


def test_a_label_that_is_not_there_is_dangling_and_says_what_is_near() -> None:
    result = outcome(LEASE, "Section 1.9")
    assert (result.status, result.targets) == (Status.DANGLING, ())
    assert "1.9" in result.why and "nearest are 1 and 2" in result.why


def test_a_sub_paragraph_is_the_focus_of_its_section() -> None:
    result = outcome(LEASE, "Section 2.1(b)")
    assert first_line(LEASE, result) == "2.1 Roof"
    (focus,) = result.targets[0].focus
    assert LEASE.lines[focus.start].text.startswith("(b) The owner")


def test_a_mark_alone_is_counted_in_the_section_around_it() -> None:
    result = outcome(LEASE, "clause (a)")
    (focus,) = result.targets[0].focus
    assert LEASE.text(focus) == "(a) The tenant mends tiles."


def test_a_row_is_selected_by_its_tag() -> None:
    result = outcome(LEASE, "Table 3 row (B)")
    (focus,) = result.targets[0].focus
    assert LEASE.text(focus) == "(B) blue"


def test_a_row_that_is_not_there_leaves_the_table_and_says_so() -> None:
    result = outcome(LEASE, "Table 3 row (Z)")
    assert result.status is Status.RESOLVED
    assert result.targets[0].focus == () and "no row (Z)" in result.why


@pytest.mark.parametrize(
    ("text", "where"), [("Part 2 of this Schedule", "Part 2 Locks"), ("Part 2", "Part 2 Bulbs")]
)
def test_of_two_parts_the_one_in_the_same_schedule_is_meant(text: str, where: str) -> None:
    assert first_line(LEASE, outcome(LEASE, text)) == where


def test_a_part_of_a_named_schedule_is_counted_there() -> None:
    assert first_line(LEASE, outcome(LEASE, "Part 1 of Schedule 1")) == "Part 1 Keys"


def test_two_equal_places_are_ambiguous_with_both() -> None:
    home = document("# 1 Intro\nSee Table 2.\n\n@table 2 Left\nx\n\n@table 2 Right\ny")
    result = outcome(home, "Table 2")
    assert (result.status, len(result.targets)) == (Status.AMBIGUOUS, 2)


def test_a_table_is_never_a_section_of_that_number() -> None:
    home = document("# 3 Costs\nAs Table 3 shows.")
    assert outcome(home, "Table 3").status is Status.DANGLING


def test_an_article_is_a_bare_heading_only_where_no_heading_says_article() -> None:
    bare = document("# 4 Costs\nx\n\n# 5 Fees\nAs Article 4 says.")
    worded = document("# [article 1] Costs\nx\n\n# 4 Fees\nAs Article 4 says.")
    assert first_line(bare, outcome(bare, "Article 4")) == "4 Costs"
    assert outcome(worded, "Article 4").status is Status.DANGLING


def test_a_roman_number_is_tried_only_when_the_written_one_is_missing() -> None:
    home = document("# [article IV] Costs\nx\n\n# [article V] Fees\nAs Article 4 says.")
    result = outcome(home, "Article 4")
    assert first_line(home, result) == "Article IV Costs" and "IV" in result.why


def test_a_list_resolves_only_when_all_of_it_does() -> None:
    home = document("# 1 One\nx\n\n# 2 Two\nSee Sections 1 and 2. See Sections 1 and 7.")
    assert len(outcome(home, "Sections 1 and 2").targets) == 2
    half = outcome(home, "Sections 1 and 7")
    assert (half.status, len(half.targets)) == (Status.DANGLING, 1)
    assert "7" in half.why


QUIC = document(
    "# 8 Addresses\nx\n## 8.1 Validation\nIt is done.", name="rfc9000.txt", title="RFC 9000: QUIC"
)
HTTP = document(
    """
# 1 Intro
See Section 8.1 of [QUIC], Section 9.9 of [QUIC], [CACHE] and RFC 9000, Section 8. Also RFC 4444 and [NONE].

# 2 References
@bibliography QUIC "QUIC", RFC 9000, May 2021.

@bibliography CACHE "Caching", RFC 9111, June 2022.
""",
    name="rfc9114.txt",
)


def test_a_tag_goes_through_the_references_of_its_own_document() -> None:
    result = outcome(HTTP, "Section 8.1 of [QUIC]", QUIC)
    assert first_line(QUIC, result) == "8.1 Validation" and result.tier is Tier.BIBLIOGRAPHY


def test_a_label_missing_in_a_document_that_we_hold_is_dangling() -> None:
    assert outcome(HTTP, "Section 9.9 of [QUIC]", QUIC).status is Status.DANGLING


def test_what_is_not_on_the_shelf_is_external() -> None:
    for text in ("[CACHE]", "RFC 4444"):
        assert outcome(HTTP, text, QUIC).status is Status.EXTERNAL, text
    assert outcome(HTTP, "Section 8.1 of [QUIC]").status is Status.EXTERNAL


def test_a_tag_without_an_entry_is_dangling() -> None:
    home = replace(HTTP, items=HTTP.items)
    found = Reference(
        text="[NONE]",
        kind=ReferenceKind.BIBLIOGRAPHY,
        labels=("NONE",),
        at=Point(doc=home.id, line=1, char_start=0, char_end=6),
    )
    assert resolve(found, home=home, shelf=MemoryShelf([home])).status is Status.DANGLING


def test_a_designator_resolves_to_the_document() -> None:
    assert first_line(QUIC, outcome(HTTP, "RFC 9000, Section 8", QUIC)) == "8 Addresses"


NOTE = document(
    """
# 1 Terms
As the Credit Agreement (the "Loan Agreement") says, and Section 2 of the Loan Agreement too. Exhibit B is attached.
Exhibit C (the "Side Letter") is not. See Section 4 of the Tax Code.

# [exhibit B] Form
@exhibit B Form
to come
""",
    name="deal - note.txt",
    title="Promissory Note",
)
CREDIT = document(
    "# 1 Loan\nx\n\n# 2 Interest\ny",
    name="deal - credit agreement.txt",
    title="Credit Agreement",
    aliases=("Credit Agreement",),
)
LETTER = document("# 1 Hello\nx", name="deal - side letter.txt", title="Side Letter")
EXHIBIT = document(
    "@exhibit B Form_of_deed\nlong\nlonger\nlongest", name="Exhibit B - deed.txt", title="Exhibit B"
)


def test_a_short_name_that_the_document_defines_leads_to_the_document() -> None:
    home = document(
        'The Credit Agreement (the "Loan Agreement") binds.\n\nSection 2 of the Loan Agreement holds.\n\n@definition Loan_Agreement x',
        name="n.txt",
    )
    items = tuple(replace(i, lines=Span(doc=home.id, start=0, end=1)) for i in home.items)
    result = outcome(replace(home, items=items), "Section 2 of the Loan Agreement", CREDIT)
    assert first_line(CREDIT, result) == "2 Interest" and result.tier is Tier.CONTAINER


def test_an_exhibit_that_is_another_file_wins_over_its_stub() -> None:
    result = outcome(NOTE, "Exhibit B", EXHIBIT)
    assert (result.tier, result.targets[0].lines.doc) == (Tier.ALIAS, EXHIBIT.id)
    assert outcome(NOTE, "Exhibit B").targets[0].lines.doc == NOTE.id


def test_an_exhibit_is_the_document_that_the_text_beside_it_names() -> None:
    result = outcome(NOTE, "Exhibit C", LETTER)
    assert result.targets[0].lines.doc == LETTER.id
    assert outcome(NOTE, "Exhibit C").status is Status.DANGLING


def test_a_law_that_is_not_on_the_shelf_is_external() -> None:
    result = outcome(NOTE, "Section 4 of the Tax Code", CREDIT)
    assert result.status is Status.EXTERNAL and "Tax Code" in result.why


def test_two_documents_of_one_name_are_ambiguous() -> None:
    home = document("It is in the Side Letter.", name="a.txt")
    other = document("# 1 Hi\nx", name="z.txt", title="Side Letter")
    assert outcome(home, "Side Letter", LETTER, other).status is Status.AMBIGUOUS


def test_the_one_that_shares_the_beginning_of_its_file_name_is_meant() -> None:
    home = document("It is in the Side Letter.", name="deal - memo.txt")
    other = document("# 1 Hi\nx", name="z.txt", title="Side Letter")
    assert outcome(home, "Side Letter", LETTER, other).targets[0].lines.doc == LETTER.id


def test_a_letter_is_no_neighbour_of_a_number() -> None:
    home = document("# 1 A\nSee Section 14.9.\n# 12 B\nx\n# A Forms\ny")
    result = resolve(find(home)[0], home=home, shelf=MemoryShelf([home]))
    assert result.why == "There is no section 14.9 in this document; the last is 12."


def test_thereof_is_the_last_document_named_before_it() -> None:
    home = document(
        "The Credit Agreement is old; Section 2 thereof was cut.\n\nBy the Tax Act, Section 3 thereof.",
        name="m.txt",
    )
    assert first_line(CREDIT, outcome(home, "Section 2 thereof", CREDIT)) == "2 Interest"
    assert outcome(home, "Section 3 thereof", CREDIT).status is Status.EXTERNAL


def test_thereof_without_a_document_before_it_is_unresolved() -> None:
    home = document("# 1 One\nSection 2 thereof was cut.\n\n# 2 Two\nx", name="m.txt")
    assert outcome(home, "Section 2 thereof").status is Status.UNRESOLVED


def test_a_work_in_several_files_numbers_through() -> None:
    home = document(
        "# 5.4 Keys\nSee Section 5.3 and Section 5.9.\n## 5.4.1 Long keys\nx", name="book/keys.txt"
    )
    other = document("# 5.3 Locks\nx\n## 5.3.1 Old locks\ny", name="book/locks.txt")
    assert first_line(other, outcome(home, "Section 5.3", other)) == "5.3 Locks"
    assert outcome(home, "Section 5.9", other).status is Status.DANGLING


def test_a_document_with_its_own_numbering_never_borrows_a_section() -> None:
    home = document("# 1 Keys\nSee Section 9.\n\n# 2 Locks\nx\n\n# 3 Doors\nx", name="a.txt")
    other = document("# 9 Windows\nx", name="b.txt")
    assert outcome(home, "Section 9", other).status is Status.DANGLING


def test_relative_pointers_resolve_where_the_order_says_so() -> None:
    home = document(
        "# 1 One\nIn the following section it goes on.\n\n# 2 Two\nThis Section ends; the preceding section began. See below.\n\n@table 1 T\nx"
    )
    assert first_line(home, outcome(home, "the following section")) == "2 Two"
    assert first_line(home, outcome(home, "the preceding section")) == "1 One"
    assert first_line(home, outcome(home, "This Section")) == "2 Two"
    assert outcome(home, "See below").status is Status.UNRESOLVED


def test_a_title_that_is_the_end_of_a_longer_name_is_not_what_stands_above() -> None:
    home = document("# List\nx\n\n# Other\nSee Price List above. (see List above)")
    found = [resolve(r, home=home, shelf=MemoryShelf([home])) for r in find(home)]
    assert [r.status for r in found] == [Status.UNRESOLVED, Status.RESOLVED]


def test_tables_that_way_are_one_only_where_there_is_one() -> None:
    home = document("# 1 One\nSee the tables below.\n\n@table 1 T\nx\n\n@table 2 U\nx")
    assert outcome(home, "the tables below").status is Status.UNRESOLVED
    home = document("# 1 One\nSee the tables below.\n\n@table 1 T\nx")
    assert outcome(home, "the tables below").targets[0].label == "1"


def test_a_page_is_a_printed_page() -> None:
    home = replace(document("See page 7.\n\nHere it is.", pages={0: 1, 1: 2}), page_labels=("6", "7"))
    assert first_line(home, outcome(home, "page 7")) == "Here it is."


def test_a_native_link_wins_over_a_label() -> None:
    home = document("# 1 One\nSee Section 2.\n\n# 2 Two\nx\n\n# 3 Three\ny")
    home = replace(home, links=(link(home, "Section 2", Span(doc=home.id, start=4, end=5)),))
    assert (first_line(home, outcome(home, "Section 2")), outcome(home, "Section 2").tier) == (
        "3 Three",
        Tier.LINK,
    )
    assert first_line(home, outcome(home, "Section 2", links=False)) == "2 Two"


def test_a_link_under_the_container_alone_is_not_the_link_of_the_section() -> None:
    home = replace(HTTP, links=(link(HTTP, "[QUIC]", Span(doc=HTTP.id, start=3, end=4)),))
    assert first_line(QUIC, outcome(home, "Section 8.1 of [QUIC]", QUIC)) == "8.1 Validation"


def test_a_link_into_another_file_reaches_its_anchor() -> None:
    other = replace(document("# 1 A\nx\n\n# 2 B\ny", name="b.html"), anchors={"b": 2})
    home = document("Read on there.", name="a.html")
    home = replace(home, links=(link(home, "Read on", "b.html#b"),))
    assert first_line(other, outcome(home, "Read on", other)) == "2 B"
    assert outcome(home, "Read on").status is Status.EXTERNAL


def test_a_link_to_an_anchor_that_is_not_there_is_dangling() -> None:
    home = document("Read on there.", name="a.html")
    home = replace(home, links=(link(home, "Read on", "#gone"),))
    assert outcome(home, "Read on").status is Status.DANGLING


def test_a_heading_and_a_caption_are_no_references_to_themselves() -> None:
    home = document("# [article 9] Costs\nAll of it.\n\n@table 3 Results\nx\n\n# [exhibit B] Form\nx")
    assert find(home) == ()


def test_contents_and_code_are_not_searched() -> None:
    home = document("See Section 1.\n\nif x: Section 2")
    home = replace(
        home, contents=(Span(doc=home.id, start=0, end=1),), code=(Span(doc=home.id, start=1, end=2),)
    )
    assert find(home) == ()


def test_a_link_that_overlaps_a_reference_is_one_reference() -> None:
    home = document("See Section 2 there.")
    home = replace(home, links=(link(home, "Section 2", Span(doc=home.id, start=0, end=1)),))
    assert [(r.text, r.kind) for r in find(home)] == [("Section 2", ReferenceKind.SECTION)]


def test_names_of_the_shelf_are_found_the_longest_first() -> None:
    home = document(
        "The credit agreement and the Amended Credit Agreement. A memo, the MEMO.",
        name="x.txt",
        aliases=("Own Name",),
    )
    found = find_names(home, ["Credit Agreement", "Amended Credit Agreement", "MEMO", "Own Name"])
    assert [r.text for r in found] == ["credit agreement", "Amended Credit Agreement", "MEMO"]


@pytest.mark.parametrize("text", ["The MEMO is long. Write a MEMO.", "The MEMO is one of many MEMOs."])
def test_a_name_of_one_word_that_means_any_such_thing_is_none(text: str) -> None:
    assert find_names(document(text), ["MEMO"]) == ()


def test_every_reference_gets_exactly_one_resolution_with_a_reason() -> None:
    documents = [LEASE, QUIC, HTTP, NOTE, CREDIT, LETTER, EXHIBIT]
    resolver = Resolver(MemoryShelf(documents))
    for home in documents:
        for reference in find(home):
            result = resolver(reference, home)
            assert result.reference is reference
            assert result.why.endswith(".") and len(result.why) > 8


def test_this_section_is_the_numbered_one_not_the_paragraph_in_it() -> None:
    home = document(
        "# 9.1 Loans\n## [paragraph 9.1(a)] Who\nAs paragraph (b) of this section says.\n## [paragraph 9.1(b)] When\nNow."
    )
    assert first_line(home, outcome(home, "paragraph (b) of this section")).endswith("When")


def test_a_round_number_finds_the_heading_with_a_nought() -> None:
    home = document("# 2.0 Basics\nx\n\n# 3.0 Use\nSee Section 2.")
    assert first_line(home, outcome(home, "Section 2")) == "2.0 Basics"


def test_an_alias_that_is_the_number_of_another_document_is_not_believed() -> None:
    act = document(
        "# [article 5] Aims\nx",
        name="act.txt",
        title="Regulation 2016/679 repealing it",
        aliases=("Directive 95/46/EC",),
    )
    home = document("See Article 5 of Directive 95/46/EC.", name="memo.txt")
    assert outcome(home, "Article 5 of Directive 95/46/EC", act).status is Status.EXTERNAL


def test_the_agreement_alone_is_the_agreement_at_hand() -> None:
    home = document(
        "# 1 One\nSee Section 2 of the Agreement.\n\n# 2 Two\nx", name="x.txt", title="Purchase Agreement"
    )
    assert first_line(home, outcome(home, "Section 2 of the Agreement")) == "2 Two"


def test_a_titled_part_of_the_document_is_a_container() -> None:
    home = document(
        "# 1 One\nSee Section 1 of the Disclosure Schedule.\n\n@exhibit D Disclosure Schedule\n# 1 Debts\nx",
        title="Lease",
    )
    home = replace(home, items=(replace(home.items[0], lines=Span(doc=home.id, start=2, end=5)),))
    assert first_line(home, outcome(home, "Section 1 of the Disclosure Schedule")) == "1 Debts"


def test_a_term_defined_in_another_document_leads_there() -> None:
    home = document("a Sale Event (as defined in the Credit Agreement) occurs", name="x.txt")
    result = outcome(home, "Credit Agreement", CREDIT)
    assert result.targets[0].lines.doc == CREDIT.id and "Sale Event" in result.why


def test_a_section_whose_heading_was_lost_is_found_by_its_parts() -> None:
    home = document("# 1 One\nSee Section 2.\n\n# 2.1 Left\nx\n\n# 2.2 Right\ny\n\n# 3 Three\nz")
    result = outcome(home, "Section 2")
    assert first_line(home, result) == "2.1 Left" and "heading of 2 was not found" in result.why


def test_an_exhibit_of_a_stranger_is_not_taken() -> None:
    home = document(
        "# 1 One\nSee Exhibit A.\n\n# 2 Two\nx\n\n# 3 Three\ny",
        name="plumbing.txt",
        title="Plumbing Contract",
    )
    stranger = document(
        "# [exhibit A] Boats\n@exhibit A Boats\nall\nabout\nboats\nhere", name="boats.txt", title="Boat Hire"
    )
    assert outcome(home, "Exhibit A", stranger).status is Status.DANGLING


def test_a_bare_paragraph_number_may_be_a_section() -> None:
    home = document("# 7 Costs\nx\n\n# 8 Use\nAs Paragraph 7 says.")
    assert first_line(home, outcome(home, "Paragraph 7")) == "7 Costs"


def test_thereof_behind_thereof_ends() -> None:
    home = document(
        "paragraph to ( Schedule 2 thereof and IV Schedule 2 thereof of Schedule 2 thereof", name="x.txt"
    )
    resolver = Resolver(MemoryShelf([home]))
    assert all(resolver(r, home).status is not Status.RESOLVED for r in find(home))


def test_a_link_to_a_section_narrows_to_the_part_that_the_words_name() -> None:
    home = document("# 1 One\nSee Section 2(b).\n\n# 2 Two\n(a) red\n(b) blue")
    home = replace(home, links=(link(home, "Section 2(b)", Span(doc=home.id, start=2, end=3)),))
    result = outcome(home, "Section 2(b)")
    assert result.tier is Tier.LINK
    assert [home.text(f) for f in result.targets[0].focus] == ["(b) blue"]


def test_a_link_to_a_whole_file_finds_the_label_in_it() -> None:
    other = document("# 4.1 A\nx\n\n# 4.2 B\ny", name="b.html")
    home = document("See Section 4.2 there.", name="a.html")
    home = replace(home, links=(link(home, "Section 4.2", "b.html"),))
    assert first_line(other, outcome(home, "Section 4.2", other)) == "4.2 B"


def test_a_link_to_the_top_of_a_float_means_the_table_of_that_number() -> None:
    home = document("# 1 One\nSee Table 2.\n\ncells above\n\n@table 2 Costs\nx")
    home = replace(home, links=(link(home, "Table 2", Span(doc=home.id, start=2, end=3)),))
    assert outcome(home, "Table 2").targets[0].kind == "table"


def test_a_word_in_brackets_is_no_citation_where_the_document_cites_nothing_so() -> None:
    assert find(document("The [MASK] token is cut, see [ABC2019] for it.", name="x.txt"))[0].labels == (
        "ABC2019",
    )
    assert len(find(document("The [MASK] token is cut.", name="x.txt"))) == 0
