"""A pointer in quoted lines that leads nowhere is told once, also where it does not bear on the question."""

from __future__ import annotations

from pathlib import Path

import pytest

from deref.engine import open_engine
from deref.replaying import replay
from deref.settings import settings_of
from deref.values import Answer, Completeness

SETTINGS = settings_of({"models": {"embedder": "none"}})
LEASE = (
    "# Lease\n\n## 2 Rent\n\n2.1 Yearly rent. The Tenant shall pay the yearly rent in four equal instalments on the first day of each quarter.\n\n"
    "2.2 Late rent. Interest on rent that is paid late is 8 per cent a year. Nothing in this section limits Schedule 9 or Section 2.1.\n\n"
    "2.3 Receipts. The Landlord shall give a receipt within a week, and Schedule 9 stays as it is.\n"
)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "lease.md").write_text(LEASE)
    return folder


def asked(shelf: Path, question: str, trace: Path | None = None) -> Answer:
    with open_engine(shelf.parent / "library", settings=SETTINGS) as engine:
        engine.index(shelf)
        if trace is None:
            return engine.ask(question)
        with trace.open("w", encoding="utf-8") as out:
            return engine.ask(question, trace=out)


def test_what_leads_nowhere_is_told_in_a_note_though_it_keeps_no_answer_from_being_complete(
    shelf: Path,
) -> None:
    answer = asked(shelf, "What interest is due on rent that is paid late?")
    assert answer.completeness is Completeness.COMPLETE and answer.pending == ()
    (note,) = answer.problems
    assert note.startswith("“Schedule 9” in [1] leads nowhere: There is no schedule 9 in this document")


def test_what_is_open_is_not_told_again(shelf: Path) -> None:
    (shelf / "lease.md").write_text("# Lease\n\n## 1 Rent\n\nThe yearly rent is that of Schedule 9.\n")
    answer = asked(shelf, "Where is the yearly rent told?")
    assert [r.reference.text for r in answer.pending] == ["Schedule 9"]
    assert not any("leads nowhere" in note for note in answer.problems)


def test_an_answer_that_quotes_no_such_pointer_has_no_note(shelf: Path) -> None:
    (shelf / "lease.md").write_text(LEASE.replace("Schedule 9", "the law"))
    answer = asked(shelf, "What interest is due on rent that is paid late?")
    assert answer.citations and answer.problems == ()


def test_the_note_is_the_same_when_the_question_is_asked_again_from_its_trace(shelf: Path) -> None:
    trace = shelf.parent / "t.jsonl"
    answer = asked(shelf, "What interest is due on rent that is paid late?", trace)
    again = replay(trace)
    assert again.same and again.difference is None
    assert answer.citations


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does Section 9 say about rent that is paid late?", ["section 9"]),
        ("What do Sections 2.2 and 2.7(a) say about late rent?", ["section 2.7(a)"]),
        ("What does Section 2.2(b) say about late rent?", []),
        ("What does Schedule 4 of the Deed say about late rent?", []),
        ("What does Exhibit Q say about late rent?", []),
        ("What interest is due on late rent?", []),
    ],
)
def test_a_place_that_the_question_names_and_nothing_is_called_is_told(
    shelf: Path, question: str, named: list[str]
) -> None:
    (shelf / "Exhibit Q.md").write_text("# Prices\n\nA room is 40.\n")
    problems = asked(shelf, question).problems
    said = "no document on this shelf has a place called "
    assert [note.removeprefix(said) for note in problems if note.startswith(said)] == named
