"""A folder into a store: what is new, changed, renamed, copied, gone or broken."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from conformance import small_steps as steps
from deref.errors import NoSuchSource
from deref.ingest import Report, ingest, settled_report
from deref.ports import Clock, Store
from deref.store.library import open_library
from deref.store.lock import WriterLock
from deref.store.memory import MemoryStore
from deref.trace.events import FileRead
from deref.values import EVERYTHING, Document, Parsed

LONG_AGO = 1_600_000_000


@pytest.fixture(params=["memory", "disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = MemoryStore() if request.param == "memory" else open_library(tmp_path / "library", fingerprint="f")
    yield made
    made.close()


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    return folder


def _write(folder: Path, name: str, text: str, *, at: int = LONG_AGO) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at, at))
    return path


class _Reading:
    """The parse step, keeping the names it was called with."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __call__(self, data: bytes, *, doc: str, name: str, password: str | None = None) -> Parsed:
        self.names.append(name)
        return steps.parse(data, doc=doc, name=name, password=password)


def _in_a_minute() -> float:
    """A clock by which the files of a test were written long before they are read."""
    return time.time() + 60


def _run(
    root: Path, store: Store, reading: _Reading | None = None, clock: Clock = _in_a_minute, **more: object
) -> Report:
    events: list[FileRead] = []
    report = ingest(
        root, store, parse=reading or steps.parse, structure=steps.structure, find=steps.find,
        chunk=steps.chunk, suffixes=steps.SUFFIXES, emit=events.append, clock=clock, **more,  # type: ignore[arg-type]
    )  # fmt: skip
    assert events == list(report.files)
    assert [e.done for e in events] == list(range(1, len(events) + 1))
    assert all(e.total == len(events) for e in events)
    return report


def _outcomes(report: Report) -> dict[str, str]:
    return {row.path: row.outcome for row in report.files}


def _names(store: Store) -> list[str]:
    return [card.name for card in store.shelf(EVERYTHING).cards()]


def test_files_of_our_types_are_added_in_order_and_others_are_counted(shelf: Path, store: Store) -> None:
    _write(shelf, "b/deep.txt", "Barley.")
    _write(shelf, "a.md", "Oats.")
    _write(shelf, "photo.jpeg", "no")
    _write(shelf, ".hidden.txt", "no")
    _write(shelf, "~$a.md", "open in Office")
    _write(shelf, ".git/config.txt", "no")
    report = _run(shelf, store)
    assert _outcomes(report) == {"a.md": "added", "b/deep.txt": "added"}
    assert report.skipped == ("photo.jpeg",)
    assert _names(store) == ["a.md", "b/deep.txt"]
    assert store.lexical("barley", 5, EVERYTHING)


def test_a_second_run_reads_nothing_and_writes_nothing(shelf: Path, store: Store) -> None:
    _write(shelf, "a.md", "Oats.")
    _write(shelf, "broken.txt", "DAMAGED file")
    _run(shelf, store)
    before = list(store.files(EVERYTHING))
    again = _Reading()
    report = _run(shelf, store, again)
    assert _outcomes(report) == {"a.md": "unchanged", "broken.txt": "failed"}
    assert again.names == []
    assert list(store.files(EVERYTHING)) == before
    assert report.files[1].error == "broken.txt: is cut short; get it again"


def test_only_what_changed_is_read_again(shelf: Path, store: Store) -> None:
    _write(shelf, "a.md", "Oats.")
    _write(shelf, "b.md", "Barley.")
    _run(shelf, store)
    _write(shelf, "b.md", "Wheat now.", at=LONG_AGO + 10)
    again = _Reading()
    assert _outcomes(_run(shelf, store, again)) == {"a.md": "unchanged", "b.md": "changed"}
    assert again.names == ["b.md"]
    assert store.lexical("barley", 5, EVERYTHING) == ()
    assert store.lexical("wheat", 5, EVERYTHING)


def test_a_change_within_the_same_tick_and_of_the_same_size_is_not_missed(shelf: Path, store: Store) -> None:
    path = _write(shelf, "a.md", "Oats.")
    os.utime(path)
    same = path.stat().st_mtime_ns
    _run(shelf, store, clock=lambda: same / 10**9 + 1)
    path.write_text("Corn.")
    os.utime(path, ns=(same, same))
    assert _outcomes(_run(shelf, store)) == {"a.md": "changed"}
    assert store.lexical("corn", 5, EVERYTHING)


@pytest.mark.parametrize("how", ["written", "moved"])
def test_another_text_with_the_size_and_time_of_the_old_one_is_not_missed(
    shelf: Path, store: Store, tmp_path: Path, how: str
) -> None:
    path = _write(shelf, "a.md", "Oats.")
    _run(shelf, store, clock=time.time)
    if how == "written":
        _write(shelf, "a.md", "Corn.")
    else:
        _write(tmp_path, "other.md", "Corn.").replace(path)
    assert _outcomes(_run(shelf, store, clock=time.time)) == {"a.md": "changed"}


def test_a_library_that_cannot_be_written_serves_a_folder_that_is_unchanged(
    shelf: Path, tmp_path: Path
) -> None:
    _write(shelf, "a.md", "Oats.")
    _write(shelf, "broken.txt", "DAMAGED file")
    with closing(open_library(tmp_path / "library", fingerprint="f", timeout=0.1)) as store:
        _run(shelf, store, clock=time.time)
        with WriterLock(tmp_path / "library" / "writer.lock", timeout=1).held():
            again = _run(shelf, store, clock=time.time)
            assert _outcomes(again) == {"a.md": "unchanged", "broken.txt": "failed"}


def test_a_touched_file_is_unchanged_and_not_parsed(shelf: Path, store: Store) -> None:
    path = _write(shelf, "a.md", "Oats.")
    _run(shelf, store)
    os.utime(path, (LONG_AGO + 99, LONG_AGO + 99))
    again = _Reading()
    assert _outcomes(_run(shelf, store, again)) == {"a.md": "unchanged"}
    assert again.names == []
    assert store.files(EVERYTHING)[0].mtime_ns == (LONG_AGO + 99) * 10**9


def test_a_renamed_file_keeps_its_identity_and_takes_its_new_name(shelf: Path, store: Store) -> None:
    path = _write(shelf, "a.md", "Oats.")
    _run(shelf, store)
    before = store.shelf(EVERYTHING).cards()[0].id
    path.rename(shelf / "z.md")
    assert _outcomes(_run(shelf, store)) == {"z.md": "renamed", "a.md": "removed"}
    (card,) = store.shelf(EVERYTHING).cards()
    assert (card.id, card.name, card.aliases) == (before, "z.md", ("z",))


def test_a_copy_is_a_second_file_of_one_document(shelf: Path, store: Store) -> None:
    _write(shelf, "a.md", "Oats.")
    _run(shelf, store)
    _write(shelf, "copy.md", "Oats.")
    again = _Reading()
    assert _outcomes(_run(shelf, store, again)) == {"a.md": "unchanged", "copy.md": "copy"}
    assert again.names == []
    (shelf / "a.md").unlink()
    assert _outcomes(_run(shelf, store)) == {"copy.md": "renamed", "a.md": "removed"}
    assert _names(store) == ["copy.md"]


def test_two_files_with_the_same_bytes_in_one_run_are_read_once(shelf: Path, store: Store) -> None:
    for name in ("a.md", "b.md", "c.md"):
        _write(shelf, name, "Oats.")
    for name in ("x.md", "y.md"):
        _write(shelf, name, "DAMAGED twin")
    reading = _Reading()
    report = _run(shelf, store, reading)
    outcomes = _outcomes(report)
    assert outcomes == {"a.md": "added", "b.md": "copy", "c.md": "copy", "x.md": "failed", "y.md": "failed"}
    assert reading.names == ["a.md", "x.md"]
    assert [r.error for r in report.files if r.path == "y.md"] == ["y.md: is cut short; get it again"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_bytes_that_fail_under_one_name_are_read_under_another(shelf: Path, store: Store, jobs: int) -> None:
    for name in ("a.txt", "b.md", "c.md"):
        _write(shelf, name, "UNNAMED oats.")
    for n in range(60):
        _write(shelf, f"f{n}.md", f"Barley number {n}.")
    report = _run(shelf, store, jobs=jobs)
    outcomes = _outcomes(report)
    assert [outcomes[name] for name in ("a.txt", "b.md", "c.md")] == ["failed", "added", "copy"]
    assert [r.error for r in report.files if r.error] == ["a.txt: is no text; give it its true ending"]
    assert "b.md" in _names(store)


def test_two_files_that_swap_their_names_both_stay(shelf: Path, store: Store) -> None:
    one, two = _write(shelf, "a.md", "Oats."), _write(shelf, "b.md", "Barley.")
    _run(shelf, store)
    one.rename(shelf / "c")
    two.rename(one)
    (shelf / "c").rename(two)
    for path in (one, two):
        os.utime(path, (LONG_AGO + 5, LONG_AGO + 5))
    _run(shelf, store)
    _run(shelf, store)
    assert _names(store) == ["a.md", "b.md"]
    assert {c.name: c.title for c in store.shelf(EVERYTHING).cards()} == {"a.md": "Barley.", "b.md": "Oats."}


def test_bytes_that_move_to_a_file_before_the_one_that_changes_stay(shelf: Path, store: Store) -> None:
    _write(shelf, "m.md", "Oats.")
    _run(shelf, store)
    _write(shelf, "a.md", "Oats.")
    _write(shelf, "m.md", "Barley.", at=LONG_AGO + 5)
    _run(shelf, store)
    assert {c.name: c.title for c in store.shelf(EVERYTHING).cards()} == {"a.md": "Oats.", "m.md": "Barley."}


def test_a_deleted_file_takes_its_document_along(shelf: Path, store: Store) -> None:
    path = _write(shelf, "a.md", "Oats.")
    _write(shelf, "b.md", "Barley.")
    _run(shelf, store)
    path.unlink()
    assert _outcomes(_run(shelf, store)) == {"b.md": "unchanged", "a.md": "removed"}
    assert store.lexical("oats", 5, EVERYTHING) == ()


def test_a_file_that_fails_is_a_row_and_the_rest_goes_on(shelf: Path, store: Store) -> None:
    _write(shelf, "a.md", "DAMAGED")
    _write(shelf, "b.md", "FAULTY")
    _write(shelf, "c.md", "Barley.")
    _write(shelf, "d.md", "x" * 2000)
    report = _run(shelf, store, max_bytes=1000)
    assert _outcomes(report) == {"a.md": "failed", "b.md": "failed", "c.md": "added", "d.md": "failed"}
    errors = {row.path: row.error for row in report.files}
    assert "KeyError: 'nobody thought of this'" in str(errors["b.md"])
    assert "over the limit" in str(errors["d.md"])
    assert {f.path: f.error for f in store.files(EVERYTHING)} == errors


def test_a_file_that_breaks_loses_the_document_it_had(shelf: Path, store: Store) -> None:
    _write(shelf, "a.md", "Oats.")
    _run(shelf, store)
    _write(shelf, "a.md", "DAMAGED", at=LONG_AGO + 5)
    assert _outcomes(_run(shelf, store)) == {"a.md": "failed"}
    assert _names(store) == []


def test_an_encrypted_file_is_read_when_the_password_comes(shelf: Path, store: Store) -> None:
    _write(shelf, "a.md", "SECRET oats")
    assert _outcomes(_run(shelf, store)) == {"a.md": "failed"}
    assert _outcomes(_run(shelf, store, password="sesame")) == {"a.md": "changed"}
    assert _outcomes(_run(shelf, store)) == {"a.md": "unchanged"}


def test_force_reads_everything_again(shelf: Path, store: Store) -> None:
    for name in ("a.md", "b.md"):
        _write(shelf, name, "Oats.")
    _run(shelf, store)
    reading = _Reading()
    assert _outcomes(_run(shelf, store, reading, force=True)) == {"a.md": "changed", "b.md": "unchanged"}
    assert reading.names == ["a.md"]
    assert _names(store) == ["a.md"]


def test_loops_of_links_end_and_each_folder_is_met_once(shelf: Path, store: Store, tmp_path: Path) -> None:
    _write(shelf, "b/a.md", "Oats.")
    (shelf / "b" / "loop").symlink_to(shelf)
    (shelf / "again").symlink_to(shelf / "b")
    (tmp_path / "outside").mkdir()
    _write(tmp_path / "outside", "o.md", "Barley.")
    (tmp_path / "outside" / "back").symlink_to(tmp_path / "outside")
    (shelf / "z").symlink_to(tmp_path / "outside")
    (shelf / "z2").symlink_to(tmp_path / "outside")
    (shelf / "dead.md").symlink_to(tmp_path / "nothing")
    (shelf / "self.md").symlink_to(shelf / "self.md")
    outcomes = _outcomes(_run(shelf, store))
    assert outcomes == {"b/a.md": "added", "dead.md": "failed", "self.md": "failed", "z/o.md": "added"}


def test_names_with_quotes_newlines_and_other_letters_are_names_like_any(shelf: Path, store: Store) -> None:
    names = ['it\'s "so".md', "two\nlines.md", "Größe 学習 Кошка.md", "a;--.md", "% %s {x}.md"]
    for n, name in enumerate(names):
        _write(shelf, name, f"Oats number{n}.")
    assert set(_outcomes(_run(shelf, store)).values()) == {"added"}
    assert sorted(_names(store)) == sorted(names)
    (shelf / names[0]).unlink()
    assert _outcomes(_run(shelf, store))[names[0]] == "removed"


def test_a_name_that_is_not_utf8_is_a_failed_row(shelf: Path, store: Store) -> None:
    Path(os.fsdecode(os.fsencode(shelf) + b"/\xe9t\xe9.md")).write_text("Oats.")
    (row,) = _run(shelf, store).files
    assert (row.path, row.outcome) == ("\\xe9t\\xe9.md", "failed")
    assert "rename the file" in str(row.error)
    assert _outcomes(_run(shelf, store)) == {"\\xe9t\\xe9.md": "failed"}


def test_what_is_no_regular_file_is_never_opened(shelf: Path, store: Store) -> None:
    os.mkfifo(shelf / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(shelf)
        try:
            made.bind("sock.txt")
        finally:
            os.chdir(here)
    report = _run(shelf, store)
    assert {row.path: row.outcome for row in report.files} == {"pipe.txt": "failed", "sock.txt": "failed"}


def test_unreadable_files_and_folders_are_failed_rows_and_nothing_below_them_is_lost(
    shelf: Path, store: Store
) -> None:
    secret = _write(shelf, "a.md", "Oats.")
    _write(shelf, "closed/b.md", "Barley.")
    _run(shelf, store)
    secret.chmod(0)
    if os.access(secret, os.R_OK):
        pytest.skip("this user reads everything, whatever its permissions")
    (shelf / "closed").chmod(0)
    try:
        outcomes = _outcomes(_run(shelf, store, force=True))
    finally:
        (shelf / "closed").chmod(0o700)
    assert outcomes == {"a.md": "failed", "closed": "failed"}
    assert _names(store) == ["closed/b.md"]
    secret.chmod(0o600)
    assert _outcomes(_run(shelf, store)) == {
        "a.md": "changed",
        "closed/b.md": "unchanged",
        "closed": "removed",
    }


def test_one_file_is_a_shelf_whatever_its_ending(shelf: Path, store: Store) -> None:
    path = _write(shelf, "notes.log", "Oats.")
    assert _outcomes(_run(path, store)) == {"notes.log": "added"}


def test_a_path_with_nothing_there_is_an_error_that_names_it(shelf: Path, store: Store) -> None:
    with pytest.raises(NoSuchSource, match="gone: there is no such file or folder"):
        _run(shelf / "gone", store)


def test_an_empty_file_is_a_document_without_chunks(shelf: Path, store: Store) -> None:
    _write(shelf, "a.md", "")
    assert _outcomes(_run(shelf, store)) == {"a.md": "added"}
    assert store.lexical("oats", 5, EVERYTHING) == ()


def test_workers_give_the_same_as_this_process_and_a_dead_one_costs_one_file(
    shelf: Path, tmp_path: Path
) -> None:
    for n in range(70):
        _write(shelf, f"f{n:02}.md", f"Oats number{n}.")
    _write(shelf, "f07x.md", "DEADLY file")
    _write(shelf, "f20x.md", "DAMAGED file")
    _write(shelf, "f21x.md", "Oats number3.")
    store = MemoryStore()
    report = _run(shelf, store, jobs=2)
    outcomes = _outcomes(report)
    assert outcomes.pop("f07x.md") == "failed"
    assert outcomes.pop("f20x.md") == "failed"
    assert outcomes.pop("f21x.md") == "copy"
    assert set(outcomes.values()) == {"added"}
    assert "the process that read it died" in str({r.path: r.error for r in report.files}["f07x.md"])
    assert len(_names(store)) == 70


def _told(document: Document) -> tuple[()]:
    raise RuntimeError(document.name)


def test_a_fault_in_a_later_step_is_a_row_too(shelf: Path) -> None:
    _write(shelf, "a.md", "Oats.")
    report = ingest(
        shelf, MemoryStore(), parse=steps.parse, structure=steps.structure, find=_told, chunk=steps.chunk,
        suffixes=steps.SUFFIXES, emit=lambda _: None,
    )  # fmt: skip
    assert "please report the file" in str(report.files[0].error)


def test_nothing_changed_is_told_without_any_of_the_steps(shelf: Path, store: Store) -> None:
    path = _write(shelf, "a.md", "Oats.")
    _write(shelf, "b.md", "DAMAGED")
    (shelf / "dead.md").symlink_to(shelf / "nothing")
    told: list[FileRead] = []

    def settled() -> Report | None:
        return settled_report(shelf, store, suffixes=steps.SUFFIXES, emit=told.append)

    assert settled() is None
    first = _run(shelf, store)
    assert told == []
    report = settled()
    assert report is not None
    assert _outcomes(report) == {"a.md": "unchanged", "b.md": "failed", "dead.md": "failed"}
    assert told == list(report.files)
    assert [row.error for row in report.files] == [row.error for row in first.files]
    path.unlink()
    assert settled() is None
