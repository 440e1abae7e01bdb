"""Which places a question names: one is sure, several are told and not guessed between, none is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.references import MemoryShelf, Resolver
from deref.references.asked import asked_places
from deref.values import AskedPlace, Document, Target

from .small_documents import document

LEASE = document(
    "# 1 Parties\nAsh and Birch.\n# 4 Rent\nTen.\n## 4.2 Late rent\n(a) eight per cent;\n\n(b) a letter.\n# 6 Repairs\nAll.",
    name="papers/lease.md",
    title="Lease of Mill Lane",
)
LOAN = document(
    "# 1 Sum\nA lot.\n# 4 Interest\nNine.\n# 9 Default\nNone.\n@table 3 Rates\n= (E) five\n= (F) six",
    name="papers/loan.md",
    title="Loan Agreement",
)
RULES = document(
    "# [article 17] Erasure\nWithout delay.\n# [article 18] Limits\nSome.", name="gdpr.html", title="Data Act",
    aliases=("GDPR",),
)  # fmt: skip
FEES = document("# 1 Rates\nFive pounds.", name="papers/Exhibit B.md", title="Exhibit B")
NOTICE = document("# 4 Place\nThe door.", name="notice.md", title="Notice")
SHELF = (LEASE, LOAN, RULES, FEES, NOTICE)


def asked(question: str, *documents: Document, titled: tuple[str, ...] = ()) -> tuple[AskedPlace, ...]:
    shelf = MemoryShelf(documents or SHELF)
    return asked_places(question, shelf, Resolver(shelf), titled=lambda: titled)


def places(question: str, *documents: Document) -> list[tuple[str, str | None]]:
    return [(t.lines.doc, t.label) for p in asked(question, *documents) for t in p.targets]


@pytest.mark.parametrize(
    ("question", "doc", "label"),
    [
        ("What does Article 17 say?", "gdpr.html", "17"),
        ("art. 17 GDPR", "gdpr.html", "17"),
        ("How much is due under Section 4 of the Lease?", "papers/lease.md", "4"),
        ("what is in section 4 of the lease?", "papers/lease.md", "4"),
        ("What does the Loan Agreement say in Section 4?", "papers/loan.md", "4"),
        ("lease.md section 4", "papers/lease.md", "4"),
        ("Section 4, lease.md", "papers/lease.md", "4"),
        ("What is due under clause 9?", "papers/loan.md", "9"),
        ("What does section 4 of the notice say?", "notice.md", "4"),
    ],
)
def test_one_place_is_sure(question: str, doc: str, label: str) -> None:
    (place,) = asked(question)
    assert [(t.lines.doc, t.label) for t in place.targets] == [(doc, label)], place.why
    assert place.why == ""


def test_a_long_name_with_signs_in_it_is_read_to_its_end() -> None:
    guide = document(
        "# 2 Wheels\nx", name="g.pdf", title="Wheels: A Guide to Mills, Dams and Races (GMDR) for Millers"
    )
    other = document("# 2 Hubs\ny", name="w.pdf", title="Guide")
    (place,) = asked(
        "What does Section 2 of Wheels: A Guide to Mills, Dams and Races (GMDR) for Millers say?",
        guide,
        other,
    )
    assert [t.lines.doc for t in place.targets] == ["g.pdf"], place.why
    assert place.said == "Section 2 of Wheels: A Guide to Mills, Dams and Races (GMDR) for Millers"


def test_a_part_of_a_place_is_its_focus() -> None:
    (place,) = asked("What does Section 4.2(b) say?")
    (target,) = place.targets
    assert [LEASE.text(span) for span in target.focus] == ["(b) a letter."]


def test_a_row_of_a_table_is_its_focus() -> None:
    (place,) = asked("What is Table 3 row (E)?")
    assert [LOAN.text(span) for t in place.targets for span in t.focus] == ["(E) five"]


def test_an_exhibit_that_is_a_file_of_its_own_is_found_in_small_letters_too() -> None:
    assert [t.lines.doc for p in asked("what does exhibit b say?") for t in p.targets] == [
        "papers/Exhibit B.md"
    ]


RFC_7 = document("# 4 Flow\nSlow.", name="rfc7000.txt", title="RFC 7000")
RFC_8 = document("# 4 Ends\nFast.\n# 5 Keys\nNew.", name="rfc8000.txt", title="RFC 8000")


@pytest.mark.parametrize(
    ("question", "there"),
    [
        ("Section 4 of RFC 7000 and Section 5 of RFC 8000 say?", [("rfc7000.txt", "4"), ("rfc8000.txt", "5")]),
        ("Section 4 of RFC 7000 and of RFC 8000", [("rfc7000.txt", "4"), ("rfc8000.txt", "4")]),
        ("Section 4 of RFC 7000 and RFC 8000 compared", [("rfc7000.txt", "4"), ("rfc8000.txt", "4")]),
        ("section 4 of the lease and the loan agreement", [("papers/lease.md", "4"), ("papers/loan.md", "4")]),
        ("section 4 of the lease and how it ends", [("papers/lease.md", "4")]),
        ("section 4 of the lease and the notice period", [("papers/lease.md", "4")]),
        ("section 4 of the lease and the notice?", [("papers/lease.md", "4"), ("notice.md", "4")]),
    ],
)  # fmt: skip
def test_a_paper_behind_and_is_another_one_to_look_in(question: str, there: list[tuple[str, str]]) -> None:
    assert places(question, *SHELF, RFC_7, RFC_8) == there


def test_the_name_of_a_paper_ends_before_the_next_words() -> None:
    (place,) = asked("What does Section 4 of RFC 7000 say of it?", RFC_7, RFC_8)
    assert place.said == "Section 4 of RFC 7000"


def test_a_point_is_looked_up_where_its_article_is() -> None:
    act = document(
        "# [article 6] Grounds\n1. It is so if:\n\n(e) one;\n\n(f) two.", name="act.md", title="Act"
    )
    (place,) = asked("point (f) of Article 6(1)", act)
    assert [act.text(span) for t in place.targets for span in t.focus] == ["(f) two."], place.why


PARTS = document(
    "# 3 Term\nTen.\n# [schedule 2] Goods\n## [part 1] Mill\n1. The wheel.\n\n3. The race.\n# [article IV] Aim\nAny.",
    name="parts.md", title="Deed of Parts",
)  # fmt: skip


@pytest.mark.parametrize(
    "question",
    ["Schedule 2, Part 1, para 3 of the deed", "schedule 2 part 1 paragraph 3", "Schedule 2, Part 1, para 3 of Deed of Parts"],
)  # fmt: skip
def test_a_row_of_ever_narrower_places_is_one_place(question: str) -> None:
    (place,) = asked(question, PARTS, LOAN)
    assert [PARTS.text(span) for t in place.targets for span in t.focus] == ["3. The race."], place.why
    assert place.said == question


def test_a_place_in_another_one_is_nowhere_else_in_the_paper() -> None:
    (place,) = asked("Article IV, Section 3 of the Deed", PARTS)
    assert place.targets == () and "no section 3 in Article IV" in place.why


def test_places_of_one_kind_side_by_side_are_several() -> None:
    assert len(asked("Section 3, Section 4", PARTS, LOAN)) == 2


def test_a_place_of_several_papers_of_one_name_is_looked_up_in_each() -> None:
    one = document("# 1 Sum\nTen.\n# 2 Age\nOld.", name="a.md", title="Supply Form of Ash")
    two = document("# 1 Sum\nSix.", name="b.md", title="Supply Form of Birch")
    assert places('What does "Supply Form" section 2 say?', one, two) == [("a.md", "2")]


def test_of_many_documents_those_that_may_not_answer_do_not_count() -> None:
    many = [document("# 4 Place\nThe door.", name=f"n{n}.md", title=f"Letter {n}") for n in range(30)]
    shelf = MemoryShelf(many)
    (place,) = asked_places(
        "What does Section 4 say?", shelf, Resolver(shelf), admits=lambda target: target.lines.doc == "n9.md"
    )
    assert [t.lines.doc for t in place.targets] == ["n9.md"] and place.why == ""
    (place,) = asked_places("What does Section 4 say?", shelf, Resolver(shelf))
    assert (
        place.targets == () and "stands in more than 24 documents of this shelf (n0.md, n1.md," in place.why
    )


def test_of_papers_that_are_named_and_lack_the_place_that_is_told() -> None:
    (place,) = asked("How do the Loan Agreement and RFC 8000 differ in Section 6?", *SHELF, RFC_8)
    assert "no section 6 in papers/loan.md" in place.why and "no section 6 in rfc8000.txt" in place.why


def test_a_small_letter_that_is_a_word_is_no_label() -> None:
    assert asked("Which exhibit a customer sees first?") == ()


def test_several_labels_are_several_places() -> None:
    found = asked("Compare Section 6 of the Lease and Section 9 of the Loan Agreement")
    assert [(t.lines.doc, t.label) for p in found for t in p.targets] == [
        ("papers/lease.md", "6"),
        ("papers/loan.md", "9"),
    ]


def test_of_two_or_three_documents_all_are_given_and_it_is_said() -> None:
    (place,) = asked("What does Section 4 say?")
    assert [t.lines.doc for t in place.targets] == ["notice.md", "papers/lease.md", "papers/loan.md"]
    assert place.why == (
        "“Section 4” stands in 3 documents of this shelf (notice.md, papers/lease.md, papers/loan.md); name the one you mean"
    )


def test_papers_that_are_named_side_by_side_are_all_meant() -> None:
    (place,) = asked("How does Section 4 differ between Lease of Mill Lane and the Loan Agreement?")
    assert [t.lines.doc for t in place.targets] == ["papers/lease.md", "papers/loan.md"] and place.why == ""
    alike = [document("# 4 Place\nThe door.", name=f"n{n}.md", title="Long Letter") for n in range(2)]
    (place,) = asked("What do Ash and Birch say in the Long Letter on Section 4?", *alike)
    assert "name the one you mean" in place.why


def test_of_more_documents_none_is_given() -> None:
    more = [document("# 4 Place\nThe door.", name=f"n{n}.md", title=f"Letter {n}") for n in range(4)]
    (place,) = asked("What does Section 4 say?", *more)
    assert (
        place.targets == ()
        and "stands in 4 documents of this shelf (n0.md, n1.md, n2.md and 1 more)" in place.why
    )


def test_a_word_that_may_be_the_name_of_a_paper_tells_them_apart_and_keeps_none_out() -> None:
    assert places("What notice does Section 4 ask for?") == [("notice.md", "4")]
    assert places("What notice does Section 6 ask for?") == [("papers/lease.md", "6")]


def test_a_document_that_is_named_and_has_no_such_place_sends_nobody_elsewhere() -> None:
    (place,) = asked("What does the Loan Agreement say in Section 6?")
    assert place.targets == () and "There is no section 6 in papers/loan.md" in place.why


def test_a_document_that_is_not_there_sends_nobody_elsewhere() -> None:
    (place,) = asked("What does section 6 of the side letter say?")
    assert place.targets == () and "is not on the shelf" in place.why


@pytest.mark.parametrize(
    "question",
    [
        "Section 9 RFC 7001",
        "RFC 7001, section 9",
        "section 9 of rfc 7001",
        "What does RFC 7001 say in Section 9?",
    ],
)
def test_a_paper_beside_a_place_that_is_not_there_sends_nobody_elsewhere(question: str) -> None:
    (place,) = asked(question)
    assert place.targets == () and "RFC 7001 is not on the shelf" in place.why


def test_a_place_that_nobody_has_is_told() -> None:
    (place,) = asked("What does Section 44 say?")
    assert place == AskedPlace(
        said="Section 44", targets=(), why="no document on this shelf has a place called section 44"
    )


def test_documents_that_the_question_is_known_to_name_are_where_it_is_looked_up() -> None:
    (place,) = asked("What does Section 4 of it say?", titled=("papers/loan.md",))
    assert [t.lines.doc for t in place.targets] == ["papers/loan.md"]


def test_what_may_not_answer_does_not_count() -> None:
    shelf = MemoryShelf(SHELF)

    def admits(target: Target) -> bool:
        return target.lines.doc == "papers/lease.md"

    (place,) = asked_places("What does Section 4 say?", shelf, Resolver(shelf), admits=admits)
    assert [t.lines.doc for t in place.targets] == ["papers/lease.md"] and place.why == ""
    (place,) = asked_places("What does Section 9 say?", shelf, Resolver(shelf), admits=admits)
    assert place.targets == ()


@pytest.mark.parametrize(
    "question",
    [
        "Who pays?",
        "How much is 4 times 5?",
        "Is Mr B due in 2024?",
        "What is the definition of Rent?",
        "§",
        "",
    ],
)
def test_a_question_that_names_no_place_has_none(question: str) -> None:
    assert asked(question) == ()


def test_a_question_in_the_language_of_the_shelf_names_places_too() -> None:
    gesetz = replace(
        document("# [article 4] Ort\nAm Tor.\n# [article 5] Form\nBrief.", name="gesetz.md", title="Gesetz"),
        language="de",
    )
    assert places("Was sagt Artikel 4?", gesetz) == [("gesetz.md", "4")]
