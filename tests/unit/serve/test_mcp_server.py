"""What a model is told, and what not: room for text, folders that are being read, calls that are given up, errors inside."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from deref.engine import Engine
from deref.errors import Cancelled, LibraryBusy, LibraryDamaged, NoSuchSource
from deref.ports import FileRecord
from deref.serve.access import LOCAL, Caller, Role
from deref.serve.answering import Asked
from deref.serve.libraries import Served
from deref.serve.mcp.asked import ToAsk, ToFollow
from deref.serve.mcp.following import follow
from deref.serve.mcp.protocol import mcp_server
from deref.serve.mcp.reading import ask, place, pointer
from deref.serve.mcp.room import Room
from deref.serve.mcp.shelves import Shelf, Shelves
from deref.settings import settings_of
from deref.store.library import open_library
from deref.trace.events import FileRead
from deref.values import EVERYTHING, Answer, Candidates, Document, Line, Scope, Span

SETTINGS = settings_of({"models": {"embedder": "none", "background": False}})
OTHER = Caller(name="other", role=Role.READ, scope=Scope(collections=frozenset({"default"})))

# Room


def _document(texts: Sequence[str]) -> Document:
    lines = [Line(doc="d", n=n, page=1 + n // 40, row=1 + n % 40, text=text) for n, text in enumerate(texts)]
    return Document(
        id="d",
        name="d.md",
        title="",
        aliases=(),
        lines=lines,
        sections=(),
        items=(),
        links=(),
        fingerprint="",
    )


def test_places_of_a_reference_that_are_left_out_are_counted() -> None:
    place = {"source": "d.md", "page": 1, "row": 1}
    row = {**place, "text": "Sections 1 to 12", "line": 0, "status": "resolved", "why": "They are there."}
    told = pointer({**row, "targets": [place] * 12})
    assert (len(told.targets), told.why) == (10, "They are there. 2 more of its places are left out here.")
    assert pointer({**row, "targets": [place]}).why == "They are there."


@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=60), each=st.integers(1, 500))
@settings(deadline=None)
def test_lines_that_fit_are_whole_and_the_rest_is_named(texts: list[str], each: int) -> None:
    document, room = _document(texts), Room(in_all=900, each=each)
    told, kept = room.lines(document, Span(doc="d", start=0, end=len(texts)), "it")
    assert len(told) <= max(each, 1)
    assert 1 <= kept.end <= len(texts)
    if not room.left_out:
        assert told == "\n".join(f"{ln.page}:{ln.row} {ln.text}" for ln in document.lines)
    elif kept.end < len(texts):
        assert room.left_out[-1].endswith(f"lines={kept.end}-{len(texts)}")


def test_texts_share_the_room_and_what_is_cut_is_cut_between_lines() -> None:
    room = Room(in_all=30, each=20)
    assert room.fit("one line\nanother line\nmore", "a", "open it") == "one line"
    assert room.fit("x" * 30, "b", "open it") == "x" * 20
    assert room.fit("three", "c", "open it") == "th"
    assert [said.partition(":")[0] for said in room.left_out] == ["a", "b", "c"]
    assert room.left_out[0] == "a: 18 of 26 characters are left out; open it"


# Folders that are being read in


class Waiting(Engine):
    """An engine whose indexing waits until it may go on."""

    go_on: threading.Event

    def index(self, root: Path, **how: Any) -> Sequence[FileRead]:
        assert self.go_on.wait(30)
        return super().index(root, **how)


class Busy(Engine):
    """An engine that another process keeps from indexing."""

    def index(self, root: Path, **how: Any) -> Sequence[FileRead]:
        raise LibraryBusy(f"{root}: process 7 has been writing to this library; wait until it is done")


class Endless(Engine):
    """An engine that has no end of files to index."""

    def index(self, root: Path, **how: Any) -> Sequence[FileRead]:
        while True:
            how["emit"](FileRead(path="a.md", outcome="added", done=1, total=9, seconds=0.0))


class AsksOnAndOn(Engine):
    """An engine that is at a question until that is called off."""

    begun: threading.Event
    heard: threading.Event

    def ask(self, text: str, **how: Any) -> Answer:
        self.begun.set()
        while not how["cancelled"]():
            pass
        self.heard.set()
        raise Cancelled("called off")


class LosingADocument(Engine):
    """An engine that meets a document which another process has removed meanwhile."""

    def ask(self, text: str, **how: Any) -> Answer:
        self.store.note_files([FileRecord(path="b.md", size=1, mtime_ns=1, doc=None, error="broken")])
        raise NoSuchSource("no document 1f")


class Failing(Engine):
    """An engine whose searches fail."""

    error: Exception

    def search(self, text: str, **how: Any) -> Candidates:
        raise self.error


def _opening(kind: type[Engine], folder: Path, **fields: Any) -> Callable[[], Engine]:
    def opened() -> Engine:
        store = open_library(folder, fingerprint=SETTINGS.stored_fingerprint, model=None)
        engine = kind(store=store, settings=SETTINGS, embedder=None)
        for name, value in fields.items():
            setattr(engine, name, value)
        return engine

    return opened


@contextmanager
def _shelf(tmp_path: Path, kind: type[Engine], patience_s: float = 20.0, **fields: Any) -> Iterator[Shelf]:
    source = tmp_path / "shelf"
    source.mkdir(exist_ok=True)
    (source / "rules.md").write_text("# Rules\n\n## 1 Fee\n\nThe fee is 300.\n")
    served = Served(id="shelf", folder=tmp_path / "library", source=source, uploads=False)
    shelf = Shelf(served, _opening(kind, served.folder, **fields), patience_s=patience_s)
    try:
        yield shelf
    finally:
        shelf.close()


def test_a_shelf_that_was_never_read_has_no_answer_yet_then_what_is_stored_answers(tmp_path: Path) -> None:
    go_on = threading.Event()
    with _shelf(tmp_path, Waiting, patience_s=0.05, go_on=go_on) as shelf:
        with pytest.raises(LibraryBusy, match="for the first time; call again in half a minute"):
            asyncio.run(shelf.up_to_date(LOCAL))
        go_on.set()
        shelf.look().result(60)
    with _shelf(tmp_path, Engine) as shelf:
        assert asyncio.run(shelf.up_to_date(LOCAL)) == []
    go_on.clear()
    with _shelf(tmp_path, Waiting, patience_s=0.05, go_on=go_on) as shelf:
        (said,) = asyncio.run(shelf.up_to_date(LOCAL))
        assert said.startswith("documents are being read in")
        go_on.set()


def test_what_another_process_reads_in_is_waited_for(tmp_path: Path) -> None:
    with _shelf(tmp_path, Engine) as shelf:
        assert asyncio.run(shelf.up_to_date(LOCAL)) == []
    with _shelf(tmp_path, Busy) as shelf:
        (said,) = asyncio.run(shelf.up_to_date(LOCAL))
        assert said.startswith("another process is reading documents in")


def test_the_end_of_the_server_does_not_wait_for_the_last_file(tmp_path: Path) -> None:
    with _shelf(tmp_path, Endless) as shelf:
        reading = shelf.look()
    assert isinstance(reading.exception(60), Cancelled)


def test_who_goes_away_is_worked_for_no_longer(tmp_path: Path) -> None:
    begun, heard = threading.Event(), threading.Event()

    async def give_up(shelf: Shelf) -> None:
        asking = asyncio.ensure_future(shelf.ask(Asked(text="What is the fee?"), EVERYTHING))
        assert await asyncio.to_thread(begun.wait, 60)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    with _shelf(tmp_path, AsksOnAndOn, begun=begun, heard=heard) as shelf:
        asyncio.run(give_up(shelf))
        assert heard.wait(60)


def test_a_question_whose_document_went_says_to_ask_again(tmp_path: Path) -> None:
    with _shelf(tmp_path, LosingADocument) as shelf, pytest.raises(LibraryBusy, match="ask again"):
        asyncio.run(shelf.ask(Asked(text="What is the fee?"), EVERYTHING))


class Answers(Shelf):
    """A shelf with one answer: what is quoted is amended, and a place was read of which nothing is quoted."""

    async def ask(self, asked: Asked, scope: Scope) -> dict[str, Any]:
        at = {"source": "a.md", "page": 1, "row": 1}
        quote = {
            **at,
            "lines": [0, 1],
            "section": None,
            "quote": "x",
            "reference": None,
            "referenced_from": None,
        }
        read = {
            **at,
            "text": "Section 2",
            "line": 0,
            "status": "resolved",
            "why": "It is there.",
            "targets": [at],
        }
        parts = {"pending": [], "external": [], "conditions": [], "definitions": [], "problems": []}
        amended = [{"amended": 1, "amending": 2}]
        return {
            **parts, "text": "x [1]\nx [2]", "completeness": "complete", "citations": [quote, quote], "unquoted": [read],
            "amendments": amended,
        }  # fmt: skip


def test_what_is_amended_and_what_was_read_and_not_quoted_is_given(tmp_path: Path) -> None:
    served = Served(id="shelf", folder=tmp_path / "library", source=tmp_path, uploads=False)
    shelf = Answers(served, _opening(Engine, served.folder))
    told = asyncio.run(ask(shelf, EVERYTHING, ToAsk(question="What is the fee?")))
    assert [(one.amended, one.amending) for one in told.amendments] == [(1, 2)]
    assert [(one.words, one.targets) for one in told.unquoted] == [("Section 2", ["a.md, p. 1, l. 1"])]
    shelf.close()


# Errors inside


@pytest.mark.parametrize(
    ("caller", "error", "says"),
    [
        (LOCAL, LibraryDamaged("/srv/secret/catalogue.db: cut short; remove it"), "/srv/secret/catalogue.db: cut short"),
        (OTHER, LibraryDamaged("/srv/secret/catalogue.db: cut short; remove it"), "The log of the server says why"),
    ],
)  # fmt: skip
def test_where_the_server_keeps_things_is_told_to_its_user_alone(
    tmp_path: Path, caller: Caller, error: Exception, says: str
) -> None:
    async def run(shelves: Shelves) -> None:
        async with Client(mcp_server(shelves, lambda _context: caller)) as client:
            result = await client.call_tool("search", {"question": "fee"})
            assert result.is_error
            assert says in result.content[0].text  # type: ignore[union-attr]
            assert ("secret" in result.content[0].text) == (caller is LOCAL)  # type: ignore[union-attr]

    with _shelf(tmp_path, Failing, error=error) as shelf:
        shelf.look().result(60)
        asyncio.run(run(Shelves([shelf])))


def test_an_error_inside_tells_nothing_of_itself(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def run(shelves: Shelves) -> None:
        async with Client(mcp_server(shelves)) as client:
            with pytest.raises(
                MCPError, match=r"^Something failed inside Deref; the log of the server says what\.$"
            ):
                await client.call_tool("search", {"question": "fee"})

    with _shelf(tmp_path, Failing, error=RuntimeError("a secret of the inside")) as shelf:
        asyncio.run(run(Shelves([shelf])))
    assert "a secret of the inside" in caplog.text


# Following


def test_a_long_target_is_cited_whole_and_cut_with_what_is_meant_first(tmp_path: Path) -> None:
    source = tmp_path / "shelf"
    source.mkdir()
    rows = "".join(f"| ({n}) | crates of the kind {n}, which are due at the gate |\n" for n in range(1, 400))
    (source / "Price List.md").write_text(
        f"# Price List\n\nTable 2. Crates\n\n| row | what |\n|---|---|\n{rows}"
    )
    (source / "terms.md").write_text(
        "# Terms\n\n## 1 Fee\n\nIt is that of row (390) of Table 2 in the Price List. So is Section 8.\n"
    )
    with _opening(Engine, tmp_path / "library")() as engine:
        engine.index(source)
        trail = follow(
            engine, EVERYTHING, ToFollow(document="terms.md", words="row (390) of Table 2 in the Price List")
        )
        (led,) = trail.references
        (target,) = led.targets
        start, _, end = target.lines.partition("-")
        document = engine.document_named("Price List.md")
        assert target.cite == place(document, Span(doc=document.id, start=int(start), end=int(end)))
        assert "(390)" in target.picked[0].text and "(390)" not in target.text
        assert len(trail.left_out) == 1 and trail.left_out[0].endswith(f"-{end}")
        # Only whole words and labels are the same.
        for words, fits in (("Table 2", True), ("table  2 in the price list", True), ("Table", True), ("Table 22", False), ("able 2", False),
                            ("Section 8", True), ("Section 88", False), ("Section 8.1", False)):  # fmt: skip
            try:
                follow(engine, EVERYTHING, ToFollow(document="terms.md", words=words))
                assert fits, words
            except NoSuchSource:
                assert not fits, words
