from __future__ import annotations

from deref.values import ItemKind, Mark, MarkKind
from unit.structure.making import PROSE, head, labels, printed, text

LAW = "pursuant to this Agreement, notwithstanding anything herein"


def items(document, kind):
    return [(i.label, i.lines.start, i.lines.end) for i in document.items if i.kind == kind]


def terms(document):
    return [i.label for i in document.items if i.kind == ItemKind.DEFINITION]


def test_an_exhibit_of_the_same_file_is_a_section_and_an_item_with_one_extent():
    document = text(f"""
1. Sale. The Seller hereby sells, {LAW}.

EXHIBIT A
FORM OF NOTE

1. Promise. The Buyer shall not be late with the price.

2. Interest. There is none.

EXHIBIT B
[to come under separate cover]
""")
    assert items(document, ItemKind.EXHIBIT) == [("A", 1, 5), ("B", 5, 7)]
    section = document.sections_labelled("A")[0]
    assert (section.word, section.title, section.lines.end) == ("exhibit", "FORM OF NOTE", 5)
    assert labels(document) == ["1", "A", "1", "2", "B"]


def test_a_heading_under_the_exhibit_line_is_its_title_and_does_not_end_it():
    document = text(
        f"# Agreement\n\nThe parties agree, {LAW}.\n\n# SCHEDULE 1\n\n# SCHEDULE OF PRICES\n\nThe price hereunder is low.\n\n# EXHIBIT B\n\nNone hereof.",
        head(0, 1), head(2, 1), head(3, 1), head(5, 1),
    )  # fmt: skip
    assert items(document, ItemKind.SCHEDULE) == [("1", 2, 5)]
    assert document.items_labelled(ItemKind.SCHEDULE, "1")[0].caption == "SCHEDULE OF PRICES"


def test_a_file_that_is_an_exhibit_is_an_item_over_all_its_lines_and_answers_to_that_name():
    document = text(
        "EXHIBIT B – Fee Schedule\n\n1. Fees\n\nThe fee is 4.\n\n2. Taxes\n\nNone.", name="x/07_fees.txt"
    )
    assert items(document, ItemKind.EXHIBIT) == [("B", 0, 5)]
    assert "Exhibit B" in document.aliases
    assert not document.sections_labelled("B")


def test_a_schedule_to_another_agreement_keeps_its_number():
    document = printed("L|Schedule 2.1 to the Credit Agreement", "", PROSE, "", "B|Commitments", "", PROSE)
    assert items(document, ItemKind.SCHEDULE) == [("2.1", 0, len(document.lines))]
    assert "Schedule 2.1" in document.aliases


def test_attachments_as_a_heading_is_no_attachment_s():
    document = printed("B|ATTACHMENTS", "", PROSE)
    assert items(document, ItemKind.ATTACHMENT) == []


def test_terms_in_quotes_that_mean_something_are_definitions():
    document = text(f"""
1.1 "Depot" means the hall at the ramp, {LAW}.

1.2 “Operator” has the meaning given in Section 4.2 hereof.

‘parcel’ means any box that is closed.

“Owner”: the person named on the parcel.
""")
    assert terms(document) == ["Depot", "Operator", "parcel", "Owner"]
    assert document.items_labelled(ItemKind.DEFINITION, "depot")[0].caption.startswith(
        '"Depot" means the hall'
    )


def test_short_names_in_brackets_are_definitions():
    document = text(f"""
This Storage Agreement (this "Agreement") is made between Ash Ltd ("Ash") and Birch GmbH (hereinafter "Birch" or the "Owner"),
{LAW}.
""")
    assert terms(document) == ["Agreement", "Ash", "Birch", "Owner"]


def test_terms_without_quotes_are_definitions_in_law_only():
    clause = "Affiliate means a person that controls the operator"
    assert terms(text(f"1.1 Terms. As follows, {LAW}:\n\n{clause}, {LAW}.")) == ["Affiliate"]
    assert terms(text(f"About words\n\n{clause}.")) == []


def test_code_in_brackets_and_quotes_is_no_definition():
    document = text('Call it so\n\nThe program runs load("parcel.csv", 3) and prints (“done”) at the end.')
    assert terms(document) == []


def test_a_term_that_the_file_marks_is_a_definition():
    document = text("A depot is a hall.", Mark(kind=MarkKind.DEFINED, start=0, end=1, label="depot"))
    assert terms(document) == ["depot"]


def test_tagged_entries_under_references_are_the_bibliography():
    document = printed(
        "B|References", "", "[1] A. Ash. On ramps. 2001.", "[2] B. Birch. On depots, and on what they hold when they are full.", "2002.",
        "[RFC-RAMP] C. Cedar. Ramps. 2003.",
    )  # fmt: skip
    assert items(document, ItemKind.BIBLIOGRAPHY) == [("1", 1, 2), ("2", 2, 4), ("RFC-RAMP", 4, 5)]


def test_entries_in_sequence_need_no_heading_and_two_of_them_are_none():
    entries = "[1] A. Ramp. Of ramps.\n\n[2] B. Ramp. Of\nmore ramps.\n\n[3] C. Ramp. Of all ramps."
    found = [("1", 1, 2), ("2", 2, 4), ("3", 4, 5)]
    assert items(text(f"As [1] says.\n\n{entries}"), ItemKind.BIBLIOGRAPHY) == found
    assert items(text(f"As [1] says.\n\n{entries[:50]}"), ItemKind.BIBLIOGRAPHY) == []


def test_the_heading_of_the_list_may_be_in_other_languages_or_have_its_accents_apart():
    for heading in ("Quellen", "R´ef´erences", "参考文献"):
        document = text(f"{heading}\n\n[1] A. Ramp. Of ramps.\n\n[2] B. Ramp. Of more ramps.")
        assert [label for label, *_ in items(document, ItemKind.BIBLIOGRAPHY)] == ["1", "2"]


def test_entries_that_the_file_marks_keep_their_tag():
    document = text("[Ramp] A book.", Mark(kind=MarkKind.BIBLIOGRAPHY, start=0, end=1, label="Ramp"))
    assert items(document, ItemKind.BIBLIOGRAPHY) == [("Ramp", 0, 1)]


def test_small_numbered_lines_at_the_foot_of_a_page_are_footnotes():
    document = printed(
        PROSE, PROSE, "", "S|1 See the log of 2001.", "S|2", "S|The ramp was", "S|closed then.", "\f", PROSE, "", "S|3 Ibid, with the", "S|gate."
    )  # fmt: skip
    assert items(document, ItemKind.FOOTNOTE) == [("1", 2, 3), ("2", 3, 6), ("3", 7, 9)]


def test_small_numbered_lines_above_text_are_no_footnotes():
    document = printed("S|1 Small print at the top", "", PROSE, PROSE, PROSE)
    assert items(document, ItemKind.FOOTNOTE) == []


def test_a_term_is_kept_as_it_is_written_also_behind_letters_that_grow_when_made_small():
    document = text(
        "In İstanbul, İzmir and IĞDIR the “Toll” MEANS the sum due.\n\nDie Summe, IM FOLGENDEN „Maut“ genannt."
    )
    assert terms(document) == ["Toll", "Maut"]
