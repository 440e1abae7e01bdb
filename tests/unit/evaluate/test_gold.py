"""Gold questions: read strictly, compared kindly, judged by what the answer holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deref.errors import DamagedFile, NoSuchSource
from deref.evaluate.answers import evaluate_answers, judge
from deref.evaluate.gold import GoldRow, folded_text, read_gold
from deref.values import (
    Answer,
    Arrived,
    Citation,
    Completeness,
    Point,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
)


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
    with pytest.raises(DamagedFile, match=r"gold\.jsonl, line 3: not a gold row.*needs id, query, expected"):
        read_gold(file)


def test_a_gold_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoSuchSource, match=r"gone\.jsonl"):
        read_gold(tmp_path / "gone.jsonl")
    (tmp_path / "raw.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NoSuchSource, match=r"raw\.jsonl"):
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


def cited(quote: str, arrived: Arrived = Arrived.PRIMARY) -> Citation:
    lines = Span(doc="d", start=0, end=1)
    return Citation(
        source="d.md",
        lines=lines,
        page=1,
        row=1,
        end_page=1,
        end_row=1,
        boxes=(),
        quote=quote,
        arrived=arrived,
    )


def pointing(status: Status) -> Resolution:
    at = Point(doc="d", line=0, char_start=0, char_end=1)
    reference = Reference(text="Annex C", kind=ReferenceKind.ANNEX, labels=("C",), at=at)
    return Resolution(reference=reference, status=status, targets=(), tier=None, why="")


def answered(*citations: Citation, completeness: Completeness = Completeness.COMPLETE, **more: Any) -> Answer:
    return Answer(
        text="", citations=citations, pending=more.pop("pending", ()), completeness=completeness, **more
    )


REFUSED = answered(completeness=Completeness.NOT_FOUND)


@pytest.mark.parametrize(
    ("gold", "answer", "outcome", "right"),
    [
        (row("two pence"), answered(cited("pays two pence")), "right", True),
        (row("two pence"), answered(cited("pays two"), cited("pence a cart")), "right", True),
        (row("two pence"), answered(cited("pays a shilling")), "missed", False),
        (row("two pence"), answered(), "missed", False),
        (row("two pence"), REFUSED, "refused", False),
        (row(status="unanswerable"), REFUSED, "refused", True),
        (row(status="unanswerable"), answered(cited("x")), "answered", False),
        (row(status="external"), answered(external=(pointing(Status.EXTERNAL),)), "named", True),
        (row(status="dangling"), answered(pending=(pointing(Status.DANGLING),)), "named", True),
        (row(status="dangling"), answered(pending=(pointing(Status.AMBIGUOUS),)), "missed", False),
        (row(status="external"), REFUSED, "missed", False),
    ],
)
def test_each_answer_has_its_outcome(gold: GoldRow, answer: Answer, outcome: str, right: bool) -> None:
    verdict = judge(gold, answer)
    assert (verdict.outcome, verdict.right) == (outcome, right)
    assert verdict.completeness == answer.completeness.value


def test_by_reference_counts_only_quotes_that_arrived_so() -> None:
    gold = row("two pence")
    assert judge(gold, answered(cited("two pence", Arrived.REFERENCE))).by_reference
    assert not judge(gold, answered(cited("two pence"))).by_reference


def test_the_kind_of_a_row_is_its_kind_its_topic_or_its_status() -> None:
    assert judge(row(kind="table"), REFUSED).kind == "table"
    assert judge(row(topic="tolls"), REFUSED).kind == "tolls"
    assert judge(row(status="external"), REFUSED).kind == "external"


def test_every_row_gets_a_verdict_in_order() -> None:
    gold = [row("two pence"), row(status="unanswerable")]
    asked: list[str] = []

    def ask(question: str) -> Answer:
        asked.append(question)
        return REFUSED

    assert [v.right for v in evaluate_answers(ask, gold)] == [False, True]
    assert asked == ["q", "q"]
