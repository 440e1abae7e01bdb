"""What tells a document that is written as law: its beginning, whatever tables and forms stand behind it."""

from __future__ import annotations

import pytest

from deref.structure.legal import is_legal

BODY = [
    "The holder must keep the tool as this Rule says.",
    *["The tool is kept dry and clean by its holder."] * 30,
]
TABLE = ["Hammer, weight, price, year and place of making, in the order of the list."] * 30


@pytest.mark.parametrize(("times", "tables", "law"), [(200, 0, True), (200, 600, True), (0, 200, False)])
def test_tables_behind_the_body_of_a_rulebook_make_it_no_less_a_law(
    times: int, tables: int, law: bool
) -> None:
    assert is_legal(BODY * times + TABLE * tables) is law
