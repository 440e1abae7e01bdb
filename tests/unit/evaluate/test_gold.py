"""Gold questions: read strictly, compared kindly, judged by what the answer holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deref.errors import DamagedFile, NoSuchSource
from deref.evaluate.gold import GoldRow, folded_text, read_gold


def row(*expected: str, match: str = "any", **dimensions: Any) -> GoldRow:
    return GoldRow(
        id="g1",
        query="q",
        expected=expected,
        match=match,
        expected_sources=(),
        corpus="",
        dimensions=dimensions,
    )


def write(folder: Path, *lines: str) -> Path:
    file = folder / "gold.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return file


def test_rows_are_read_in_order_with_their_defaults_and_blank_lines_skipped(tmp_path: Path) -> None:
    full = {
        "id": 7, "query": "q", "expected": ["a"], "match": "all", "expected_sources": ["s.md"], "corpus": "c",
        "dimensions": {"status": "answerable"},
    }  # fmt: skip
    first, second = read_gold(write(tmp_path, json.dumps(full), "", '{"id": "b", "query": "r"}'))
    assert (first.id, first.match, first.expected_sources) == ("7", "all", ("s.md",))
    assert (second.id, second.expected, second.match) == ("b", (), "any")


def test_a_line_separator_inside_a_string_ends_no_row(tmp_path: Path) -> None:
    (only,) = read_gold(write(tmp_path, '{"id": "a", "query": "q", "expected": ["x\u2028y\x85z"]}'))
    assert only.expected == ("x\u2028y\x85z",)


@pytest.mark.parametrize(
    "bad",
    [
        "{oops", "[]", '"text"', "3", '{"query": "no id"}', '{"id": "no query"}', '{"id": 1, "query": "q", "expected": "one"}',
        '{"id": 1, "query": "q", "expected": [1]}', '{"id": 1, "query": "q", "expected": null}',
        '{"id": 1, "query": "q", "match": "most"}', '{"id": 1, "query": "q", "dimensions": []}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_gold_row_is_named(tmp_path: Path, bad: str) -> None:
    file = write(tmp_path, '{"id": "a", "query": "q"}', "", bad)
    with pytest.raises(
        DamagedFile,
        match=r"gold\.jsonl, line 3: not a gold row \((?!\w*Error).*\); it needs id, query, expected",
    ):
        read_gold(file)


def test_a_gold_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoSuchSource, match=r"gone\.jsonl: .* \(No such file or directory\)"):
        read_gold(tmp_path / "gone.jsonl")
    (tmp_path / "raw.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NoSuchSource, match=r"raw\.jsonl: .* \(it is not UTF-8\)"):
        read_gold(tmp_path / "raw.jsonl")


def test_gold_strings_are_compared_without_space_case_and_soft_hyphens() -> None:
    assert folded_text("Two\u00a0Pen\u00adce\n") == folded_text("two pence")
    assert row("two pence").met_by(["A cart pays TWO\npence."])


def test_any_asks_for_one_and_all_for_each() -> None:
    assert row("a", "z").met_by(["a b"])
    assert not row("a", "z", match="all").met_by(["a b"])
    assert row("a", "z", match="all").met_by(["a b", "z"])


def test_a_row_that_expects_nothing_is_met_by_nothing() -> None:
    assert not row().met_by(["anything"])


def test_the_turns_of_a_conversation_are_a_question_and_its_history(tmp_path: Path) -> None:
    turns = {"id": "t", "turns": ["What is due?", "And when?"], "anchor_text": "see Section 7"}
    (only,) = read_gold(write(tmp_path, json.dumps(turns)))
    assert (only.query, only.history, only.anchor_text) == ("And when?", ("What is due?",), "see Section 7")
