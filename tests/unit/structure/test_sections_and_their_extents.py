from __future__ import annotations

from unit.structure.making import PROSE, head, labels, outline, printed, span, text


def test_numbered_headings_nest_and_end_where_the_next_peer_starts():
    document = printed(
        "B|1 Scope", "", PROSE, "", "B|1.1 Purpose", "", PROSE, "", "B|1.2 Limits", "", PROSE, "", "B|2 Duties", "", PROSE
    )  # fmt: skip
    assert outline(document) == ["1 Scope", "  1.1 Purpose", "  1.2 Limits", "2 Duties"]
    assert span(document, "1") == (0, 6)
    assert span(document, "1.1") == (2, 4)
    assert document.sections[1].parent == document.sections[0].id


def test_a_section_ends_at_the_line_of_its_ancestors_peer_even_in_the_middle_of_a_page():
    document = printed(
        "B|3 Storage", "", PROSE, "", "B|3.1 Cold rooms", "", PROSE, PROSE, "", "B|4 Transport", PROSE
    )
    assert span(document, "3.1")[1] == span(document, "4")[0]


def test_a_cross_reference_at_a_line_start_is_no_heading():
    document = text("""
ARTICLE I - SCOPE

1.1 The depot accepts parcels of every size, as long as they satisfy the conditions set out in
Section 4.2 of the Handbook. The operator hereby agrees to keep the records that are listed in
3.2 of the Handbook, and the parties agree that
Section 4.2 applies to damaged goods pursuant to this Agreement.

1.2 The operator shall not refuse a parcel, notwithstanding the foregoing, hereinafter.
""")
    assert labels(document) == ["I", "1.1", "1.2"]


def test_list_items_are_outweighed_by_the_headings_they_would_cut_off():
    rows: list[str] = []
    for number, title in (("1", "Storage"), ("2", "Transport"), ("3", "Billing")):
        rows += [
            f"B|{number} {title}",
            "",
            PROSE,
            "",
            "1. Open the gate.",
            "",
            "2. Weigh the parcel.",
            "",
            "3. Close the gate.",
            "",
        ]
        rows += [f"B|{number}.1 Details", "", PROSE, ""]
    assert labels(printed(*rows)) == ["1", "1.1", "2", "2.1", "3", "3.1"]


def test_a_plain_list_in_print_is_no_heading_even_without_other_numbers():
    document = printed(
        PROSE, "", "1. Bring the crate to the ramp and wait for the signal of the guard.", "", "2. Leave."
    )
    assert document.sections == ()


def test_rows_of_a_table_that_start_with_numbers_are_no_headings():
    document = printed(
        "B|1 Prices",
        "",
        PROSE,
        "",
        "H|Zone Fee",
        "T|1.1 North 4.20",
        "T|1.2 South 5.10",
        "",
        "B|2 Refunds",
        PROSE,
    )
    assert labels(document) == ["1", "2"]


def test_measures_and_years_at_a_line_start_are_no_headings():
    document = printed(
        "B|1 Radio", "", PROSE, "", "2.4 GHz", "", "2 500 parcels", "", "2019 Annual Review of the depot", "", "B|2 Ramp", PROSE
    )  # fmt: skip
    assert labels(document) == ["1", "2"]


def test_a_citation_of_a_code_is_no_heading():
    document = text("""
1.1 Purpose. The parties shall be bound by this Agreement and by the terms hereof, pursuant to
41 U.S.C. chapter 83, notwithstanding anything herein.

1.2 Term. The term hereof is two years.
""")
    assert labels(document) == ["1.1", "1.2"]


def test_an_article_takes_its_title_from_the_next_line():
    document = text("""
ARTICLE I
DEFINITIONS

The terms of this Agreement are hereby defined herein.

ARTICLE II
THE DEPOT

The operator shall not close the depot pursuant to this Agreement, notwithstanding the foregoing.
""")
    assert outline(document) == ["article I DEFINITIONS", "article II THE DEPOT"]


def test_a_heading_over_two_lines_gives_one_title():
    document = printed("L|1 Receiving, weighing and storing", "L|of parcels", PROSE, "", "L|2 Billing", PROSE)
    # The second line starts no block of its own in print that is set so; here it does, and is a heading apart.
    assert "1" in labels(document)


def test_run_in_clauses_are_sections_with_the_words_before_the_first_stop_as_title():
    document = text("""
ARTICLE II - SALE

Section 2.01. Purchase Price. The Buyer shall pay the price hereunder pursuant to this Agreement.

Section 2.02. Closing. The closing takes place at the depot, notwithstanding the foregoing.

2.03 Delivery. The parties agree that the Seller delivers the goods hereby sold.
""")
    assert outline(document)[1:] == [
        "  section 2.01 Purchase Price",
        "  section 2.02 Closing",
        "  2.03 Delivery",
    ]


def test_the_same_label_in_two_schedules_is_kept_twice_with_its_own_parent():
    document = text("""
SCHEDULE 1
PARCELS

Part 1
Small parcels

The operator shall not accept, pursuant to this Agreement, a parcel hereunder that is wet.

SCHEDULE 2
PALLETS

Part 1
Wooden pallets

The operator shall not stack pallets, notwithstanding the terms hereof and thereof.
""")
    parts = document.sections_labelled("1")
    parents = {s.id: s for s in document.sections}
    assert [
        (parents[s.parent].word, parents[s.parent].label) for s in parts if s.word == "part" and s.parent
    ] == [
        ("schedule", "1"),
        ("schedule", "2"),
    ]


def test_sections_of_an_appendix_stand_inside_it():
    document = printed(
        "L|1 Use", "", PROSE, "", "L|Appendix A Wiring", "", PROSE, "", "B|A.1 Cables", "", PROSE, "", "B|A.2 Plugs", PROSE,
        "", "L|Appendix B Tests", "", PROSE, "", "B|B.1 Bench", "", PROSE,
    )  # fmt: skip
    assert outline(document) == [
        "1 Use", "appendix A Wiring", "  A.1 Cables", "  A.2 Plugs", "appendix B Tests", "  B.1 Bench",
    ]  # fmt: skip


def test_numbers_of_a_rulebook_keep_their_letter_and_lose_their_book():
    document = text("""
GEN 5.3.6 R Application

A firm shall not open a depot without a licence, pursuant to this rule.

GEN 5.3.7R Records

A firm shall have records of the parcels, notwithstanding paragraph 2 hereof.

GEN 5.3.8 Guidance

The parties may ask for paragraph 3 hereof.
""")
    assert labels(document) == ["5.3.6R", "5.3.7R", "5.3.8"]


def test_parts_and_subparts_hold_the_sections_whose_numbers_start_like_theirs():
    document = text("""
Part 4 - Depots

4.000 Scope of part.

This part applies to depots.

Subpart 4.1 - Records

4.101 Policy.

Each operator keeps records.

4.102 Contents.

Each record names the parcel.

4.102-1 Weights.

A weight is in kilograms.

Subpart 4.2 - Ramps

4.201 Definitions.

A ramp is a slope.
""")
    assert outline(document) == [
        "part 4 Depots", "  4.000 Scope of part", "  subpart 4.1 Records", "    4.101 Policy", "    4.102 Contents",
        "      4.102-1 Weights", "  subpart 4.2 Ramps", "    4.201 Definitions",
    ]  # fmt: skip


def test_other_languages_have_chapters_and_articles_too():
    document = text("""
Kapitel 1
Lagerung

§ 1 Begriffe

Ein Lager ist ein Raum.

§ 2 Pflichten

Der Betreiber führt Buch.

第三条 保管

荷物は乾いた場所に置く。
""")
    assert [(s.word, s.label) for s in document.sections] == [
        ("chapter", "1"), ("section", "1"), ("section", "2"), ("article", "3"),
    ]  # fmt: skip


def test_a_chapter_numbered_in_words_has_the_figure_as_label():
    document = printed(
        "L|CHAPTER ONE", "L|THE DEPOT", "", PROSE, "", "L|CHAPTER TWO", "L|THE RAMP", "", PROSE
    )
    assert [(s.word, s.label) for s in document.sections] == [("chapter", "1"), ("chapter", "2")]


def test_odd_spaces_between_word_and_number_are_spaces():
    document = printed("L|Chapter\u00a01 Depots", "", PROSE, "", "L|Chapter\u00a02 Ramps", "", PROSE)
    assert labels(document) == ["1", "2"]


def test_bold_lines_with_text_under_them_are_headings_without_a_number():
    document = printed(
        "L|A Handbook for Depots",
        "",
        PROSE,
        "",
        "B|Before you start",
        "",
        PROSE,
        "",
        "B|At the ramp",
        "",
        PROSE,
    )
    assert outline(document) == ["Before you start", "At the ramp"]


def test_bold_words_inside_a_paragraph_are_no_heading():
    document = printed(
        "The buyer may close when it has received the documents that are listed in the",
        "B|Approval Letter",
        PROSE,
    )
    assert document.sections == ()


def test_recitals_that_are_over_before_the_clauses_start_do_not_hold_them():
    document = text("""
A. The Seller owns the depot, hereinafter the subject of this Agreement.

B. The Buyer wants to buy it pursuant to the terms hereof.

1. Sale. The Seller hereby sells the depot.

2. Price. The Buyer shall not pay more than the price hereunder.
""")
    by_label = {s.label: s for s in document.sections}
    assert by_label["1"].level == by_label["2"].level == 1


def test_marks_are_trusted_and_their_numbers_read_off_the_text():
    document = text(
        "# Handbook\n\n## **3.1 Scope**\n\nText.\n\n### 3.1.1 Limits\n\nText.",
        head(0, 1), head(1, 2), head(3, 3),
    )  # fmt: skip
    assert outline(document) == ["Handbook", "  3.1 Scope", "    3.1.1 Limits"]


def test_an_automatic_number_kept_apart_from_the_text_is_the_label():
    document = text("Scope\n\nText.\n\nLimits", head(0, 1, label="1."), head(2, 1, label="2."))
    assert outline(document) == ["1 Scope", "2 Limits"]


def test_an_optional_clause_in_brackets_keeps_its_number():
    document = text("## 1.3 Price\n\nText.\n\n## [1.4 Discount]\n\nText.", head(0, 2), head(2, 2))
    assert labels(document) == ["1.3", "1.4"]


def test_a_bookmark_on_the_title_takes_the_chapter_number_from_the_line_above():
    document = printed(
        "L|Chapter 3", "L|Ramps", "", PROSE, "", "B|3.1 Slopes", "", PROSE, marks=(head(1, 1, outline=True), head(3, 2, outline=True))
    )  # fmt: skip
    assert outline(document) == ["chapter 3 Ramps", "  3.1 Slopes"]


def test_a_bookmarked_title_right_over_its_first_section_gets_the_number_they_share():
    document = printed(
        "L|Ramps", "", PROSE, "", "B|3.1 Slopes", "", PROSE, marks=(head(0, 1, outline=True), head(2, 2, outline=True))
    )  # fmt: skip
    assert labels(document) == ["3", "3.1"]


def test_a_running_head_that_names_the_open_chapter_again_is_no_heading():
    document = printed(
        "L|Chapter 1", "L|Depots", "", PROSE, "\f", "CHAPTER 1. DEPOTS", "", PROSE, "\f", "L|Chapter 2", "L|Ramps", "", PROSE
    )  # fmt: skip
    assert labels(document) == ["1", "2"]


def test_clauses_inside_a_long_line_are_found_when_they_come_next():
    filler = (
        "The operator shall not open the depot before noon, notwithstanding anything herein or hereunder. "
        * 3
    )
    document = text(f"""
1.1 Hours. {filler} 1.2 Closing Days. The depot is closed as set out in Section 1.3 of the Handbook. 1.3 Keys. {filler}

1.4 Guards. {filler}
""")
    assert labels(document) == ["1.1", "1.2", "1.3", "1.4"]
    assert span(document, "1.2")[0] == 0


def test_a_gap_in_the_numbers_does_not_end_the_sequence():
    document = printed(*(row for n in (1, 2, 3, 6, 7) for row in (f"B|{n} Part of the text", "", PROSE, "")))
    assert labels(document) == ["1", "2", "3", "6", "7"]


def test_a_number_glued_to_its_title_is_still_a_number():
    document = printed("B|1.1“Depot”", "", PROSE, "", "B|1.2General matters", "", PROSE)
    assert outline(document) == ["1.1 “Depot”", "1.2 General matters"]


def test_a_clause_whose_words_are_blanked_out_keeps_its_place():
    document = text("""
1.1 "Ramp" means a slope, pursuant to this Agreement.

1.2 [***] shall [***]

1.3 "Depot" means a hall, notwithstanding the terms hereof.
""")
    assert labels(document) == ["1.1", "1.2", "1.3"]


def test_clauses_that_the_parser_took_for_rows_are_clauses_by_their_sequence():
    law = "pursuant to this Agreement, notwithstanding the terms hereof"
    document = printed(
        f"1.1 Depot means the hall at the quay, {law}.", "", "T|1.2 Owner means the person who is named on the parcel.", "",
        "T|1.3 Ramp means any slope that joins two floors of a depot.", "", f"1.4 Term ends at noon, {law}.",
    )  # fmt: skip
    assert labels(document) == ["1.1", "1.2", "1.3", "1.4"]


def test_a_mapping_table_in_an_appendix_does_not_repeat_the_sections():
    document = printed(
        "L|3 Duties", "", PROSE, "", "B|3.1 Logs", "", PROSE, "", "B|3.2 Gates", "", PROSE, "", "L|Appendix D Mapping", "", PROSE, "",
        "3.1 Logs of parcels and of gates", "3.2 Gates and their keepers", "", PROSE,
    )  # fmt: skip
    assert labels(document) == ["3", "3.1", "3.2", "D"]


ROUND = """ROPE LICENSE AGREEMENT

1.0 Terms. The parties hereto agree hereby as hereinafter is said.

1.1 "Rope" means what is lent pursuant to this Agreement.

1.2 "Quay" means where it lies.

2.0 Grant. The rope is lent hereunder.

2.1 It shall be kept dry.

2.2 It shall not be cut.

3.0 Warranty. There is none hereof.

4.0 End. This Agreement ends in May.
"""


def test_clauses_with_round_numbers_hold_what_is_counted_in_them() -> None:
    document = text(ROUND)
    parents = {s.id: s.label for s in document.sections}
    numbered = [(s.label, parents.get(s.parent or "")) for s in document.sections if s.label]
    assert numbered == [
        ("1.0", None), ("1.1", "1.0"), ("1.2", "1.0"), ("2.0", None), ("2.1", "2.0"), ("2.2", "2.0"), ("3.0", None), ("4.0", None),
    ]  # fmt: skip
