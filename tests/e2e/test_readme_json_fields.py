"""docs/json.md names every field that the commands print, and docs/references.md tells true examples."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from deref.cli.main import COMMANDS, functions_of
from deref.evaluate.references import as_json as result_of
from deref.trace.tape import RECORDING
from e2e.shell import Shell
from unit.evaluate.retrieval import toll_road as road

ROOT = Path(__file__).resolve().parents[2]
SHELF = ROOT / "examples" / "deal-room"
QUESTIONS = (
    "What does the Customer pay for night and weekend support?",
    "Which firms may the Supplier use as subcontractors without further approval?",
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the deal room with one file that cannot be read."""
    shelf = tmp_path_factory.mktemp("papers") / "deal-room"
    shutil.copytree(SHELF, shelf)
    (shelf / "empty.pdf").write_bytes(b"")
    return shelf


@pytest.fixture(scope="module")
def deref(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Shell:
    return Shell(tmp_path_factory.mktemp("library"))


def documented(command: str) -> set[str]:
    """Return the fields in the table of one command."""
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    part = page.partition(f"\n## `{command}`\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE)
    return {name.removesuffix("[]") for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def printed(value: Any, path: str = "", *, plain: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the paths of all fields; what stands in `plain` is not looked into."""
    if isinstance(value, dict):
        for name, inner in value.items():
            here = f"{path}.{name}" if path else name
            yield here
            if here not in plain:
                yield from printed(inner, here, plain=plain)
    elif isinstance(value, list):
        for inner in value:
            yield from printed(inner, f"{path}[]", plain=plain)


ROWS_OF_REFS = ("pending", "external", "arrivals[].reference")


def fields(values: Any) -> set[str]:
    rows = values if isinstance(values, list) else [values]
    return {name for row in rows for name in printed(row, plain=ROWS_OF_REFS)}


def test_a_session_prints_what_is_documented(deref: Shell, shelf: Path):
    deref("ask", shelf, QUESTIONS[0], "--session", "fees")
    fields_of_turns = set(printed(deref("sessions", "show", shelf, "fees", "--json").values()))
    of_answers = {f"turns[].answer.{name}" for name in documented("ask")}
    assert documented("sessions show") <= fields_of_turns
    assert fields_of_turns - documented("sessions show") <= of_answers | {"turns[].answer"}


def test_replay_prints_what_is_documented(deref: Shell, shelf: Path, tmp_path: Path):
    deref("ask", shelf, QUESTIONS[0], "--trace", tmp_path / "t.jsonl")
    assert set(printed(deref("replay", tmp_path / "t.jsonl", "--json").values())) == documented("replay")


def test_index_prints_the_fields_that_are_documented(deref: Shell, shelf: Path):
    assert fields(deref("index", shelf, "--json").rows()) == documented("index")


def test_ask_prints_the_fields_that_are_documented(deref: Shell, shelf: Path):
    answers = [deref("ask", shelf, q, "--json").values() for q in QUESTIONS]
    assert fields(answers) == documented("ask")
    pending = [row for answer in answers for row in answer["pending"]]
    assert pending and fields(pending) <= documented("refs")


def test_refs_print_the_fields_that_are_documented(deref: Shell, shelf: Path):
    assert fields(deref("refs", shelf, "--json").rows()) == documented("refs")


def test_check_prints_the_fields_that_are_documented(tmp_path: Path):
    draft = tmp_path / "draft.md"
    draft.write_text(
        "# Terms\n\n## 1. Fees\n\nForty.\n\n## 2. Delay\n\nInterest.\n\n## 2. Law\n\nThat of Kent.\n"
    )
    assert fields(Shell(tmp_path / "library")("check", draft, "--json").rows()) == documented("check")


def test_changes_print_the_fields_that_are_documented_beside_those_of_refs(deref: Shell, shelf: Path):
    deref("index", shelf)
    exhibit = shelf / "02 Exhibit B - Fee Schedule.pdf"
    content = exhibit.read_bytes()
    exhibit.unlink()
    gone = deref("refs", shelf, "--changed-since", "last", "--json").rows()
    exhibit.write_bytes(content)
    back = deref("refs", shelf, "--changed-since", "last", "--json").rows()
    rows = [*gone, *back]
    own = {name for row in rows for name in printed(row, plain=("was", "now"))} - documented("refs")
    assert own == documented("refs --changed-since")
    outcomes = {name for row in rows for side in ("was", "now") for name in row[side] or ()}
    assert outcomes == {"status", "tier", "why", "targets"}
    assert {row["change"] for row in gone} == {"changed", "gone"}
    assert {row["change"] for row in back} == {"changed", "new"}


def test_search_prints_the_fields_that_are_documented(deref: Shell, shelf: Path):
    search = ("search", shelf, "night and weekend support", "-k", "3", "--json")
    found = deref(*search).rows()
    assert fields(deref(*search, "--explain").rows()) == documented("search")
    assert fields(found) == {name for name in documented("search") if not name.startswith("steps")}
    followed = [a["reference"] for row in found for a in row["arrivals"] if a["reference"]]
    assert followed and fields(followed) == documented("refs")


def test_graph_prints_the_fields_that_are_documented(deref: Shell, shelf: Path):
    levels = ("section", "document")
    found = [deref("graph", shelf, "--level", level, "--json").values() for level in levels]
    now = {name for values in found for name in printed(values, plain=("external", "own"))}
    # The deal room has none of these between two documents.
    rare = {f"edges[].{status}" for status in ("ambiguous", "dangling", "unresolved")}
    assert now <= documented("graph") <= now | rare
    assert all(set(hub) == set(found[0]["hubs"][0]) for hub in found[0]["external"])


def test_show_prints_the_fields_that_are_documented(deref: Shell, shelf: Path):
    shown = deref("show", shelf, "02 Exhibit B - Fee Schedule.pdf", "--page", "1", "--json")
    assert fields(shown.values()) == documented("show")


def test_status_prints_the_fields_that_are_documented(deref: Shell, shelf: Path):
    assert fields(deref("status", shelf, "--json").values()) == documented("status")


def test_tokens_print_the_fields_that_are_documented(deref: Shell, tmp_path: Path):
    file = ("--token-file", tmp_path / "tokens.json")
    deref("tokens", "add", "Ada", *file)
    assert fields(deref("tokens", "list", "--json", *file).rows()) == documented("tokens list")


def test_explain_prints_the_events_and_not_what_a_replay_answers_from(
    deref: Shell, shelf: Path, tmp_path: Path
):
    deref("ask", shelf, QUESTIONS[0], "--trace", tmp_path / "t.jsonl")
    kinds = [event["kind"] for event in deref("explain", tmp_path / "t.jsonl", "--json").values()]
    assert (kinds[0], kinds[-1], RECORDING in kinds) == ("header", "run_finished", False)


def test_evaluate_prints_the_fields_that_are_documented(tmp_path: Path):
    shell = Shell(tmp_path / "unused", "none")
    common = ("--gold", road.gold(tmp_path / "gold"), "--data", road.shelf(tmp_path / "data"), "--json")
    scored = [shell("evaluate", kind, *common).values() for kind in ("answers", "retrieval")]
    assert {name for values in (*scored, result_of([])) for name in values} == documented("evaluate")


def test_every_command_that_prints_json_is_on_the_page():
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    printing = [
        name for command in COMMANDS for name, function in functions_of(command).items()
        if "as_json" in signature(function).parameters
    ]  # fmt: skip
    assert len(printing) > 12
    assert [name for name in printing if not re.search(rf"deref {name}\b|`{name}( …)?`", page)] == []


def shows(example: Any, value: Any) -> bool:
    """Tell whether an example is a value but for fields that it leaves out and for what "…" stands for."""
    if isinstance(example, dict):
        return isinstance(value, dict) and all(n in value and shows(e, value[n]) for n, e in example.items())
    if isinstance(example, list):
        return len(example) == len(value) and all(map(shows, example, value))
    if isinstance(example, str) and example.endswith("…"):
        return isinstance(value, str) and value.startswith(example.removesuffix("…").rstrip())
    return bool(example == value)


@pytest.mark.parametrize("command", ["refs", "graph", "show"])
def test_the_example_is_what_is_printed(tmp_path: Path, command: str):
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    part = page.partition(f"\n## `{command}`\n")[2].partition("\n## ")[0]
    (typed,) = re.findall(r"^    deref (.*)$", part, re.MULTILINE)
    (example,) = re.findall(r"```json\n(.*?)```", part, re.DOTALL)
    rows = Shell(tmp_path / "library", "none")(*shlex.split(typed)).rows()
    every = [edge for row in rows for edge in row["edges"]] if command == "graph" else rows
    assert any(shows(json.loads(example), row) for row in every)


STATUSES = re.findall(
    r"^\| `(\w+)` \| ([^|]+), p\. (\d+) \| “([^”]+)” \| (.+) \|$",
    (ROOT / "docs" / "references.md").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize("status, source, page, text, why", STATUSES, ids=[s[0] for s in STATUSES])
def test_the_example_of_a_status_is_true(
    deref: Shell, shelf: Path, status: str, source: str, page: str, text: str, why: str
):
    rows = deref("refs", shelf, "--source", source, "--status", status, "--json").rows()
    assert why in {row["why"] for row in rows if row["text"] == text and row["page"] == int(page)}


def test_each_status_but_ambiguous_has_an_example_from_the_deal_room():
    assert {s[0] for s in STATUSES} == {"resolved", "external", "dangling", "unresolved"}


def test_two_files_that_call_themselves_exhibit_b_make_the_pointer_ambiguous(tmp_path: Path):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "terms.md").write_text("# Service Terms\n\nThe fees are listed in Exhibit B.\n")
    (shelf / "north.md").write_text("# Exhibit B - Fees of the north\n\nTen crowns a day.\n")
    (shelf / "south.md").write_text("# Exhibit B - Fees of the south\n\nTwelve crowns a day.\n")
    (row,) = Shell(tmp_path / "library")("refs", shelf, "--source", "terms.md", "--json").rows()
    assert row["status"] == "ambiguous"
    assert [t["source"] for t in row["targets"]] == ["north.md", "south.md"]
    assert row["why"] in (ROOT / "docs" / "references.md").read_text("utf-8")
