"""A question asked of the engine where a language model writes: two passes, what it cites, and what it is shown."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from deref.engine import Engine, open_engine
from deref.errors import Cancelled, ModelError
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.settings import settings_of
from deref.trace.events import Decided, PassWritten, Pursued
from deref.trace.sinks import ListSink
from deref.values import Arrived, Completeness, Status, Tier
from deref.values.messages import Message
from unit.answer.small_model import reply

FILES = {
    "toll.md": "# The toll\n\n## 1 Rates\n\nA cart pays the toll of row (B) of Table 1, and the bridge fee by the rule told "
    "in the opening remarks, see also Clause 4 of the River Act 1900.\n\n## 2 Remarks at the opening\n\nThe bridge fee of a cart "
    "is seven pence.\n\n## 3 Tables\n\nTable 1. Tolls\n\n| Row | Kind | Pence |\n|---|---|---|\n| (A) | horse | 1 |\n"
    "| (B) | cart | 2 |\n",
}
QUESTION = "What toll does a cart pay?"
POINTS = "A cart pays the toll of row (B) of Table 1"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


Says = Callable[[Sequence[Message]], Mapping[str, Any]]


@pytest.fixture
def engine_with(
    shelf: Path, tmp_path: Path
) -> Iterator[Callable[[Says], tuple[Engine, ScriptedLanguageModel]]]:
    settings = settings_of({"models": {"embedder": "none", "writer": "model"}, "index": {"chunk_tokens": 40}})
    with open_engine(tmp_path / "library", settings=settings) as opened:
        opened.index(shelf)

        def make(says: Says) -> tuple[Engine, ScriptedLanguageModel]:
            double = ScriptedLanguageModel(says, window=8192)
            return Engine(
                store=opened.store, settings=settings, embedder=None, language_model=lambda: double
            ), double

        yield make


def shown(messages: Sequence[Message], words: str) -> str | None:
    """Return the id of the passage whose text holds the words, the last one."""
    found = re.findall(r"=== (P\d+) \w+\n.*?--- text \w+\n(.*?)\n=== end of", messages[-1].text, re.DOTALL)
    return next((id for id, text in reversed(found) if words in text), None)


def reads(messages: Sequence[Message]) -> Mapping[str, Any]:
    """Answer from the row once it is there, and point at it until then."""
    if "Say which." in messages[0].text:
        place = re.search(r"(S\d+): section 2 ", messages[-1].text)
        return {"place": place[1] if place else "none"}
    pointing = shown(messages, POINTS) or "P1"
    if "pulled in because" in messages[-1].text:
        row, fee = shown(messages, "| (B) | cart | 2 |"), shown(messages, "is seven pence")
        claims = [("A cart pays 2 pence of toll.", [(pointing, POINTS), (row or "P1", "| (B) | cart | 2 |")])]
        claims += [
            ("The bridge fee of a cart is seven pence.", [(fee, "The bridge fee of a cart is seven pence.")])
        ] * bool(fee)
        return reply(*claims)
    return reply(
        (f"{POINTS}.", [(pointing, POINTS)]),
        status="partial",
        pending=[(pointing, "row (B) of Table 1"), (pointing, "the opening remarks"), (pointing, "Exhibit 99")],
        externals=[(pointing, "Clause 4 of the River Act 1900")],
    )  # fmt: skip


def test_what_the_model_points_at_is_read_and_cited_with_both_ends(engine_with) -> None:
    engine, double = engine_with(reads)
    events = ListSink()
    answer = engine.ask(QUESTION, emit=events, passages=1)
    assert answer.completeness is Completeness.COMPLETE
    assert answer.text.startswith("A cart pays 2 pence of toll. [")
    row = next(c for c in answer.citations if "cart | 2" in c.quote)
    assert (row.arrived, row.reference) == (Arrived.REFERENCE, "row (B) of Table 1")
    assert row.referenced_from is not None and row.referenced_from.source == "toll.md"
    assert not any(c.quote.startswith(POINTS) for c in answer.citations)
    assert [r.status for r in answer.external] == [Status.EXTERNAL]
    assert [e.verdict for e in events.events if isinstance(e, Decided)] == ["resolve", "ship"]
    assert len([e for e in events.events if isinstance(e, PassWritten)]) == 2
    assert all("generative-1 scripted" in e.writer for e in events.events if isinstance(e, PassWritten))
    assert (
        "why it is here: pulled in because toll.md, p. 1, line 5 says “row (B) of Table 1”"
        in double.shown[-1][-1].text
    )


def test_a_relative_phrase_is_resolved_by_the_model_and_by_no_tier_before(engine_with) -> None:
    engine, _ = engine_with(reads)
    events = ListSink()
    answer = engine.ask(QUESTION, emit=events, passages=1)
    (found,) = [
        e.resolution for e in events.events if isinstance(e, Pursued) and e.resolution.tier is Tier.MODEL
    ]
    assert (found.reference.text, found.status) == ("the opening remarks", Status.RESOLVED)
    assert "The bridge fee of a cart is seven pence." in answer.text


def test_what_it_says_is_heard_pass_by_pass(engine_with) -> None:
    engine, _ = engine_with(reads)
    heard: list[tuple[int, str]] = []
    answer = engine.ask(QUESTION, passages=1, heard=lambda n, piece: heard.append((n, piece)))
    assert "".join(piece for n, piece in heard if n == 1) == answer.text
    assert {n for n, _ in heard} == {0, 1}


def test_it_can_be_called_off(engine_with) -> None:
    engine, _ = engine_with(reads)
    with pytest.raises(Cancelled):
        engine.ask(QUESTION, cancelled=lambda: True)


def test_a_pointer_that_leads_nowhere_costs_no_second_call(engine_with) -> None:
    words = "A cart pays the toll"

    def vague(messages: Sequence[Message]) -> Mapping[str, Any]:
        if "Say which." in messages[0].text:
            return {"place": "none"}
        pointing = shown(messages, POINTS) or "P1"
        given = reply((f"{words}.", [(pointing, words)]), pending=[(pointing, "the opening remarks")])
        return given

    engine, double = engine_with(vague)
    answer = engine.ask(QUESTION, budget=3, passages=1)
    writing = [m for m in double.shown if "Say which." not in m[0].text]
    assert answer.completeness is Completeness.PARTIAL
    assert len(writing) == len({m[-1].text for m in writing})
    assert any("names no place" in r.why for r in answer.pending)


def test_an_answer_of_a_model_is_replayed_without_the_model(engine_with, tmp_path: Path) -> None:
    from deref.replaying import replay  # noqa: PLC0415 - the rest of this file needs no recording

    engine, double = engine_with(reads)
    out = io.StringIO()
    answer = engine.ask(QUESTION, passages=1, trace=out)
    asked = len(double.shown)
    file = tmp_path / "trace.jsonl"
    file.write_text(out.getvalue())
    replayed = replay(file)
    assert replayed.difference is None
    assert replayed.answer == answer
    assert len(double.shown) == asked


def test_a_model_that_fails_is_an_error_and_never_not_found(engine_with) -> None:
    def fails(messages: Sequence[Message]) -> Mapping[str, Any]:
        raise ModelError("the server has gone home")

    with pytest.raises(ModelError, match="gone home"):
        engine_with(fails)[0].ask(QUESTION)
