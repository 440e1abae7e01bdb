"""The parts of retrieval that may ask a language model: other words for a question, overviews, preambles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deref.engine import Engine
from deref.errors import LibraryMismatch, ModelError
from deref.models.hashing import HashingEmbedder
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.settings import Settings, settings_of
from deref.store.library import open_library
from deref.trace.events import Degraded, Retried, StageRan
from deref.trace.sinks import ListSink
from deref.values import EVERYTHING, Chunk
from deref.values.messages import Message

LEASE = "# Lease of the mill\n\n## Rent\n\nTen crowns are due at Michaelmas.\n\n## Repairs\n\nThe owner mends the wheel.\n"
RULES = "# Rules of the ferry\n\n## Fares\n\nA cart pays two pence for the crossing.\n"
MODEL = "openai/scripted"


def settings(**groups: dict[str, Any]) -> Settings:
    models = {"embedder": "hashing", "language_model": MODEL, "background": False}
    return settings_of({**groups, "models": {**models, **groups.get("models", {})}})


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "lease.md").write_text(LEASE)
    (folder / "rules.md").write_text(RULES)
    return folder


@contextmanager
def opened(shelf: Path, chosen: Settings, model: ScriptedLanguageModel | None = None) -> Iterator[Engine]:
    embedder = HashingEmbedder()
    store = open_library(
        shelf.parent / "library", fingerprint=chosen.stored_fingerprint, model=embedder.identity
    )
    with Engine(
        store=store,
        settings=chosen,
        embedder=lambda: embedder,
        language_model=(lambda: model) if model is not None else None,
    ) as engine:
        engine.index(shelf)
        yield engine


def chunks(engine: Engine) -> Sequence[Chunk]:
    return [c for card in engine.shelf().cards() for c in engine.store.chunks(card.id, EVERYTHING)]


def test_thin_evidence_is_asked_for_in_the_words_of_the_model(shelf: Path) -> None:
    model = ScriptedLanguageModel([{"question": "What does a cart pay for the crossing?"}])
    sink = ListSink()
    with opened(shelf, settings(retrieve={"retry": True, "reformulate": "model"}), model) as engine:
        engine.search("Hauling wagons over: how expensive?", emit=sink)
    (retried,) = [e for e in sink.events if isinstance(e, Retried)]
    assert retried.question == "What does a cart pay for the crossing?"
    again = next(e for e in sink.events if isinstance(e, StageRan) and e.stage == "again: legs")
    assert again.after, "the model's words find what the question's did not"
    assert [m.text for m in model.shown[0]][-1] == "Hauling wagons over: how expensive?"


def test_a_model_that_fails_costs_the_second_attempt_and_is_told(shelf: Path) -> None:
    sink = ListSink()
    model = ScriptedLanguageModel([ModelError("out of memory")])
    with opened(shelf, settings(retrieve={"retry": True, "reformulate": "model"}), model) as engine:
        engine.search("Hauling wagons over: how expensive?", emit=sink)
    assert any("out of memory" in e.what for e in sink.events if isinstance(e, Degraded))


def test_words_of_the_question_ask_no_model(shelf: Path) -> None:
    model = ScriptedLanguageModel([])
    with opened(shelf, settings(retrieve={"retry": True}), model) as engine:
        engine.search("Hauling wagons over: how expensive?")
    assert not model.shown


def test_overviews_are_what_the_model_says_and_are_made_once(shelf: Path) -> None:
    def describe(messages: Sequence[Message]) -> dict[str, str]:
        return {"text": "On grinding grain." if "Lease" in messages[-1].text else "On boats and water."}

    model = ScriptedLanguageModel(describe)
    chosen = settings(retrieve={"overviews": "boost", "overview_text": "model"})
    with opened(shelf, chosen, model) as engine:
        assert engine.is_behind()
        engine.embed()
        assert not engine.is_behind()
        engine.embed()
    assert len(model.shown) == 2, "one call a document"
    with opened(shelf, settings(retrieve={"overviews": "boost"})) as engine:
        assert engine.is_behind(), "those of a model are not those of the structure"
        engine.embed()
    with opened(shelf, chosen, model) as engine:
        assert engine.is_behind()


def test_preambles_of_a_model_are_searched_and_never_shown(shelf: Path) -> None:
    model = ScriptedLanguageModel(lambda messages: {"text": "On the tollgate."})
    chosen = settings(index={"enrich": "model"})
    with opened(shelf, chosen, model) as engine:
        asked = len(model.shown)
        assert asked == len(chunks(engine))
        assert all(c.preamble.endswith("\nOn the tollgate.") for c in chunks(engine))
        assert not any("tollgate" in c.text for c in chunks(engine))
        assert engine.store.lexical("tollgate", 9, EVERYTHING)
        engine.index(shelf)
        assert len(model.shown) == asked, "nothing is asked twice"
    other = settings(index={"enrich": "model"}, models={"language_model": "openai/other"})
    with pytest.raises(LibraryMismatch), opened(shelf, other, model):
        pass


def test_a_run_that_ends_in_the_middle_goes_on_where_it_stopped(shelf: Path) -> None:
    chosen = settings(index={"enrich": "model"})
    with (
        pytest.raises(ModelError, match="no reply left"),
        opened(shelf, chosen, ScriptedLanguageModel([{"text": "On it."}])),
    ):
        pass
    model = ScriptedLanguageModel(lambda messages: {"text": "On it."})
    with opened(shelf, chosen, model) as engine:
        assert all(c.preamble for c in chunks(engine))
