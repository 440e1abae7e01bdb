"""`deref evaluate answers` and `compare`, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

from e2e.shell import Shell
from unit.evaluate.retrieval import toll_road as road
from unit.models.chat_server import says, serving


def test_answers_are_scored_with_the_loop_and_without_kept_and_compared(tmp_path: Path):
    shell = Shell(tmp_path / "unused", DEREF_INDEX_CHUNK_TOKENS="40", DEREF_MODELS_EMBEDDER="none")
    off = tmp_path / "off.toml"
    off.write_text("[loop]\nbudget = 0\n", "utf-8")
    common = ("evaluate", "answers", "--gold", road.gold(tmp_path / "gold"), "--data", road.shelf(tmp_path / "data"))  # fmt: skip
    now = tmp_path / "now.json"
    ran = shell(*common, "--arm", f"off={off}", "--out", now, "--by", "kind")
    assert ran.code == 0, ran.err
    for words in (
        "road: 4 questions over 2 documents, 9 passages", "base without loop", "base = tokens", "refusal_recall",
        "kind=pointer (1)", "off beside base", "base beside base without loop", "gained 1, lost 0", "+ cart",
    ):  # fmt: skip
        assert words in ran.out
    kept = json.loads(now.read_text("utf-8"))
    assert kept["arms"]["base"]["rows"]["cart"][:2] == ["answerable", "right"]
    assert kept["arms"]["off"]["rows"]["cart"][:2] == ["answerable", "missed"]
    assert kept["arms"]["base"]["counts"]["verbatim"][0] == kept["arms"]["base"]["counts"]["verbatim"][1] > 0
    assert "Two pence" not in now.read_text("utf-8")
    assert "northern gate" not in now.read_text("utf-8")

    assert shell("evaluate", "compare", now, now).out == "Nothing changed.\n"
    told = shell("evaluate", "compare", now, now, "--data", tmp_path / "data")
    assert (told.code, told.out) == (2, "") and "--data is for people and results of references" in told.err
    kept["arms"]["base"]["rows"]["cart"][1] = "missed"
    worse = tmp_path / "worse.json"
    worse.write_text(json.dumps(kept), "utf-8")
    lost = shell("evaluate", "compare", now, worse)
    assert lost.code == 1
    assert "base, right: gained 0, lost 1" in lost.out


def test_a_pair_of_passages_is_left_out_with_its_reason(tmp_path: Path):
    shell = Shell(tmp_path / "unused", DEREF_MODELS_EMBEDDER="none")
    pair = {"qa_id": "p", "question": "What is due?", "source_doc": "road.md", "source_id": "1", "target_doc": "road.md", "target_id": "2"}  # fmt: skip
    gold = road.gold(tmp_path / "gold", road.ROWS[1], pair)
    ran = shell("evaluate", "answers", "--gold", gold, "--data", road.shelf(tmp_path / "data"))
    assert ran.code == 0, ran.err
    assert f"{gold}, line 2: p: it asks for a pair of passages" in ran.out


def test_a_language_model_is_measured_beside_the_quotes(tmp_path: Path):
    empty = {"pending_references": [], "conditions": [], "definitions": [], "externals": []}
    with serving(says(json.dumps({"status": "not_found", "claims": [], **empty}))) as server:
        shell = Shell(tmp_path / "unused", DEREF_MODELS_EMBEDDER="none", DEREF_MODELS_BASE_URL=server.url)
        out = tmp_path / "now.json"
        ran = shell(
            "evaluate", "answers", "--gold", road.gold(tmp_path / "gold"), "--data", road.shelf(tmp_path / "data"),
            "--model", "openai/small", "--out", out,
        )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "openai/small beside base" in ran.out
    kept = json.loads(out.read_text("utf-8"))
    assert kept["arms"]["base"]["rows"]["cart"][1] == "right"
    assert kept["arms"]["openai/small"]["rows"]["cart"][1] != "right", "this model finds nothing"
    assert kept["arms"]["openai/small"]["overlay"]["models"]["language_model"] == "openai/small"
    assert len(server.requests) >= 3
    assert "sent to" not in ran.err
