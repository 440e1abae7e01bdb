"""Whole small files, read as files are: a pointer in a schedule in parts, and what its words say it leads to."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find
from deref.structure import build_document
from deref.values import Document, Resolution, Status

SUPPLY = """# MASTER SUPPLY AGREEMENT

This Master Supply Agreement (this "Agreement") is made between Alder Ltd and Birch plc.

## 1. Price

1.1 The price is set out in Part 2 of Schedule 2, and is adjusted under paragraph 1 thereof.

1.2 A refund is made under sub-clause 1.1, paragraph (b) of Clause 2.1 or Schedule 1's Part 2.

## 2. Cases

2.1 The cases are:

(a) overpayment; and

(b) a refund.

# Schedule 1 – Goods

## Part 1 – Specification

1. The Goods are those in the list.

2. Levels are measured monthly, as in paragraph 1.

## Part 2 – Delivery

1. Delivery is made under paragraph 2 of Part 1.

2. The lead time is ten days.

# Schedule 2 – Charges

## Part 1 – Fixed Charges

1. The fixed charges are paid at once, see Schedule 1, Part 2, paragraph 1.

## Part 2 – Variable Charges

1. Variable charges are paid later, unlike those of paragraph 1 of Schedule 2.
"""

AMENDMENT = """# AMENDMENT NO. 1

This Amendment amends the Master Supply Agreement (the "MSA").

1. The MSA's Clause 2.1 remains in force.
"""


def read(text: str, name: str) -> Document:
    return build_document(parse(text.encode(), doc=name, name=name), doc=name, name=name, fingerprint="")


def outcomes(*documents: Document) -> dict[str, Resolution]:
    resolver = Resolver(MemoryShelf(documents))
    return {r.text: resolver(r, documents[0]) for r in find(documents[0])}


@pytest.fixture(scope="module")
def supply() -> dict[str, Resolution]:
    return outcomes(read(SUPPLY, "supply.md"))


@pytest.mark.parametrize(
    ("pointer", "begins"),
    [
        ("paragraph 1 thereof", "1. Variable charges"),
        ("sub-clause 1.1", "1.1 The price"),
        ("paragraph (b) of Clause 2.1", "(b) a refund"),
        ("Schedule 1's Part 2", "## Part 2 – Delivery"),
        ("paragraph 1", "1. The Goods"),
        ("paragraph 2 of Part 1", "2. Levels"),
        ("Schedule 1, Part 2, paragraph 1", "1. Delivery"),
    ],
)
def test_a_paragraph_is_counted_in_the_part_that_the_words_name(
    supply: dict[str, Resolution], pointer: str, begins: str
) -> None:
    result = supply[pointer]
    assert result.status is Status.RESOLVED, result.why
    (place,) = result.targets
    line = (place.focus[0] if place.focus else place.lines).start
    assert read(SUPPLY, "supply.md").lines[line].text.startswith(begins)


def test_a_paragraph_of_a_schedule_whose_parts_each_have_one_is_ambiguous(
    supply: dict[str, Resolution],
) -> None:
    result = supply["paragraph 1 of Schedule 2"]
    assert result.status is Status.AMBIGUOUS
    assert len(result.targets) == 2


def test_the_reason_calls_a_paragraph_a_paragraph(supply: dict[str, Resolution]) -> None:
    assert supply["paragraph 2 of Part 1"].why == "It is paragraph 2 of part 1."


def test_a_short_form_may_own_a_clause() -> None:
    result = outcomes(read(AMENDMENT, "amendment.md"), read(SUPPLY, "supply.md"))["MSA's Clause 2.1"]
    assert result.status is Status.RESOLVED, result.why
    assert (result.targets[0].lines.doc, result.targets[0].label) == ("supply.md", "2.1")
