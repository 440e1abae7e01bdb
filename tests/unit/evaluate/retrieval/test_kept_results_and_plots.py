"""Results that were kept, side by side; curves of recall against tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deref.errors import DamagedFile, UsageError
from deref.evaluate.results import kind_of, read_result
from deref.evaluate.retrieval.plots import curves, picture, sketch
from deref.evaluate.retrieval.stored import compare
from unit.evaluate.retrieval import toll_road as road


def kept(**rows: list[int | None]) -> dict[str, Any]:
    return {
        "result": "retrieval", "version": 1, "deref": {"version": "1", "code": "aa"}, "k": None, "half": None,
        "vectors": "whole", "gold": [{"file": "g.jsonl", "digest": "1"}],
        "corpora": [{"name": "road", "digest": "d1"}],
        "arms": {
            "base": {
                "settings": {"stored": "s", "asked": "a"},
                "final": {"recall@5": 0.5, "recall@10": 0.5, "ms": 3.0},
                "rows": rows,
            }
        },
    }  # fmt: skip


def test_flips_of_kept_results_are_told_by_depth_in_both_directions():
    then = kept(a=[1, 1], b=[7, 1], c=[None, 0], d=[None, 0])
    now = kept(a=[6, 1], b=[2, 1], c=[9, 1], d=[None, 1])
    found = {f.depth: (f.flips.gained, f.flips.lost) for f in compare(then, now).flips}
    assert found == {"@5": (("b",), ("a",)), "@10": (("c",), ()), "context": (("c", "d"), ())}
    assert compare(then, now).lost
    back = {f.depth: (f.flips.gained, f.flips.lost) for f in compare(now, then).flips}
    assert back == {"@5": (("a",), ("b",)), "@10": ((), ("c",)), "context": ((), ("c", "d"))}


def test_nothing_but_times_changed_is_nothing():
    then, now = kept(a=[1, 1]), kept(a=[1, 1])
    now["arms"]["base"]["final"]["ms"] = 9.0
    same = compare(then, now)
    assert (same.changed, same.flips, same.notes) == ((), (), ())


def test_what_else_differs_is_said():
    then, now = kept(a=[1, 1]), kept(a=[1, 1], b=[1, 1])
    now |= {"k": 20, "deref": {"version": "1", "code": "bb"}}
    now["arms"]["base"]["settings"] = {"stored": "s", "asked": "b"}
    now["arms"]["base"]["final"]["recall@5"] = 0.0
    now["arms"]["new"] = now["arms"]["base"]
    found = compare(then, now)
    assert found.flips == ()
    assert found.changed == (("base", "recall@5", 0.5, 0.0),)
    assert found.notes == (
        "passages asked for: None → 20",
        "the code differs: 1 (aa) → 1 (bb)",
        "base: the settings differ",
        "base: 1 questions are in one result only, and the figures count them",
        "new: only in the second result",
    )


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        (
            {"gold": [{"file": "g.jsonl", "digest": "2"}]},
            r"other questions \(gold: g\.jsonl 1, then g\.jsonl 2\)",
        ),
        ({"half": "dev"}, r"other questions \(another half of the gold: all, then dev\)"),
        ({"corpora": [{"name": "road", "digest": "d2"}]}, r"other documents \(road\)"),
        ({"corpora": [{"name": "inn", "digest": "d1"}]}, r"other documents \(road, inn\)"),
    ],
)
def test_results_of_other_questions_or_documents_are_refused(other: dict[str, Any], complaint: str):
    with pytest.raises(UsageError, match=complaint):
        compare(kept(a=[1, 1]), {**kept(a=[1, 1]), **other})


def test_depths_of_pairs_are_those_of_pairs():
    then, now = kept(a=[4, 1]), kept(a=[3, 1])
    for one in (then, now):
        one["arms"]["base"]["final"] = {"Both@3": 0.0, "Both@5": 0.0}
    assert [f.depth for f in compare(then, now).flips] == ["@3"]


@pytest.mark.parametrize(
    "text", ["[]", '"retrieval"', '{"result": "retrieval"}', '{"result": "poems", "arms": {}}', '{"result": "retrieval", "version": 99, "arms": {}}', "{"]
)  # fmt: skip
def test_a_file_that_is_no_result_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(DamagedFile, match=r"other\.json"):
        read_result(path)


@pytest.mark.parametrize("lost", ["deref", "gold", "corpora", "k", "arms"])
def test_a_result_that_lacks_a_part_is_refused_with_its_name(tmp_path: Path, lost: str):
    path = tmp_path / "now.json"
    path.write_text(json.dumps({key: value for key, value in kept().items() if key != lost}), "utf-8")
    with pytest.raises(DamagedFile, match=rf"now\.json: a result without '{lost}'"):
        read_result(path)
    path.write_text(json.dumps(kept() | {"arms": {"base": {"final": {}}}}), "utf-8")
    with pytest.raises(DamagedFile, match="without 'settings' of each part"):
        read_result(path)


def test_results_of_two_kinds_are_not_compared(tmp_path: Path):
    path = tmp_path / "now.json"
    path.write_text(json.dumps(kept()), "utf-8")
    assert kind_of(read_result(path), kept()) == "retrieval"
    with pytest.raises(DamagedFile, match="cannot be compared"):
        kind_of(read_result(path), {"result": "references"})


# Curves


def test_a_curve_has_a_point_for_each_depth(tmp_path: Path):
    done = road.ran(tmp_path)
    first, second = curves(done.outcomes)["base"]
    rows = done.outcomes["base"]
    assert first == pytest.approx((sum(o.costs[0] for o in rows) / 3, 2 / 3))
    assert second == pytest.approx((sum(sum(o.costs) for o in rows) / 3, 1.0))
    assert curves({"empty": []}) == {}


def test_a_sketch_stands_in_plain_characters():
    drawn = {"one": [(100.0, 0.5), (200.0, 1.0)], "two": [(100.0, 0.0), (200.0, 0.5)]}
    assert sketch(drawn, width=9, height=5) == (
        " 1.00 |        o\n"
        "      |\n"
        " 0.50 |    o   x\n"
        "      |\n"
        " 0.00 |    x\n"
        "      +---------\n"
        "       0200 tokens\n"
        "       o one\n"
        "       x two\n"
    )
    assert sketch({}) == ""
    assert sketch({"nothing": [(0.0, 0.0)]}).isascii()


def test_a_picture_is_a_png_and_the_same_twice():
    pytest.importorskip("matplotlib")
    drawn = {"one": [(100.0, 0.5), (200.0, 1.0)]}
    assert picture(drawn)[:8] == b"\x89PNG\r\n\x1a\n"
    assert picture(drawn) == picture(drawn)
    assert picture(drawn) != picture({"one": [(100.0, 0.5), (200.0, 0.9)]})
