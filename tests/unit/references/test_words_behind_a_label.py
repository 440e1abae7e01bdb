"""Pages and titles that stand behind a label choose among places of that label; and chapters that are files of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.references import MemoryShelf, Resolver, find
from deref.values import Document

from .small_documents import document

PARTS = """
# Part of ours
{}
# Setting up
## 3 Wires
They are red.
# Running
## 3 Lamps
They are green.
"""


def outcome(home: Document, *others: Document) -> tuple[str, str, str, int]:
    (reference,) = [r for r in find(home) if r.labels and r.kind.value != "page"]
    found = Resolver(MemoryShelf([home, *others]))(reference, home)
    if len(found.targets) != 1:
        return found.status.value, "", "", len(found.targets)
    place = found.targets[0]
    return found.status.value, place.lines.doc, place.title, 1


@pytest.mark.parametrize(
    "text, title",
    [
        ("as Section 3 on page 7 says", "Lamps"),
        ("as Section 3 (p. 5) says", "Wires"),
        ("as Section 3, “Lamps”, says", "Lamps"),
        ("as Section 3: Wires says", "Wires"),
    ],
)
def test_the_page_or_title_behind_a_label_tells_which_place_is_meant(text: str, title: str) -> None:
    pages = {0: 1, 1: 1, 2: 5, 3: 5, 4: 5, 5: 7, 6: 7, 7: 7}
    assert outcome(document(PARTS.format(text), name="guide.pdf", pages=pages))[2] == title


@pytest.mark.parametrize(
    "text",
    [
        "as Section 3 on page 9 says",
        "as Section 3, “Pumps”, says",
        "as Section 3 lamps says",
    ],
)
def test_what_fits_no_place_chooses_none(text: str) -> None:
    pages = {0: 1, 1: 1, 2: 5, 3: 5, 4: 5, 5: 7, 6: 7, 7: 7}
    assert outcome(document(PARTS.format(text), name="guide.pdf", pages=pages))[::3] == ("ambiguous", 2)


def chapter(number: int, name: str, *titles: str, text: str = "Text.") -> Document:
    inside = "\n".join(f"### {n} {title}\nText." for n, title in enumerate(titles, 1))
    return document(f"# The Book\n## [chapter {number}] All of {number}\n{text}\n{inside}", name=name)


PUMPS = chapter(7, "ch-pumps.html", "Care", "Repair")


@pytest.mark.parametrize(
    "text, title",
    [("see section 7.2", "Repair"), ("see chapter 7", "All of 7"), ("see section 4.2", "Oil")],
)
def test_sections_that_a_chapter_of_its_own_counts_anew_are_found_by_both_numbers(
    text: str, title: str
) -> None:
    home = chapter(4, "ch-engines.html", "Water", "Oil", "Air", text=text)
    assert outcome(home, PUMPS) == ("resolved", home.id if title == "Oil" else PUMPS.id, title, 1)


@pytest.mark.parametrize("text", ["see section 7.3", "see chapter 2", "see section 2.1"])
def test_what_no_chapter_counts_dangles(text: str) -> None:
    home = chapter(4, "ch-engines.html", "Water", "Oil", text=text)
    assert outcome(home, PUMPS)[0] == "dangling"


def test_a_further_part_is_that_of_the_same_edition() -> None:
    home = chapter(4, "ch4.en.html", "Water", "Oil", text="see section 7.2 and chapter 7")
    others = [chapter(7, f"ch7.{code}.html", "Care", "Repair") for code in ("de", "en", "ja")]
    resolver = Resolver(MemoryShelf([home, *others]))
    assert [resolver(r, home).targets[0].lines.doc for r in find(home)] == ["ch7.en.html"] * 2


def test_the_title_tells_which_of_several_files_goes_on() -> None:
    home = document(
        "## 4.1 Oil\nsee Section 6.1, “Filling in the form”.\n## 4.2 Air\nText.", name="part-oil.html"
    )
    others = [
        document("## 6.1 Filling in the form\nText.\n## 6.2 More\nText.", name="part-forms.html"),
        document("## 6.1 Thanks\nText.\n## 6.2 More\nText.", name="part-thanks.html"),
    ]
    assert outcome(home, *others) == ("resolved", "part-forms.html", "Filling in the form", 1)


def test_a_section_that_is_merely_named_in_an_example_is_not_meant() -> None:
    home = document(
        "# 1 Setting up\nText.\n# 2 Marks\nsee section 1 there.\n## [section 1]\n## [section 2]\nThe mark says that."
    )
    assert outcome(home)[2] == "Setting up"


def test_a_chapter_with_a_dot_in_its_number_is_a_section_of_it() -> None:
    home = document("# [chapter 2] Oil\nsee chapter 2.1 there.\n## 2.1 Filters\nText.\n## 2.2 Pumps\nText.")
    assert outcome(home)[2] == "Filters"


@pytest.mark.parametrize(
    "text, title", [("It is in the next chapter.", "All of 7"), ("It is in the previous chapter.", "")]
)
def test_the_chapter_beside_one_may_be_a_file_of_its_own(text: str, title: str) -> None:
    home = replace(chapter(6, "ch-engines.html", "Water", "Oil", text=text), format="html")
    (reference,) = find(home)
    found = Resolver(MemoryShelf([home, replace(PUMPS, format="html")]))(reference, home)
    assert [t.title for t in found.targets] == ([title] if title else [])


def test_headings_without_numbers_on_a_page_of_a_manual_are_no_chapters() -> None:
    home = replace(document("# Care\nsee the next chapter.\n# Repair\nText."), format="html")
    (reference,) = find(home)
    assert Resolver(MemoryShelf([home]))(reference, home).status.value == "unresolved"
