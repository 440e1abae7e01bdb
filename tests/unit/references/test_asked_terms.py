"""Which definitions a question asks for: those that say what the very term means, in the paper that is named."""

from __future__ import annotations

import pytest

from deref.references import MemoryShelf, Resolver
from deref.references.asked_terms import asked_terms
from deref.values import AskedPlace, Document

from .small_documents import document


def paper(name: str, title: str, *definitions: str) -> Document:
    return document("\n\n".join(f"@definition {d}" for d in definitions), name=name, title=title)


SALT = "Salt “Salt” means what is won from the pans."
DUES = "Dues “Dues”) are paid at the gate."
LEASE = paper("lease.md", "Lease of the Pans", SALT, DUES, "Pan_Owners “Pan Owners” means who owns a pan.")
LOAN = paper("loan.md", "Loan Agreement", "Salt “Salt” means the salt in the barn.")
SHELF = (LEASE, LOAN)


def asked(question: str, *documents: Document) -> list[AskedPlace]:
    shelf = MemoryShelf(documents or SHELF)
    return list(asked_terms(question, shelf, Resolver(shelf)))


def given(question: str, *documents: Document) -> list[tuple[str, str | None]]:
    return [(t.lines.doc, t.label) for place in asked(question, *documents) for t in place.targets]


@pytest.mark.parametrize(
    "question",
    [
        "What does “Salt” mean in the Lease of the Pans?",
        "what does the term 'salt' mean under the lease of the pans",
        "What is the definition of Salt in the Lease of the Pans?",
        "Define salt as used in lease.md.",
        "How is “Salt” defined in the Lease of the Pans?",
        "How does the Lease of the Pans define Salt?",
        "What is salt in the Lease of the Pans?",
    ],
)
def test_the_definition_of_the_very_term_in_the_paper_that_is_named(question: str) -> None:
    assert given(question) == [("lease.md", "Salt")]
    assert asked(question)[0].why == ""


@pytest.mark.parametrize(
    "question",
    [
        "What is a Pan Owner?",
        "Who is a pan owner?",
        "Was bedeutet „Pan Owners“?",
        "Qu’entend-on par « Pan Owners » ?",
        "What are Pan Owners?",
    ],
)
def test_singular_and_plural_and_other_words_that_ask(question: str) -> None:
    assert given(question) == [("lease.md", "Pan Owners")]


def test_a_term_that_two_papers_define_is_given_twice_and_that_is_said() -> None:
    (place,) = asked("What does Salt mean?")
    assert [t.lines.doc for t in place.targets] == ["lease.md", "loan.md"]
    assert "defined in 2 documents" in place.why


def test_of_many_papers_that_define_a_term_none_is_taken() -> None:
    (place,) = asked("What does Salt mean?", *(paper(f"{n}.md", f"Paper {n}", SALT) for n in "abcd"))
    assert place.targets == ()
    assert "defined in 4 documents" in place.why


def test_a_short_name_in_brackets_counts_only_where_its_meaning_is_asked_for() -> None:
    assert given("What does “Dues” mean?") == [("lease.md", "Dues")]
    assert given("What are Dues?") == []


@pytest.mark.parametrize(
    "question",
    [
        "What does “Pan Owners” mean in the Loan Agreement?",
        "What does “Pepper” mean?",
        "What is the duty on salt?",
        "What is salt worth at the gate?",
        "Who pays for the salt?",
    ],
)
def test_what_the_paper_does_not_define_and_other_questions_give_none(question: str) -> None:
    assert asked(question) == []


def test_a_paper_is_known_by_the_words_of_its_file_too() -> None:
    others = (
        paper("ASHWOODINC_2013-LICENCE.txt", "Licence", SALT),
        paper("BIRCHCORP_2014-LICENCE.txt", "Licence", SALT),
    )
    assert given("What does “Salt” mean in the Ashwood licence?", *others) == [
        ("ASHWOODINC_2013-LICENCE.txt", "Salt")
    ]
    (place,) = asked("What does “Salt” mean in the Ashwood licence?", *others)
    assert place.said == "“Salt” mean in the Ashwood licence"
