"""Sentences that amend what a pointer in them names, and what is quoted of the paper that says so."""

from __future__ import annotations

import pytest

from deref.answer.amends import Amending, amending_lines, amends, may_amend, with_amendments
from deref.references.find import find
from deref.values import Amendment, Arrived, Completeness, Document, Span, Target
from unit.answer.small_evidence import document, reader, whole, written


@pytest.mark.parametrize(
    ("sentence", "pointer"),
    [
        ("Section 4.1 of the Lease is hereby amended to read as follows:", "Section 4.1 of the Lease"),
        ("Section 5.2 of the Lease is deleted in its entirety.", "Section 5.2 of the Lease"),
        ("2.1 Clause 7 of the Ferry Licence (Moorings) shall be replaced by this:", "Clause 7 of the Ferry Licence"),
        ("Section 4.1, as amended in 2019, is further amended and restated.", "Section 4.1"),
        ("Table B-1 in its entirety is superseded by the table below.", "Table B-1"),
        ("Sections 4 and 6 of the Lease are amended as follows.", "Sections 4 and 6 of the Lease"),
        ("In Section 4.1 of the Lease, the words “ten days” are replaced by “five days”.", "Section 4.1 of the Lease"),
        ("The parties hereby delete Section 5.2 of the Lease.", "Section 5.2 of the Lease"),
        ("The Lease is amended by deleting Section 5.2 of the Lease and adding this:", "Section 5.2 of the Lease"),
        ("This Policy replaces Section 3 of the Wharf Rules.", "Section 3 of the Wharf Rules"),
        ("§ 4 des Mietvertrags wird wie folgt neu gefasst:", "§ 4 des Mietvertrags"),
        ("§ 4 des Mietvertrags erhält folgende Fassung:", "§ 4 des Mietvertrags"),
        ("L'article 4 du bail est remplacé par le texte suivant :", "article 4 du bail"),
        ("La cláusula 4 del contrato queda suprimida.", "cláusula 4 del contrato"),
        ("The fee in Section 4.1 of the Lease is hereby reduced by 10 per cent.", "Section 4.1 of the Lease"),
        ("The rent payable under Section 4.1 of the Lease is increased to GBP 900 with effect from 1 May 2026.", "Section 4.1 of the Lease"),
        ("With effect from 1 May the period set out in Section 7 is extended by two years.", "Section 7"),
    ],
)  # fmt: skip
def test_a_sentence_that_changes_what_it_names_amends_it(sentence: str, pointer: str) -> None:
    assert may_amend(sentence)
    assert amends(sentence, pointer)


@pytest.mark.parametrize(
    ("sentence", "pointer"),
    [
        ("Section 5.1 of the Lease may be amended in writing only.", "Section 5.1 of the Lease"),
        ("Section 5.1 of the Lease shall not be amended.", "Section 5.1 of the Lease"),
        ("Section 5.1 of the Lease has not been amended.", "Section 5.1 of the Lease"),
        ("If Section 5.1 of the Lease is amended, the agent is told.", "Section 5.1 of the Lease"),
        ("A broken lamp is replaced under Section 4.2 of the Lease.", "Section 4.2 of the Lease"),
        ("Under Section 4.2 of the Lease is replaced what is broken.", "Section 4.2 of the Lease"),
        ("In accordance with Section 4.2 of the Manual, the filter is replaced each year.", "Section 4.2 of the Manual"),
        ("See Section 4.2 of the Manual and the filter is replaced.", "Section 4.2 of the Manual"),
        ("The rent is paid as Section 4.1 of the Lease, as amended, says.", "Section 4.1 of the Lease"),
        ("To delete a row, press the key that Section 3 names.", "Section 3"),
        ("Section 4.1 of the Lease is paid monthly; the lamp is replaced.", "Section 4.1 of the Lease"),
        ("Section 9 of the Lease is amended.", "Section 4"),
        ("The fee in Section 4.1 of the Lease is reduced by 10 per cent for each day of delay.", "Section 4.1 of the Lease"),
        ("The fee in Section 4.1 of the Lease is reduced by 10 per cent.", "Section 4.1 of the Lease"),
        ("If the mill burns, the rent in Section 4.1 is hereby reduced to nothing.", "Section 4.1"),
        ("The risk that is described in Section 4.1 is reduced from 1 May by a second lock.", "Section 4.1"),
    ],
)  # fmt: skip
def test_a_sentence_that_does_not_change_it_does_not(sentence: str, pointer: str) -> None:
    assert not amends(sentence, pointer)


def _lines_of(text: str, words: str) -> str:
    doc = document(text, "amendment.md")
    (reference,) = [r for r in find(doc) if words in r.text]
    return doc.text(amending_lines(doc, reference.at))


def test_what_is_quoted_ends_with_the_paragraph_where_that_leads_in_nothing() -> None:
    text = "# Amendment\n\nSection 5.2 of the Lease is deleted.\n\nThe rest goes on.\n"
    assert _lines_of(text, "5.2") == "Section 5.2 of the Lease is deleted."


def test_new_text_in_quotation_marks_is_quoted_to_its_end() -> None:
    text = (
        "# Amendment\n\nSection 4.1 of the Lease is amended to read as follows:\n\n“4.1 Rent. The rent is 12.\n\n"
        "It is paid on Mondays.”\n\nThe rest goes on.\n"
    )
    quoted = _lines_of(text, "4.1 of the Lease")
    assert "It is paid on Mondays.”" in quoted
    assert "The rest" not in quoted


def test_new_text_without_quotation_marks_is_the_next_paragraph() -> None:
    text = "# Amendment\n\nSection 4.1 of the Lease is amended to read as follows:\n\nThe rent is 12.\n\nThe rest goes on.\n"
    quoted = _lines_of(text, "4.1 of the Lease")
    assert "The rent is 12." in quoted
    assert "The rest" not in quoted


def test_of_a_paragraph_that_is_too_long_the_sentence_is_quoted() -> None:
    filler = "\n".join(f"The keeper counts boat {n} at dawn." for n in range(80))
    quoted = _lines_of(f"# Amendment\n\n{filler}\nSection 5.2 of the Lease is deleted.\n{filler}\n", "5.2")
    assert quoted == "Section 5.2 of the Lease is deleted."


LEASE = document("# Lease\n\n## 5.2 Hours\n\nThe shop is open from nine to five.\n", "lease.md")
PAPER = document("# Amendment\n\nSection 5.2 of the Lease is deleted in its entirety.\n", "paper.md")
QUESTION = "When is the shop open?"


def _amending(at: Document, start: int, end: int) -> Amending:
    (reference,) = [r for r in find(PAPER) if "5.2" in r.text]
    target = Target(lines=Span(doc=at.id, start=start, end=end), kind="section", label="5.2", title="Hours")
    return Amending(reference, (target,), amending_lines(PAPER, reference.at))


def test_an_amendment_of_what_is_quoted_is_cited_behind_the_quotes() -> None:
    answer = written(QUESTION, [whole(LEASE)], LEASE)
    given = with_amendments(answer, [_amending(LEASE, 2, 5)], reader(LEASE, PAPER))
    cited = given.citations[-1]
    assert given.amendments == (Amendment(amended=1, amending=2),)
    assert (cited.source, cited.arrived, cited.reference) == (
        "paper.md",
        Arrived.AMENDMENT,
        "Section 5.2 of the Lease",
    )
    assert given.text == (
        f"{answer.text}\n\nAmended by paper.md, p. 1:\nSection 5.2 of the Lease is deleted in its entirety. [2]"
    )
    assert given.completeness is Completeness.COMPLETE


def test_an_amendment_of_other_lines_is_not_told() -> None:
    answer = written(QUESTION, [whole(LEASE)], LEASE)
    assert with_amendments(answer, [_amending(LEASE, 0, 1)], reader(LEASE, PAPER)) == answer


def test_an_amendment_that_is_quoted_already_is_not_quoted_again() -> None:
    question = "Which hours of the shop are deleted in the entirety of the Lease Section 5.2?"
    answer = written(question, [whole(LEASE), whole(PAPER)], LEASE, PAPER)
    sources = [c.source for c in answer.citations]
    assert sorted(sources) == ["lease.md", "paper.md"]
    given = with_amendments(answer, [_amending(LEASE, 2, 5)], reader(LEASE, PAPER))
    assert (given.text, given.citations) == (answer.text, answer.citations)
    assert given.amendments == (
        Amendment(amended=sources.index("lease.md") + 1, amending=sources.index("paper.md") + 1),
    )
