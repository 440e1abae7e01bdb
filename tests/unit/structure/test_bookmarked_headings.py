"""Headings that an outline names: the number apart from the title, and the letters of an index."""

from __future__ import annotations

from tests.unit.structure.making import head, printed

from deref.values import Document

PROSE = "The warden keeps the ledger of all berths and tells the owner what is due by the end of the month."


def heads(document: Document) -> list[tuple[str | None, str, int]]:
    return [(s.label, s.title, s.lines.start) for s in document.sections]


def test_a_number_in_words_above_the_title_begins_the_chapter() -> None:
    document = printed(
        "L|Fifteen", "L|Boxes and files", "", PROSE, "", "B|15.1 Boxes", "", PROSE,
        marks=(head(1, 1, outline=True, label="15"), head(3, 2, outline=True)),
    )  # fmt: skip
    assert heads(document) == [("15", "Boxes and files", 0), ("15.1", "Boxes", 3)]


def test_another_large_word_above_the_title_does_not() -> None:
    document = printed(
        "L|Handbook", "", "L|Boxes and files", "", PROSE, marks=(head(1, 1, outline=True, label="15"),)
    )
    assert ("15", "Boxes and files", 1) in heads(document)


def test_a_number_behind_the_title_is_its_number() -> None:
    document = printed(
        "L|Ramps and berths 6", "", PROSE, marks=(head(0, 1, outline=True, label="6"),)
    )  # fmt: skip
    assert heads(document) == [("6", "Ramps and berths", 0)]


def test_a_letter_alone_above_the_title_is_the_number_of_an_appendix() -> None:
    document = printed(
        "L|A", "L|Packages used", "", PROSE, "", "L|C", "L|More of them", "", PROSE,
        marks=(head(0, 1, outline=True, label="A", end=2), head(3, 1, outline=True, label="C", end=5)),
    )  # fmt: skip
    assert heads(document) == [("A", "Packages used", 0), ("C", "More of them", 3)]


def test_a_word_of_the_heading_is_not_taken_for_the_number_again() -> None:
    document = printed(
        "L|CHAPTER TWO", "L|THE FUNDAMENTALS", "", PROSE, marks=(head(1, 1, outline=True, label="2"),)
    )
    assert heads(document) == [("2", "THE FUNDAMENTALS", 0)]


def test_letters_of_an_index_are_headings_without_a_number() -> None:
    document = printed(
        PROSE, "", "L|Index", "", "A anchors . . . . . . . 5", "arcs . . . . . . . 21", "B", "berths . . . . . . . 25", "boats . . . . . . . 22",
        marks=(head(1, 1, outline=True), head(2, 2, outline=True, title="A"), head(4, 2, outline=True)),
    )  # fmt: skip
    assert heads(document) == [(None, "Index", 1), (None, "A", 2), (None, "B", 4)]


def test_an_entry_of_a_printed_list_is_no_heading_even_when_it_is_bookmarked() -> None:
    document = printed(
        "L|Contents", "Scope . . . . . . . 5", "Fees . . . . . . . 21", "Ends . . . . . . . 25", "", PROSE,
        marks=(head(0, 1, outline=True), head(2, 2, outline=True)),
    )  # fmt: skip
    assert heads(document) == [(None, "Contents", 0)]


def test_a_remark_behind_the_title_is_no_part_of_it() -> None:
    document = printed(
        "L|7 Ramps revisited Chapter of 1.40",
        "",
        PROSE,
        marks=(head(0, 1, outline=True, title="Ramps revisited"),),
    )
    assert heads(document) == [("7", "Ramps revisited", 0)]
