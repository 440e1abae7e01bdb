"""Sessions from the shell: asked, listed, shown, exported, dropped, and true to a shelf that changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from e2e.shell import Shell

FILES = {
    "toll.md": "# The toll\n\n## 1 Rates\n\nA cart pays two pence, as Section 2 has it.\n\n## 2 Frost\n\nIn frost it pays nothing.\n",
    "inn.md": "# The inn\n\n## 1 Stable\n\nA horse costs three pence in the stable.\n",
}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def deref(tmp_path: Path, shelf: Path) -> Shell:
    shell = Shell(tmp_path / "library", embedder="none")
    shell("ask", shelf, "What does a cart pay?", "--session", "fees")
    shell(
        "ask",
        shelf,
        "What does a horse cost in the stable?",
        "--session",
        "fees",
        "--trace",
        tmp_path / "t.jsonl",
    )
    return shell


def test_a_session_is_listed_and_shown(deref: Shell, shelf: Path) -> None:
    assert deref("sessions", "list", shelf).out.startswith("fees: 2 questions, last ")
    (row,) = deref("sessions", "list", shelf, "--json").rows()
    assert (row["session"], row["turns"], row["first"]) == ("fees", 2, "What does a cart pay?")
    shown = deref("sessions", "show", shelf, "fees").out
    assert (
        shown.index("1. What does a cart pay?")
        < shown.index("two pence")
        < shown.index("2. What does a horse")
    )
    assert "[1] toll.md, p. 1, l. " in shown
    assert deref.replayed == 1


def test_an_export_has_every_position_and_says_which_document_is_gone(
    deref: Shell, shelf: Path, tmp_path: Path
) -> None:
    (shelf / "toll.md").unlink()
    (shelf / "inn.md").write_text("# The inn\n\nClosed.\n")
    out = tmp_path / "fees.md"
    assert deref("sessions", "export", shelf, "fees", "-o", out).out == ""
    markdown = out.read_text("utf-8")
    assert markdown.startswith("# fees\n")
    assert re.search(r"\*\*toll\.md, p\. 1, l\. [\d–]+\*\* \(the document is not here any more\)", markdown)
    assert "(the document has changed since)" in markdown
    values = deref("sessions", "export", shelf, "fees", "--format", "json").values()
    assert values == deref("sessions", "show", shelf, "fees", "--json").values()
    cited = [c for turn in values["turns"] for c in turn["answer"]["citations"]]
    assert {c["standing"] for c in cited} == {"gone", "changed"}
    assert all(c["lines"] and c["quote"] and c["document"] for c in cited)


def test_a_damaged_session_hides_no_other(deref: Shell, shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "library" / "sessions" / "broken.jsonl").write_text("{\n")
    listed = deref("sessions", "list", shelf)
    assert listed.code == 3 and "fees: 2 questions" in listed.out
    assert "broken.jsonl, line 1" in listed.err and listed.err.count("\n") == 1
    assert deref("sessions", "delete", shelf, "broken").code == 0
    assert deref("sessions", "list", shelf).code == 0


def test_numbers_that_a_document_has_itself_are_told_below_the_sources(deref: Shell, tmp_path: Path) -> None:
    paper = tmp_path / "gliders.md"
    paper.write_text(
        "# Gliders\n\n## 1 Wings\n\nThe wing span of a glider is 18 metres, as Lind told first [1].\n"
    )
    library = ("--library", tmp_path / "papers")
    asked = deref("ask", paper, "What is the wing span of a glider?", "--session", "wings", *library)
    for told in (
        asked.out,
        *(deref("sessions", verb, paper, "wings", *library).out for verb in ("show", "export")),
    ):
        assert "[1] inside a quote is the document's own number" in told.replace("\\", "")


def test_a_session_is_dropped(deref: Shell, shelf: Path) -> None:
    assert deref("sessions", "delete", shelf, "fees").out == "The session fees is deleted.\n"
    assert deref("sessions", "list", shelf).out.startswith("No sessions yet.")
    assert deref("sessions", "list", shelf, "--json").out == ""
    gone = deref("sessions", "show", shelf, "fees")
    assert gone.code == 2 and "there is no session 'fees'" in gone.err and len(gone.err.splitlines()) == 1


def test_a_name_that_is_none_and_a_place_that_is_none_are_one_line_each(deref: Shell, shelf: Path) -> None:
    for arguments in (
        ("ask", shelf, "cart", "--session", "../x"),
        ("sessions", "export", shelf, "fees", "-o", "nowhere/fees.md"),
        ("sessions", "export", shelf, "fees", "--format", "pdf"),
        ("sessions", "show", shelf),
    ):
        ran = deref(*arguments)
        assert ran.code == 2 and len(ran.err.splitlines()) == 1, ran.err


def test_the_history_of_a_session_is_in_the_trace_of_its_next_question(deref: Shell, tmp_path: Path) -> None:
    events = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert events[1]["query"]["history"] == ["What does a cart pay?"]
