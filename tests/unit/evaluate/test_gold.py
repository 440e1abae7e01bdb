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
    first, second = read_gold(write(tmp_path, "\ufeff" + json.dumps(full), "", '{"id": "b", "query": "r", "expected": ["x"]}'))  # fmt: skip
    assert (first.id, first.match, first.expected_sources) == ("7", "all", ("s.md",))
    assert (second.id, second.expected, second.match, second.corpus) == ("b", ("x",), "any", "")


def test_a_line_separator_inside_a_string_ends_no_row(tmp_path: Path) -> None:
    (only,) = read_gold(write(tmp_path, '{"id": "a", "query": "q", "expected": ["x\u2028y\x85z"]}'))
    assert only.expected == ("x\u2028y\x85z",)


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ("{oops", "no JSON: .* at character 2"),
        ("[]", "no JSON object"),
        ('"text"', "no JSON object"),
        ("3", "no JSON object"),
        ('{"query": "no id", "expected": ["x"]}', "it has no 'id'"),
        ('{"id": "no query", "expected": ["x"]}', "it has no 'query'"),
        ('{"id": null, "query": "q", "expected": ["x"]}', "its id is a text or a number"),
        ('{"id": 1, "query": null, "expected": ["x"]}', "a question is text with a word in it"),
        ('{"id": 1, "query": "?!", "expected": ["x"]}', "a question is text with a word in it"),
        ('{"id": 1, "turns": ["q", ""], "expected": ["x"]}', "a question is text with a word in it"),
        ('{"id": 1, "query": "q", "expected": "one"}', "expected is a list of strings"),
        ('{"id": 1, "query": "q", "expected": [1]}', "expected is a list of strings"),
        ('{"id": 1, "query": "q", "expected": null}', "expected is a list of strings"),
        ('{"id": 1, "query": "q", "expected": ["x"], "match": "most"}', 'match is "any" or "all", and not \'most\''),
        ('{"id": 1, "query": "q", "expected": ["x"], "dimensions": []}', "dimensions is an object"),
        ('{"id": 1, "query": "q"}', "it expects nothing"),
        ('{"id": 1, "query": "q", "expect": ["x"]}', "'expect' is no key; did you mean 'expected'"),
        ('{"id": 1, "query": "q", "expected": ["x"], "dimensions": {"status": "answerble"}}', "its status is one of answerable, "),
    ],
)  # fmt: skip
def test_a_line_that_is_no_gold_row_is_named(tmp_path: Path, bad: str, complaint: str) -> None:
    file = write(tmp_path, '{"id": "a", "query": "q", "expected": ["x"]}', "", bad)
    with pytest.raises(
        DamagedFile,
        match=rf"gold\.jsonl, line 3: not a gold row \({complaint}.*\); it needs id, query, expected",
    ):
        read_gold(file)


def test_a_file_without_a_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match=r"gold\.jsonl: holds no gold row"):
        read_gold(write(tmp_path, "", " "))


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
    turns = {
        "id": "t",
        "expected": ["x"],
        "turns": ["What is due?", "And when?"],
        "anchor_text": "see Section 7",
    }
    (only,) = read_gold(write(tmp_path, json.dumps(turns)))
    assert (only.query, only.history, only.anchor_text) == ("And when?", ("What is due?",), "see Section 7")
