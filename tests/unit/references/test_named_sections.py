"""Sections named by their title, and papers told by their owner."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.references import MemoryShelf, Resolver, find, resolve
from deref.values import Document

from .small_documents import document

HEADS = document("# 1 Price\nTen.\n# 2 Deposit\nFive.", name="heads.md", title="Heads of Terms")
LEASE = document("# 1 Rent\nTen.\n# Risk Factors\nNone.", name="lease.md", title="Master Lease")


def outcomes(text: str, *others: Document) -> list[tuple[str, str, str | None, str]]:
    home = document(
        f"# 1 Start\n{text}\n# 2 Fees and Costs\nx\n# Risk Factors\ny\n# 9 Notes\n## Terms\nz\n# 10 More\n## Terms\nz",
        name="home.md", title="Loan Agreement",
    )  # fmt: skip
    shelf = MemoryShelf([home, *others])
    return [
        (o.status.value, o.targets[0].lines.doc, o.targets[0].label, o.targets[0].title) if o.targets else (o.status.value, "", None, "")
        for r in find(home) for o in [resolve(r, home=home, shelf=shelf)]
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "as the section entitled “Risk Factors” says",
        'as the section titled "risk factors" says',
        "as the “Risk Factors” section says",
        "(see “Risk Factors”)",
        "as described under “Risk Factors,” above",
    ],
)
def test_a_section_is_found_by_its_title_in_quotes(text: str) -> None:
    assert outcomes(text) == [("resolved", "home.md", None, "Risk Factors")]


@pytest.mark.parametrize(
    "text",
    [
        "He said “Risk Factors” and left.",
        "see “Nothing of the Kind”",
        "the word “Risk Factors” means",
    ],
)
def test_quotes_that_name_no_section_are_left(text: str) -> None:
    assert outcomes(text) == []


def test_a_title_behind_a_label_only_explains_it() -> None:
    assert (
        outcomes("see Section 2, “Fees and Costs”, and Section 2 (“Fees and Costs”)")
        == [("resolved", "home.md", "2", "Fees and Costs")] * 2
    )


def test_a_title_that_no_section_has_is_dangling_where_the_words_say_that_it_is_one() -> None:
    assert outcomes("as the section entitled “Old Fees” says") == [("dangling", "", None, "")]


def test_a_title_that_two_sections_have_is_ambiguous() -> None:
    assert outcomes("as the section entitled “Terms” says")[0][0] == "ambiguous"


def test_a_title_is_looked_for_in_the_document_that_is_named_behind_it() -> None:
    assert (
        outcomes("as the section entitled “Risk Factors” of the Master Lease says", LEASE)[0][1] == "lease.md"
    )


@pytest.mark.parametrize("owner", ["the Buyer's", "the Buyer’s", "Acme's", "the Sellers'"])
def test_a_paper_may_be_told_by_its_owner(owner: str) -> None:
    assert outcomes(f"As Clause 2 of {owner} Heads of Terms says.", HEADS)[0][:3] == (
        "resolved",
        "heads.md",
        "2",
    )


def test_a_paper_of_another_owner_that_the_shelf_does_not_hold_is_external() -> None:
    assert outcomes("Under Section 2 of the Buyer's Heads of Terms.")[0][0] == "external"
    assert outcomes("Under Section 2 of the Company's articles of association.")[0][0] == "external"


def test_what_an_owner_has_besides_papers_counts_nothing() -> None:
    assert outcomes("Section 2 of the Seller's obligations.")[0][:3] == ("resolved", "home.md", "2")


def test_each_title_of_a_list_is_a_pointer() -> None:
    found = outcomes("as the sections entitled “Risk Factors”, “Notes” and “Fees and Costs” say")
    assert [title for *_, title in found] == ["Risk Factors", "Notes", "Fees and Costs"]


def test_a_title_before_a_section_that_is_entitled_so_is_a_pointer_too() -> None:
    found = outcomes("See “Risk Factors” first, and then the section entitled “Fees and Costs”.")
    assert [title for *_, title in found] == ["Risk Factors", "Fees and Costs"]


def test_a_title_behind_a_single_section_is_no_member_of_a_list() -> None:
    assert len(outcomes("as the section entitled “Risk Factors” and “Wagons” say")) == 1


def many(*pages: tuple[str, str]) -> list[str]:
    """What becomes of the pointers of the first of several web pages of one manual, given by name and text."""
    made = [replace(document(text, name=name), format="html") for name, text in pages]
    resolver = Resolver(MemoryShelf(made))
    outcomes = [resolver(r, made[0]) for r in find(made[0])]
    return [
        f"{o.status.value} {o.targets[0].lines.doc if len(o.targets) == 1 else len(o.targets)}"
        for o in outcomes
    ]


PATTERNS = ("patterns.html", "# Search patterns\nText.\n## Wild signs\nText.")


@pytest.mark.parametrize(
    "text, becomes",
    [
        ("see the section called “Search patterns”.", "resolved patterns.html"),
        ("see the section called “ Wild\nsigns ”.", "resolved patterns.html"),
        ("see the section called “Tame signs”.", "dangling 0"),
        ("see the chapter “Search patterns”.", "resolved patterns.html"),
        ('this is told in section "Wild signs".', "resolved patterns.html"),
        ("see the chapter “Tame signs”.", "unresolved 0"),
    ],
)
def test_a_title_of_another_page_of_the_manual_is_found(text: str, becomes: str) -> None:
    assert many(("home.html", f"# Home\n{text}"), PATTERNS) == [becomes]


def test_a_title_that_several_pages_have_is_ambiguous() -> None:
    home = ("home.html", "# Home\nsee the section called “Wild signs”.")
    assert many(home, PATTERNS, ("more.html", "# More\n## Wild Signs\nText.")) == ["ambiguous 2"]
    assert many(home, PATTERNS, ("other/more.html", "# More\n## Wild Signs\nText.")) == [
        "resolved patterns.html"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "the “Wild signs” of spring",
        'Section "Wild signs" of the file',
        "in section “wild”",
        "see “Wild signs”",
    ],
)
def test_other_quotes_are_no_titles_of_another_page(text: str) -> None:
    assert many(("home.html", f"# Home\n{text}"), PATTERNS) == []


def test_a_title_with_its_page_is_a_pointer() -> None:
    assert many(("home.html", "# Home\nsee “Wild signs” on page 7."), PATTERNS)[0] == "resolved patterns.html"


def test_a_paper_beside_lends_no_title() -> None:
    home = document("# 1 Start\nsee the section called “Search patterns”.", name="home.txt")
    other = document(PATTERNS[1], name="patterns.txt")
    (reference,) = find(home)
    assert resolve(reference, home=home, shelf=MemoryShelf([home, other])).status.value == "dangling"


def test_a_licence_that_defines_entitled_points_at_nothing() -> None:
    assert outcomes("Preserve the section Entitled “Risk Factors”, and add to it.") == []


@pytest.mark.parametrize(
    "text, becomes",
    [
        ("the section entitled “Rent” of the Master Lease says", ("resolved", "lease.md", "1", "Rent")),
        ("the section entitled “Terms” in Section 10 says", ("resolved", "home.md", None, "Terms")),
        ("the section entitled “Rent” of the Supply Note says", ("external", "", None, "")),
    ],
)
def test_a_title_is_looked_for_in_what_it_is_said_to_be_of(
    text: str, becomes: tuple[str, str, str | None, str]
) -> None:
    assert outcomes(text, LEASE)[:1] == [becomes]


@pytest.mark.parametrize("which", ["any", "no", "each", "all"])
def test_any_section_of_a_title_is_none_at_hand(which: str) -> None:
    assert outcomes(f"delete {which} section entitled “Old Fees” from the copy") == []
