"""Results that are kept and compared: flips in both directions, and no word of a document in the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.e2e.shell import Shell
from tests.unit.evaluate.references import labelled_sets as sets

from deref.errors import DamagedFile
from deref.evaluate.references import as_json, compare, written
from deref.evaluate.references.errors import error_rows
from deref.evaluate.results import kind_of, read_result


def test_a_result_survives_its_file_and_holds_no_text(tmp_path: Path):
    result = as_json(sets.scores(sets.pages(tmp_path / "pages")))
    path = tmp_path / "now.json"
    path.write_text(written(result), "utf-8")
    assert read_result(path) == json.loads(json.dumps(result))
    for word in ("limits", "Fees", "Beginnings", "one.html"):
        assert word not in path.read_text("utf-8")


def test_flips_are_told_in_both_directions(tmp_path: Path):
    """The second run loses one document's section, and wins the reference whose words the first could not find."""
    before = as_json(sets.scores(sets.pages(tmp_path / "pages")))
    after = json.loads(json.dumps(before))
    before["sets"][0]["slices"]["table, across"]["misses"] = {"unfound": "2"}
    before["sets"][0]["slices"]["table, across"]["recall"] = 0.0
    after["sets"][0]["slices"]["section, across"]["misses"] = {"ambiguous": "3-4"}
    result = compare(before, after)
    assert [(f.number, f.before, f.after) for f in result.flips if f.gained] == [(2, "unfound", "right")]
    assert [(f.number, f.before, f.after) for f in result.flips if f.lost] == [
        (3, "right", "ambiguous"),
        (4, "right", "ambiguous"),
    ]
    assert ("pages, links hidden", "table, across", "recall", 0.0, 1.0) in result.changed
    back = compare(after, before)
    assert {f.number for f in back.flips if f.lost} == {2}
    assert {f.number for f in back.flips if f.gained} == {3, 4}


def test_other_references_are_not_compared_one_by_one(tmp_path: Path):
    one = as_json(sets.scores(sets.pages(tmp_path / "pages")))
    two = as_json(sets.scores(sets.pages(tmp_path / "pages", sets.page_rows()[:2])))
    result = compare(one, two)
    assert result.flips == ()
    assert result.notes == ("pages, links hidden: the references themselves differ, so no flips are told",)


def test_only_results_of_one_kind_are_compared(tmp_path: Path):
    result = as_json(sets.scores(sets.pages(tmp_path)))
    with pytest.raises(DamagedFile, match="cannot be compared"):
        kind_of(result, {**result, "result": "retrieval"})


@pytest.mark.parametrize(
    "text", ["[]", '{"sets": []}', '{"result": "references", "version": 99, "sets": []}']
)
def test_a_file_that_is_no_result_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(DamagedFile, match=r"other\.json"):
        read_result(path)


def test_misses_are_listed_with_their_context(tmp_path: Path):
    rows = sets.page_rows()
    rows[0] |= {"tgt_anchor": "fees", "tgt_text": "2.2. Fees"}
    (scored,) = sets.scores(sets.pages(tmp_path, rows))
    (row,) = error_rows(scored, 3)
    assert (row["number"], row["slice"], row["outcome"]) == (1, "section, across", "wrong")
    assert (row["before"], row["text"], row["after"]) == ("Read", "Section\u00a02.1", "first, then")
    assert row["reference"]["labels"] == ["2.1"]


def test_the_commands_score_write_and_compare(tmp_path: Path):
    shell = Shell(tmp_path / "library")
    folder = sets.pages(tmp_path / "data" / "pages")
    then, now = tmp_path / "then.json", tmp_path / "now.json"
    done = shell(
        "evaluate", "references", "--data", tmp_path / "data", "--set", "pages", "--out", then, "--json"
    )
    assert done.code == 0
    assert done.values()["sets"][0]["slices"]["section, across"]["recall"] == 1.0
    broken = sets.PAGES["two.html"].replace("2.2. Fees", "2.3. Fees")
    (folder / "docs" / "two.html").write_text(broken, "utf-8")
    told = shell("evaluate", "references", "--data", folder, "--links", "--out", now, "--errors", "2")
    assert "pages, links hidden" in told.out
    assert "pages, links used" in told.out
    assert "section, across: " in told.out
    compared = shell("evaluate", "compare", then, now, "--data", tmp_path / "data")
    assert compared.code == 1
    assert "Right before, and not now: 1" in compared.out
    assert "«Section\u00a02.2»" in compared.out
    same = shell("evaluate", "compare", then, then)
    assert (same.code, same.out) == (0, "Nothing changed.\n")
    refused = shell("evaluate", "references", "--data", tmp_path / "none")
    assert refused.code == 2
    assert "no such folder" in refused.err
    nowhere = shell("evaluate", "references", "--data", folder, "--out", tmp_path / "none" / "now.json")
    assert (nowhere.code, nowhere.out) == (2, "")
    assert "make it first" in nowhere.err
