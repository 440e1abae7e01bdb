"""The example shelf, asked from the shell: a followed reference across files, both ends cited."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from e2e.shell import Shell

SHELF = Path(__file__).resolve().parents[2] / "examples" / "deal-room"
QUESTION = "What does the Customer pay for night and weekend support?"


@pytest.fixture(scope="module")
def deref(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    shell = Shell(tmp_path_factory.mktemp("library"))
    assert shell("index", SHELF, "--wait").code == 0
    return shell


def test_the_row_that_the_pointer_means_is_quoted_and_both_ends_are_cited(deref: Shell):
    answer = deref("ask", SHELF, QUESTION, "--json").values()
    primary = [c for c in answer["citations"] if c["arrived"] == "primary"]
    followed = [c for c in answer["citations"] if c["arrived"] == "reference"]
    assert primary[0]["source"] == "01 Master Services Agreement.pdf"
    row = next(c for c in followed if "28,640" in c["quote"])
    assert row["source"] == "02 Exhibit B - Fee Schedule.pdf"
    assert "row (E)" in row["reference"]
    assert row["referenced_from"]["source"] == "01 Master Services Agreement.pdf"
    assert row["boxes"]
    assert any("7.4" in c["text"] for c in answer["conditions"])


def test_every_field_of_the_typed_answer_is_in_the_json(deref: Shell):
    answer = deref("ask", SHELF, QUESTION, "--json").values()
    assert set(answer) == {
        "text",
        "completeness",
        "citations",
        "pending",
        "conditions",
        "definitions",
        "external",
        "unquoted",
        "amendments",
        "problems",
    }
    wanted = {"source", "page", "lines", "boxes", "quote", "arrived", "reference", "referenced_from"}
    assert wanted <= set(answer["citations"][0])


def test_quotes_are_the_very_lines_that_they_cite(deref: Shell):
    answer = deref("ask", SHELF, QUESTION, "--json").values()
    for citation in answer["citations"]:
        start, end = citation["lines"]
        shown = deref("show", SHELF, citation["source"], "--lines", f"{start}-{end}", "--json").values()
        assert shown["text"] == citation["quote"]
        assert shown["page"] == citation["page"]


def test_people_get_text_sources_and_trail_without_colours_in_a_pipe(deref: Shell):
    told = deref("ask", SHELF, QUESTION)
    assert "Sources" in told.out
    assert "Followed" in told.out
    assert "Exhibit B” → 02 Exhibit B - Fee Schedule.pdf, p. 1, l. 12–15; p. 1, l. 28\n" in told.out
    assert "\x1b" not in told.out


def test_a_trace_is_written_and_told(deref: Shell, tmp_path: Path):
    trace = tmp_path / "trace.jsonl"
    deref("ask", SHELF, QUESTION, "--trace", trace)
    kinds = [json.loads(line)["kind"] for line in trace.read_text().splitlines()]
    assert kinds[0] == "header"
    assert kinds[1] == "run_started"
    assert kinds[-2:] == ["run_finished", "recording"]
    assert deref.replayed > 0
    assert {"stage_ran", "pass_written", "decided", "pursued"} <= set(kinds)
    told = deref("explain", trace)
    assert told.code == 0
    assert "Decided: resolve" in told.out
    assert "row (E)" in told.out


def test_a_trace_is_replayed_where_there_is_neither_library_nor_model(deref: Shell, tmp_path: Path):
    trace = tmp_path / "trace.jsonl"
    deref("ask", SHELF, QUESTION, "--trace", trace)
    elsewhere = Shell(tmp_path / "no-library", embedder="bundled", XDG_DATA_HOME=str(tmp_path / "data"))
    again = elsewhere("replay", trace)
    assert (again.code, again.err) == (0, "")
    assert again.out.startswith("The same again: ")
    assert not (tmp_path / "no-library").exists() and not (tmp_path / "data").exists()
    rows = [json.loads(line) for line in trace.read_text().splitlines()]
    next(row for row in rows if row["kind"] == "decided")["why"] = "for no reason"
    trace.write_text("".join(json.dumps(row) + "\n" for row in rows))
    differing = elsewhere("replay", trace, "--json")
    assert differing.code == 1
    assert set(differing.values()) == {"same", "difference", "events", "calls", "notes"}
    assert differing.values()["same"] is False and "(decided): why is " in differing.values()["difference"]
    assert "It differs: event " in elsewhere("replay", trace).out


def test_a_trace_of_an_older_schema_or_without_its_recording_is_refused_with_a_way_out(
    deref: Shell, tmp_path: Path
):
    trace = tmp_path / "trace.jsonl"
    deref("ask", SHELF, QUESTION, "--trace", trace)
    lines = trace.read_text().splitlines()
    trace.write_text("\n".join(lines[:-1]))
    assert deref("explain", trace).code == 0
    broken = deref("replay", trace)
    assert broken.code == 2 and "ends before its recording" in broken.err
    trace.write_text("\n".join(['{"kind": "header", "schema": 1, "at": 0}', *lines[1:]]))
    old = deref("replay", trace)
    assert old.code == 2 and "a trace of schema 1, and this version reads schema 2" in old.err


def test_a_trace_becomes_a_page_with_pictures_of_what_is_cited(deref: Shell, tmp_path: Path):
    trace, page = tmp_path / "trace.jsonl", tmp_path / "fee.html"
    deref("ask", SHELF, QUESTION, "--trace", trace)
    told = deref("explain", trace, "--html", "-o", page)
    assert (told.code, told.out, told.err) == (0, "", "")
    html = page.read_text("utf-8")
    assert html.count('src="data:image/png;base64,') == 3
    assert "28,640" in html and "row (E) of Table B-1 in Exhibit B" in html
    assert "<script" not in html
    assert deref("explain", trace, "--html").out == html
    elsewhere = deref("explain", trace, "--html", "--documents", tmp_path).out
    assert "data:image" not in elsewhere and "shown as text: the file is not there any more" in elsewhere


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--html", "--json"], "give one of the two"),
        (["-o", "x.html"], "add --html"),
        (["--html", "--documents", "nowhere"], "nowhere: no such file or folder"),
        (["--html", "-o", "nowhere/x.html"], "nowhere/x.html: cannot be written"),
    ],
)
def test_a_page_that_cannot_be_made_says_why(deref: Shell, tmp_path: Path, options: list[str], said: str):
    trace = tmp_path / "trace.jsonl"
    deref("ask", SHELF, "support", "--trace", trace)
    ran = deref("explain", trace, *options)
    assert ran.code == 2 and said in ran.err and len(ran.err.splitlines()) == 1


def test_refs_give_one_object_a_line_with_the_documented_fields(deref: Shell):
    rows = deref("refs", SHELF, "--json").rows()
    wanted = {
        "source", "page", "line", "row", "char_start", "char_end", "text", "before", "after", "kind", "labels",
        "selector", "container", "effect", "status", "tier", "why", "targets",
    }  # fmt: skip
    assert all(wanted <= set(row) for row in rows)
    targets = [t for row in rows for t in row["targets"]]
    assert all({"source", "page", "line", "kind", "label", "title", "text"} <= set(t) for t in targets)
    assert all(row["why"] for row in rows)
    (fee,) = [t for row in rows if row["selector"] == "row (E)" for t in row["targets"]]
    assert (fee["focus"], fee["focus_at"]) == ([[27, 28]], [[1, 28]])


@pytest.mark.parametrize("label", ["Fees", '"Fees"', "“Fees”"])
def test_a_defined_term_is_shown_by_its_name_in_quotes_or_without(deref: Shell, label: str):
    shown = deref("show", SHELF, "01 Master Services Agreement.pdf", "--item", f"definition {label}")
    assert "“Fees” means the sums payable" in shown.out, shown.err


def test_the_two_dangling_pointers_of_the_shelf_are_named(deref: Shell):
    dangling = deref("refs", SHELF, "--status", "dangling", "--json").rows()
    assert sorted(row["text"] for row in dangling) == [
        "Schedule 5",
        "Section 14.9 of the Master Services Agreement",
    ]


def test_an_off_topic_question_is_not_found_with_exit_code_1(tmp_path: Path):
    deref = Shell(tmp_path / "library", embedder="none")
    asked = deref("ask", SHELF, "How many moons circle Jupiter?", "--json")
    assert asked.code == 1
    assert asked.values()["completeness"] == "not_found"
    assert asked.values()["citations"] == []


def test_budget_0_leaves_the_pointer_pending_and_the_answer_partial(deref: Shell):
    asked = deref("ask", SHELF, QUESTION, "--budget", "0", "--json")
    assert asked.code == 1
    answer = asked.values()
    assert answer["completeness"] == "partial"
    assert any("row (E)" in p["text"] and p["targets"] for p in answer["pending"])


def test_nothing_is_written_into_the_folder_that_is_asked_about(deref: Shell, tmp_path: Path):
    shelf = tmp_path / "shelf"
    shutil.copytree(SHELF, shelf)
    before = sorted(p.relative_to(shelf) for p in shelf.rglob("*"))
    deref("ask", shelf, QUESTION, DEREF_LIBRARY=str(tmp_path / "library"))
    assert sorted(p.relative_to(shelf) for p in shelf.rglob("*")) == before


def test_changed_renamed_and_deleted_files_are_followed_without_reading_the_rest(tmp_path: Path):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    deref = Shell(tmp_path / "library")
    (shelf / "a.md").write_text("# Fees\n\nThe fee is set out in Section 2 of the Side Letter.\n")
    (shelf / "side_letter.md").write_text(
        "# Side Letter\n\n## 1. Term\n\nOne year.\n\n## 2. Fee\n\nThe fee is 12 crowns.\n"
    )
    first = {r["path"]: r["outcome"] for r in deref("index", shelf, "--json").rows()}
    assert first == {"a.md": "added", "side_letter.md": "added"}
    (shelf / "side_letter.md").rename(shelf / "02_side_letter.md")
    second = {r["path"]: r["outcome"] for r in deref("index", shelf, "--json").rows()}
    assert second["a.md"] == "unchanged"
    assert second["02_side_letter.md"] == "renamed"
    answer = deref("ask", shelf, "What is the fee?", "--json").values()
    assert any("12 crowns" in c["quote"] and c["source"] == "02_side_letter.md" for c in answer["citations"])
    (shelf / "02_side_letter.md").unlink()
    rows = deref("refs", shelf, "--json").rows()
    assert {r["status"] for r in rows if "Side Letter" in r["text"]} == {"external"}
