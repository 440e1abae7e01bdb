"""A link without a label, to a whole document: followed where its sentence hands the matter over, let be elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from deref.engine import open_engine
from deref.settings import settings_of

RATES = "# Rates\n\nLondon: GBP 180.\n\nParis: EUR 200.\n"


def cited(tmp_path: Path, policy: str, question: str) -> set[str]:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "Policy.md").write_text(f"# Travel Policy\n\n{policy}\n", "utf-8")
    (shelf / "Rates.md").write_text(RATES, "utf-8")
    settings = settings_of({"models": {"embedder": "hashing"}})
    with open_engine(tmp_path / "library", settings=settings) as engine:
        engine.index(shelf)
        return {c.source for c in engine.ask(question).citations if c.arrived.value == "reference"}


@pytest.mark.parametrize(
    "policy",
    [
        "The nightly limit for hotels is that of [the rate card](Rates.md).",
        "Hotels are paid for up to the nightly limit in [the rate card](Rates.md).",
    ],
)
def test_a_sentence_without_the_value_that_is_asked_for_hands_over_by_its_link(
    tmp_path: Path, policy: str
) -> None:
    assert cited(tmp_path, policy, "What is the nightly limit for hotels?") == {"Rates.md"}


def test_a_link_beside_the_value_is_let_be(tmp_path: Path) -> None:
    policy = "The nightly limit for hotels is GBP 150; [the rate card](Rates.md) is kept by the bursar."
    assert cited(tmp_path, policy, "What is the nightly limit for hotels?") == set()
