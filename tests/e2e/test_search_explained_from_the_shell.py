"""Stages on request from the shell, and `deref search --explain`: how each passage came in, what moved it, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.shell import Shell

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "deal-room"
QUESTION = "What does the Customer pay for night and weekend support?"
MORE = {
    "DEREF_RETRIEVE_OVERVIEWS": "boost",
    "DEREF_RETRIEVE_OVERVIEW_MARGIN": "0",
    "DEREF_RETRIEVE_RERANK": "overlap",
    "DEREF_RETRIEVE_PER_DOCUMENT": "1",
}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    made = Shell(tmp_path_factory.mktemp("explained") / "library")
    made("index", EXAMPLE, "--wait", **MORE)
    return made


def test_each_passage_tells_its_arrivals_and_steps(shell: Shell) -> None:
    ran = shell("search", EXAMPLE, QUESTION, "-k", "2", "--explain", **MORE)
    assert (ran.code, ran.err) == (0, "")
    first = ran.out.split("\n2. ")[0]
    assert "rerank #1 (" in first and "legs: in at " in first and "found by words or by meaning" in first
    assert "a passage that was found points at it" in ran.out


def test_steps_in_json_lead_to_the_place_in_the_list(shell: Shell) -> None:
    rows = shell("search", EXAMPLE, QUESTION, "-k", "2", "--explain", "--json", **MORE).rows()
    assert len({row["source"] for row in rows[:2]}) == 2
    for place, row in enumerate(rows, start=1):
        steps = row["steps"]
        assert all(set(step) == {"stage", "before", "after", "why"} for step in steps)
        assert steps[0]["before"] is None and steps[0]["stage"] in ("legs", "hop", "reserve titles")
        if not any(a["reference"] for a in row["arrivals"]):
            assert steps[-1]["after"] == place


def test_what_was_asked_again_is_explained(shell: Shell) -> None:
    ran = shell("search", EXAMPLE, "zorp quux blorf charged", "--explain", DEREF_RETRIEVE_RETRY="1")
    assert ran.err.startswith(
        "deref: the question was asked again, and the first attempt was kept: the evidence falls"
    )
    assert shell("search", EXAMPLE, "zorp quux blorf charged", DEREF_RETRIEVE_RETRY="1").err == ""


def test_as_many_passages_come_as_the_setting_says(shell: Shell) -> None:
    for k in (1, 3):
        ran = shell("search", EXAMPLE, QUESTION, "--json", DEREF_RETRIEVE_K=str(k), DEREF_RETRIEVE_HOP="0")
        assert len(ran.rows()) == k


def test_without_explain_nothing_of_it_is_told(shell: Shell) -> None:
    assert all("steps" not in row for row in shell("search", EXAMPLE, QUESTION, "--json").rows())
    assert "legs: in at" not in shell("search", EXAMPLE, QUESTION).out


def test_what_a_search_went_without_is_told_on_stderr(tmp_path: Path) -> None:
    ran = Shell(tmp_path / "library")("search", EXAMPLE, QUESTION, "--json", DEREF_RETRIEVE_OVERVIEWS="boost")
    assert ran.code == 0 and ran.rows()
    assert "searched without overviews" in ran.err and "--wait" in ran.err
    assert ran.err.count("searched without overviews") == 1


def test_a_stage_that_cannot_work_is_an_error(tmp_path: Path) -> None:
    ran = Shell(tmp_path / "library", "none")("search", EXAMPLE, QUESTION, DEREF_RETRIEVE_OVERVIEWS="boost")
    assert (ran.code, ran.out) == (2, "")
    assert "retrieve.overviews needs an embedder" in ran.err


def test_an_enriched_library_shows_the_text_as_it_stands(tmp_path: Path, shell: Shell) -> None:
    enriched = Shell(tmp_path / "library", DEREF_INDEX_ENRICH="where")

    def texts(run: Shell) -> dict[tuple[str, int], str]:
        rows = run("search", EXAMPLE, QUESTION, "-k", "100", "--json").rows()
        return {(row["source"], row["lines"][0]): row["text"] for row in rows}

    plain, more = texts(shell), texts(enriched)
    both = plain.keys() & more.keys()
    assert len(both) > 20
    assert {place: plain[place] for place in both} == {place: more[place] for place in both}
