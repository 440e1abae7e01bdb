"""Conversations: what was asked and cited is there again, and says what became of the documents."""

from __future__ import annotations

import io
import json
import re
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deref.conversations import Conversations, Position, Session, Standing
from deref.engine import Engine, open_engine
from deref.errors import LibraryDamaged, NoSuchSource, UsageError
from deref.replaying import replay
from deref.session_text import as_markdown, as_text, session_values
from deref.settings import settings_of
from deref.store.memory import MemoryStore
from deref.trace.events import Event, RunStarted
from deref.values.filters import InDocument

TOLL = "# The toll\n\n## 1 Rates\n\nA cart pays the toll of row (B) of Table 1.\n\nTable 1. Tolls\n\n| Row | Kind | Pence |\n|---|---|---|\n| (A) | horse | 1 |\n| (B) | cart | 2 |\n"
INN = "# The inn\n\n## 1 Stable\n\nA horse costs three pence in the stable, as Section 8 has it.\n"
QUESTION = "What toll does a cart pay?"
NEXT = "What does a horse cost in the stable?"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "toll.md").write_text(TOLL)
    (folder / "inn.md").write_text(INN)
    return folder


@pytest.fixture
def engine(shelf: Path) -> Iterator[Engine]:
    with open_engine(
        shelf.parent / "library", settings=settings_of({"models": {"embedder": "none"}})
    ) as engine:
        engine.index(shelf)
        yield engine


def queries(events: list[Event]) -> list[tuple[str, ...]]:
    return [e.query.history for e in events if isinstance(e, RunStarted)]


def test_each_question_has_those_before_it_as_its_history_and_another_session_has_its_own(
    engine: Engine,
) -> None:
    events: list[Event] = []
    talk = Conversations(engine)
    for name, question in (("fees", QUESTION), ("fees", NEXT), ("other", NEXT), ("fees", "horse")):
        talk.ask(name, question, emit=events.append)
    assert queries(events) == [(), (QUESTION,), (), (QUESTION, NEXT)]
    assert talk.names()[0] == "fees" and sorted(talk.names()) == ["fees", "other"]


def test_only_the_last_questions_of_a_long_session_are_its_history(engine: Engine) -> None:
    events: list[Event] = []
    talk = Conversations(engine)
    for n in range(22):
        talk.ask("long", f"What does horse number {n} cost?", emit=events.append)
    assert len(queries(events)[-1]) == 20 and queries(events)[-1][0] == "What does horse number 1 cost?"


def test_a_session_is_there_again_with_every_position_after_the_library_was_closed(
    engine: Engine, shelf: Path
) -> None:
    answer = Conversations(engine).ask("fees", QUESTION, where="document:toll*", budget=1)
    engine.close()
    with open_engine(shelf.parent / "library", settings=engine.settings) as reopened:
        talk = Conversations(reopened)
        (turn,) = talk.read("fees").turns
        assert [p.standing for p in talk.positions(turn)] == [Standing.HERE] * len(answer.citations)
        document = reopened.document_named("toll.md")
    assert (turn.question, turn.read_as, turn.where) == (QUESTION, QUESTION, "document:toll*")
    assert turn.asked_at > 1.7e9
    for kept, cited in zip(turn.answer["citations"], answer.citations, strict=True):
        start, end = kept["lines"]
        assert "\n".join(line.text for line in document.lines[start:end]) == kept["quote"] == cited.quote
        assert turn.documents[kept["source"]] == document.id == cited.lines.doc


def test_what_became_of_a_document_is_told(engine: Engine, shelf: Path) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    talk.ask("fees", NEXT)
    toll, inn = talk.read("fees").turns
    (shelf / "toll.md").rename(shelf / "tariff.md")
    engine.index(shelf)
    assert {(p.standing, p.name) for p in talk.positions(toll)} == {(Standing.RENAMED, "tariff.md")}
    assert {(p.standing, p.name) for p in talk.positions(inn)} == {(Standing.HERE, "inn.md")}
    (shelf / "inn.md").write_text("# The inn\n\nIt is closed.\n")
    engine.index(shelf)
    assert {(p.standing, p.name) for p in talk.positions(inn)} == {(Standing.CHANGED, "inn.md")}
    (shelf / "tariff.md").unlink()
    engine.index(shelf)
    assert {(p.standing, p.name) for p in talk.positions(toll)} == {(Standing.GONE, "")}


def told(engine: Engine) -> tuple[Session, list[list[Position]]]:
    talk = Conversations(engine)
    session = talk.read("fees")
    return session, [talk.positions(turn) for turn in session.turns]


def test_an_export_tells_question_answer_sources_and_what_became_of_them(engine: Engine, shelf: Path) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    talk.ask("fees", NEXT, where=InDocument(pattern="inn*"))
    (shelf / "toll.md").unlink()
    engine.index(shelf)
    session, positions = told(engine)
    markdown = as_markdown(session, positions)
    for part in (
        "# fees\n", "## 1. What toll does a cart pay?", "## 2. What does a horse cost", "UTC, complete", "\\[1\\]", "### Sources",
        "(the document is not here any more)", "followed from “row (B) of Table 1” on toll.md, p. 1, l. 5",
        "   > \\| (B) \\| cart \\| 2 \\|", "only where document:\"inn\\*\"", "### Still open", "- “Section 8”: ",
    ):  # fmt: skip
        assert part in markdown, part
    text = as_text(session, positions)
    assert "1. What toll does a cart pay?" in text and "(the document is not here any more)" in text
    values = json.loads(json.dumps(session_values(session, positions)))
    cited = values["turns"][0]["answer"]["citations"][0]
    assert (cited["standing"], cited["now"], cited["lines"][0]) == ("gone", None, 2) and cited["document"]
    assert values["turns"][1]["answer"]["citations"][0]["standing"] == "here"
    assert values["turns"][1]["where"] == 'document:"inn*"'


def test_what_was_quoted_is_no_markdown_in_an_export(engine: Engine, shelf: Path) -> None:
    (shelf / "odd.txt").write_text(
        "# Not a heading <script>x</script> & *bold* about geese\n1. no list of geese\n- nor this one of geese\n"
    )
    engine.index(shelf)
    Conversations(engine).ask("fees", "What about geese? <b>*now*</b>\n# now")
    session, positions = told(engine)
    markdown = as_markdown(session, positions)
    assert "\\<script\\>" in markdown and not re.search(r"(?<!\\)<", markdown) and "\\*bold\\*" in markdown
    assert not [
        line for line in markdown.splitlines() if line.startswith(("# Not", "# now", "1. no", "- nor"))
    ]


def test_a_session_can_be_dropped_and_is_not_there_then(engine: Engine) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    talk.delete("fees")
    assert talk.names() == []
    for action in (talk.read, talk.delete):
        with pytest.raises(NoSuchSource, match=r"no session 'fees'.*there are: none"):
            action("fees")


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", "a\n", " a", "a ", "a" * 65, ".hidden", "a\0b", "con:x"]
)
def test_a_name_is_no_way_out_of_the_folder(engine: Engine, name: str) -> None:
    talk = Conversations(engine)
    for action in (talk.read, talk.delete, lambda n: talk.ask(n, QUESTION)):
        with pytest.raises(UsageError, match="no name of a session"):
            action(name)


@pytest.mark.parametrize("name", ["fees", "Gebühren 2026", "料金", "a", "v1.2-b_c"])
def test_names_of_any_script_are_names(engine: Engine, name: str) -> None:
    talk = Conversations(engine)
    talk.ask(name, QUESTION)
    assert talk.names() == [name] and len(talk.read(name).turns) == 1


def test_a_question_that_fails_leaves_the_session_as_it_was(engine: Engine) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    with pytest.raises(UsageError, match="no word"):
        talk.ask("fees", "?!")
    assert [turn.question for turn in talk.read("fees").turns] == [QUESTION]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "line 3: this is no turn"), ("[1]", "line 3: this is no turn"), ('{"kind": "turn"}', "line 3: this is no turn"),
        ('{"kind": "gossip"}', "line 3: this is no turn"), ('{"kind": "session", "schema": 9}', "schema 9, and this version reads 1"),
    ],
)  # fmt: skip
def test_a_damaged_session_is_told_with_its_file_and_line(engine: Engine, line: str, said: str) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    (file,) = (Path(str(engine.store.describe()["place"])) / "sessions").iterdir()
    file.write_text(file.read_text() + line)
    with pytest.raises(LibraryDamaged, match=rf"fees\.jsonl.*{said}"):
        talk.read("fees")


def test_a_session_that_cannot_be_kept_is_told_before_the_question_is_asked(engine: Engine) -> None:
    (Path(str(engine.store.describe()["place"])) / "sessions").write_text("a file in the way")
    heard: list[Event] = []
    with pytest.raises(LibraryDamaged, match=r"fees\.jsonl: the turn cannot be kept .*writable"):
        Conversations(engine).ask("fees", QUESTION, emit=heard.append)
    assert heard == []


def test_a_session_whose_process_was_killed_before_its_first_turn_is_none_and_can_be_begun(
    engine: Engine,
) -> None:
    talk = Conversations(engine)
    folder = Path(str(engine.store.describe()["place"])) / "sessions"
    folder.mkdir()
    (folder / "fees.jsonl").touch()
    assert talk.names() == []
    talk.ask("fees", QUESTION)
    assert talk.names() == ["fees"] and len(talk.read("fees").turns) == 1


def test_a_session_goes_with_a_trace_and_its_history_is_in_it(engine: Engine, tmp_path: Path) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    out = io.StringIO()
    talk.ask("fees", NEXT, trace=out)
    (tmp_path / "t.jsonl").write_text(out.getvalue(), "utf-8")
    assert json.loads(out.getvalue().splitlines()[-1])["asked"]["history"] == [QUESTION]
    assert replay(tmp_path / "t.jsonl").same


def test_sessions_outlive_a_library_that_is_built_anew(engine: Engine, shelf: Path) -> None:
    Conversations(engine).ask("fees", QUESTION)
    engine.close()
    with open_engine(shelf.parent / "library", settings=engine.settings, rebuild=True) as anew:
        anew.index(shelf)
        talk = Conversations(anew)
        (turn,) = talk.read("fees").turns
        assert {p.standing for p in talk.positions(turn)} == {Standing.HERE}


def test_a_library_in_memory_keeps_none() -> None:
    engine = Engine(store=MemoryStore(), settings=settings_of({}), embedder=None)
    with pytest.raises(UsageError, match="has no folder"):
        Conversations(engine)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\u2028"])
def test_no_name_of_a_document_and_no_quote_leaves_its_place_in_the_markdown(
    engine: Engine, shelf: Path, end: str
) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    forged = f"a{end}{end}- - -{end}1. forged{end}===\u202e.md"
    turned(shelf.parent / "library" / "sessions" / "fees.jsonl", ("answer", "citations", 0, "source"), forged)
    turned(shelf.parent / "library" / "sessions" / "fees.jsonl", ("answer", "citations", 0, "quote"), forged)
    session, positions = told(engine)
    lines = re.split("[\r\n\u2028]", as_markdown(session, positions))
    assert not [line for line in lines if re.match(r"(- -|1\. forged|=|a$)", line)]
    assert any(line.startswith("1. **a - - - 1. forged ===.md, p. 1") for line in lines)
    assert any(line.startswith("   > 1\\. forged") for line in lines)


@pytest.mark.parametrize("sign", ["\U0001d49c", "\u0958"])
def test_a_name_that_no_file_can_have_is_told(engine: Engine, sign: str) -> None:
    with pytest.raises(UsageError, match=r"is no name of a session.*240 bytes"):
        Conversations(engine).ask(sign * 64, QUESTION)
    with pytest.raises(UsageError, match=r"^'a{80}…' is no name"):
        Conversations(engine).read("a" * 3000)


def turned(file: Path, at: tuple[Any, ...], to: Any) -> None:
    """Give the turn in a file another value at a place."""
    head, line = file.read_text().splitlines()
    turn = json.loads(line)
    inner = turn
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = to
    file.write_text(f"{head}\n{json.dumps(turn)}\n")


@pytest.mark.parametrize(
    ("at", "to"),
    [
        (("question",), 1), (("asked_at",), "now"), (("asked_at",), 1e300), (("where",), None), (("documents",), []),
        (("answer",), []), (("answer", "text"), 5), (("answer", "citations"), {"a": 1}), (("answer", "citations", 0), None),
        (("answer", "citations", 0, "page"), "one"), (("answer", "citations", 0, "quote"), None),
        (("answer", "citations", 1, "referenced_from"), {}), (("answer", "conditions"), [1]), (("answer", "pending"), [{}]),
    ],
)  # fmt: skip
def test_a_turn_with_other_values_is_damaged_and_no_crash(
    engine: Engine, shelf: Path, at: tuple[Any, ...], to: Any
) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    turned(shelf.parent / "library" / "sessions" / "fees.jsonl", at, to)
    with pytest.raises(LibraryDamaged, match=r"fees\.jsonl, line 2: this is no turn"):
        talk.read("fees")


def test_a_session_without_a_turn_is_told(engine: Engine, shelf: Path) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    file = shelf.parent / "library" / "sessions" / "fees.jsonl"
    file.write_text(file.read_text().splitlines()[0] + "\n")
    with pytest.raises(LibraryDamaged, match="without a turn"):
        talk.read("fees")


def test_half_a_turn_on_a_full_disk_is_none(engine: Engine, shelf: Path) -> None:
    talk = Conversations(engine)
    talk.ask("fees", QUESTION)
    size = (shelf.parent / "library" / "sessions" / "fees.jsonl").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, hard))
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with pytest.raises(LibraryDamaged, match="cannot be kept"):
            talk.ask("fees", NEXT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert [turn.question for turn in talk.read("fees").turns] == [QUESTION]
    talk.ask("fees", NEXT)
    assert [turn.question for turn in talk.read("fees").turns] == [QUESTION, NEXT]
