"""The sentence of a pointer, with the one before it where it says nothing alone."""

from __future__ import annotations

import pytest

from deref.text.hanging import hangs_on, sentence_of
from deref.text.tokens import sentences


def said_of(text: str, pointer: str) -> str:
    start, end = sentence_of(text, list(sentences(text)), text.index(pointer), len(pointer)) or (0, 0)
    return text[start:end]


@pytest.mark.parametrize(
    "text",
    [
        "The toll for mules is low. (See Section 4.)",
        "The toll for mules is low. See Section 4 for more information.",
        "The toll for mules is low. The history of this toll and of its collectors fills Section 4.",
    ],
)
def test_a_sentence_that_says_nothing_alone_has_the_one_before_it(text: str) -> None:
    assert said_of(text, "Section 4") == text


def test_a_sentence_that_says_what_it_is_about_stands_alone() -> None:
    text = "Mules are slow. The toll for carts and horses is listed in Section 4."
    assert said_of(text, "Section 4") == "The toll for carts and horses is listed in Section 4."


def test_the_first_sentence_hangs_on_nothing() -> None:
    assert said_of("See Section 4. The toll is low.", "Section 4") == "See Section 4."


def test_where_no_sentence_is_there_is_none() -> None:
    assert sentence_of("The toll.", [(0, 9)], 40, 3) is None


def test_this_section_speaks_of_no_sentence_before() -> None:
    assert not hangs_on("Carts that cross the bridge pay under this Section the toll of ")
    assert hangs_on("Carts that cross the bridge pay under this rule the toll of ")
