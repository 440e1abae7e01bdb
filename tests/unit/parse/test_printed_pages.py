"""The numbers that are printed on pages, made out where the file keeps none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deref.parse.printed_pages import printed_pages
from unit.parse.test_pdf_lines import PROSE, Canvas, Draw, column, parsed


def test_front_matter_in_roman_numbers_and_a_text_in_figures_are_two_counts() -> None:
    front = [["Thanks"], ["ii Thanks"], ["Preface", "iii"], ["iv PREFACE"], ["CONTENTS v"], ["vi CONTENTS"]]
    body = [["Chapter 1"], ["2 Ropes"], ["1.1 Knots 3"], ["4 Ropes"], ["A picture"], ["6 Ropes"]]
    assert printed_pages([*front, *body]) == (
        "i", "ii", "iii", "iv", "v", "vi", "1", "2", "3", "4", "5", "6",
    )  # fmt: skip


def test_page_of_pages_and_a_cover_without_a_number() -> None:
    rows = [["The Guide"], *([f"The Guide Page {n} of 5"] for n in range(1, 6))]
    assert printed_pages(rows) == ("", "1", "2", "3", "4", "5")


def test_numbers_that_are_the_places_of_the_pages_say_nothing_new() -> None:
    assert printed_pages([[f"{n} The Guide"] for n in range(1, 9)]) == ()


def test_numbers_that_agree_on_no_count_are_none() -> None:
    assert printed_pages([["12 boats came"], ["Then 7 left"], ["In 1990"], ["40 men"], ["3 oars"]]) == ()


@given(st.lists(st.lists(st.text(max_size=12), max_size=4), max_size=12))
def test_any_rows_give_a_label_a_page_or_nothing(edges: list[list[str]]) -> None:
    assert len(printed_pages(edges)) in (0, len(edges))


def test_a_file_without_labels_gets_those_that_its_pages_show() -> None:
    def page(number: str) -> Draw:
        def draw(canvas: Canvas) -> None:
            column(canvas, 60, 40, (f"{number} Harbour Rules",))
            column(canvas, 60, 100, PROSE)

        return draw

    numbers = ("i", "ii", "iii", "iv", "1", "2", "3", "4", "5")
    assert parsed(*map(page, numbers)).page_labels == numbers
