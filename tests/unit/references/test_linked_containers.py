from __future__ import annotations

from dataclasses import replace

import pytest

from deref.references import MemoryShelf, find, resolve
from deref.values import Document, Link, LinkSource, Point, Resolution, Status, Tier

from .small_documents import document

HEADS = document("# 1 Price\nTen.\n# 4 Deposit\nFive.", name="heads-of-terms.md", title="Heads of Terms")


def with_link(text: str) -> Document:
    made = document(f"# 1 Start\n{text}\n# 4 Fees\nTwo.", name="loan.md", title="Loan Agreement")
    start, end = text.index("["), text.index(")") + 1
    at = Point(doc=made.id, line=1, char_start=start, char_end=end)
    target = text[text.index("(") + 1 : end - 1]
    return replace(made, links=(Link(at=at, target=target, source=LinkSource.ANCHOR),))


def outcome(text: str) -> Resolution:
    home = with_link(text)
    return resolve(find(home)[0], home=home, shelf=MemoryShelf([home, HEADS]))


@pytest.mark.parametrize("words", ["Heads", "the sheet we signed", "Offer 12"])
def test_the_file_behind_a_linked_container_is_where_the_label_is_counted(words: str) -> None:
    result = outcome(f"See section 4 of the [{words}](heads-of-terms.md) on it.")
    assert [(t.lines.doc, t.label) for t in result.targets] == [("heads-of-terms.md", "4")], result.why
    assert result.tier is Tier.LINK


def test_a_linked_container_that_the_shelf_does_not_hold_is_external() -> None:
    for words in ("Offer", "old offer"):
        result = outcome(f"See section 4 of the [{words}](offer.md) on it.")
        assert (result.status, result.targets) == (Status.EXTERNAL, ())
        assert "offer.md" in result.why


def test_a_link_that_leaves_the_shelf_is_told_as_people_read_it() -> None:
    def why(target: str) -> str:
        return outcome(f"See section 4 of the [offer]({target}) on it.").why

    assert why("https://example.org/old%20offer%C3%BC.md").endswith("https://example.org/old offerü.md.")
    assert why("https://example.org/a%0Ab%FF.md").endswith("https://example.org/a%0Ab%FF.md.")


def test_a_link_further_on_in_the_sentence_is_no_container() -> None:
    result = outcome("See section 4 and then the [Heads](heads-of-terms.md) on it.")
    assert [t.lines.doc for t in result.targets] == ["loan.md"]
