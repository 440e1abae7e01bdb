"""What the terminal says below an answer: pointers that were followed for nothing that is quoted, and what is amended."""

from __future__ import annotations

from typing import Any

import pytest

from deref.cli.tell import tell_answer
from deref.values import (
    Amendment,
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


def _followed(text: str) -> Resolution:
    at = Point(doc="d", line=0, char_start=0, char_end=1)
    reference = Reference(text=text, kind=ReferenceKind.SECTION, labels=(), at=at)
    return Resolution(reference=reference, status=Status.RESOLVED, targets=(), tier=None, why="it is there")


def _row(resolution: Resolution) -> dict[str, Any]:
    text = resolution.reference.text
    labels = text.split()[1::2]
    return {
        "text": text, "labels": labels, "targets": [{"source": "mill.md", "page": int(n), "label": n} for n in labels[-1:]],
    }  # fmt: skip


def test_they_stand_on_one_line_with_their_places(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(
        text="so", citations=(), pending=(), completeness=Completeness.COMPLETE,
        unquoted=(_followed("Section 2"), _followed("Annex 7"), _followed("Sections 4 to 6")),
    )  # fmt: skip
    tell_answer(answer, _row)
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[lines.index("Followed") + 1]
        == "  read and not quoted: “Section 2” (mill.md, p. 2); “Annex 7” (mill.md, p. 7); “Sections 4 to 6”: 6 (mill.md, p. 6)"
    )


def test_nothing_is_said_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    tell_answer(Answer(text="so", citations=(), pending=(), completeness=Completeness.COMPLETE), _row)
    assert "Followed" not in capsys.readouterr().out


def _cited(source: str) -> Citation:
    return Citation(
        source=source, lines=Span(doc=source, start=4, end=5), page=1, row=5, end_page=1, end_row=5, boxes=(), quote="so",
        arrived=Arrived.PRIMARY,
    )  # fmt: skip


def test_a_paper_that_amends_two_quotes_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(
        text="so", citations=(_cited("mill.md"), _cited("weir.md"), _cited("deed.md")), pending=(),
        completeness=Completeness.COMPLETE,
        amendments=(Amendment(amended=1, amending=3), Amendment(amended=2, amending=3)),
    )  # fmt: skip
    tell_answer(answer, _row)
    lines = capsys.readouterr().out.splitlines()
    assert lines[lines.index("Amended") + 1] == "  [1], [2] by [3] — deed.md, p. 1, l. 5"
