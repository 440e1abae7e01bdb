"""Which numbers in brackets are citations: the one behind a quote, and none that the quoted document has itself."""

from __future__ import annotations

import pytest

from deref.text.citation_marks import citation_marks, own_numbers_told

WINGS = "The span is 18 metres [2], as Lind told first [1]"
TAILS = "The tail is short [3]."
ROWS = "| (A) | punt | 900 |\n|---|---|---|\n| (B) | a barge with a long deck- |\n"


@pytest.mark.parametrize(
    ("text", "quotes", "cited", "own"),
    [
        (f"{WINGS} [1]\n{TAILS} [2]", [WINGS, TAILS], [1, 2], "A [1] or [2] inside a quote"),
        (f"{WINGS} [1]\nList 4 (a.md, p. 1):\n{TAILS} [2]", [WINGS, TAILS], [1, 2], "A [1] or [2] inside a quote"),
        (f"{TAILS} [1]", [TAILS], [1], ""),
        (f"{WINGS} [1]\nas quoted at [1] [2]", [WINGS, WINGS], [1, 1, 2], "A [1] or [2] inside a quote"),
        ("(A) punt 900\n(B) a barge with a long deck [1]", [ROWS], [1], ""),
        ("It costs 40 [1] [2]\n\nIt is due [9] on the first. [2]", ["a", "b"], [1, 2, 2], ""),
        ("It is due [1] on the first. [2]", ["a", "b"], [2], "A [1] inside a quote"),
        (f"{WINGS} [1]\n{TAILS} [2]\n{WINGS} [3]", [WINGS, TAILS, WINGS], [1, 2, 3], "A [1], [2] or [3] inside a quote"),
        ("Nothing here [1] bears on it [1]", [], [], ""),
    ],
)  # fmt: skip
def test_a_number_is_a_citation_behind_what_it_quotes(
    text: str, quotes: list[str], cited: list[int], own: str
) -> None:
    marks = citation_marks(text, quotes)
    assert [mark.number for mark in marks] == cited
    assert [text[mark.start : mark.end] for mark in marks] == [f"[{n}]" for n in cited]
    told = own_numbers_told(text, quotes)
    assert told.startswith(own) and bool(told) is bool(own)
