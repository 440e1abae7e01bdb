"""`deref evaluate retrieval` and `compare`, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.shell import Shell
from unit.evaluate.retrieval import toll_road as road


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(
        tmp_path / "unused",
        DEREF_INDEX_CHUNK_TOKENS="40",
        DEREF_RETRIEVE_K="1",
        DEREF_RETRIEVE_HOP_MODE="append",
    )


def overlay(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.toml"
    path.write_text(text, "utf-8")
    return f"{name}={path}"


def test_arms_are_measured_told_kept_drawn_and_compared(tmp_path: Path, shell: Shell):
    pytest.importorskip("matplotlib")
    common = (
        "evaluate",
        "retrieval",
        "--gold",
        road.gold(tmp_path / "gold"),
        "--data",
        road.shelf(tmp_path / "data"),
    )
    now, plot = tmp_path / "now.json", tmp_path / "plot.png"
    ran = shell(*common, "--arm", overlay(tmp_path, "nohop", "[retrieve]\nhop = false\n"), "--out", now, "--plot", plot, "--by", "kind")  # fmt: skip
    assert ran.code == 0, ran.err
    for words in (
        "road: 3 questions over 2 documents, 9 passages", "gold in a passage: 3 of 3", "answer off the shelf, not a matter of retrieval: 1",
        "base = slots", "base = tokens", "after legs", "references followed (questions)", "kind=plain", "- cart", "95 %", "o base",
        "final is the head of the first stage: 3 of 3",
    ):  # fmt: skip
        assert words in ran.out
    assert "\x1b" not in ran.out
    assert plot.read_bytes()[:4] == b"\x89PNG"
    kept = json.loads(now.read_text("utf-8"))
    assert kept["arms"]["nohop"]["rows"]["cart"] == [None, 0]

    worse = tmp_path / "worse.json"
    assert (
        shell(
            *common,
            "--out",
            worse,
            "--arm",
            overlay(tmp_path, "nohop", "[retrieve]\nhop = false\nmax_hops = 0\n"),
        ).code
        == 0
    )
    same = shell("evaluate", "compare", now, worse)
    assert (same.code, same.out) == (0, "nohop: the settings differ\n")
    changed = json.loads(worse.read_text("utf-8"))
    changed["arms"]["base"]["rows"]["cart"] = [None, 0]
    worse.write_text(json.dumps(changed), "utf-8")
    lost = shell("evaluate", "compare", now, worse)
    assert lost.code == 1
    assert "base, @5: gained 0, lost 1; p = 1\n  - cart\n" in lost.out
    told = shell("evaluate", "compare", worse, now, "--json")
    assert told.code == 0
    assert told.values()["flips"][0] == {
        "arm": "base",
        "depth": "@5",
        "flips": {"gained": ["cart"], "lost": []},
        "p": 1.0,
    }


def test_json_is_one_value_and_the_halves_make_the_whole(tmp_path: Path, shell: Shell):
    common = ("evaluate", "retrieval", "--gold", road.gold(tmp_path / "gold"), "--data", road.shelf(tmp_path / "data"), "--library", tmp_path / "libraries", "--json")  # fmt: skip
    keys = {}
    for half in ("dev", "rest"):
        ran = shell(*common, "--half", half)
        keys[half] = set(ran.values()["arms"]["base"]["rows"]) if ran.code == 0 else set()
    assert keys["dev"] | keys["rest"] == {"cart", "horse", "bed"}
    assert not keys["dev"] & keys["rest"]
    assert (tmp_path / "libraries").is_dir()


def test_an_arm_that_is_the_base_is_told(tmp_path: Path, shell: Shell):
    common = (
        "evaluate",
        "retrieval",
        "--gold",
        road.gold(tmp_path / "gold"),
        "--data",
        road.shelf(tmp_path / "data"),
    )
    ran = shell(*common, "--arm", overlay(tmp_path, "same", "[retrieve]\nk = 1\n"))
    assert ran.code == 0
    assert "deref: --arm same: its settings are those of the base, so nothing will differ\n" in ran.err


def test_rows_that_are_not_fit_are_named_with_file_line_and_reason(tmp_path: Path, shell: Shell):
    gold = road.gold(tmp_path / "gold", road.ROWS[0], road.row("gone", "Where is the well?", "a deep well"))
    ran = shell("evaluate", "retrieval", "--gold", gold, "--data", road.shelf(tmp_path / "data"))
    assert ran.code == 0
    assert f"{gold}, line 2: gone: expected string 1 stands in no document\n" in ran.out
    assert "left out as not fit: 1; --force keeps them" in ran.out
    kept = shell("evaluate", "retrieval", "--gold", gold, "--data", tmp_path / "data", "--force")
    assert "gold in a passage: 1 of 2; not reachable, counted as zero: gone" in kept.out


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("--arm", "nohop"), "write NAME=FILE"),
        (("--out", "nowhere/now.json"), "no such folder; make it first"),
        (("--plot", "nowhere/now.png"), "no such folder; make it first"),
        (("--gold", "nowhere.jsonl"), "nowhere.jsonl"),
        (
            ("--by", "colour"),
            "--by colour: no question of the gold has it; there are kind, requires_crossref, status",
        ),
    ],
)
def test_bad_input_is_told_in_one_line(tmp_path: Path, shell: Shell, more: tuple[str, ...], complaint: str):
    ran = shell(
        "evaluate",
        "retrieval",
        "--gold",
        road.gold(tmp_path / "gold"),
        "--data",
        road.shelf(tmp_path / "data"),
        *more,
    )
    assert ran.code == 2
    assert complaint in ran.err
    assert ran.err.count("\n") == 1
