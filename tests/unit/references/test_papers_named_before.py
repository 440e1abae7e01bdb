"""A paper that the sentence names as what holds a pointer: "the Lease provides in Section 4", "lease.md, Section 4"."""

from __future__ import annotations

import pytest

from deref.references import MemoryShelf, Resolver, find
from deref.values import Document, Resolution, Status

from .small_documents import document

LEASE = document(
    """
# Lease

## 1 Premises

The house.

## 4 Repairs

The tenant repairs.

## 5 Insurance

The landlord insures.
""",
    name="lease.md",
    title="Lease",
)


def _letter(sentence: str) -> Document:
    return document(
        f"""
# Side Letter

## 3 Costs

{sentence}

## 4 End

The letter ends in May.
""",
        name="letter.md",
        title="Side Letter",
    )


def _outcome(sentence: str) -> Resolution:
    home = _letter(sentence)
    resolver = Resolver(MemoryShelf([home, LEASE]))
    (reference,) = [r for r in find(home) if r.labels and r.labels[0][0].isdigit()]
    return resolver(reference, home)


@pytest.mark.parametrize(
    "sentence",
    [
        "The Lease provides in Section 4 that the tenant repairs.",
        "The Lease (as made in May) also says under\nSection 4 that the tenant repairs.",
        "As the Lease has it in its Section 4, the tenant repairs.",
        "The Lease, in Section 4, says that the tenant repairs.",
        "On repairs see lease.md, Section 4.",
        "See `lease.md` (Section 4) for repairs.",
        "See Section 4, Lease.",
    ],
)
def test_a_label_is_of_the_paper_that_is_named_as_holding_it(sentence: str) -> None:
    outcome = _outcome(sentence)
    assert outcome.status is Status.RESOLVED, outcome.why
    assert (outcome.targets[0].lines.doc, outcome.targets[0].title) == ("lease.md", "Repairs")


@pytest.mark.parametrize(
    "sentence",
    [
        "The Lease ends in May, and in Section 4 we tell the date.",
        "The tenant keeps the Lease. It is told in Section 4 when it ends.",
        "Under the Lease, the tenant keeps to Section 4.",
        "We provide in Section 4 that it ends.",
        "Under Section 4, the Lease ends.",
        "This Side Letter provides in Section 4 for the end of the Lease.",
    ],
)
def test_a_label_that_another_subject_leads_to_is_of_the_paper_at_hand(sentence: str) -> None:
    outcome = _outcome(sentence)
    assert outcome.status is Status.RESOLVED, outcome.why
    assert (outcome.targets[0].lines.doc, outcome.targets[0].title) == ("letter.md", "End")


def test_a_paper_that_is_not_here_takes_what_it_is_said_to_provide_off_the_shelf() -> None:
    assert _outcome("RFC 9999 requires in Section 4 that it ends.").status is Status.EXTERNAL


def test_a_label_in_brackets_behind_a_name_may_be_of_either() -> None:
    outcome = _outcome("The tenant repairs under the Lease (Section 4).")
    assert outcome.status is Status.AMBIGUOUS
    assert [t.lines.doc for t in outcome.targets] == ["letter.md", "lease.md"]
    assert outcome.why == "“Section 4” may be that of “Lease” before it, which this document has as well."


def test_a_label_in_brackets_that_only_the_paper_before_has_is_of_that() -> None:
    outcome = _outcome("The landlord insures under the Lease (Section 5).")
    assert outcome.status is Status.RESOLVED
    assert outcome.targets[0].title == "Insurance"


def test_a_title_behind_a_label_is_no_paper_of_that_name() -> None:
    home = document("# 1 Start\nSee Section 2, Lease.\n# 2 Lease\nTen years.", name="home.md")
    (reference,) = find(home)
    outcome = Resolver(MemoryShelf([home, LEASE]))(reference, home)
    assert outcome.targets[0].lines.doc == "home.md"


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("It is told in section 43.2 of the 802.3ad standard.", "802.3ad standard is not on the shelf."),
        ("It is told in the PNG specification, Clause 11.", "PNG specification is not on the shelf."),
        ("It is told in the C11 standard (section 7.8).", "C11 standard is not on the shelf."),
        ("RFC 9998 is short; see section 2 of the RFC.", "RFC 9998 is not on the shelf."),
    ],
)
def test_a_paper_told_by_a_noun_in_small_letters_is_not_the_one_at_hand(sentence: str, why: str) -> None:
    outcome = _outcome(sentence)
    assert (outcome.status, outcome.why) == (Status.EXTERNAL, why)


@pytest.mark.parametrize(
    "sentence", ["See section 4 of the Side Letter policy.", "The rules of the C11 standard (section 4)."]
)
def test_the_paper_at_hand_by_such_a_noun_and_a_label_that_it_has_stay_at_home(sentence: str) -> None:
    assert _outcome(sentence).targets[0].lines.doc == "letter.md"


def test_a_document_that_counts_appendices_alone_does_not_tell_of_a_section() -> None:
    home = document("# Start\nSee section 14.3.\n# [appendix A] Words\nText.")
    (reference,) = find(home)
    assert Resolver(MemoryShelf([home]))(reference, home).status is Status.UNRESOLVED
