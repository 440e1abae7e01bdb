"""A reference on one line: where its target is, and what of it is meant."""

from __future__ import annotations

from typing import Any

from deref.cli.tell import tell_reference


def _target(row: int, *focus: list[int]) -> dict[str, Any]:
    return {
        "source": "fees.pdf", "page": 1, "row": row, "kind": "table", "label": "B-1", "title": "Charges", "focus_at": focus,
    }  # fmt: skip


def _told(*targets: dict[str, Any], selector: str | None = None, why: str = "It is table B-1.") -> str:
    return tell_reference(
        {
            "page": 4, "row": 13, "text": "Table B-1", "status": "resolved", "selector": selector, "why": why,
            "targets": targets,
        }
    )  # fmt: skip


def test_a_row_that_is_picked_is_told_by_its_own_line() -> None:
    assert _told(_target(11, [1, 28], [2, 3]), selector="rows (E) and (F)") == (
        "p. 4, l. 13: “Table B-1” resolved → fees.pdf p. 1, l. 28 and p. 2, l. 3 (in table B-1)"
    )


def test_a_row_that_is_not_there_is_told_with_the_whole() -> None:
    missed = "It is table B-1, but no row (Z) was found in it."
    assert _told(_target(11), selector="row (Z)", why=missed).endswith(
        "fees.pdf p. 1, l. 11 (table B-1): It is table B-1, but no row (Z) was found in it."
    )


def test_targets_that_are_not_told_are_counted() -> None:
    told = _told(*(_target(row) for row in range(1, 6)))
    assert told.count("fees.pdf") == 3 and told.endswith("l. 3 (table B-1); and 2 more")
