from __future__ import annotations

import pytest

from deref.structure.numbering import read_numbers
from deref.structure.paths import read_path

from .making import text

RULES = """
Baking Rulebook (BAKE)

Part 1 General

Part 1.Chapter 1 Scope

Part 1.Chapter 1.1. Who is bound

Part 1.Chapter 1.1.(1) Each Baker is bound by these rules.

Part 1.Chapter 1.1.(2) Each Miller is too.

Part 1.Chapter 2 Flour

Part 1.Chapter 2.2. Sorts of flour

Part 1.Chapter 2.2.(1) Flour is white or brown.

Part 1.Chapter 2.2.Guidance.1. Rye counts as brown.

Part 2 Ovens

Part 2.3. Heat

Part 2.3.(1) An oven is heated.

Part 2.3.(2) A cold oven is no oven.

APP1.A1.1 Form of the licence
"""


def test_each_paragraph_is_a_section_labelled_by_its_number_without_the_units_before_it() -> None:
    found = {s.label: s for s in text(RULES).sections if s.label and s.word is None}
    assert list(found) == ["1", "1(1)", "1(2)", "2", "2(1)", "3", "3(1)", "3(2)", "A1.1"]
    assert (len(found["1"].lines), found["2"].title) == (3, "Sorts of flour")


def test_a_path_lies_in_the_nearest_section_whose_path_it_begins_with() -> None:
    made = text(RULES)
    by_id = {s.id: s for s in made.sections}
    above = {s.label: by_id[s.parent].label for s in made.sections if s.parent}
    assert (above["2(1)"], above["2"], above["3"]) == ("2", "2", "2")
    assert [(s.word, s.label) for s in made.sections if s.level == 1] == [
        ("part", "1"),
        ("part", "2"),
        (None, "A1.1"),
    ]


def test_what_stands_below_a_mere_name_has_no_label_of_its_own() -> None:
    [guidance] = [s for s in text(RULES).sections if "Guidance" in s.title]
    assert guidance.label is None


def test_the_line_above_the_first_path_is_the_title() -> None:
    assert text(RULES).title == "Baking Rulebook (BAKE)"


def test_paragraphs_counted_with_nothing_between_them_are_sections() -> None:
    counted = "\n\n".join(f"{n}) Bakers should keep rule {n} in mind at all times." for n in range(1, 20))
    assert [s.label for s in text(f"Guidance on Baking\n\n{counted}").sections] == [
        str(n) for n in range(1, 20)
    ]


@pytest.mark.parametrize(
    "line",
    ["4 apples are red.", "A person must pay.", "Part 2 of it is long.", "The Part 2.", "2019 was good"],
)
def test_words_and_counts_begin_no_path(line: str) -> None:
    assert read_path(line) is None


def test_numbers_that_come_again_are_no_paths() -> None:
    twice = "\n\n".join(f"{n}.(1) One.\n\n{n}.(2) Two." for n in (1, 2, 3, 1, 2, 3, 1, 2, 3))
    assert not any(s.label == "1(2)" and s.word is None and s.level == 1 for s in text(twice).sections[3:])


def test_a_law_counts_its_sections_past_two_hundred() -> None:
    law = "GRAIN ACT 2015\n\nThe parties agree as set out herein and hereby.\n\n" + "\n\n".join(
        f"{n}. Duties of bakers\n\n(1) A baker shall act under section {n - 1} of this Act.\n\n(2) A miller shall too."
        for n in range(1, 206)
    )
    assert [s.label for s in text(law).sections if s.label and "(" not in s.label][-2:] == ["204", "205"]


def test_paragraphs_counted_with_a_bracket_are_sections_whatever_stands_between_them() -> None:
    body = "\n\n".join(
        f"{n}) HEAT. Bakers heat.\n\nThey heat well.\n\nOthers do not heat at all." for n in range(1, 30)
    )
    assert [s.label for s in text(f"Guidance on Baking\n\n{body}").sections] == [str(n) for n in range(1, 30)]


def test_a_letter_may_stand_inside_a_dotted_number() -> None:
    assert [next(read_numbers(t)).label for t in ("15.11A.1 Doors", "13A.2 Keys", "3A Costs")] == [
        "15.11A.1",
        "13A.2",
        "3A",
    ]
