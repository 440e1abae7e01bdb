"""Tokens at rest, labels of uploads, problems, who is on this machine, and what outlives a restart."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from deref import errors
from deref.errors import DerefError, LibraryError, NoSuchSource, UnsupportedFile, UsageError
from deref.serve.access import LOCAL, Caller, Role
from deref.serve.api.security import is_loopback
from deref.serve.libraries import from_text, served
from deref.serve.problems import problem_of
from deref.serve.records import Records, State
from deref.serve.tokens import TokenFile
from deref.serve.uploads import file_label, label
from deref.values import Scope

# Tokens


def test_the_file_holds_no_token_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "deep" / "tokens.json")
    token, secret = tokens.add("Ada", Role.WRITE, collections=["hr", "legal"], libraries=["deals"])
    text = tokens.path.read_text()
    assert secret not in text and secret.removeprefix("deref_") not in text
    assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600
    assert TokenFile(tokens.path).caller(secret) == Caller(
        name=token.id, role=Role.WRITE, libraries=frozenset(["deals"]), scope=Scope(collections=frozenset(["hr", "legal"])),
    )  # fmt: skip
    assert tokens.caller(secret[:-1]) is None
    assert tokens.caller("") is None


def test_a_change_by_another_process_is_seen(tmp_path: Path) -> None:
    mine, other = TokenFile(tmp_path / "tokens.json"), TokenFile(tmp_path / "tokens.json")
    assert list(mine.tokens()) == []
    one, secret = other.add("one", Role.READ)
    assert mine.caller(secret) is not None
    two, _ = other.add("two", Role.READ)
    assert [t.id for t in mine.tokens()] in ([one.id, two.id], [two.id, one.id])
    other.remove("one")
    assert mine.caller(secret) is None


def test_a_token_is_removed_by_id_or_by_a_label_of_its_own(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    one, _ = tokens.add("team", Role.READ)
    two, _ = tokens.add("other team", Role.READ)
    with pytest.raises(UsageError, match="team: a token has that label already; give another one"):
        tokens.add("team", Role.WRITE)
    with pytest.raises(UsageError, match="nobody: there is no such token"):
        tokens.remove("nobody")
    assert tokens.remove(one.id).id == one.id
    assert tokens.remove("other team").id == two.id
    assert list(tokens.tokens()) == []


def test_two_tokens_of_one_label_in_a_file_of_a_version_before_are_removed_by_id(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    one, _ = tokens.add("team", Role.READ)
    tokens.add("other", Role.READ)
    tokens.path.write_text(tokens.path.read_text().replace('"other"', '"team"'))
    with pytest.raises(UsageError, match="team: several tokens have that label; give an id"):
        tokens.remove("team")
    assert tokens.remove(one.id).id == one.id


@pytest.mark.parametrize(
    "text", ["", "[]", '{"schema": 9, "tokens": []}', '{"schema": 1, "tokens": [{"id": "a"}]}']
)
def test_a_file_that_holds_no_tokens_is_an_error_and_not_an_empty_list(tmp_path: Path, text: str) -> None:
    file = tmp_path / "tokens.json"
    file.write_text(text)
    with pytest.raises(LibraryError, match=r"nobody can be let in: .*tokens\.json: no tokens can be read"):
        TokenFile(file).caller("deref_x")
    with pytest.raises(UsageError, match=r"tokens\.json: no tokens can be read from it .*; mend it"):
        TokenFile(file).tokens()


def test_roles_include_those_below() -> None:
    assert [[one.includes(other) for other in Role] for one in Role] == [
        [True, False, False], [True, True, False], [True, True, True],
    ]  # fmt: skip
    limited = Caller(name="a", role=Role.ADMIN, scope=Scope(collections=frozenset(["hr"])))
    assert (limited.owns("a"), limited.owns("b"), LOCAL.owns("b")) == (True, False, True)


# Labels


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Lease 2.pdf", "Lease 2.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ada\\Lease.PDF", "Lease.PDF"),
        ("..", None),
        ("/", None),
        ("", None),
        ("\u202egpj.fdp.md", "_gpj.fdp.md"),
        ("a:b*c?.md", "a_b_c_.md"),
        ("...hidden.md", "hidden.md"),
        ("Müller & Söhne (final).docx", "Müller & Söhne (final).docx"),
        ("e\u0301.md", "\u00e9.md"),
        ("con\x00\x1b[31m.txt", "con__[31m.txt"),
    ],
)
def test_a_label_is_one_part_of_a_path(said: str, kept: str | None) -> None:
    if kept is None:
        with pytest.raises(UsageError, match="give the file a name"):
            label(said)
    else:
        assert label(said) == kept
        assert label(kept) == kept


@pytest.mark.parametrize("sign", ["a", "é", "漢", "\U00020000"])
def test_a_long_label_is_cut_and_keeps_its_ending(sign: str) -> None:
    kept = file_label(sign * 400 + ".pdf")
    assert kept.endswith(f"{sign}.pdf")
    assert len(kept.encode()) <= 240
    assert label(kept) == kept


def test_a_file_that_no_parser_reads_is_refused() -> None:
    for said in ("lease", "lease.exe", "lease.pdf.zip", "pdf"):
        with pytest.raises(UnsupportedFile, match=r"a file must end in one of \.docm"):
            file_label(said)


# Problems


@pytest.mark.parametrize("name", sorted(errors.__all__))
def test_every_error_has_a_problem(name: str) -> None:
    told = problem_of(getattr(errors, name)("the words")).values()
    assert told["type"].startswith("urn:deref:problem:")
    assert 400 <= told["status"] <= 503
    hidden = name in (
        "DerefError",
        "LibraryBusy",
        "LibraryError",
        "LibraryDamaged",
        "LibraryMismatch",
        "ModelError",
        "ReplayMismatch",
    )
    assert ("the words" in told["detail"]) is not hidden


def test_an_error_of_ours_tells_nothing_of_itself() -> None:
    told = problem_of(ZeroDivisionError("/srv/secret"))
    assert (told.status, told.type) == (500, "internal")
    assert "secret" not in told.detail
    assert not issubclass(ZeroDivisionError, DerefError)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True), ("LOCALHOST.", True), ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True),
        ("0.0.0.0", False), ("10.0.0.1", False), ("localhost.evil.example", False), ("", False), ("127.0.0.1.nip.io", False),
    ],
)  # fmt: skip
def test_which_names_are_of_this_machine(host: str, here: bool) -> None:
    assert is_loopback(host) is here


# Libraries and records


def test_each_path_has_a_library_of_its_own(tmp_path: Path) -> None:
    for name in ("a/Deals", "b/deals", "c/deals-2", "d/deals"):
        (tmp_path / name).mkdir(parents=True)
    every = served([tmp_path / name for name in ("a/Deals", "c/deals-2", "b/deals", "d/deals")], None)
    assert [one.id for one in every] == ["deals", "deals-2", "deals-3", "deals-4"]
    one, two = served([tmp_path / "a/Deals", tmp_path / "b/deals"], None)
    assert (one.id, two.id, one.folder != two.folder) == ("deals", "deals-2", True)
    assert from_text(one.as_text()) == one
    with pytest.raises(UsageError, match="--library holds one path's documents"):
        served([tmp_path / "a/Deals", tmp_path / "b/deals"], tmp_path / "l")
    with pytest.raises(UsageError, match="give each PATH once"):
        served([tmp_path / "a/Deals", tmp_path / "a/Deals"], None)
    with pytest.raises(NoSuchSource, match="nothing: no such file or folder"):
        served([tmp_path / "nothing"], None)


def test_a_job_that_was_running_waits_again_and_one_that_waits_serves_for_two(tmp_path: Path) -> None:
    records = Records(tmp_path / "records.db")
    first, second = records.add_job("ada", "hr"), records.add_job("ada", "hr")
    assert first["id"] == second["id"] != records.add_job("bob", "hr")["id"]
    taken = records.next_job()
    assert taken is not None and taken["id"] == first["id"]
    records.note_file(first["id"], "hr/a.md", "hr", "added", {"path": "hr/a.md"})
    records.close()
    again = Records(tmp_path / "records.db")
    again.interrupt_jobs()
    job = again.job(first["id"])
    assert job is not None and (job["state"], job["attempts"]) == (State.INTERRUPTED, 1)
    taken = again.next_job()
    assert taken is not None and taken["id"] == first["id"]
    # What the attempt before has read is not read again, and was added by this job all the same.
    again.note_file(first["id"], "hr/a.md", "hr", "unchanged", {"path": "hr/a.md"})
    assert again.counts_of_job(first["id"]) == [("hr", "added", 1)]
    again.close()


def test_questions_outside_of_sessions_are_kept_up_to_a_number(tmp_path: Path) -> None:
    records = Records(tmp_path / "records.db")
    session = records.add_session("ada", "t")["id"]
    names = [records.add_question("ada", session if n == 0 else None, {"text": str(n)}) for n in range(5)]
    for name in names[:4]:
        records.end_question(name, State.DONE, answer={"text": "x"})
    assert records.old_questions(2) == [names[1]]
    records.break_off_questions({"status": 409})
    last = records.question(names[4])
    assert last is not None and (last["state"], last["problem"]) == ("failed", {"status": 409})
    assert json.dumps(records.questions_in(session)[0]["answer"]) == '{"text": "x"}'
    records.close()
