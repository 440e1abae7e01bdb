"""A document that is one part of a work: which document "Part 2" is there."""

from __future__ import annotations

import pytest

from deref.references import MemoryShelf, find, resolve
from deref.values import Document, Resolution, Status

from .small_documents import document


def part(
    number: int, text: str = "Shut.", title: str = "Key Manual, Part {}", name: str = "keys/part-{}.md"
) -> Document:
    return document(
        f"# 1 Scope\n{text}\n# 2 Valves\nShut.", name=name.format(number), title=title.format(number)
    )


def last(home: Document, *others: Document) -> Resolution:
    return resolve(find(home)[-1], home=home, shelf=MemoryShelf([home, *others]))


def landed(result: Resolution) -> list[tuple[str, str]]:
    return [(t.lines.doc, t.kind) for t in result.targets]


@pytest.mark.parametrize(
    "title", ["Key Manual, Part {}", "Keeping of Keys: Part {} - Locks", "Keys (Part {})"]
)
def test_another_part_is_the_document_with_that_number_and_no_section(title: str) -> None:
    home = part(1, "As Part 2 says.", title=title)
    assert landed(last(home, part(2, title=title), part(3, title=title))) == [("keys/part-2.md", "document")]


def test_the_part_itself_is_the_whole_document() -> None:
    for said in ("As Part 2 says.", "What this Part says."):
        assert landed(last(part(2, said), part(1))) == [("keys/part-2.md", "document")], said


def test_a_part_that_is_not_there_is_off_the_shelf() -> None:
    result = last(part(1, "As Part 2 says."), part(3))
    assert (result.status, result.why) == (
        Status.EXTERNAL,
        "Part 2 of the work that this is part 1 of is not on the shelf.",
    )


def test_of_a_list_the_part_that_is_there_is_given_beside_the_one_that_is_not() -> None:
    result = last(part(1, "As Parts 2 and 4 say."), part(2))
    assert (result.status, landed(result)) == (Status.EXTERNAL, [("keys/part-2.md", "document")])


def test_parts_of_other_works_and_folders_are_none_of_this_one() -> None:
    others = part(2, title="Lock Manual, Part {}"), part(2, name="former/part-{}.md")
    assert last(part(1, "As Part 2 says."), *others).status is Status.EXTERNAL


def test_of_several_documents_that_a_name_fits_the_part_of_that_number_is_meant() -> None:
    guide = document("# 1 Use\nAs Part 3 of the Key Manual says.", name="guide.md", title="Guide")
    assert landed(last(guide, part(1), part(2), part(3))) == [("keys/part-3.md", "document")]
    inner = document(
        "# 1 Use\nAs Section 2 of Part 3 of the Key Manual says.", name="guide.md", title="Guide"
    )
    (target,) = last(inner, part(1), part(2), part(3)).targets
    assert (target.lines.doc, target.label) == ("keys/part-3.md", "2")


def test_a_document_that_has_parts_itself_is_counted_in_them() -> None:
    home = document(
        "# [part 1] Doors\nAs Part 2 says.\n# [part 2] Gates\nShut.",
        name="keys/part-1.md",
        title="Key Manual, Part 1",
    )
    (target,) = last(home, part(2)).targets
    assert (target.lines.doc, target.kind, target.label) == ("keys/part-1.md", "section", "2")
