"""Questions as people type them."""

from __future__ import annotations

from typing import Any

import pytest

from deref.errors import UsageError
from deref.retrieve.question import LONGEST_QUESTION, parse_question, passages_for
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


@pytest.mark.parametrize(
    ("no_text", "kind"), [(None, "NoneType"), (5, "int"), (b"toll", "bytes"), (["toll"], "list")]
)
def test_what_is_no_text_is_no_question(no_text: Any, kind: str) -> None:
    with pytest.raises(UsageError, match=f"this is {kind}"):
        parse_question(no_text)


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


BEFORE = ("What does a cart pay at the northern gate?",)


@pytest.mark.parametrize(
    "question",
    [
        "And when?",
        "When is that due?",
        "Who collects it?",
        "What about a horse?",
        "Why?",
        "By when must all of it be paid",
        "What if it is late?",
        "Is it due when a cart is empty?",
    ],
)
def test_a_follow_up_is_asked_together_with_what_it_hangs_on(question: str) -> None:
    query = parse_question(question, history=BEFORE)
    assert query.text == f"{BEFORE[0]} {question}"
    assert query.history == BEFORE


@pytest.mark.parametrize(
    "question",
    [
        "How many beds does the inn have?",
        "Which rule says that the gate closes at dusk?",
        "When does the southern gate open, and who opens the bridge?",
        "What does the carter pay if he returns the cart late?",
        "Which duty has a warden before they may leave?",
    ],
)
def test_a_question_that_stands_alone_is_asked_alone(question: str) -> None:
    assert parse_question(question, history=BEFORE).text == question


def test_a_follow_up_of_a_follow_up_goes_back_to_the_one_that_stands_alone() -> None:
    history = ("How many beds does the inn have", *BEFORE, "Who collects it?")
    query = parse_question("And when?", history=history)
    assert query.text == f"{BEFORE[0]} Who collects it? And when?"


def test_without_history_a_follow_up_is_asked_as_it_is() -> None:
    assert parse_question("And when is it due?").text == "And when is it due?"


def test_the_shape_is_that_of_the_follow_up() -> None:
    assert parse_question("List all of them.", history=BEFORE).shape is Shape.LIST


def test_a_list_or_a_comparison_reads_twice_as_many_passages_as_a_fact() -> None:
    assert [passages_for(shape, 4) for shape in (Shape.FACT, Shape.LIST, Shape.COMPARISON)] == [4, 8, 8]
    assert passages_for(Shape.LIST, 40) == 50
