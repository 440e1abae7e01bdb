"""Questions asked with a trace, and asked again from it alone: the same engine, and the first difference in words."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deref.engine import Engine, open_engine
from deref.errors import Cancelled, DamagedFile, NoSuchSource, UsageError
from deref.models.scripted import ScriptedWriter
from deref.recording import as_told
from deref.replaying import Replayed, replay
from deref.settings import settings_of
from deref.trace.events import Event
from deref.trace.sinks import ListSink, trace_file
from deref.values import Answer, Completeness, Scope

FILES = {
    "toll.md": "# The toll\n\n## 1 Rates\n\nA cart pays the toll of row (B) of Table 1, unless Section 3 says otherwise.\n\n"
    "Table 1. Tolls\n\n| Row | Kind | Pence |\n|---|---|---|\n| (A) | horse | 1 |\n| (B) | cart | 2 |\n\n"
    "## 2 Fines\n\nWho pays late owes the fine of Section 9.\n\n## 3 Frost\n\nA cart pays nothing while the river is frozen.\n",
    "inn.md": "# The inn\n\n## 1 Stable\n\nA horse costs three pence in the stable, as the Toll Act 1900 has it.\n",
}
QUESTION = "What toll does a cart pay?"


@contextmanager
def opened(
    folder: Path, *, embedder: str = "hashing", writer: Any = None, **groups: dict[str, Any]
) -> Iterator[Engine]:
    shelf = folder / "shelf"
    shelf.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (shelf / name).write_text(text)
    settings = settings_of({"models": {"embedder": embedder}} | groups)
    with open_engine(folder / "library", settings=settings) as engine:
        engine.index(shelf)
        if settings.retrieve.overviews != "off":
            engine.embed()
        if writer is not None:
            engine = Engine(store=engine.store, settings=settings, embedder=None, writer=writer)
        yield engine


def traced(engine: Engine, file: Path, question: str = QUESTION, **how: Any) -> Answer:
    with file.open("w", encoding="utf-8") as out:
        return engine.ask(question, trace=out, **how)


def alone(folder: Path, file: Path) -> Replayed:
    """Replay a trace on a machine that has neither library nor documents."""
    shutil.rmtree(folder / "library")
    shutil.rmtree(folder / "shelf")
    return replay(file)


@pytest.mark.parametrize(
    ("how", "setup"),
    [
        ({}, {}),
        ({"budget": 0}, {}),
        ({"budget": 3, "passages": 2}, {}),
        ({"question": "What fine does a late payer owe?"}, {}),
        ({"question": "What does a horse cost in the stable?"}, {"embedder": "none"}),
        ({"question": "How many moons circle Jupiter?"}, {"embedder": "none"}),
        ({"where": 'section:"Rates" AND status:all'}, {}),
        ({"where": "page:7"}, {}),
        ({"history": ("What does a horse pay?",), "scope": Scope(prefers=frozenset(["default"]))}, {}),
        ({}, {"retrieve": {"rerank": "overlap", "retry": True, "per_document": 2}}),
        ({}, {"retrieve": {"overviews": "boost"}}),
        ({}, {"retrieve": {"overviews": "restrict", "overview_documents": 1}}),
    ],
    ids=str,
)  # fmt: skip
def test_a_question_happens_again_from_its_trace_alone(
    tmp_path: Path, how: dict[str, Any], setup: dict[str, Any]
) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path, **setup) as engine:
        answer = traced(engine, file, **how)
    replayed = alone(tmp_path, file)
    assert replayed.difference is None and replayed.same
    assert replayed.answer == answer
    assert replayed.events == len(file.read_text("utf-8").splitlines()) - 2
    assert replayed.calls > 3 and replayed.notes == ()


def test_a_traced_question_has_the_events_and_the_answer_of_one_without_a_trace(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        plain, both = ListSink(), ListSink()
        before = engine.ask(QUESTION, emit=plain)
        after = traced(engine, tmp_path / "t.jsonl", emit=both)
    assert before == after
    assert [type(e) for e in plain.events] == [type(e) for e in both.events]


def test_a_writer_of_ones_own_is_answered_from_the_trace(tmp_path: Path) -> None:
    said = Answer(text="two pence", citations=(), pending=(), completeness=Completeness.COMPLETE)
    with opened(tmp_path, writer=ScriptedWriter([said])) as engine:
        traced(engine, tmp_path / "t.jsonl")
    assert alone(tmp_path, tmp_path / "t.jsonl").difference is None


def test_a_question_that_ends_in_an_error_ends_so_again(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path) as engine, pytest.raises(UsageError, match="no word"):
        traced(engine, file, "?!")
    replayed = alone(tmp_path, file)
    assert replayed.same and replayed.answer is None


class Interrupted(BaseException):
    """What breaks a question off from outside, as Ctrl-C does."""


@pytest.mark.parametrize(
    "error", [Cancelled("the one who asked has gone"), Interrupted()], ids=["called off", "broken off"]
)
@pytest.mark.parametrize("after", [0, 1, 3, 6])
def test_a_question_that_was_called_off_or_broken_off_is_so_again_after_as_many_events(
    tmp_path: Path, error: BaseException, after: int
) -> None:
    file = tmp_path / "t.jsonl"
    heard = ListSink()

    def emit(event: Event) -> None:
        if len(heard.events) == after:
            raise error
        heard(event)

    with opened(tmp_path) as engine, pytest.raises(type(error)):
        traced(engine, file, emit=emit)
    replayed = alone(tmp_path, file)
    assert replayed.difference is None
    assert (replayed.events, replayed.answer) == (after, None)


def test_a_question_that_was_broken_off_within_a_call_is_the_same_as_far_as_it_went(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"

    class Interrupted(ScriptedWriter):
        def write(self, *_: Any, **__: Any) -> Answer:
            raise KeyboardInterrupt

    with opened(tmp_path, writer=Interrupted([])) as engine, pytest.raises(KeyboardInterrupt):
        traced(engine, file)
    assert replay(file).difference is None


def changed(file: Path, kind: str, /, **values: Any) -> None:
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    next(line for line in lines if line["kind"] == kind).update(values)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        ("decided", {"verdict": "ship"}, r"event \d+ \(decided\): verdict is “resolve”, and “ship” in the trace"),
        ("stage_ran", {"after": []}, r"event 2 \(stage_ran\): after has \d+ entries, and 0 in the trace"),
        ("pass_written", {"n": 4}, r"event \d+ \(pass_written\): n is 0, and 4 in the trace"),
        ("decided", {"kind": "degraded", "what": "x", "verdict": None}, r"event \d+: the trace has degraded \(“x”\), and now there is decided"),
        ("run_started", {"library": "elsewhere"}, r"event 1 \(run_started\): library is “.*”, and “elsewhere” in the trace"),
    ],
)  # fmt: skip
def test_the_first_difference_is_told_in_words(
    tmp_path: Path, kind: str, values: dict[str, Any], said: str
) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path) as engine:
        traced(engine, file)
    changed(file, kind, **values)
    assert (difference := replay(file).difference) is not None
    assert re.search(said, difference), difference


def test_times_versions_and_fingerprints_need_not_be_the_same_and_the_latter_are_told(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path) as engine:
        traced(engine, file)
    changed(file, "stage_ran", seconds=99.0, at=0.0)
    changed(file, "run_started", versions={"deref": "0.0.1"})
    replayed = replay(file)
    assert replayed.same
    assert len(replayed.notes) == 1 and "deref 0.0.1" in replayed.notes[0]


def test_a_question_that_asks_for_more_than_the_trace_has_says_for_what(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path) as engine:
        traced(engine, file)
    lines = file.read_text("utf-8").splitlines()
    recording = json.loads(lines[-1])
    recording["settings"]["retrieve"]["pool"] = 7
    file.write_text("\n".join([*lines[:-1], json.dumps(recording)]), "utf-8")
    difference = replay(file).difference
    assert difference is not None and difference.startswith(
        "the trace has no answer to Store.rank_lexical('What toll"
    )


def test_a_library_that_changed_meanwhile_changes_no_replay(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path) as engine:
        traced(engine, file)
        (tmp_path / "shelf" / "toll.md").write_text("# The toll\n\nA cart pays nine pence.\n")
        engine.index(tmp_path / "shelf")
        assert "nine" in engine.ask(QUESTION).text
    replayed = replay(file)
    assert replayed.same and replayed.answer is not None and "nine" not in replayed.answer.text


def test_settings_that_this_version_does_not_have_are_told_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path) as engine:
        traced(engine, file)
    changed(file, "recording", settings={"loop": {"patience": 3}})
    with pytest.raises(DamagedFile, match=r"t\.jsonl: .*loop\.patience.*with the version that wrote it"):
        replay(file)


def test_a_value_that_was_changed_in_the_file_is_told_and_not_replayed(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with opened(tmp_path) as engine:
        traced(engine, file)
    recording = json.loads(file.read_text("utf-8").splitlines()[-1])
    text = zlib.decompress(base64.b64decode(recording["data"])).decode()
    data = base64.b64encode(zlib.compress(text.replace("frozen", "molten").encode())).decode()
    changed(file, "recording", data=data)
    with pytest.raises(
        DamagedFile, match=r"t\.jsonl: what is kept under \w+ is missing or was changed.*anew"
    ):
        replay(file)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text", 5),
        ("text", None),
        ("budget", "two"),
        ("passages", [1]),
        ("hurry", True),
        ("where", {"~": "places.Span"}),
    ],
)
def test_a_question_that_was_written_by_hand_is_an_error_and_no_crash(
    name: str, value: Any, tmp_path: Path
) -> None:
    with opened(tmp_path) as engine:
        traced(engine, tmp_path / "t.jsonl")
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    last = json.loads(lines[-1])
    last["asked"][name] = value
    (tmp_path / "t.jsonl").write_text("\n".join([*lines[:-1], json.dumps(last)]))
    with pytest.raises(DamagedFile, match=r"t\.jsonl: .*anew"):
        replay(tmp_path / "t.jsonl")


def test_a_trace_that_does_not_fit_on_the_disk_is_told_with_its_name(tmp_path: Path) -> None:
    full = Path("/dev/full")
    with (
        opened(tmp_path) as engine,
        pytest.raises(UsageError, match="/dev/full: the trace cannot be written"),
        trace_file(full) as out,
    ):
        engine.ask(QUESTION, trace=out)
    with pytest.raises(UsageError, match="the trace cannot be written"), trace_file(tmp_path):
        pass


def test_a_file_that_is_no_trace_or_not_there_is_told() -> None:
    with pytest.raises(NoSuchSource, match="cannot be read"):
        replay(Path("nowhere.jsonl"))


def test_who_knows_the_library_by_a_name_alone_is_told_nothing_of_this_machine() -> None:
    mine = {
        "models": {
            "embedder": "onnx", "embedder_folder": "/srv/a", "key_file": "/srv/b", "key_env": "SRV_C", "reranker_key_file": "/srv/d",
            "embedder_key_env": "SRV_E", "base_url": "http://localhost:8000/v1",
        },
        "library": {"catalogue": "postgresql://srv@db.example/team"},
        "serve": {"offer_recipes": "mine=/srv/f"},
        "retrieve": {"k": 9},
    }  # fmt: skip
    settings = settings_of(mine)
    told = as_told(settings, "team")
    assert "srv" not in repr(told).casefold()
    assert (told.models.embedder, told.models.base_url, told.retrieve.k) == (
        "onnx",
        "http://localhost:8000/v1",
        9,
    )
    assert as_told(settings, None) == settings


@pytest.mark.parametrize("kept", ["named", "key_env", "key_file", "embedder_key_env", "embedder_key_file"])
def test_a_key_in_use_is_in_no_line_of_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    secret = "swordfish-" + "0123456789"
    models: dict[str, Any] = {}
    if kept.endswith("_file"):
        (tmp_path / "kept").write_text(f" {secret}\n")
        models = {kept: str(tmp_path / "kept")}
    elif kept.endswith("_env"):
        monkeypatch.setenv("MINE", secret)
        models = {kept: "MINE"}
    else:
        monkeypatch.setenv("SOME_API_KEY", secret)
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "note.md").write_text(f"# A note\n\nWho forgets {secret} asks for a cart.\n")
    out = io.StringIO()
    with opened(tmp_path, models={"embedder": "none", **models}) as engine:
        engine.ask(f"What toll does a cart pay with {secret}?", trace=out)
    recording = json.loads(out.getvalue().splitlines()[-1])
    kept_text = zlib.decompress(base64.b64decode(recording["data"])).decode()
    assert secret not in out.getvalue() + kept_text
    assert "[secret]" in out.getvalue() and "[secret]" in kept_text
