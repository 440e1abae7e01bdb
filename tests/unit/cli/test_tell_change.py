"""What is told of a reference whose outcome changed."""

from __future__ import annotations

from typing import Any

from deref.cli.tell import tell_change


def _outcome(title: str) -> dict[str, Any]:
    target = {
        "source": "rules.md", "page": 1, "row": 13, "kind": "section", "label": "2.2", "title": title, "focus_at": [],
    }  # fmt: skip
    return {"status": "resolved", "tier": "label", "why": "", "targets": [target]}


def test_titles_are_told_whole_so_that_their_difference_is_seen() -> None:
    before = "A late payment costs 25 euro for each week, unless Section 9.9 …"
    after = before.replace("9.9", "2.1")
    told = tell_change(
        {
            "page": 1, "row": 5, "text": "Section 2.2", "change": "changed",
            "was": _outcome(before), "now": _outcome(after),
            "because": [{"source": "rules.md", "what": "changed", "before": None}],
        }
    )  # fmt: skip
    assert f"“{before}”" in told and f"“{after}”" in told
