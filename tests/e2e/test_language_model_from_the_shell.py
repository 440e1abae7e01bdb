"""A language model asked from the shell: two passes, one question, its trace asked again, and the key nowhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.model_that_reads import reads
from e2e.shell import Shell
from unit.models.chat_server import ChatServer, refuses, serving

SHELF = Path(__file__).resolve().parents[2] / "examples" / "deal-room"
QUESTION = "What does the Customer pay for night and weekend support?"
SECRET = "abc-very-secret-0123456789"


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with serving(reads) as running:
        yield running


@pytest.fixture(scope="module")
def deref(tmp_path_factory: pytest.TempPathFactory, server: ChatServer) -> Shell:
    shell = Shell(
        tmp_path_factory.mktemp("library"),
        DEREF_MODELS_LANGUAGE_MODEL="openai/small",
        DEREF_MODELS_BASE_URL=server.url,
        DEREF_MODELS_KEY_ENV="DEREF_TEST_CREDENTIAL_X",
        DEREF_TEST_CREDENTIAL_X=SECRET,
    )
    assert shell("index", SHELF, "--wait").code == 0
    return shell


def test_a_model_writes_follows_its_pointer_and_cites_both(
    deref: Shell, server: ChatServer, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    asked = len(server.requests)
    ran = deref("ask", SHELF, QUESTION, "--model", "openai/small", "--trace", trace, "--json")
    answer = ran.values()
    assert "28,640" in answer["text"], ran
    cited = [c for c in answer["citations"] if "28,640" in c["quote"]]
    assert cited[0]["source"] == "02 Exhibit B - Fee Schedule.pdf"
    assert cited[0]["arrived"] == "reference"
    assert len(server.requests) - asked == 2, "one call for each pass, and none for the replay"
    assert all(headers["authorization"] == f"Bearer {SECRET}" for _, headers, _ in server.requests)
    assert deref.replayed > 0
    for text in (ran.out, ran.err, trace.read_text("utf-8")):
        assert SECRET not in text
    assert "sent to" not in ran.err, "this machine is nobody else"


def test_without_the_option_the_answer_is_quoted_and_no_model_is_asked(
    deref: Shell, server: ChatServer
) -> None:
    asked = len(server.requests)
    assert "28,640" in deref("ask", SHELF, QUESTION).out
    assert len(server.requests) == asked


def test_a_question_without_a_model_loads_nothing_of_them(deref: Shell) -> None:
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "deref.cli.main", "ask", str(SHELF), QUESTION],
        capture_output=True, text=True, check=False, env=deref.environment(),
    )  # fmt: skip
    assert "28,640" in ran.stdout
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert "deref.engine" in loaded
    theirs = {"pydantic_ai", "openai", "httpx2", "anyio", "jsonschema", "json_repair"}
    ours = {"deref.models.chat", "deref.models.providers", "deref.answer.generate", "deref.index.in_words"}
    assert not loaded & (theirs | ours)


def test_a_model_elsewhere_is_told_before_anything_goes_there(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "library", OPENAI_API_KEY="")
    ran = shell("ask", SHELF / "mutual_nda.md", "How long does it last?", "--model", "openai/gpt-4o")
    first, *_, last = ran.err.strip().splitlines()
    assert (
        first == "deref: the question and passages of the documents are sent to openai, as the settings say"
    )
    assert "openai/gpt-4o" in last and "key" in last
    assert ran.code == 3


def test_reading_tells_where_passages_go_and_says_nothing_of_a_writer_that_it_does_not_ask(
    tmp_path: Path,
) -> None:
    embedder = {"DEREF_MODELS_EMBEDDER": "server", "DEREF_MODELS_EMBEDDER_URL": "https://vectors.example/v1"}
    writer = {"DEREF_MODELS_WRITER": "model", "DEREF_MODELS_LANGUAGE_MODEL": "openai/gpt-4o"}
    shell = Shell(tmp_path / "library", DEREF_MODELS_BACKGROUND="0", **embedder, **writer)
    told = "deref: passages of the documents are sent to vectors.example, as the settings say"
    assert shell("index", SHELF / "mutual_nda.md").err.splitlines().count(told) == 1
    shell = Shell(tmp_path / "other", DEREF_MODELS_BACKGROUND="0", **writer)
    assert "sent to" not in shell("index", SHELF / "mutual_nda.md").err


def test_a_model_that_fails_is_an_error_and_not_a_not_found(tmp_path: Path) -> None:
    with serving(refuses(500, "out of memory")) as broken:
        shell = Shell(tmp_path / "library", DEREF_MODELS_BASE_URL=broken.url, DEREF_MODELS_RETRIES="0")
        ran = shell("ask", SHELF / "mutual_nda.md", "How long does it last?", "--model", "openai/small")
    assert ran.code == 3
    assert "answered 500: out of memory" in ran.err
    assert ran.out == ""


def test_a_name_that_is_no_model_is_a_mistake_of_the_caller(deref: Shell) -> None:
    ran = deref("ask", SHELF, QUESTION, "--model", "gpt-4o")
    assert ran.code == 2
    assert "name a provider and a model, e.g. ollama/qwen3:4b" in ran.err
