"""Schedules, annexes and exhibits count their own 1, 2, 3: a number means those or the body's by where and how it is said."""

from __future__ import annotations

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find
from deref.structure import build_document
from deref.values import Document, Resolution, Status

AGREEMENT = """# Supply Agreement

## 1. Goods

The Supplier sells. See Section 4 and paragraph 3 of Schedule 1.

## 2. Price

The price under section 3 is due.

## 3. Delivery

In thirty days.

## Schedule 1

### 1. Colours

Red, as section 2 says; clause 2 of this Agreement sets the price.

### 2. Weights

Heavy.

### 3. Boxes

In boxes.

### 4. Lids

With lids.
"""
HANDBOOK = """# Staff Handbook

## 1. Hours

We work from nine. See section 3 and section 2 of Annex A.

## 2. Leave

Thirty days.

## 3. Pay

Monthly.

## Annex A

## 1. Forms

See section 3.

## 2. Letters

Two.

## 3. Cards

Three.
"""
GOING_ON = """# Hire Terms

## 1. Goods

The Owner hires out under section 4 of Annex A.

## 2. Price

Ten a day.

## Annex A

### 3. Fees

Five.

### 4. Costs

Six.
"""


def _read(text: str) -> Document:
    parsed = parse(text.encode(), name="home.md", doc="home")
    return build_document(parsed, doc="home", name="home.md", fingerprint="test")


def _outcomes(text: str) -> dict[str, Resolution]:
    home = _read(text)
    resolver = Resolver(MemoryShelf([home]))
    return {r.text: resolver(r, home) for r in find(home)}


def _title(outcome: Resolution) -> str:
    assert outcome.status is Status.RESOLVED, outcome.why
    return outcome.targets[0].title


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("section 3", "Delivery"),
        ("paragraph 3 of Schedule 1", "Boxes"),
        ("section 2", "Weights"),
        ("clause 2 of this Agreement", "Price"),
    ],
)
def test_a_number_means_the_schedule_around_it_and_the_body_elsewhere(said: str, title: str) -> None:
    assert _title(_outcomes(AGREEMENT)[said]) == title


def test_a_number_that_only_a_schedule_counts_is_missing_in_the_body() -> None:
    outcome = _outcomes(AGREEMENT)["Section 4"]
    assert outcome.status is Status.DANGLING
    assert outcome.why == "The only section 4 in this document is that of schedule 1, which counts its own."


def test_an_exhibit_that_holds_the_terms_may_be_meant_by_a_number_that_only_it_has() -> None:
    held = AGREEMENT.replace("## Schedule 1", "## Exhibit A\n\n### Terms of Supply")
    assert _title(_outcomes(held.replace("Schedule 1", "Exhibit A"))["Section 4"]) == "Lids"


def test_this_agreement_in_an_exhibit_that_is_one_itself_means_the_exhibit() -> None:
    held = AGREEMENT.replace("## Schedule 1", "## Exhibit A\n\n### Form of Hire Agreement")
    assert _title(_outcomes(held)["clause 2 of this Agreement"]) == "Weights"


def test_an_annex_marked_as_high_as_its_paragraphs_holds_them_where_they_start_over() -> None:
    outcomes = _outcomes(HANDBOOK)
    assert _title(outcomes["section 2 of Annex A"]) == "Letters"
    assert [(s.label, s.level) for s in _read(HANDBOOK).sections][-4:] == [
        ("A", 2),
        ("1", 3),
        ("2", 3),
        ("3", 3),
    ]


def test_paragraphs_of_an_annex_that_count_on_from_the_body_are_its_parts() -> None:
    assert _title(_outcomes(GOING_ON)["section 4 of Annex A"]) == "Costs"
