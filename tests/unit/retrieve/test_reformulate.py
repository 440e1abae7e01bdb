"""A question in other words, by a language model."""

from __future__ import annotations

import pytest

from deref.errors import ModelError
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.retrieve.reformulate import LONGEST, in_other_words
from deref.values import Query

QUERY = Query(text="What do I pay when I'm late?", history=("Who is the tenant?",))


def test_the_model_sees_the_question_and_gives_another() -> None:
    model = ScriptedLanguageModel([{"question": "Which interest is due\non late payment?"}])
    assert in_other_words(model)(QUERY) == "Which interest is due on late payment?"
    assert model.shown[0][-1].text == QUERY.text


@pytest.mark.parametrize("same", [" ", "what do i pay when I'm  late?"])
def test_the_same_question_is_no_other(same: str) -> None:
    assert in_other_words(ScriptedLanguageModel([{"question": same}]))(QUERY) is None


def test_a_model_that_talks_on_is_cut() -> None:
    said = in_other_words(ScriptedLanguageModel([{"question": "And why? " * 200}]))(QUERY)
    assert said is not None and len(said) == LONGEST


def test_a_model_that_fails_is_an_error() -> None:
    with pytest.raises(ModelError):
        in_other_words(ScriptedLanguageModel([]))(QUERY)
