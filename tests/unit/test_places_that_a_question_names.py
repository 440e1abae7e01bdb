"""A question that names a section or item is answered from there: what is quoted, what is followed, what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from deref.engine import open_engine
from deref.replaying import replay
from deref.settings import settings_of
from deref.values import Answer, Completeness

SETTINGS = settings_of({"models": {"embedder": "none"}})
FILLING = "\n\n".join(f"Row {n} of the ledger tells of barley." for n in range(90))
LEASE = f"""# Lease of the Mill

## 1 Words

“Day” means a working day.

## 4 Payment

4.1 Rent. The Tenant shall pay a rent of 900 a quarter.

4.2 Late rent. Rent that is late bears the interest that Section 6 sets.

## 5 Ending

5.1 Notice. Either party may end this lease if:

(a) the mill burns down;

(b) the other has broken Section 4.1; or

(c) three years have passed.

## 6 Interest

Interest is 8 per cent a year.

## 7 Ledger

{FILLING}
"""
LOAN = "# Loan of the Mill\n\n## 4 Interest\n\nThe loan bears 5 per cent.\n\n## 9 Default\n\nA default is told by letter.\n"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "lease.md").write_text(LEASE)
    (folder / "loan.md").write_text(LOAN)
    return folder


def asked(shelf: Path, question: str, trace: Path | None = None, **retrieve: bool) -> Answer:
    settings = settings_of({"models": {"embedder": "none"}, "retrieve": retrieve})
    with open_engine(shelf.parent / "library", settings=settings) as engine:
        engine.index(shelf)
        if trace is None:
            return engine.ask(question)
        with trace.open("w", encoding="utf-8") as out:
            return engine.ask(question, trace=out)


def quotes(answer: Answer) -> list[str]:
    return [citation.quote for citation in answer.citations]


def test_a_place_that_is_asked_for_alone_is_quoted_whole_and_nothing_else(shelf: Path) -> None:
    answer = asked(shelf, "What does Section 9 of the loan say?")
    assert quotes(answer) == ["## 9 Default\nA default is told by letter."]
    assert answer.completeness is Completeness.COMPLETE and not answer.problems


def test_what_a_short_place_points_at_is_followed(shelf: Path) -> None:
    answer = asked(shelf, "What does Section 4.2 of the Lease say?")
    first, second = quotes(answer)
    assert first.startswith("4.2 Late rent.") and second.endswith("Interest is 8 per cent a year.")


def test_a_point_of_a_list_is_quoted_with_what_leads_the_list_in(shelf: Path) -> None:
    answer = asked(shelf, "What does Section 5.1(c) of the Lease say?")
    assert quotes(answer) == [
        "5.1 Notice. Either party may end this lease if:",
        "(c) three years have passed.",
    ]


def test_of_a_long_place_the_beginning_is_quoted_and_it_is_told(shelf: Path) -> None:
    answer = asked(shelf, "What does Section 7 say?")
    (citation,) = answer.citations
    assert citation.quote.startswith("## 7 Ledger\nRow 0 of") and "Row 40" in citation.quote
    assert "Row 60" not in citation.quote
    assert answer.problems == ("“Section 7” has 722 words, of which 394 are quoted",)


def test_a_place_that_nobody_knows_is_the_answer_when_nothing_else_is_asked(shelf: Path) -> None:
    answer = asked(shelf, "What does Section 44 say?")
    assert answer.text == "No document on this shelf has a place called section 44."
    assert answer.completeness is Completeness.NOT_FOUND and not answer.problems


def test_a_question_about_something_in_a_place_is_answered_from_there(shelf: Path) -> None:
    answer = asked(shelf, "How high is the interest under Section 4 of the Loan?")
    assert quotes(answer)[0].endswith("The loan bears 5 per cent.")


def test_two_places_are_quoted_both(shelf: Path) -> None:
    answer = asked(shelf, "Compare Section 6 of the Lease and Section 4 of the Loan")
    assert [q.rpartition("\n")[2] for q in quotes(answer)] == [
        "Interest is 8 per cent a year.",
        "The loan bears 5 per cent.",
    ]


def test_of_several_documents_all_are_quoted_and_it_is_told(shelf: Path) -> None:
    answer = asked(shelf, "What does Section 4 say?")
    assert {c.source for c in answer.citations} >= {"lease.md", "loan.md"}
    assert (
        "“Section 4” stands in 2 documents of this shelf (lease.md, loan.md); name the one you mean"
        in answer.problems
    )


def test_a_follow_up_asks_of_the_document_that_was_named_before(shelf: Path) -> None:
    with open_engine(shelf.parent / "library", settings=SETTINGS) as engine:
        engine.index(shelf)
        answer = engine.ask("And what does Section 4 say?", history=("What is the loan of the mill?",))
    assert {c.source for c in answer.citations} == {"loan.md"}


def test_a_follow_up_asks_for_its_own_place_and_not_for_the_one_before(shelf: Path) -> None:
    with open_engine(shelf.parent / "library", settings=SETTINGS) as engine:
        engine.index(shelf)
        answer = engine.ask("And Section 6?", history=("What does Section 5.1 of the lease say?",))
    assert [q.rpartition("\n")[2] for q in quotes(answer)] == ["Interest is 8 per cent a year."]


def test_a_place_that_is_not_there_leaves_the_order_as_it_was(shelf: Path) -> None:
    with open_engine(shelf.parent / "library", settings=SETTINGS) as engine:
        engine.index(shelf)
        with_places = engine.search("interest in Section 44")
        without = engine.under(settings_of({"models": {"embedder": "none"}, "retrieve": {"places": False}}))
        assert [c.chunk.id for c in with_places] == [
            c.chunk.id for c in without.search("interest in Section 44")
        ]


def test_switched_off_nothing_of_it_is_there(shelf: Path) -> None:
    answer = asked(shelf, "What does Section 4 say?", places=False)
    assert not any("name the one you mean" in problem for problem in answer.problems)


def test_a_filter_keeps_places_out(shelf: Path) -> None:
    with open_engine(shelf.parent / "library", settings=SETTINGS) as engine:
        engine.index(shelf)
        answer = engine.ask("What does Section 4 say?", where="document:lease.md")
        assert {c.source for c in answer.citations} == {"lease.md"}
        assert not any("name the one" in problem for problem in answer.problems)


def test_it_is_answered_the_same_from_its_trace(shelf: Path) -> None:
    trace = shelf.parent / "t.jsonl"
    asked(shelf, "What does Section 5.1(b) of the Lease say?", trace)
    again = replay(trace)
    assert again.same, again.difference


def test_a_place_that_is_only_where_the_matter_comes_up_leaves_the_answer_elsewhere(shelf: Path) -> None:
    answer = asked(
        shelf, "Default is in Section 9 of the Loan. What rent does the Tenant of the mill pay a quarter?"
    )
    assert "4.1 Rent." in quotes(answer)[0]


def test_a_name_with_stops_in_it_parts_no_question(tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "a.md").write_text("# 4.5. Wheels\n\n## 4.5.1 Spokes\n\nOak.\n")
    assert "Oak." in asked(folder, "What does Section 4.5.1 of 4.5. Wheels say?").text
