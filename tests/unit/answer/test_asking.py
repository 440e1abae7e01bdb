"""What a question asks for: its last asking sentence, the kind of value, and the things it asks side by side."""

from __future__ import annotations

import pytest

from deref.answer.asking import Value, asking
from deref.answer.rank import asked_stems


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What percentage of the toll goes to the town?", Value.SHARE),
        ("At what salary percentage is leave paid?", Value.SHARE),
        ("How long may a cart stand at the gate?", Value.DURATION),
        ("Within what time must the keeper answer?", Value.DURATION),
        ("How many business days does the keeper have?", Value.DURATION),
        ("When does the bridge close?", Value.DATE),
        ("On which day is the toll due?", Value.DATE),
        ("And when?", Value.DATE),
        ("How much must a cart pay?", Value.MONEY),
        ("What annual fee is due?", Value.MONEY),
        ("For how much was the bridge sold?", Value.MONEY),
        ("How many carts may pass?", Value.NUMBER),
        ("Which error code means a closed gate?", Value.NUMBER),
        ("When a cart breaks down, who pays?", None),
        ("Who keeps the gate?", None),
    ],
)
def test_the_kind_of_value_is_told_by_the_words_that_ask(question: str, value: Value | None) -> None:
    assert asking(question).value is value


@pytest.mark.parametrize(
    ("question", "holds", "holds_not"),
    [
        ("What percentage is due?", "a toll of 4 per cent", "a toll of four shillings"),
        ("How long is it open?", "within ten days after notice", "the gate of 4 posts"),
        ("When does it close?", "on 14 March 2025", "the keeper closes it"),
        ("How much does it cost?", "GBP 28,640 a month", "the sum that Section 7 sets"),
        ("How many carts pass?", "up to seven carts", "several carts"),
        ("Who keeps it?", "anything at all", ""),
    ],
)
def test_a_text_holds_the_kind_of_value_or_does_not(question: str, holds: str, holds_not: str) -> None:
    asked = asking(question)
    assert asked.held_by(holds)
    assert asked.value is None or not asked.held_by(holds_not)


def test_the_sentence_that_asks_counts_besides_the_whole() -> None:
    asked = asking("The toll is set in a schedule. How high is it at the northern gate?")
    assert asked.core == asked_stems("How high is it at the northern gate?")
    assert asked.core < asked.stems


def test_things_that_are_asked_side_by_side_are_parts() -> None:
    asked = asking("What does a cart pay, and who lifts the bar at dawn?")
    assert asked.parts == ("What does a cart pay", "who lifts the bar at dawn?")


@pytest.mark.parametrize(
    "question",
    [
        "What does a cart pay at the northern gate?",
        "When a cart breaks down at the gate, who pays the keeper?",
        "Which carts and horses pass the gate?",
        "What does a cart pay, and why?",
    ],
)
def test_a_question_of_one_thing_has_no_parts(question: str) -> None:
    assert asking(question).parts == ()


def test_a_term_whose_meaning_is_asked_for_is_introduced_in_quotation_marks() -> None:
    asked = asking("What is a flood event?")
    assert asked.introduced_by("Each wave is a “Flood\nEvent” of its own.")
    assert not asked.introduced_by("After a flood event all is wet.")
    assert not asking("Who notes the flood event?").introduced_by("a “Flood Event”")
