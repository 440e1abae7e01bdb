"""Numbers in brackets that are equations, and those that count the members of a list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.references import find
from deref.structure import build_document
from deref.values import Document, Item, ItemKind, Line, Parsed, ReferenceKind, Span

EQUATIONS = ("1", "2", "3", "4a", "7")


def document(*texts: str, equations: tuple[str, ...] = EQUATIONS) -> Document:
    lines = [
        Line(doc="d", n=n, page=1, row=n + 1, text=text, starts_block=n == 0) for n, text in enumerate(texts)
    ]
    lines.append(Line(doc="d", n=len(lines), page=1, row=len(lines) + 1, text="x = y", starts_block=True))
    built = build_document(
        Parsed(format="text", lines=tuple(lines)), doc="d", name="d.txt", fingerprint="test"
    )
    last = len(lines) - 1
    items = tuple(
        Item(
            id=f"d#i{n}",
            kind=ItemKind.EQUATION,
            label=label,
            caption="x = y",
            lines=Span(doc="d", start=last, end=last + 1),
        )
        for n, label in enumerate(equations)
    )
    return replace(built, items=items)


def found(*texts: str, equations: tuple[str, ...] = EQUATIONS) -> list[str]:
    references = find(document(*texts, equations=equations))
    return [label for r in references if r.kind is ReferenceKind.EQUATION for label in r.labels]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("By (2) and (3), it is plain.", ["2", "3"]),
        ("the field of the expression (1), has to be changed", ["1"]),
        ("Hence, using (1, 3, 4a), one can deduce that it holds.", ["1", "3", "4a"]),
        ("which follows from (7).", ["7"]),
        ("the relations (1)–(3) hold", ["1", "3"]),
    ],
)
def test_what_leads_to_a_formula_is_followed_by_its_number(text: str, labels: list[str]) -> None:
    assert found(text) == labels


@pytest.mark.parametrize(
    "text",
    [
        "They looked at (1) the hull, (2) the mast and (3) the keel.",
        "It consists of (1) ropes and (2) sails.",
        "By (9) it is plain.",
        "The crew (3) went home.",
        "as in f (2) and g (3) above",
        "the first is in(1), the second in(2).",
    ],
)
def test_numbers_that_count_or_that_are_no_equation_are_none(text: str) -> None:
    assert found(text) == []


def test_a_lead_at_the_end_of_the_line_before_counts() -> None:
    assert found("and this, by", "(2), is plain.") == ["2"]


def test_a_document_with_few_equations_has_no_bare_ones() -> None:
    assert found("By (1), it is plain.", equations=("1", "2")) == []
