"""Which pointers an extractive answer leans on: those by which its best text hands the whole matter over."""

from __future__ import annotations

import pytest

from unit.answer.small_evidence import document, whole, written

DEED = document(
    "# Deed of the Mill\n\n## 1 Miller\n\nThe miller is a trusted person as defined in Rule 12 of the Guild Code.\n\n"
    "## 2 Wheel\n\nThe wheel of the mill turns by day and is greased, see Rule 9 of the Guild Code.\n\n"
    "## 3 Fee\n\nThe fee of the mill is 12 shillings, as set out in Rule 4 of the Guild Code.\n",
    "deed.md",
)


def leaning(question: str) -> list[str]:
    return [r.reference.text for r in written(question, [whole(DEED)], DEED).leaning]


def test_an_answer_whose_best_text_hands_the_matter_over_leans_on_its_pointer() -> None:
    assert leaning("Who is a trusted person?") == ["Rule 12 of the Guild Code"]


@pytest.mark.parametrize(
    "question",
    [
        "Under which rule is the miller a trusted person?",
        "Where is it defined who is a trusted person?",
        "How much is the fee of the mill?",
        "Does a horse sleep at night beside the wheel of the old mill in the valley?",
    ],
)
def test_it_does_not_where_the_place_is_asked_for_the_value_stands_there_or_the_sentence_tells_little(
    question: str,
) -> None:
    assert leaning(question) == []
