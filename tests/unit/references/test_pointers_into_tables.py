from __future__ import annotations

import pytest

from deref.references import MemoryShelf, find, resolve
from deref.values import Document, Resolution, Status

from .small_documents import document

HOME = """
# 1 A
{}

@table 1 Costs
= A ink
= B oil

# 2 B
x
"""


def first(text: str, *others: Document) -> Resolution:
    home = document(HOME.format(text), name="home.txt")
    return resolve(find(home)[0], home=home, shelf=MemoryShelf([home, *others]))


@pytest.mark.parametrize(
    "text", ["The costs listed in the table below are new.", "As shown in the table below."]
)
def test_what_is_listed_in_the_table_below_is_that_table(text: str) -> None:
    result = first(text)
    assert [(t.kind, t.label) for t in result.targets] == [("table", "1")], result.why


@pytest.mark.parametrize("joint", ["of", "in"])
def test_the_second_row_of_the_table_below_is_its_focus(joint: str) -> None:
    result = first(f"Only the second row {joint} the table below counts.")
    assert result.reference.selector == "second row"
    [place] = result.targets
    assert (place.label, [s.start for s in place.focus]) == ("1", [4]), result.why


def test_a_row_that_the_table_below_does_not_have_is_said() -> None:
    result = first("Only the ninth row of the table below counts.")
    assert result.targets[0].focus == ()
    assert "ninth row" in result.why


def test_a_range_without_any_end_is_no_reference() -> None:
    home = document("# 1 A\nSections 1-999999999 are kept.")
    assert not find(home)


def test_numbering_goes_on_only_in_files_of_one_series() -> None:
    def part(number: int, name: str) -> Document:
        return document(
            f"# {number} Part\nSee section 2.1.\n## {number}.1 Start\nx\n## {number}.2 End\nx", name=name
        )

    home, second, stranger = part(5, "part-5.txt"), part(2, "part-2.txt"), part(2, "cake.txt")
    reference = find(home)[0]
    assert resolve(reference, home=home, shelf=MemoryShelf([home, second])).status is Status.RESOLVED
    assert resolve(reference, home=home, shelf=MemoryShelf([home, stranger])).status is Status.DANGLING
