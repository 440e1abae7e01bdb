"""Figures that are said must stand in the evidence, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.answer.figures import Figures
from processor_time import no_longer_than


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        ("The fee is 1,450.", "a fee of 1450 a year"),
        ("The fee is 1450.", "a fee of 1 450 a year"),
        ("The fee is 1 450 a year.", "a fee of 1,450"),
        ("The fee is 27 500.", "tier 2 28,640 27,500"),
        ("The fee is 1,450.", "eine Gebühr von 1.450 Euro"),
        ("It grows by 12.5 %.", "it grows by 12,5 % a year"),
        ("It grows by 5%.", "it grows by five per cent a year"),
        ("It grows by 5 percent.", "Rate (%)\ngrowth 5"),
        ("It is $3,000,000.", "an amount of USD 3m"),
        ("It is USD 3 million.", "an amount of $3,000,000"),
        ("It is £500.", "(GBP)\nrow 500"),
        ("It ends on 1 May 2024.", "ends 2024-05-01"),
        ("It ends on May 1, 2024.", "ends on the 1st day of May 2024"),
        ("It ends on May 1st, 2024.", "ends on 01/05/2024"),
        ("It ended in May 2024.", "ended on 1 May 2024"),
        ("It ended in 2024.", "ended on 1 May 2024"),
        ("It ends on 1 May 2024.", "year 2024: ends on 1 May"),
        ("Within 30 days.", "within thirty (30) days"),
        ("Within thirty days.", "within 30 days"),
        ("Within twenty-five days.", "within 25 days"),
        ("A 30-day notice.", "a notice of 30 days"),
        ("Years 3 to 7.", "Contract Years 3–7"),
        ("As Table B-1 says.", "see Table B‑1 below"),
        ("In Q3, on page 4th.", "for Q3, the 4 pages"),
        ("Section 7.4.1 says so.", "7.4.1 Working from abroad"),
        ("It fell by 5.", "change: -5"),
        ("The two events are rain and snow.", "rain and snow"),
        ("No figure at all.", ""),
        ("Ends one hundred and twenty days later.", "after 120 days"),
        ("It is 1,234,567.89.", "1234567.89"),
        ("It pays 1.5x the wage.", "1.5 times the wage"),
        ("It is IPv4's notation.", "the notation of IPv4"),
        ("It is IPv4’s notation.", "IPv4's notation"),
    ],
)
def test_a_figure_that_stands_there_in_another_form_is_not_lacking(said: str, evidence: str) -> None:
    assert Figures([evidence]).lacks(said) == ()


@pytest.mark.parametrize(
    ("said", "evidence", "lacking"),
    [
        ("The fee is 1,450.", "a fee of 1,540", ("1,450",)),
        ("The fee is 1,450.", "a fee of 1.45", ("1,450",)),
        ("The fee is 15.", "a fee of 1.5", ("15",)),
        ("It is 5%.", "it is 5 days", ("5",)),
        ("It is $500.", "it is £500", ("500",)),
        ("It is USD 500.", "it is 500 pounds", ("500",)),
        ("It is 3 million.", "it is 3", ("3",)),
        ("It ends on 1 May 2024.", "ends on 1 May 2025", ("1 May 2024",)),
        ("It ends on 2 May 2024.", "ends on 1 May 2024", ("2 May 2024",)),
        ("It ended in June 2024.", "ended on 1 May 2024", ("June 2024",)),
        ("Within two months.", "within three months", ("two",)),
        ("Section 7.4.1 says so.", "7.4.2 Working from abroad", ("7.4.1",)),
        ("As Table B-1 says.", "Table B-2", ("B-1",)),
        ("It is -5.", "it is 5", ("5",)),
        ("Two parties agree on two months.", "both parties, three months", ("two",)),
        ("It is 7.", "section 7.4.1", ("7",)),
        ("It is 27 500.", "27 and 600", ("500",)),
        ("Twelve of 12 for 8 years.", "twelve", ("8",)),
        ("It is USD ⁹⁹⁹.", "USD 27", ("999",)),
        ("It is ④ weeks, or ½.", "2 weeks in 1 year", ("4",)),
        ("Within a hundred days.", "within thirty days", ("hundred",)),
        ("Within two dozen months.", "within twelve months", ("two dozen",)),
        ("It is a million dollars.", "27.5 million dollars", ("million",)),
    ],
)
def test_a_figure_that_does_not_stand_there_is_lacking(
    said: str, evidence: str, lacking: tuple[str, ...]
) -> None:
    assert Figures([evidence]).lacks(said) == lacking


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        ("The fee is 27,500.", "a fee of 27,500¹ a month"), ("The rate is 2½ %.", "2 1/2 % a year"), ("It is 50 m².", "50 m2"),
        ("In CO₂ of stage Ⅻ.", "CO2"), ("Within a hundred days.", "100 days"), ("A thousand dollars.", "USD 1,000"),
        ("Two dozen weeks.", "24 weeks"), ("It is 27.5 million dollars.", "USD 27,500,000"),
    ],
)  # fmt: skip
def test_numbers_in_other_signs_and_words_are_what_they_mean(said: str, evidence: str) -> None:
    assert Figures([evidence]).lacks(said) == ()


def test_hidden_signs_part_no_number() -> None:
    assert Figures(["a fee of 1\u200b450"]).lacks("The fee is 1450.") == ()
    assert Figures(["a fee of 14\u202e50"]).lacks("The fee is 1450.") == ()


def test_a_page_of_numbers_and_dates_is_read_in_no_time() -> None:
    page = "USD 5 and 1 May 2024, " * 4000
    with no_longer_than(10):
        assert Figures([page]).lacks(page) == ()


_NUMBERS = st.integers(min_value=0, max_value=10**9)


@given(st.lists(_NUMBERS, max_size=6), st.lists(_NUMBERS, max_size=6))
def test_a_number_is_lacking_exactly_when_it_is_not_there(said: list[int], there: list[int]) -> None:
    lacking = Figures(["; ".join(f"{n:,}" for n in there)]).lacks("; ".join(map(str, said)))
    assert lacking == tuple(dict.fromkeys(str(n) for n in said if n not in there))


@given(st.text(max_size=200))
def test_whatever_is_written_stands_where_it_is_written(text: str) -> None:
    assert Figures([text]).lacks(text) == ()
