"""One answer against its gold row, and figures over many: what each share is taken over."""

from __future__ import annotations

from typing import Any

import pytest

from deref.evaluate.answers.comparison import compare_arms
from deref.evaluate.answers.figures import counts, slices, summary
from deref.evaluate.answers.judge import Cost, Judgement, judge
from deref.evaluate.gold import GoldRow
from deref.parse import parse
from deref.structure.build import build_document
from deref.values import (
    Answer,
    Arrived,
    Citation,
    Completeness,
    Condition,
    Document,
    Origin,
    Point,
    Reference,
    ReferenceKind,
    Resolution,
    Span,
    Status,
)

TEXT = "A cart pays the sum of Section 7.\n\nTwo pence is due.\n"


def read(doc: str) -> Document:
    parsed = parse(TEXT.encode(), doc=doc, name="road.md")
    return build_document(parsed, doc=doc, name="road.md", fingerprint="test")


def row(*expected: str, match: str = "any", anchor_text: str = "", **dimensions: Any) -> GoldRow:
    return GoldRow(
        id="g1", query="q", expected=expected, match=match, expected_sources=(), corpus="", dimensions=dimensions,
        anchor_text=anchor_text,
    )  # fmt: skip


def cited(
    quote: str, arrived: Arrived = Arrived.PRIMARY, source: str = "road.md", lines: tuple[int, int] = (0, 3)
) -> Citation:
    span = Span(doc="d", start=lines[0], end=lines[1])
    return Citation(
        source=source, lines=span, page=1, row=1, end_page=1, end_row=1, boxes=(), quote=quote, arrived=arrived
    )  # fmt: skip


def pointing(status: Status) -> Resolution:
    at = Point(doc="d", line=0, char_start=0, char_end=1)
    reference = Reference(text="Annex C", kind=ReferenceKind.ANNEX, labels=("C",), at=at)
    return Resolution(reference=reference, status=status, targets=(), tier=None, why="")


def answered(
    *citations: Citation, completeness: Completeness = Completeness.COMPLETE, text: str = "", **more: Any
) -> Answer:
    return Answer(
        text=text, citations=citations, pending=more.pop("pending", ()), completeness=completeness, **more
    )


REFUSED = answered(completeness=Completeness.NOT_FOUND)


@pytest.mark.parametrize(
    ("gold", "answer", "outcome", "right"),
    [
        (row("two pence"), answered(cited("pays two pence")), "right", True),
        (row("two pence"), answered(cited("pays two"), cited("pence a cart")), "right", True),
        (row("two pence"), answered(text="It pays two\npence."), "right", True),
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
    judged = judge(gold, answer, read)
    assert (judged.outcome, judged.right) == (outcome, right)
    assert judged.completeness == answer.completeness.value


def test_by_reference_counts_only_quotes_that_arrived_so() -> None:
    gold = row("two pence")
    assert judge(gold, answered(cited("two pence", Arrived.REFERENCE)), read).by_reference
    assert not judge(gold, answered(cited("two pence")), read).by_reference


def test_a_fact_in_the_text_that_no_quote_bears_out_is_not_operative() -> None:
    gold = row("two pence", anchor_text="the sum of Section 7")
    only_said = judge(gold, answered(cited("the sum of Section 7"), text="two pence"), read)
    assert (only_said.fact, only_said.operative) == (True, False)
    assert judge(gold, answered(cited("two pence"), text="two pence"), read).operative


def test_a_quote_of_another_document_than_the_expected_one_is_not_operative() -> None:
    gold = GoldRow(id="g", query="q", expected=("two pence",), match="any", expected_sources=("road.md",), corpus="", dimensions={})  # fmt: skip
    other = answered(cited("two pence", source="inn.md"), cited("the sum", source="road.md"))
    assert judge(gold, other, read).fact
    assert not judge(gold, other, read).operative


def test_a_citation_is_to_the_point_with_the_fact_or_with_the_pointer_at_it() -> None:
    gold = row("two pence", anchor_text="A cart pays the sum of Section 7.")
    answer = answered(cited("two pence is due"), cited("A cart pays the sum of Section 7."), cited("geese"))
    assert (judge(gold, answer, read).to_the_point, judge(gold, answer, read).citations) == (2, 3)


def test_a_quote_is_verbatim_when_its_lines_say_so() -> None:
    assert judge(row("x"), answered(cited("Two pence is due.")), read).verbatim == 1
    assert judge(row("x"), answered(cited("Two shillings are due.")), read).verbatim == 0
    assert judge(row("x"), answered(cited("Two pence is due.", lines=(0, 1))), read).verbatim == 0


def judged(gold: GoldRow, answer: Answer, key: str = "k", cost: Cost | None = None) -> Judgement:
    return judge(gold, answer, read, key=key, cost=cost)


def test_shares_are_taken_over_the_rows_that_they_are_about() -> None:
    condition = Condition(text="if", at=Origin(source="road.md", page=1, line=0, row=1))
    rows = [
        judged(row("two pence", anchor_text="Section 7", kind="condition"), answered(cited("two pence", Arrived.REFERENCE), conditions=(condition,))),
        judged(row("a crown", anchor_text="Section 8"), answered(cited("Section 8"))),
        judged(row("a horse"), REFUSED),
        judged(row(status="unanswerable"), REFUSED),
        judged(row(status="unanswerable"), answered(cited("geese"))),
        judged(row(status="external"), answered(external=(pointing(Status.EXTERNAL),))),
    ]  # fmt: skip
    assert counts(rows) == {
        "fact": (1, 3),
        "operative": (1, 1),
        "by_reference": (1, 2),
        "to_the_point": (2, 2),
        "verbatim": (0, 3),
        "named": (1, 1),
        "refusal_precision": (1, 2),
        "refusal_recall": (1, 2),
        "conditions": (1, 1),
    }


def test_a_share_of_nothing_is_left_out_and_costs_are_means_but_for_the_median_of_ms() -> None:
    rows = [
        judged(row("x"), answered(cited("x")), cost=Cost(read=read_, passes=2, ms=ms))
        for read_, ms in ((10, 1.0), (20, 2.0), (60, 90.0))
    ]
    told = summary(rows)
    assert "refusal_recall" not in told
    assert (told["fact"], told["read"], told["passes"], told["ms"]) == (1.0, 30.0, 2.0, 2.0)


def test_those_behind_a_pointer_alone_are_the_first_part() -> None:
    rows = [judged(row("x", kind="a", pointer_only=p), answered(cited("x"))) for p in (False, True)]
    assert list(slices(rows)) == ["pointer_only=true", "pointer_only=false"]


def test_arms_are_compared_row_by_row_by_what_was_asked_of_each() -> None:
    one = [judged(row("x"), answered(cited("x")), "a"), judged(row(status="unanswerable"), REFUSED, "b")]
    other = [judged(row("x"), answered(cited("y")), "a"), judged(row(status="unanswerable"), REFUSED, "b")]
    told = compare_arms("loop", one, "no loop", other)
    assert told.flips["right"].gained == ("a",)
    assert told.flips["fact"].gained == ("a",)
    assert (told.flips["refused"].gained, told.flips["refused"].lost) == ((), ())
    assert told.differences["fact"].rows == 1
    assert told.differences["right"].mean == 0.5
