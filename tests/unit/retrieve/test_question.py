"""Questions as people type them."""

from __future__ import annotations

import pytest

from deref.errors import UsageError
from deref.retrieve.question import LONGEST_QUESTION, parse_question
from deref.values import EVERYTHING, Scope, Shape
from unit.retrieve.small_shelf import store


@pytest.mark.parametrize("text", ["x", "7", "学", "Я", "א"])
def test_one_character_is_a_question(text: str) -> None:
    assert parse_question(text).text == text


@pytest.mark.parametrize("text", ["", " \n ", "?", "?!…—", '"" AND', "(*)", "\x00"])
def test_a_question_needs_a_word(text: str) -> None:
    if "AND" in text:
        assert parse_question(text).text == text
    else:
        with pytest.raises(UsageError, match="holds no word"):
            parse_question(text)


@pytest.mark.parametrize("text", ["toll " * 20_000, "x" * 100_000, "学" * 100_000])
def test_a_hundred_kilobytes_are_no_question_and_the_error_is_short(text: str) -> None:
    with pytest.raises(UsageError, match="put long text into a file") as caught:
        parse_question(text)
    assert len(str(caught.value)) < 300


def test_a_hundred_kilobytes_of_signs_are_refused_in_a_short_error() -> None:
    with pytest.raises(UsageError, match="holds no word") as caught:
        parse_question("?" * 100_000)
    assert len(str(caught.value)) < 300


def test_the_longest_question_is_one() -> None:
    assert len(parse_question("x" * LONGEST_QUESTION).text) == LONGEST_QUESTION


def test_white_space_is_folded_and_the_rest_is_verbatim() -> None:
    asked = ' the "toll"\n AND (cart OR drover*) NEAR/3 ^bridge: -x ~y {z} \\ ; \' -- %_ '
    query = parse_question(asked)
    assert query.text == " ".join(asked.split())
    assert {h.chunk.id for h in store().lexical(query.text, 9, EVERYTHING)} >= {
        "bridge1",
        "bridge3",
        "bridge4",
    }


def test_scope_and_history_travel_along() -> None:
    scope = Scope(documents=frozenset({"d"}))
    query = parse_question("toll", scope=scope, history=("before",))
    assert (query.scope, query.history) == (scope, ("before",))


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("What is the toll?", Shape.FACT),
        ("How long does the ferry take?", Shape.FACT),
        ("Under what conditions does the bridge close?", Shape.CONDITION),
        ("When may the drover cross?", Shape.CONDITION),
        ("What if the river freezes?", Shape.CONDITION),
        ("How do carts compare with drovers?", Shape.COMPARISON),
        ("What is the difference between ferry and bridge?", Shape.COMPARISON),
        ("ferry versus bridge", Shape.COMPARISON),
        ("List the tolls", Shape.LIST),
        ("Which of the carts are exempt?", Shape.LIST),
        ("What are the duties of the miller?", Shape.LIST),
        ("What is a drover?", Shape.DEFINITION),
        ("What does “cart” mean?", Shape.DEFINITION),
        ("How is toll defined?", Shape.DEFINITION),
        ("Define cart", Shape.DEFINITION),
        ("Under what conditions does one compare all tolls?", Shape.CONDITION),
        ("Was the toll overall small?", Shape.FACT),
    ],
)
def test_the_shape_is_read_off_the_words_and_the_first_rule_wins(text: str, shape: Shape) -> None:
    assert parse_question(text).shape is shape
