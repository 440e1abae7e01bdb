"""Labels: one normal form, ranges that make nothing up, roman numbers, variants, order."""

from __future__ import annotations

import pytest

from deref.text.labels import (
    expand_range,
    is_roman,
    normalize_label,
    roman_value,
    sort_key,
    split_sub,
    to_roman,
    variants,
)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("4.2.", "4.2"), ("(4.2)", "4.2"), ("[12]", "12"), ("(E)", "E"), ("No. 7", "7"), ("No 7", "7"), ("Nos. 3", "3"),
        ("№ 7", "7"), ("nº 4", "4"), ("n° 4", "4"), ("#3", "3"), ("(No. 7)", "7"), ("58 (2)(b)", "58(2)(b)"), ("5.3.7.(1)", "5.3.7(1)"),
        ("A–1", "A-1"), ("A\u20111", "A-1"), ("A—1", "A-1"), ("３．２", "3.2"), ("4\u00a0.\u20092", "4.2"),
        ("4\u00ad2", "42"), ("IV:", "IV"), ("b", "b"), ("", ""), ("…", ""), ("  ", ""), ("No. A", "A"), ("No A", "A"),
    ],
)  # fmt: skip
def test_every_way_to_write_a_label_meets_in_one_form(written: str, normal: str) -> None:
    assert normalize_label(written) == normal


@pytest.mark.parametrize("word", ["Notes", "North", "November", "Nordic", "nose"])
def test_a_word_that_begins_like_number_keeps_its_beginning(word: str) -> None:
    assert normalize_label(word) == word


def test_a_label_keeps_the_case_of_its_letters() -> None:
    assert (normalize_label("a.1"), normalize_label("A.1")) == ("a.1", "A.1")


@pytest.mark.parametrize("label", ["I", "IV", "xii", "MCMXCIV", "v"])
def test_roman_numbers_of_one_case_are_roman(label: str) -> None:
    assert is_roman(label)


@pytest.mark.parametrize("label", ["", "IIII", "Iv", "A", "IVX", "4", "IV\n", "ı", "İ", "ⅳ", "VV"])
def test_what_only_resembles_a_roman_number_is_none(label: str) -> None:
    assert not is_roman(label)
    with pytest.raises(ValueError, match="not a roman number"):
        roman_value(label)


@pytest.mark.parametrize("value", [0, -1, 4000])
def test_a_value_without_a_roman_number_is_an_error_that_says_the_range(value: int) -> None:
    with pytest.raises(ValueError, match="1 to 3999"):
        to_roman(value)


def test_variants_give_the_other_numeral_and_put_the_label_itself_first() -> None:
    assert variants("4") == ("4", "IV")
    assert variants("IV") == ("IV", "4")
    assert variants("4.2") == ("4.2",)
    assert variants("٤") == ("٤",)
    assert variants("B") == ("B",)
    assert variants("CX") == ("CX", "110")
    assert variants("0") == ("0",)


def test_sub_paragraphs_come_off_their_base() -> None:
    assert split_sub("58(2)(b)(iii)") == ("58", ("2", "b", "iii"))
    assert split_sub("4.2") == ("4.2", ())
    assert split_sub("(a)") == ("(a)", ())


def test_a_row_of_digits_that_is_too_long_to_count_by_is_a_label_all_the_same() -> None:
    long = "7" * 5_000
    assert variants(long) == (long,)
    assert expand_range(long, long + "8") == (long, long + "8")
    assert sorted([long, "007", "10"], key=sort_key) == ["007", "10", long]


@pytest.mark.parametrize("letter", ["L", "C", "D", "M", "c"])
def test_a_letter_alone_is_no_number_of_fifty_or_more(letter: str) -> None:
    assert variants(letter) == (letter,)
    assert variants(str(roman_value(letter))) == (str(roman_value(letter)),)


@pytest.mark.parametrize(
    ("first", "last", "every"),
    [
        ("3.1", "3.4", ("3.1", "3.2", "3.3", "3.4")),
        ("A", "C", ("A", "B", "C")),
        ("IV", "VI", ("IV", "V", "VI")),
        ("i", "iii", ("i", "ii", "iii")),
        ("V", "X", ("V", "VI", "VII", "VIII", "IX", "X")),
        ("c", "d", ("c", "d")),
        ("i", "l", ("i", "j", "k", "l")),
        ("I", "M", ("I", "J", "K", "L", "M")),
        ("XL", "L", ("XL", "XLI", "XLII", "XLIII", "XLIV", "XLV", "XLVI", "XLVII", "XLVIII", "XLIX", "L")),
        ("58(2)(a)", "58(2)(c)", ("58(2)(a)", "58(2)(b)", "58(2)(c)")),
        ("A-1", "A-3", ("A-1", "A-2", "A-3")),
        ("7", "7", ("7",)),
    ],
)
def test_a_range_of_one_form_gives_every_label_between(first: str, last: str, every: tuple[str, ...]) -> None:
    assert expand_range(first, last) == every


@pytest.mark.parametrize(
    ("first", "last"),
    [("3.1", "4.2"), ("5", "3"), ("1", "999"), ("A", "c"), ("3", "C"), ("01", "03"), ("a)", "c)"), ("é", "ï"), ("3.9", "3.10a")],
)  # fmt: skip
def test_a_range_that_cannot_be_counted_gives_its_two_ends_and_nothing_between(first: str, last: str) -> None:
    assert expand_range(first, last) == (first, last)


def test_labels_sort_as_people_count() -> None:
    written = ["10", "2", "3.10", "3.2", "58(10)", "58(2)", "B", "A"]
    assert sorted(written, key=sort_key) == ["2", "3.2", "3.10", "10", "58(2)", "58(10)", "A", "B"]
