"""A document that arrives, leaves, changes or changes its name: what pointed at it points anew, and says since when."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from e2e.shell import Shell

AGREEMENT = """# Master Supply Agreement

## 1 Fees

The monthly fee is the one listed in Exhibit B. Deliveries follow Exhibit C.

## 2 Late payment

Interest is due as Section 3 of the Payment Policy says.
"""
POLICY = """# Payment Policy

## 1 Scope

All invoices of the year.

## 2 Terms

Thirty days after the invoice.

## 3 Interest

Nine percent a year.
"""
FEES = "# Fee table\n\nThe monthly fee is 1,200 crowns for each warehouse.\n"


class Shelf:
    """A folder of files, and what the commands say of it."""

    def __init__(self, root: Path) -> None:
        self.folder, self.library = root / "papers", root / "library"
        self.folder.mkdir()
        self.shell = Shell(self.library)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name.replace('_', '-')}.md").write_text(text)

    def outcomes(self) -> dict[str, str]:
        return {row["path"]: row["outcome"] for row in self.shell("index", self.folder, "--json").rows()}

    def ends(self) -> dict[str, tuple[str, list[str]]]:
        rows = self.shell("refs", self.folder, "--json").rows()
        return {row["text"]: (row["status"], [_told(t) for t in row["targets"]]) for row in rows}

    def whys(self) -> dict[str, str]:
        return {row["text"]: row["why"] for row in self.shell("refs", self.folder, "--json").rows()}

    def changes(self, when: str = "last") -> list[dict[str, Any]]:
        ran = self.shell("refs", self.folder, "--changed-since", when, "--json")
        assert ran.code == 0, ran.err
        return ran.rows()

    def written(self) -> Mapping[str, str]:
        """Return the revision of each document: every write of a document gives it a new one."""
        with sqlite3.connect(self.library / "catalogue.db") as catalogue:
            return dict(catalogue.execute("SELECT name, revision FROM documents").fetchall())

    def ids(self) -> Mapping[str, str]:
        with sqlite3.connect(self.library / "catalogue.db") as catalogue:
            return dict(catalogue.execute("SELECT name, id FROM documents").fetchall())


def _told(target: dict[str, Any]) -> str:
    return " ".join(str(v) for v in (target["source"], target["label"], target["title"]) if v)


def _ends(change: dict[str, Any]) -> tuple[str | None, str | None]:
    was, now = change["was"], change["now"]
    return was and was["status"], now and now["status"]


def _moves(change: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(m["source"], m["what"], m["before"]) for m in change["because"]]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    made = Shelf(tmp_path)
    made.write(agreement=AGREEMENT, payment_policy=POLICY)
    assert set(made.outcomes().values()) == {"added"}
    return made


def test_an_exhibit_that_arrives_is_found_and_nothing_else_is_read_again(shelf: Shelf) -> None:
    assert shelf.ends()["Exhibit B"] == ("dangling", [])
    before = shelf.written()
    shelf.write(exhibit_b=FEES)
    assert shelf.outcomes() == {
        "agreement.md": "unchanged",
        "exhibit-b.md": "added",
        "payment-policy.md": "unchanged",
    }
    assert {name: r for name, r in shelf.written().items() if name in before} == before
    assert shelf.ends()["Exhibit B"] == ("resolved", ["exhibit-b.md Fee table"])
    (change,) = shelf.changes()
    assert (change["source"], change["text"], change["change"]) == ("agreement.md", "Exhibit B", "changed")
    assert _ends(change) == ("dangling", "resolved")
    assert change["now"]["targets"] == change["targets"]
    assert _moves(change) == [("exhibit-b.md", "arrived", None)]


def test_an_exhibit_that_leaves_leaves_its_pointers_as_they_were_before(shelf: Shelf) -> None:
    why = shelf.whys()["Exhibit B"]
    shelf.write(exhibit_b=FEES)
    shelf.outcomes()
    (shelf.folder / "exhibit-b.md").unlink()
    before = shelf.written()
    assert shelf.outcomes()["exhibit-b.md"] == "removed"
    assert shelf.written() == {name: r for name, r in before.items() if name != "exhibit-b.md"}
    assert shelf.ends()["Exhibit B"] == ("dangling", [])
    assert shelf.whys()["Exhibit B"] == why
    (change,) = shelf.changes()
    assert _ends(change) == ("resolved", "dangling")
    assert [t["source"] for t in change["was"]["targets"]] == ["exhibit-b.md"]
    assert _moves(change) == [("exhibit-b.md", "left", None)]


def test_a_file_that_is_renamed_is_found_by_its_new_name_and_keeps_its_identity(shelf: Shelf) -> None:
    shelf.write(exhibit_b=FEES)
    shelf.outcomes()
    doc = shelf.ids()["exhibit-b.md"]
    assert shelf.ends()["Exhibit C"] == ("dangling", [])
    (shelf.folder / "exhibit-b.md").rename(shelf.folder / "exhibit-c.md")
    before = shelf.written()
    assert shelf.outcomes()["exhibit-c.md"] == "renamed"
    assert shelf.ids()["exhibit-c.md"] == doc
    assert {n: r for n, r in shelf.written().items() if n != "exhibit-c.md"} == {
        n: r for n, r in before.items() if n != "exhibit-b.md"
    }
    ends = shelf.ends()
    assert ends["Exhibit B"] == ("dangling", [])
    assert ends["Exhibit C"][0] == "resolved"
    changes = shelf.changes()
    assert [(c["text"], _ends(c)) for c in changes] == [
        ("Exhibit B", ("resolved", "dangling")),
        ("Exhibit C", ("dangling", "resolved")),
    ]
    assert all(_moves(c) == [("exhibit-c.md", "renamed", "exhibit-b.md")] for c in changes)


def test_a_copy_gives_its_name_when_the_file_that_gave_it_is_gone(shelf: Shelf) -> None:
    shelf.write(exhibit_b=FEES, exhibit_c=FEES)
    assert shelf.outcomes()["exhibit-c.md"] == "copy"
    ends = shelf.ends()
    assert (ends["Exhibit B"][0], ends["Exhibit C"][0]) == ("resolved", "dangling")
    (shelf.folder / "exhibit-b.md").unlink()
    outcomes = shelf.outcomes()
    assert (outcomes["exhibit-b.md"], outcomes["exhibit-c.md"]) == ("removed", "renamed")
    ends = shelf.ends()
    assert (ends["Exhibit B"][0], ends["Exhibit C"][0]) == ("dangling", "resolved")
    assert [_moves(c) for c in shelf.changes()] == [[("exhibit-c.md", "renamed", "exhibit-b.md")]] * 2
    assert set(shelf.outcomes().values()) == {"unchanged"}


def test_a_file_that_changes_no_name_that_is_used_changes_no_outcome(shelf: Shelf) -> None:
    (shelf.folder / "payment-policy.md").rename(shelf.folder / "payments.md")
    assert shelf.outcomes()["payments.md"] == "renamed"
    assert shelf.changes() == []
    told = shelf.shell("refs", shelf.folder, "--changed-since", "last").out
    assert told == "No reference comes to another end than it did then.\n"


def test_a_section_that_is_renumbered_turns_the_pointers_of_other_documents(shelf: Shelf) -> None:
    words = "Section 3 of the Payment Policy"
    assert shelf.ends()[words] == ("resolved", ["payment-policy.md 3 Interest"])
    shelf.write(payment_policy=POLICY.replace("## 3 Interest", "## 3 Reminders\n\nTwo.\n\n## 4 Interest"))
    before = shelf.written()["agreement.md"]
    assert shelf.outcomes()["payment-policy.md"] == "changed"
    assert shelf.written()["agreement.md"] == before
    assert shelf.ends()[words] == ("resolved", ["payment-policy.md 3 Reminders"])
    (change,) = shelf.changes()
    assert [_told(t) for t in change["was"]["targets"]] == ["payment-policy.md 3 Interest"]
    assert [_told(t) for t in change["now"]["targets"]] == ["payment-policy.md 3 Reminders"]
    assert _moves(change) == [("payment-policy.md", "changed", None)]
    told = shelf.shell("refs", shelf.folder, "--changed-since", "last").out
    assert "was resolved → payment-policy.md p. 1, l. 11 (section 3 “Interest”)" in told
    assert "now resolved → payment-policy.md p. 1, l. 11 (section 3 “Reminders”)" in told
    assert "because payment-policy.md changed" in told


def test_a_reference_is_the_same_one_after_its_lines_shifted_and_its_section_was_renumbered(
    shelf: Shelf,
) -> None:
    later = AGREEMENT.replace("## 2 Late", "## 3 Late").replace(
        "## 1 Fees", "## 1 Parties\n\nAs Section 2 says.\n\n## 2 Fees"
    )
    shelf.write(agreement=later)
    (change,) = shelf.changes()
    assert (change["text"], change["change"], change["was"]) == ("Section 2", "new", None)
    assert _moves(change) == [("agreement.md", "changed", None)]
    shelf.write(agreement=AGREEMENT)
    (change,) = shelf.changes()
    assert (change["text"], change["change"], change["now"]) == ("Section 2", "gone", None)


def test_an_answer_follows_a_file_that_arrived_before_the_same_command(shelf: Shelf) -> None:
    question = "What is the monthly fee?"
    first = shelf.shell("ask", shelf.folder, question, "--json").values()
    assert "1,200" not in first["text"]
    shelf.write(exhibit_b=FEES)
    answer = shelf.shell("ask", shelf.folder, question, "--json").values()
    followed = [c for c in answer["citations"] if c["arrived"] == "reference"]
    assert [(c["source"], c["reference"]) for c in followed] == [("exhibit-b.md", "Exhibit B")]
    assert "1,200" in answer["text"]
    (shelf.folder / "exhibit-b.md").unlink()
    assert shelf.shell("ask", shelf.folder, question, "--json").values()["text"] == first["text"]


def test_several_runs_back_and_only_some_documents(shelf: Shelf) -> None:
    shelf.write(exhibit_b=FEES)
    shelf.outcomes()
    shelf.write(exhibit_c="# Deliveries\n\nEach Monday, as the Payment Policy says.\n")
    shelf.outcomes()
    assert [(c["source"], c["text"]) for c in shelf.changes()] == [
        ("agreement.md", "Exhibit C"),
        ("exhibit-c.md", "Payment Policy"),
    ]
    ran = shelf.shell("refs", shelf.folder, "--changed-since", "1s", "--source", "nobody.md")
    assert (ran.code, "no document is or was called 'nobody.md'" in ran.err) == (2, True)
    ran = shelf.shell(
        "refs", shelf.folder, "--changed-since", "last", "--source", "agreement.md", "--status", "resolved"
    )
    assert "Exhibit C" in ran.out
    assert "Payment Policy" not in ran.out


def test_a_shelf_is_compared_with_how_it_was_at_a_time(shelf: Shelf) -> None:
    with sqlite3.connect(shelf.library / "catalogue.db") as catalogue:
        (at_ns,) = catalogue.execute("SELECT MAX(since_ns) FROM documents").fetchone()
    shelf.write(exhibit_b=FEES)
    shelf.outcomes()
    (shelf.folder / "exhibit-b.md").rename(shelf.folder / "exhibit-c.md")
    shelf.outcomes()
    when = datetime.fromtimestamp(at_ns // 1000 / 1e6 + 0.001, tz=UTC).isoformat()
    (change,) = shelf.changes(when)
    assert (change["text"], _ends(change)) == ("Exhibit C", ("dangling", "resolved"))


@pytest.mark.parametrize(
    ("when", "says"),
    [
        ("yesterday", "give a date (2026-03-31)"),
        ("2999-01-01", "still to come"),
        ("2000-01-01", "is known from"),
        ("520w", "is known from"),
    ],
)
def test_a_time_that_is_none_or_of_which_nothing_is_known_is_refused(
    shelf: Shelf, when: str, says: str
) -> None:
    ran = shelf.shell("refs", shelf.folder, "--changed-since", when)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_a_library_that_keeps_nothing_says_so(shelf: Shelf) -> None:
    (shelf.folder / "payment-policy.md").unlink()
    assert shelf.shell("index", shelf.folder, DEREF_HISTORY_DAYS="0").code == 0
    with sqlite3.connect(shelf.library / "catalogue.db") as catalogue:
        assert catalogue.execute("SELECT COUNT(*) FROM former").fetchone() == (0,)
    ran = shelf.shell("refs", shelf.folder, "--changed-since", "last")
    assert (ran.code, "is known from" in ran.err) == (2, True)
