"""The words that lead a list in are quoted with a point of it; those that lead in a whole paper are not quoted with a clause."""

from __future__ import annotations

from deref.answer.named import lead_in
from unit.references.small_documents import document

CLAUSE = "RENT. " + "The rent of the mill is nine pounds a quarter, and is paid at the door. " * 3


def above(text: str, begins: str) -> str | None:
    home = document(text)
    span = next(s.lines for s in home.sections if home.text(s.lines).startswith(begins))
    found = lead_in(home, span)
    return None if found is None else home.text(found)


def test_a_point_has_what_leads_its_list_in() -> None:
    text = f"# Deed\n## 4 Duties\n\nThe Tenant shall:\n\n### 4.1 {CLAUSE}\n### 4.2 {CLAUSE}"
    assert above(text, "4.2") == "The Tenant shall:"


def test_a_clause_has_not_what_leads_in_the_whole_paper() -> None:
    assert above(f"# Deed\n\nThe parties agree as follows:\n\n## 1 {CLAUSE}\n## 2 {CLAUSE}", "2 ") is None


def test_what_has_a_heading_of_its_own_is_no_point() -> None:
    assert above("# Deed\n## 4 Duties\n\nThe Tenant shall:\n\n### 4.1 Rent\n\nIt pays.", "4.1") is None
