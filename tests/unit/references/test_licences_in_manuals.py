"""A licence printed in the appendix of a manual counts its own sections; and letters right behind a number."""

from __future__ import annotations

from deref.references import MemoryShelf, Resolver, find

from .small_documents import document

MANUAL = """
# 1 Setting up
Text.

More text.
# 2 Running
see section 1 of all.

More text.
# [appendix A] {title}
Preamble.

1. You may copy it.

2. You may change it under the terms of section 1 and of section 4.

3. The end.
# [appendix B] Index
Words.

More words.

And more words.
"""


def targets(title: str) -> list[tuple[str, int]]:
    home = document(MANUAL.format(title=title))
    outcomes = [Resolver(MemoryShelf([home]))(r, home) for r in find(home)]
    return [
        (t.title, t.focus[0].start - t.lines.start if t.focus else 0) for o in outcomes for t in o.targets
    ]


def test_a_section_that_a_licence_points_at_is_its_own_paragraph() -> None:
    assert targets("Example Public License") == [("Setting up", 0), ("Example Public License", 2)]


def test_an_appendix_that_is_no_licence_points_at_the_sections_of_the_document() -> None:
    assert targets("Steps by Hand") == [("Setting up", 0), ("Setting up", 0)]


def test_a_letter_behind_a_number_is_a_paragraph_where_there_is_one() -> None:
    home = document(
        "# 5 Source\nText.\n# 6 Conveying\nText.\n\na) by hand.\n\nb) by post.\n# 7 More\n"
        "as subsection 6b says, not section 6d or section 5a."
    )
    outcomes = [Resolver(MemoryShelf([home]))(r, home) for r in find(home)]
    assert [o.status.value for o in outcomes] == ["resolved", "dangling", "dangling"]
    assert home.text(outcomes[0].targets[0].focus[0]) == "b) by post."
