"""A claim that drops the "not" of its evidence, or brings one in."""

from __future__ import annotations

import pytest

from deref.answer.polarity import opposite
from deref.answer.support import unsupported

PAINT = (
    "The tenant shall repair the roof of the mill. The tenant shall not paint the walls of the mill in red."
)


@pytest.mark.parametrize(
    ("claim", "text", "word"),
    [
        ("The tenant may paint the walls of the mill in red.", PAINT, "paint"),
        ("The tenant shall not repair the roof of the mill.", PAINT, "repair"),
        ("The tenant doesn't repair the roof of the mill.", PAINT, "repair"),
        ("The toll is due in winter.", "In winter the toll is not due.", "due"),
        ("Carts are allowed on the bridge.", "Carts are not also allowed on the bridge.", "allow"),
        ("The miller can sell flour at night.", "The miller cannot sell flour at night.", "sell"),
    ],
)
def test_a_claim_that_turns_its_evidence_is_told(claim: str, text: str, word: str) -> None:
    assert opposite(claim, [text]) == word
    assert f"differ in a “not” before “{word}”" in unsupported(claim, "", [text])


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The tenant shall not paint the walls of the mill in red.", PAINT),
        ("The tenant repairs the roof of the mill.", PAINT),
        ("The tenant repairs the roof.", "The tenant shall repair the roof and shall not paint it."),
        ("Red walls of the mill are prohibited to the tenant.", PAINT),
        ("The tenant pays the toll.", "The toll is paid by the tenant, not by the miller."),
        ("The toll is due.", "The toll is not due unless the bridge is open."),
        ("The toll rises not only in winter.", "The toll rises in winter."),
        ("Whether or not it rains, the toll is due in winter.", "The toll is due in winter."),
        ("The miller sells flour at night.", "The miller does not sell flour at night. The miller sells flour at night."),
        ("Bread is sold.", "The miller does not grind corn on holidays or at night."),
        ("", PAINT),
        ("The tenant may paint.", ""),
    ],
)  # fmt: skip
def test_one_that_may_be_borne_out_is_left_alone(claim: str, text: str) -> None:
    assert opposite(claim, [text]) == ""
