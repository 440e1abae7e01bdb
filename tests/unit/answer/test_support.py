"""Does what a claim rests on say it?"""

from __future__ import annotations

import pytest

from deref.answer.support import unsupported

TEXT = [
    "The tenant shall repair the roof of the mill within thirty days, and pays 3.25 pounds for each day after that."
]


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("The tenant must repair the roof in 30 days.", "Who repairs the roof?"),
        ("3.25 pounds.", "What does the tenant pay for each day?"),
        ("3.25", "What does the tenant pay for each day?"),
        ("The tenant repairs the roof.", "Does the tenant repair the roof?"),
        ("Repairs fall to the tenant, who has thirty days.", ""),
    ],
)
def test_a_claim_in_the_words_of_the_text_is_supported(claim: str, question: str) -> None:
    assert unsupported(claim, question, TEXT) == ""


@pytest.mark.parametrize(
    ("claim", "question", "why"),
    [
        ("The roof costs 3.52 pounds.", "What does the roof cost?", "“3.52” does not stand in what it cites"),
        ("It takes 5 weeks or 40 days.", "", "“5”, “40” do not stand in what it cites"),
        ("Paris is the capital of France.", "What is the capital of France?", "about something else"),
        (
            "France won the final against Brazil.",
            "Who won, and who repairs the roof of the mill?",
            "something else",
        ),
        ("…", "Who?", "it says nothing"),
        ("", "", "it says nothing"),
    ],
)
def test_a_claim_about_something_else_is_not(claim: str, question: str, why: str) -> None:
    assert why in unsupported(claim, question, TEXT)


def test_without_a_text_nothing_is_supported() -> None:
    assert unsupported("The tenant repairs the roof.", "", []) != ""
