from __future__ import annotations

import pytest

from deref.references import MemoryShelf, find, resolve
from deref.values import Document, Resolution, Status

from .small_documents import document

HEADS = document("# 1 Price\nTen.\n# 4 Deposit\nFive.", name="heads-of-terms.md", title="Heads of Terms")
COVER = document("# 3 Cover\nAll.\n# 4 Claims\nNone.", name="insurance.md", title="Insurance Schedule")


def loan(text: str) -> Document:
    body = f"# 1 Start\n{text}\n# 3 Interest\nNine.\n# 4 Fees\nTwo.\n# [part 2] Keys and Locks\nz"
    return document(body, name="loan.md", title="Loan Agreement")


def last(text: str, *others: Document) -> Resolution:
    home = loan(text)
    return resolve(find(home)[-1], home=home, shelf=MemoryShelf([home, *others]))


@pytest.mark.parametrize(
    "text",
    [
        "As paragraph 4 of the Heads of Terms says.",
        "It is due under clause 4 in the Heads of Terms.",
        "See section 4 of Heads of Terms.",
        "What section 4 under the Heads of Terms demands.",
        "As paragraph 4 of the heads of terms says.",
    ],
)
def test_a_name_without_the_noun_of_a_paper_is_a_container(text: str) -> None:
    result = last(text, HEADS)
    assert [(t.lines.doc, t.label) for t in result.targets] == [("heads-of-terms.md", "4")], result.why


def test_a_name_that_goes_on_in_small_letters_is_read_to_its_end() -> None:
    result = last(
        "As paragraph 4 of the Side terms for keys says.",
        document("# 4 A\nx", name="s.md", title="Side terms for keys"),
    )
    assert [t.lines.doc for t in result.targets] == ["s.md"], result.why


@pytest.mark.parametrize("name", ["the Heads of Terms", "the Waste Protocol", "Keys and Lamps"])
def test_a_container_that_no_shelf_holds_is_external_and_never_home(name: str) -> None:
    result = last(f"As paragraph 4 of {name} says.")
    assert (result.status, result.targets) == (Status.EXTERNAL, ())
    assert result.why == f"{name.removeprefix('the ')} is not on the shelf."


@pytest.mark.parametrize(
    "name",
    [
        "QRS 12",
        "BQX-44",
        "MIL-HB-12",
        "AR 25-50",
        "UIC 505-1",
        "Form W-9",
        "Standard 4411",
        "Circular No. 7/2",
    ],
)
def test_a_paper_that_is_told_by_letters_and_a_number_is_a_container(name: str) -> None:
    result = last(f"As section 4 of {name} says.")
    assert (result.status, result.why) == (Status.EXTERNAL, f"{name} is not on the shelf.")


def test_a_paper_that_is_told_so_is_found_by_the_start_of_its_title() -> None:
    wheels = document("# 4 Rim\nTwenty.", name="wheels.md", title="QRS 12 Wheel Sets")
    assert [t.lines.doc for t in last("As section 4 of QRS 12 says.", wheels).targets] == ["wheels.md"]


@pytest.mark.parametrize("text", ["Under section 4 of USB 3", "What section 4 of LEVEL 2 has"])
def test_letters_and_a_number_that_are_no_paper_are_no_container(text: str) -> None:
    assert last(text).reference.container is None


@pytest.mark.parametrize(
    "text",
    [
        "Section 4 of the Agreement holds.",
        "Section 4 of the Loan Agreement holds.",
        "The duties in section 4 of the Borrower stay.",
        "Section 4 in the Territory is void.",
        "“Insured Group” means all that Acme owns. The duties in section 4 of the Insured Group stay.",
    ],
)
def test_the_home_document_its_parties_and_its_terms_leave_a_label_at_home(text: str) -> None:
    result = last(text, HEADS)
    assert [(t.lines.doc, t.label) for t in result.targets] == [("loan.md", "4")], result.why


def test_a_unit_of_the_home_document_called_by_its_title_is_the_container() -> None:
    home = document(
        "# 1 A\nSee clause 2 of the Keys and Locks Part.\n# 2 B\nx\n# [part 2] Keys and Locks\n## 2 Locks\nz",
        name="h.md",
    )
    result = resolve(find(home)[0], home=home, shelf=MemoryShelf([home]))
    assert [t.title for t in result.targets] == ["Locks"], result.why


def test_of_it_means_what_the_sentence_named_before() -> None:
    result = last(
        "Under clause 3 of the Insurance Schedule you insure and under clause 4 of it you claim.", COVER
    )
    assert [(t.lines.doc, t.label) for t in result.targets] == [("insurance.md", "4")], result.why
    apart = last("Clause 3 of the Insurance Schedule holds. Then clause 4 of it.", COVER)
    assert apart.status is Status.UNRESOLVED


UNIT_4 = document("# 1 Rent\nForty.", name="Lease of Unit 4.pdf", title="Lease of Unit 4")
UNIT_5 = document("# 1 Rent\nFifty.", name="Lease of Unit 5.pdf", title="Lease of Unit 5")


def test_a_noun_that_one_document_alone_is_names_it_for_short() -> None:
    result = last("Rent is due under clause 1 of the Lease.", UNIT_4, HEADS)
    assert [t.lines.doc for t in result.targets] == ["Lease of Unit 4.pdf"]
    assert "the only one on the shelf that is so called for short" in result.why
    assert [t.lines.doc for t in last("As clause 4 of the Heads says.", UNIT_4, HEADS).targets] == [
        "heads-of-terms.md"
    ]


def test_a_noun_that_two_documents_are_is_ambiguous() -> None:
    result = last("Rent is due under clause 1 of the Lease.", UNIT_4, UNIT_5)
    assert (result.status, len(result.targets)) == (Status.AMBIGUOUS, 2)


def test_a_noun_that_is_the_whole_name_of_one_document_and_what_another_is_is_ambiguous() -> None:
    lease = document("# 1 Rent\nForty.", name="lease.md", title="Lease")
    result = last("Rent is due under clause 1 of the Lease.", lease, UNIT_5)
    assert (result.status, len(result.targets)) == (Status.AMBIGUOUS, 2), result.why
    notes = document("# 1 A\nx", name="notes.md", title="Notes on the Lease")
    result = last("Rent is due under clause 1 of the Lease.", lease, notes)
    assert [t.lines.doc for t in result.targets] == ["lease.md"], result.why


def test_a_noun_that_the_home_document_is_means_the_home_document() -> None:
    home = document(
        "# 1 Rent\nAs clause 2 of the Lease says.\n# 2 Term\nx",
        name="Lease of Unit 5.pdf",
        title="Lease of Unit 5",
    )
    result = resolve(find(home)[0], home=home, shelf=MemoryShelf([home, UNIT_4]))
    assert [(t.lines.doc, t.label) for t in result.targets] == [("Lease of Unit 5.pdf", "2")]


def test_notes_on_a_paper_are_not_that_paper() -> None:
    notes = document("# 1 A\nx", name="notes.md", title="Amendment to Lease")
    assert last("Rent is due under clause 1 of the Lease.", notes).status is Status.EXTERNAL


def test_a_noun_that_is_defined_as_another_paper_is_not_the_one_on_the_shelf() -> None:
    home = document(
        "# 1 A\n@definition Lease\n“Lease” means the lease of Mill 9.\n\nRent is due under clause 1 of the Lease.",
        name="h.md",
    )
    result = resolve(find(home)[-1], home=home, shelf=MemoryShelf([home, UNIT_4]))
    assert result.status is Status.EXTERNAL, result.why


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("See 32 CFR, Part 2002 on it.", "32 CFR, Part 2002"),
        ("See 6 U.S.C., Sec. 101 on it.", "6 U.S.C., Sec. 101"),
        ("SP 800-53, Section 3.3 and Appendix I say so.", "Appendix I"),
        ("ISO/IEC 27001:2013 Clause 6.1.3, Clause 8.3 hold.", "Clause 8.3"),
        ("SP 800-53 Section 3.3, Section 4 hold.", "Section 4"),
    ],
)
def test_what_is_counted_in_a_named_outer_document_is_external(text: str, mention: str) -> None:
    result = last(text)
    assert (result.reference.text, result.status) == (mention, Status.EXTERNAL), result.why


def test_a_list_goes_on_in_the_document_on_the_shelf_that_leads_it() -> None:
    standard = document("# 4 A\nx\n# 6 B\nx", name="iso.txt", title="ISO/IEC 27001:2013")
    result = last("ISO/IEC 27001:2013 Section 6, Section 4 hold.", standard)
    assert [(t.lines.doc, t.label) for t in result.targets] == [("iso.txt", "4")]


def test_a_label_after_a_new_sentence_or_with_another_word_stays_at_home() -> None:
    for text in (
        "It follows SP 800-53, Section 3.3. Section 4 differs.",
        "SP 800-53, Appendix A, and clause 4 hold.",
    ):
        assert [t.lines.doc for t in last(text).targets] == ["loan.md"], text


def test_a_numbered_heading_that_only_counts_an_example_is_no_pointer() -> None:
    assert not find(document("# 6 Samples\n## 6.1 Example 4\nThe words."))


def test_a_name_ends_where_the_next_label_begins() -> None:
    home = loan("Section 1 of the Heads of Terms and Section 4 of the Side Letter hold.")
    assert [r.container for r in find(home)] == ["Heads of Terms", "Side Letter"]


def test_this_and_a_noun_is_the_paper_at_hand_whatever_others_are_called() -> None:
    others = [document("# 4 A\nx", name=f"{n}.txt", title=f"{n} Public License") for n in ("Rope", "Knot")]
    home = document(
        "# 4 Grants\nText.\n# 5 End\nSection 4 of this License ends.", name="l.txt", title="Sail License"
    )
    (reference,) = find(home)
    result = resolve(reference, home=home, shelf=MemoryShelf([home, *others]))
    assert [(t.lines.doc, t.label) for t in result.targets] == [("l.txt", "4")], result.why


def test_a_paper_of_the_readers_own_is_none_of_the_shelf() -> None:
    assert not find(document("You may call Your License as you like, and Our Lease too."))


@pytest.mark.parametrize("name", ["‘Rope Users’ manual", "“Rope Users” guide", '"Rope Users" handbook'])
def test_a_paper_by_its_name_in_quotes_is_what_a_label_is_counted_in(name: str) -> None:
    there = document("# 3 Knots\nx", name="rope.txt", title="Rope Users")
    text = f"It is told in Section 3 of the {name}, and Section 4 holds."
    found = find(loan(text))
    assert [(r.text, r.container) for r in found] == [(f"Section 3 of the {name}", name), ("Section 4", None)]
    home = loan(text)
    for others, status, docs in ([there], Status.RESOLVED, ["rope.txt"]), ([], Status.EXTERNAL, []):
        result = resolve(found[0], home=home, shelf=MemoryShelf([home, *others]))
        assert (result.status, [t.lines.doc for t in result.targets]) == (status, docs), result.why


def test_words_in_quotes_that_are_no_paper_leave_a_label_at_home() -> None:
    assert last("As Section 4 in “Strict” mode says.").status is Status.RESOLVED
