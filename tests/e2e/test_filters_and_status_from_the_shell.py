"""`--where`, `--status` and `deref status --mark`: what may answer, and what is told of the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.shell import Shell

OLD = """# Travel Policy 2022

## 1 Trains

Trains go second class.

## 2 Nights

A night in a hotel costs at most 90 crowns.
"""
NEW = """# Travel Policy 2024

## 1 Trains

Trains go first class. For the price of a night in a hotel see Section 2 of the Travel Policy 2022.
"""
GARAGE = "Garage\n\nTrains of wagons may not stand in the garage.\n"
STATES = "## 1 Trains"
SUPERSEDES = "This policy supersedes the Travel Policy 2022.\n\n## 1 Trains"
QUESTION = "which class do trains go"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    root = tmp_path / "shelf"
    root.mkdir()
    (root / "old.md").write_text(OLD)
    (root / "new.md").write_text(NEW)
    (root / "garage.txt").write_text(GARAGE)
    return root


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "library")


def _sources(shell: Shell, shelf: Path, *more: str, question: str = QUESTION) -> list[str]:
    ran = shell("search", shelf, question, *more, "--json")
    return sorted({row["source"] for row in ran.rows()})


def test_a_filter_holds_for_what_is_found_and_for_what_is_followed(shell: Shell, shelf: Path) -> None:
    assert _sources(shell, shelf) == ["garage.txt", "new.md", "old.md"]
    assert _sources(shell, shelf, "--where", "document:new*") == ["new.md"]
    assert _sources(shell, shelf, "--where", "NOT document:garage AND kind:markdown") == ["new.md", "old.md"]
    assert _sources(shell, shelf, "--where", "section:Trains") == ["new.md", "old.md"]
    ran = shell(
        "ask", shelf, "What is the price of a night in a hotel?", "--where", "document:new*", "--json"
    )
    answer = ran.values()
    assert {c["source"] for c in answer["citations"]} <= {"new.md"}
    assert "90 crowns" not in json.dumps([c["quote"] for c in answer["citations"]])
    (open_one,) = answer["pending"]
    assert open_one["targets"][0]["source"] == "old.md"
    assert open_one["why"].startswith("not followed, the filter does not let it through: It is section 2")


@pytest.mark.parametrize(
    ("where", "fix"),
    [
        ("", "the filter is empty; leave it out"),
        ("author:smith", "there is no field 'author'; there are document, collection, section"),
        ("page:zero", "page:zero: give a page or a range, e.g. page:3"),
        (
            "document:missing.pdf",
            "no document of this shelf is called so; there are garage.txt, new.md, old.md",
        ),
        ("document:new* OR", "FIELD:VALUE is missing"),
    ],
)
def test_a_filter_that_is_none_is_an_error_with_its_fix(
    shell: Shell, shelf: Path, where: str, fix: str
) -> None:
    for command in ("search", "ask"):
        ran = shell(command, shelf, QUESTION, "--where", where)
        assert (ran.code, ran.out) == (2, "")
        assert fix in ran.err and "Traceback" not in ran.err


def test_a_trace_tells_the_filter_and_what_was_left_out(shell: Shell, shelf: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    where = 'date:2020.. AND NOT document:"old.md"'
    shell("ask", shelf, QUESTION, "--where", where, "--trace", trace)
    told = shell("explain", trace).out
    assert '(only where date:2020-01-01.. AND NOT document:"old.md")' in told
    shell("ask", shelf, QUESTION, "--where", "page:7", "--trace", trace)
    assert "Left out: the filter leaves no passage of this shelf" in shell("explain", trace).out


def test_a_filter_that_leaves_nothing_says_so(shell: Shell, shelf: Path) -> None:
    ran = shell("search", shelf, QUESTION, "--where", "page:7")
    assert (ran.code, ran.out) == (1, "No passage was found.\n")
    assert "the filter leaves no passage of this shelf" in ran.err
    answer = shell("ask", shelf, QUESTION, "--where", "page:7", "--json").values()
    assert answer["completeness"] == "not_found"
    assert any("the filter leaves no passage" in problem for problem in answer["problems"])


def test_a_marked_document_answers_no_more_unless_it_is_asked_for(shell: Shell, shelf: Path) -> None:
    assert shell("status", shelf, "--mark", "old.md", "superseded", "--by", "new.md").code == 0
    assert _sources(shell, shelf) == ["garage.txt", "new.md"]
    assert _sources(shell, shelf, "--status", "all") == ["garage.txt", "new.md", "old.md"]
    assert _sources(shell, shelf, "--where", "status:superseded") == ["old.md"]
    assert _sources(shell, shelf, question="trains in the Travel Policy 2022") == [
        "garage.txt",
        "new.md",
        "old.md",
    ]
    assert _sources(shell, shelf, question="trains in the superseded policy")[-1] == "old.md"
    refs = shell("refs", shelf, "--json").rows()
    (pointer,) = [row for row in refs if row["source"] == "new.md"]
    assert pointer["targets"][0]["standing"] == "superseded"
    assert pointer["why"].endswith("; old.md is superseded by new.md (it was marked so).")
    answer = shell("ask", shelf, "What is the price of a night in a hotel?", "--json").values()
    assert {c["source"] for c in answer["citations"]} <= {"new.md"}
    told = [*answer["problems"], *(row["why"] for row in answer["pending"])]
    assert any("old.md is superseded by new.md (it was marked so)" in one for one in told)
    asked = shell(
        "ask", shelf, "What did the Travel Policy 2022 say a night in a hotel costs?", "--json"
    ).values()
    assert "old.md" in {c["source"] for c in asked["citations"]}
    assert "old.md is superseded by new.md (it was marked so)" in asked["problems"]


def test_a_mark_outlives_rename_and_rebuild_and_ends_with_other_bytes(shell: Shell, shelf: Path) -> None:
    shell("status", shelf, "--mark", "old.md", "withdrawn")
    (shelf / "old.md").rename(shelf / "archive.md")
    assert shell("index", shelf, "--rebuild").code == 0
    card = next(
        c for c in shell("status", shelf, "--json").values()["documents"] if c["source"] == "archive.md"
    )
    assert (card["status"], card["successor"], card["status_why"]) == ("withdrawn", "", "it was marked so")
    (shelf / "archive.md").write_text(OLD.replace("90", "95"))
    after = shell("status", shelf, "--json").values()
    assert {c["status"] for c in after["documents"]} == {"active"}
    assert after["marks_without_document"] == ["old.md"]
    assert "old.md was marked, and is gone or has changed since" in shell("status", shelf).out


def test_what_a_front_page_says_is_known_without_a_mark_and_a_mark_takes_it_back(
    shell: Shell, shelf: Path
) -> None:
    (shelf / "new.md").write_text(NEW.replace(STATES, SUPERSEDES))
    told = shell("status", shelf).out
    assert (
        "superseded by new.md: new.md says on its front page: “This policy supersedes the Travel Policy 2022”"
        in told
    )
    ran = shell("search", shelf, "a night in a hotel costs at most")
    assert "old.md is superseded by new.md" in ran.err and "ask with the filter status:all" in ran.err
    shell("status", shelf, "--mark", "old.md", "active")
    assert _sources(shell, shelf) == ["garage.txt", "new.md", "old.md"]


def test_the_header_of_an_rfc_names_what_it_obsoletes_by_number_alone(shell: Shell, tmp_path: Path) -> None:
    root = tmp_path / "rfcs"
    root.mkdir()
    for number, header, title in (
        (9901, "", "The Ferry Protocol"),
        (
            9902,
            "Obsoletes: 9901                                          Harbour Ltd\n",
            "The Ferry Protocol, Version 2",
        ),
        (
            9903,
            "Updates: 9901                                            Harbour Ltd\n",
            "Bells of the Ferry Protocol",
        ),
    ):
        (root / f"rfc{number}.txt").write_text(
            f"\n\nInternet Engineering Task Force (IETF)                      A. Sailor\nRequest for Comments: {number}"
            f"                                  Harbour Ltd\n{header}Category: Standards Track                                   May 2031\n\n\n"
            f"                   {title}\n\nAbstract\n\n   A bell is rung {number} times when the ferry leaves.\n\n"
            "1.  Introduction\n\n   The bell is that of RFC 9901.\n"
        )  # fmt: skip
    documents = shell("status", root, "--json").values()["documents"]
    assert {d["source"]: (d["status"], d["successor"]) for d in documents} == {
        "rfc9901.txt": ("superseded", "rfc9902.txt"),
        "rfc9902.txt": ("active", ""),
        "rfc9903.txt": ("active", ""),
    }
    assert _sources(shell, root, question="how often is a bell rung") == ["rfc9902.txt", "rfc9903.txt"]
    assert "rfc9901.txt" in _sources(shell, root, question="how often is a bell rung in RFC 9901")
    row = next(
        r
        for r in shell("refs", root, "--json").rows()
        if r["text"] == "RFC 9901" and r["source"] == "rfc9903.txt"
    )
    assert "rfc9901.txt is superseded by rfc9902.txt" in row["why"]


def test_the_setting_lets_every_status_answer(tmp_path: Path, shelf: Path) -> None:
    shell = Shell(tmp_path / "library", DEREF_RETRIEVE_STATUS="all")
    shell("status", shelf, "--mark", "old.md", "withdrawn")
    assert "old.md" in _sources(shell, shelf)
    assert "old.md" not in _sources(shell, shelf, "--status", "active")


@pytest.mark.parametrize(
    ("arguments", "fix"),
    [
        (("--mark", "old.md", "stale"), "mark a document as one of active, superseded, withdrawn"),
        (("--mark", "old.md", "superseded"), "say by which document it is superseded, e.g. --by NEW.pdf"),
        (("--mark", "old.md", "withdrawn", "--by", "new.md"), "leave --by out"),
        (("--mark", "old.md", "superseded", "--by", "old.md"), "a document cannot supersede itself"),
        (("--mark", "none.md", "withdrawn"), "no document is called 'none.md'"),
        (("--by", "new.md"), "it goes with --mark FILE superseded"),
    ],
)
def test_a_mark_that_makes_no_sense_is_refused(
    shell: Shell, shelf: Path, arguments: tuple[str, ...], fix: str
) -> None:
    ran = shell("status", shelf, *arguments)
    assert ran.code == 2
    assert fix in ran.err
