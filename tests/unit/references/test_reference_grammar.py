from __future__ import annotations

import pytest

from deref.references import find_in
from deref.references.grammar import ROWS, WORDED, Row
from deref.text.languages import ENGLISH
from deref.values import Effect, Line, Reference, ReferenceKind


def lines(*texts: str, pages: tuple[int, ...] = ()) -> list[Line]:
    return [
        Line(
            doc="d", n=n, page=pages[n] if pages else 1, row=n + 1, text=t, starts_block=n == 0 or bool(pages)
        )
        for n, t in enumerate(texts)
    ]


def one(*texts: str) -> Reference:
    found = find_in(lines(*texts))
    assert len(found) == 1, [r.text for r in found]
    return found[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_the_example_of_each_row_yields_what_it_says(row: Row) -> None:
    found = [(r.text, r.labels) for r in find_in(lines(row.example)) if r.kind is row.kind]
    assert tuple(found) == row.yields


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_the_counter_examples_of_each_row_yield_nothing_of_its_kind(row: Row) -> None:
    for text in row.counter:
        assert [r.text for r in find_in(lines(text)) if r.kind is row.kind] == [], text


@pytest.mark.parametrize("row", WORDED, ids=lambda r: r.name)
def test_each_label_word_is_found_in_small_letters_with_a_capital_and_in_capitals(row: Row) -> None:
    for word in ENGLISH.labels[row.name].replace("|", " ").split():
        for form in {word, word.capitalize(), word.upper()}:
            text = f"as described on {form} {'7' if row.name == 'page' else '(7)' if row.name == 'paragraph' else '7.1'}"
            assert [r.kind for r in find_in(lines(text))] == [row.kind], form


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("see Sections 3.1, 3.2 and 5.", ("3.1", "3.2", "5")),
        ("in Sections 6.2.1.2 and 6.2.2.2", ("6.2.1.2", "6.2.2.2")),
        ("under sections 58 to 61 of FSMR", ("58", "59", "60", "61")),
        ("see Section 5.1(a), (b) and (c)", ("5.1(a)", "5.1(b)", "5.1(c)")),
        ("clauses (i) through (iv) hold", ("i", "ii", "iii", "iv")),
        ("Figures 2-3 and 2-4 show it", ("2-3", "2-4")),
        ("see 9.406-4(a)(1)(iii) and (a)(2)", ("9.406-4(a)(1)(iii)", "9.406-4(a)(2)")),
        ("see 9.406-4(a)(1)(i) and (ii)", ("9.406-4(a)(1)(i)", "9.406-4(a)(1)(ii)")),
        ("see 9.406-4(a) through (c)", ("9.406-4(a)", "9.406-4(b)", "9.406-4(c)")),
        ("by Section 8 and 10 days later", ("8",)),
        ("as RFCs 2119 and 8174 say", ("RFC 2119", "RFC 8174")),
        ("shown in [9–11] before", ("9", "10", "11")),
        ("paragraphs (v)(2)(i) and/or (v)(2)(ii) apply", ("(v)(2)(i)", "(v)(2)(ii)")),
        ("see tables 3 (Type 1 fonts) and 4 (OpenType fonts).", ("3", "4")),
        ("under Articles 5 (Scope), 6 (“Duties”) and 9 (Terms) of it", ("5", "6", "9")),
        ("as Sections 3 (Fees) and 2 others say", ("3",)),
        ("in Section 3 (Fees) and 4 weeks", ("3",)),
        ("as Chapter Thirteen says", ("13",)),
        ("under Sections 3.1.(a) and 3.2.(b)(i)", ("3.1(a)", "3.2(b)(i)")),
    ],
)  # fmt: skip
def test_lists_and_ranges_give_every_label(text: str, labels: tuple[str, ...]) -> None:
    assert one(text).labels == labels


@pytest.mark.parametrize(
    ("text", "whole", "container"),
    [
        ("see Section 8.1 of [QUIC-TRANSPORT].", "Section 8.1 of [QUIC-TRANSPORT]", "[QUIC-TRANSPORT]"),
        ("see [QUIC-TRANSPORT], Section 8.1.", "[QUIC-TRANSPORT], Section 8.1", "[QUIC-TRANSPORT]"),
        ("(RFC 9000, Section 8.1)", "RFC 9000, Section 8.1", "RFC 9000"),
        ("see RFC 9110 §5.1", "RFC 9110 §5.1", "RFC 9110"),
        ("Section 5.1 of RFC 9110 says", "Section 5.1 of RFC 9110", "RFC 9110"),
        ("Article 6(1) thereof applies", "Article 6(1) thereof", "thereof"),
        ("Article 6 of that Regulation", "Article 6 of that Regulation", "that Regulation"),
        ("Article 4 of Directive 95/46/EC", "Article 4 of Directive 95/46/EC", "Directive 95/46/EC"),
        ("Article 267 TFEU was used", "Article 267 TFEU", "TFEU"),
        ("Table 3 of Annex II lists", "Table 3 of Annex II", "Annex II"),
        ("Rule 58(2) of GEN asks", "Rule 58(2) of GEN", "GEN"),
        ("See ISO 27001 Annex A there", "ISO 27001 Annex A", "ISO 27001"),
        ("clauses (b) and (c) of this Section 3.9", "clauses (b) and (c) of this Section 3.9", "Section 3.9"),
        ("Section 83(b) of the Revenue Code of 1986", "Section 83(b) of the Revenue Code of 1986", "Revenue Code of 1986"),
        ("Section 2 of Part 3 of Schedule 4 to the Lease", "Section 2 of Part 3 of Schedule 4 to the Lease", "Part 3 of Schedule 4 to the Lease"),
        ("in paragraph (d)(2) of the provision at 52.204-24, Grain.", "paragraph (d)(2) of the provision at 52.204-24", "provision at 52.204-24"),
        ("paragraph (c) of the contract clause set forth at FAR 5.9 applies", "paragraph (c) of the contract clause set forth at FAR 5.9", "contract clause set forth at FAR 5.9"),
        ("as paragraph (c) of 52.204-25(a) says", "paragraph (c) of 52.204-25(a)", "52.204-25(a)"),
        ("paragraph (c) of FAR clause 52.204-25 holds", "paragraph (c) of FAR clause 52.204-25", "FAR clause 52.204-25"),
    ],
)  # fmt: skip
def test_a_container_before_or_after_belongs_to_the_reference(text: str, whole: str, container: str) -> None:
    reference = one(text)
    assert (reference.text, reference.container) == (whole, container)


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("as Table 3 row (E) shows", "row (E)"),
        ("Table 3 (row 2) shows", "row 2"),
        ("see rows (A) and (B) of Table 3", "rows (A) and (B)"),
        ("in column 2 of Table 4", "column 2"),
        ("the second paragraph of Section 3", "second paragraph"),
        ("Article 6(1), first subparagraph, point (c)", "first subparagraph"),
    ],
)
def test_a_selector_before_or_after_is_kept_verbatim(text: str, selector: str) -> None:
    assert one(text).selector == selector


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("Subject to Section 4, the fee is due.", Effect.CONDITION),
        ("if a notice is given under Section 4, it ends", Effect.CONDITION),
        ("Notwithstanding Section 3 the fee is due.", Effect.OVERRIDE),
        ("has the meaning given in Section 1.3", Effect.DEFINITION),
        ("as defined in Section 1.3", Effect.DEFINITION),
        ("attached hereto as Exhibit B", Effect.INCORPORATION),
        ("Exhibit B is incorporated by reference", Effect.INCORPORATION),
        ("We looked at it. It is in Section 9", Effect.PLAIN),
        ("Subject to rain, we go. See Section 9", Effect.PLAIN),
    ],
)
def test_the_words_around_tell_the_effect(text: str, effect: Effect) -> None:
    assert one(text).effect is effect


def test_a_number_on_the_next_line_belongs_to_the_word_before_it() -> None:
    reference = one("the limits of Section", "   4.2 hold")
    assert reference.text == "Section 4.2"
    assert (reference.at.line, reference.at.end_line, reference.at.char_start, reference.at.char_end) == (
        0,
        1,
        14,
        6,
    )


def test_a_number_on_the_next_page_belongs_to_the_word_before_it() -> None:
    found = find_in(lines("the limits of Section", "4.2 hold", pages=(1, 2)))
    assert [r.labels for r in found] == [("4.2",)]


def test_a_label_word_broken_by_a_hyphen_is_found() -> None:
    assert one("the limits of Sec-", "tion 4.2 hold").labels == ("4.2",)
    assert one("the limits of Sec\u00adtion 4.2 hold").labels == ("4.2",)


def test_a_no_break_space_is_a_space() -> None:
    reference = one("see Section\u00a04.2 there")
    assert (reference.text, reference.labels) == ("Section\u00a04.2", ("4.2",))


def test_a_reference_never_crosses_a_paragraph() -> None:
    texts = lines("It is one Section", "", "4.2 apples were sold")
    assert find_in(texts) == ()


def test_a_defined_term_of_another_document_is_a_definition() -> None:
    reference = one("the meaning given to “Lender” in the Credit Agreement")
    assert (reference.kind, reference.labels, reference.container) == (
        ReferenceKind.DEFINITION,
        ("Lender",),
        "Credit Agreement",
    )


def test_this_section_with_a_number_is_that_section() -> None:
    assert one("For purposes of this Section 3.9 it holds").labels == ("3.9",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0",
        "Section",
        "§",
        "[",
        "[]",
        "Section (",
        "Table 3" * 3,
        "(((((",
        "§§§ 1 – – 2",
        "see see Section of of",
    ],
)
def test_odd_text_raises_nothing(text: str) -> None:
    find_in(lines(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is said in Section\t4 of this lease.", ["Section\t4"]),
        ("pursuant to it, see Table\t3.", ["Table\t3"]),
        ("Fees by Section\t4", []),
        ("Number of Section\t4", []),
        ("Fees in Section\t4\t20", []),
        ("Section\t4 of it", []),
        ("IN SECTION\t4", []),
    ],
)
def test_a_tab_parts_word_and_number_unless_a_sentence_leads_to_them(text: str, found: list[str]) -> None:
    assert [r.text for r in find_in(lines(text))] == found


def test_cells_of_a_table_row_are_not_one_reference() -> None:
    found = find_in(lines("PING\tSection 19.2\tIH01"))
    assert [(r.text, r.container) for r in found] == [("Section 19.2", None)]


def test_a_short_name_before_a_label_word_is_its_container() -> None:
    reference = one("as GEN Rule 5.2.7 asks")
    assert (reference.text, reference.container) == ("GEN Rule 5.2.7", "GEN")
    assert one("see COBS 4.3.1 and 4.3.2 there").labels == ("4.3.1", "4.3.2")


def test_a_chapter_in_words_has_its_number() -> None:
    assert one("as shown in Chapter Two of it").labels == ("2",)
    assert find_in(lines("He read one chapter Two of us liked")) == ()


def test_letters_inside_a_number_belong_to_it() -> None:
    assert one("as Rule 13A.6.1 says").labels == ("13A.6.1",)


def test_a_journal_page_is_no_page_of_this_document() -> None:
    assert find_in(lines("(OJ L 201, 31.7.2002, p. 37)")) == ()


def test_a_part_number_is_no_part() -> None:
    assert find_in(lines("replace it by part MG-311 at once")) == ()


def test_two_kinds_of_number_after_one_word_are_two_references() -> None:
    found = find_in(lines("under subpart 8.4 and 16.505-1 of it"))
    assert [r.labels for r in found] == [("8.4",), ("16.505-1",)]


def test_an_exhibit_with_its_title_keeps_its_container() -> None:
    reference = one("see Schedule 2 - Material Contracts of the Purchase Agreement")
    assert (reference.labels, reference.container) == (("2",), "Purchase Agreement")


def test_a_name_behind_document_is_taken_whole() -> None:
    found = find_in(lines("see Document: Risk Assessment Memo for it"))
    assert [r.text for r in found] == ["Risk Assessment Memo"]


def test_a_title_of_a_code_is_a_container() -> None:
    assert (
        one("under chapter 21 of title 41, United States Code, it is").container
        == "title 41, United States Code"
    )


def test_wide_gaps_of_justified_text_are_one_space() -> None:
    text = "as  Section 1  of   Part VII  of Schedule  VI of  the Excise Tax Act  says"
    reference = one(text)
    assert reference.container == "Part VII of Schedule VI of the Excise Tax Act"
    assert text[reference.at.char_start : reference.at.char_end] == reference.text
    assert reference.text.startswith("Section 1  of   Part")


def test_the_foregoing_section_with_a_number_is_that_section() -> None:
    assert one("as the foregoing Section 5.4 says").labels == ("5.4",)


@pytest.mark.parametrize(
    "text",
    [
        "OpenAI GPT 82.1 70.3 91.3",
        "the Office of Management and Budget was asked",
        "there is no rule above it",
        'the array {"a":[1,2,3]} is read',
        "under the Service Contract Labor Standards they are paid",
    ],
)
def test_what_only_looks_like_a_pointer_is_none(text: str) -> None:
    assert find_in(lines(text)) == ()


def test_a_clause_that_a_container_stands_in_is_a_pointer_of_its_own() -> None:
    found = find_in(lines("paragraph (a) of this section in the clause at 52.222-49 is"))
    assert [r.text for r in found] == ["paragraph (a) of this section", "52.222-49"]


def test_a_blank_that_is_written_out_is_a_blank() -> None:
    text = "See Section&nbsp;2.1, Table&nbsp;3 and&nbsp;Figure 4 of&nbsp;Annex II."
    found = find_in(lines(text))
    assert [(r.text, r.labels) for r in found] == [
        ("Section 2.1", ("2.1",)),
        ("Table 3", ("3",)),
        ("Figure 4 of Annex II", ("4",)),
    ]
    assert [text[r.at.char_start : r.at.char_end] for r in found] == [
        "Section&nbsp;2.1",
        "Table&nbsp;3",
        "Figure 4 of&nbsp;Annex II",
    ]


def test_a_pointer_in_the_words_that_explain_a_label_is_one_of_its_own() -> None:
    found = find_in(lines("Sections 3 (see Exhibit B) and 4 apply"))
    assert [r.labels for r in found] == [("3",), ("B",)]
