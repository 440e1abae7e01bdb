from __future__ import annotations

import pytest

from deref.structure.numbering import is_first, read_numbers, successors
from deref.values import Mark, MarkKind
from unit.structure.making import PROSE, outline, printed, text

STEP = 32


@pytest.mark.parametrize(
    ("text", "word", "label"),
    [
        ("3.2.2 Multi", None, "3.2.2"),
        ("3. Scope", None, "3"),
        ("ARTICLE IV - SCOPE", "article", "IV"),
        ("Section 2.01. Price", "section", "2.01"),
        ("§ 12 Pflichten", "section", "12"),
        ("Chapter Two", "chapter", "2"),
        ("Appendix A—Mappings", "appendix", "A"),
        ("EXHIBIT 10.2", "exhibit", "10.2"),
        ("Schedule 6.2(c) Plans", "schedule", "6.2(c)"),
        ("A.1.2 Cables", None, "A.1.2"),
        ("9.406-1 General.", None, "9.406-1"),
        ("COBS 5.3.7R Records", None, "5.3.7R"),
        ("Item 1A. Risks", "item", "1A"),
        ("Annexe III Tarifs", "annex", "III"),
        ("Статья 5. Хранение", "article", "5"),
        ("第十二条 保管", "article", "12"),
        ("1.1“Depot”", None, "1.1"),
    ],
)
def test_a_number_is_read_with_its_word(text: str, word: str | None, label: str) -> None:
    number = next(read_numbers(text))
    assert (number.word, number.label) == (word, label)


@pytest.mark.parametrize(
    "text",
    [
        "section 4 applies",
        "ATTACHMENTS",
        "Parties",
        "Part of the depot",
        "Section",
        "",
        "(a) dry",
        "Ramp 5",
        "Articles 5 and 6",
    ],
)
def test_other_lines_start_with_no_number(text: str) -> None:
    assert not [n for n in read_numbers(text) if n.word or n.family == "decimal"]


def test_a_letter_that_is_a_roman_number_too_is_read_both_ways() -> None:
    assert {n.family for n in read_numbers("I. Introduction")} == {"roman", "letter"}


def test_what_may_follow_a_number() -> None:
    following = set(successors((3 * STEP, 2 * STEP)))
    assert {(3 * STEP, 2 * STEP, STEP), (3 * STEP, 3 * STEP), (4 * STEP,), (4 * STEP, STEP)} <= following
    assert (5 * STEP,) not in following


def test_where_a_sequence_may_start() -> None:
    assert is_first((STEP,)) and is_first((STEP, STEP)) and not is_first((2 * STEP,))


def headed(*titles: str, levels: str = ""):
    marks = [
        Mark(kind=MarkKind.HEADING, start=2 * n, end=2 * n + 1, level=int(levels[n]) if levels else 2)
        for n in range(len(titles))
    ]
    rows = [row for title in titles for row in (title, PROSE)]
    return [(s.label, s.title) for s in text("\n\n".join(rows), *marks).sections]


def test_a_word_of_one_letter_before_a_title_is_no_number():
    titles = ("R FAQ", "A Larger Example", "Notes", "C Interface")
    assert headed(*titles) == [(None, title) for title in titles]


def test_letters_that_go_on_or_have_parts_are_numbers():
    assert [label for label, _ in headed("A Proofs", "B Tables", "1 Start")] == ["A", "B", "1"]
    assert [label for label, _ in headed("1 Start", "2 End", "A Proofs")] == ["1", "2", "A"]
    assert [label for label, _ in headed("C Proofs", "C.1 Bounds", levels="12")] == ["C", "C.1"]
    assert [label for label, _ in headed("A. Proofs", "Notes")] == ["A", None]


def test_a_version_with_its_date_is_no_section():
    titles = ("1 Start", "1.1 Use", "2 Changes", "1.1 2019-03-04", "1.0 (2018/11/02)")
    assert [label for label, _ in headed(*titles, levels="12122")] == ["1", "1.1", "2", None, None]


def test_a_letter_alone_is_a_heading_over_its_first_part() -> None:
    rows = (
        "L|1 Scope",
        "",
        PROSE,
        "",
        "L|2 Use",
        "",
        PROSE,
        "",
        "L|A Notes on Rope",
        "",
        PROSE,
        "",
        "L|A.1 Hemp",
        "",
        PROSE,
        "",
        "L|A.2 Wire",
        "",
        PROSE,
    )
    assert outline(printed(*rows)) == ["1 Scope", "2 Use", "A Notes on Rope", "  A.1 Hemp", "  A.2 Wire"]


def test_a_title_that_begins_with_an_article_has_no_number() -> None:
    rows = ("L|1 Scope", "", PROSE, "", "L|A Larger Rope", "", PROSE, "", "L|2 Use", "", PROSE)
    assert "  A Larger Rope" not in outline(printed(*rows)) and "1 Scope" in outline(printed(*rows))
