"""Which sentences state a condition, and how much of them is told."""

from __future__ import annotations

import pytest

from deref.answer.conditions import conditions_in
from deref.values import Span
from unit.answer.small_evidence import document


def told(text: str, name: str = "tolls.md") -> list[str]:
    doc = document(text, name)
    return [c.text for c in conditions_in(doc, Span(doc=doc.id, start=0, end=len(doc.lines)))]


def test_of_a_list_the_point_that_states_a_condition_is_told() -> None:
    text = (
        "The toll keeper lets pass:\n\n(a) carts of the mill;\n\n(b) drovers, unless the river is high;\n\n"
        "(c) bakers.\n"
    )
    assert told(text) == ["(b) drovers, unless the river is high;"]


def test_a_tag_that_has_a_line_to_itself_is_told_with_its_point() -> None:
    text = "The keeper lets pass:\n\n(a)\n\ncarts of the mill, unless the river is high;\n\n(b)\n\nbakers.\n"
    assert told(text, "tolls.txt") == ["(a) carts of the mill, unless the river is high;"]
    alone = "(a)\n\ncarts of the mill, unless the river is high;\n\n(b)\n\nbakers.\n"
    assert told(alone, "tolls.txt") == ["(a) carts of the mill, unless the river is high;"]


def test_a_condition_before_points_that_are_in_a_point_is_told_with_them() -> None:
    text = "The keeper lets pass:\n\n(a) bakers;\n\n(b) carts, only if:\n\n(i) they are empty; and\n\n(ii) the bell has rung;\n\n(c) drovers.\n"
    assert told(text) == ["(b) carts, only if: (i) they are empty; and (ii) the bell has rung;"]
    numbered = "2. Carts pass only if:\n\n(a) they are empty;\n\n(b) the bell has rung.\n"
    (one,) = told(numbered, "tolls.txt")
    assert one.endswith("the bell has rung.")


def test_a_condition_before_the_points_the_points_is_told_with_all_of_them() -> None:
    text = "Carts pass only if:\n\n(a) they are empty;\n\n(b) the bell has rung.\n"
    (one,) = told(text)
    assert "they are empty" in one and "the bell has rung" in one


def test_a_line_of_a_sentence_that_begins_with_a_number_in_brackets_is_no_point() -> None:
    (one,) = told(
        "Carts pay the toll of paragraph\n(2) unless they are empty and the bell has rung.\n", "tolls.txt"
    )
    assert one.startswith("Carts pay")


@pytest.mark.parametrize(
    "liable", ["subject to a fine of two pence", "subject to administrative penalties", "subject to taxation"]
)
def test_what_somebody_is_liable_to_is_no_condition(liable: str) -> None:
    assert told(f"Whoever passes by night is {liable}.\n") == []
    assert told("Passing by night is subject to the consent of the keeper.\n") != []


def test_a_condition_behind_what_somebody_is_liable_to_is_told() -> None:
    assert told("Whoever passes by night is subject to a fine unless the bell has rung.\n") != []
