"""Settings: closed, bounded, from file and environment, with two fingerprints."""

from __future__ import annotations

import hashlib
import json
from dataclasses import FrozenInstanceError, fields
from typing import Any, cast

import pytest

from deref.errors import UsageError
from deref.settings import GROUPS, SCHEMA, LoopSettings, Settings, load_settings, settings_of


def test_nothing_given_is_the_defaults() -> None:
    assert load_settings() == Settings()


def test_the_environment_wins_over_the_file_and_the_file_over_the_defaults() -> None:
    toml = "[loop]\nbudget = 2\npassages = 6\n"
    loaded = load_settings(
        toml, environment={"DEREF_LOOP_BUDGET": "3", "DEREF_RETRIEVE_HOP": "0", "PATH": "/bin"}
    )
    assert (loaded.loop.budget, loaded.loop.passages, loaded.retrieve.hop) == (3, 6, False)
    assert loaded.retrieve.k == Settings().retrieve.k


def test_a_name_of_two_words_is_one_field() -> None:
    assert load_settings(environment={"DEREF_INDEX_CHUNK_TOKENS": "300"}).index.chunk_tokens == 300


@pytest.mark.parametrize(
    ("toml", "named"),
    [
        ("[loop]\nbudgett = 1", "loop.budgett"),
        ("[looop]\nbudget = 1", "looop"),
        ("[loop]\nbudget = 9", "loop.budget"),
        ("[loop]\nbudget = 'two'", "loop.budget"),
        ("[models]\nembedder = 'telepathy'", "models.embedder"),
        ("loop = 3", "loop"),
    ],
)
def test_a_wrong_file_is_one_error_that_names_file_and_key(toml: str, named: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings(toml, where="my/deref.toml")
    assert "my/deref.toml" in str(caught.value)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_toml_that_does_not_read_is_one_error_that_names_the_line() -> None:
    with pytest.raises(UsageError, match=r"my\.toml: .*line 2.*\[loop\] budget = 1"):
        load_settings("[loop]\nbudget 1", where="my.toml")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DEREF_LOOP_BUDGT", "1"),
        ("DEREF_LOOP_BUDGET", "lots"),
        ("DEREF_LOP_BUDGET", "1"),
        ("DEREF_RETRIEVAL_K", "3"),
    ],
)
def test_a_wrong_variable_is_one_error_that_names_it(variable: str, value: str) -> None:
    with pytest.raises(UsageError, match=variable):
        load_settings(environment={variable: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("language_model", "qwen3:4b"),
        ("language_model", "Ollama/qwen3"),
        ("base_url", "localhost:8000"),
        ("base_url", "https://user:sk-secret@host/v1"),
        ("base_url", "https://host/v1?key=sk-secret"),
        ("key_env", "sk-secret"),
        ("key_file", " "),
        ("embedder_url", "ftp://host/v1"),
        ("window", "100"),
    ],
)
def test_a_model_that_cannot_be_meant_is_refused_and_no_key_is_repeated(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"DEREF_MODELS_{name.upper()}: it takes") as caught:
        load_settings(environment={f"DEREF_MODELS_{name.upper()}": value})
    assert "sk-secret" not in str(caught.value)
    with pytest.raises(ValueError, match=f"{name}: it takes") as made:
        settings_of({"models": {name: value}})
    assert "sk-secret" not in str(made.value)


def test_models_of_any_provider_are_taken() -> None:
    toml = """[models]
writer = "model"
language_model = "openai/org/name:latest"
base_url = "http://[::1]:8000/v1"
key_file = "~/my keys/deref"
query_prefix = "query: "
"""
    models = load_settings(toml).models
    assert (models.language_model, models.query_prefix) == ("openai/org/name:latest", "query: ")


def test_a_misspelt_group_is_told_its_right_name() -> None:
    with pytest.raises(UsageError, match="did you mean DEREF_LOOP_BUDGET"):
        load_settings(environment={"DEREF_LOP_BUDGET": "1"})


@pytest.mark.parametrize(
    ("toml", "complaint"),
    [
        ("[retrieve]\nhopp = true", r"retrieve\.hopp: there is no such setting; did you mean hop\?;"),
        ("[retrieves]\nhop = true", r"retrieves: there is no such group; did you mean retrieve\?;"),
        ("[loop]\nzzz = 1", r"loop\.zzz: there is no such setting; there are budget, passages;"),
        ("[loop]\nbudget = '+-5'", r"loop\.budget: it takes a whole number from 0 to 3 \(got '\+-5'\);"),
    ],
)
def test_what_is_misspelt_is_told_with_what_is_most_like_it(toml: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        load_settings(toml)


def test_a_key_under_a_name_that_is_no_setting_is_not_repeated() -> None:
    for toml, variables in (
        ("[models]\nkey = 'sk-1'", {}),
        ("[model]\nkey = 'sk-1'", {}),
        ("models = 'sk-1'", {}),
        ("", {"DEREF_MODELS_API_KEY": "sk-1"}),
    ):
        with pytest.raises(UsageError) as caught:
            load_settings(toml, environment=variables)
        assert "sk-1" not in str(caught.value)


def test_variables_that_are_no_settings_are_left_alone() -> None:
    environment = {
        "DEREF_LIBRARY": "x",
        "DEREF_CONFIG": "y",
        "DEREF_PASSWORD": "z",
        "DEREF_": "",
        "XDEREF_LOOP_BUDGET": "9",
    }
    assert load_settings(environment=environment) == Settings()


def test_a_variable_for_a_group_that_the_file_gets_wrong_is_still_one_error() -> None:
    with pytest.raises(UsageError, match="loop"):
        load_settings("loop = 3", environment={"DEREF_LOOP_BUDGET": "1"})


def test_settings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().loop.budget = 2  # type: ignore[misc]


def test_settings_made_in_code_are_checked_too() -> None:
    with pytest.raises(ValueError, match=r"budget: .*from 0 to 3 \(got 9\)"):
        LoopSettings(budget=9)
    with pytest.raises(ValueError, match=r"loop\.passages: .*from 1 to 50 \(got True\)"):
        settings_of({"loop": {"passages": True}})


_OTHER = {
    "index.chunk_tokens": 100, "index.collections": "folders", "read.max_file_mb": 7, "read.max_unpacked_mb": 7, "read.jobs": 7, "models.embedder": "none",
    "models.threads": 5, "models.background": False, "models.embedder_folder": "m", "models.embedder_model": "m",
    "models.embedder_url": "http://h/v1", "models.embedder_key_env": "K", "models.embedder_key_file": "k", "models.query_prefix": "q: ",
    "models.reranker_model": "m", "models.reranker_url": "http://h/v1", "models.reranker_key_env": "K", "models.reranker_key_file": "k",
    "models.writer": "model", "models.language_model": "ollama/m", "models.base_url": "http://h/v1", "models.key_env": "K",
    "models.key_file": "k", "models.timeout_s": 9, "models.retries": 9, "models.repairs": 5, "models.window": 9999,
    "retrieve.pool": 9, "retrieve.lazy": 9, "retrieve.k": 9,
    "history.days": 5, "history.max_mb": 5, "library.catalogue": "postgresql://ada@h/d", "retrieve.titles": False, "retrieve.places": False, "retrieve.hop": False, "retrieve.max_hops": 5,
    "retrieve.hop_mode": "append", "retrieve.per_hop": 5, "retrieve.pack": False,
    "retrieve.overviews": "boost", "retrieve.overview_documents": 9, "retrieve.overview_margin": 9, "retrieve.rerank": "overlap",
    "retrieve.rerank_per_leg": 9, "retrieve.rerank_min_score": 9, "retrieve.rerank_min_keep": 9, "retrieve.rerank_top_k": 9,
    "retrieve.status": "all", "retrieve.retry": True, "retrieve.reformulate": "model", "retrieve.overview_text": "model", "retrieve.per_document": 9, "index.enrich": "where", "loop.budget": 3, "loop.passages": 9,
    "serve.offer_models": "ollama/small", "serve.offer_recipes": "spread", "serve.most_budget": 1, "serve.processes": 9, "serve.traces": "events",
}  # fmt: skip


def test_every_field_that_an_answer_depends_on_is_in_exactly_one_fingerprint() -> None:
    every = {f"{g}.{f.name}" for g, part in GROUPS.items() for f in fields(cast(Any, part))}
    assert every == set(_OTHER), "a new field needs a line here"
    for field, value in _OTHER.items():
        group, name = field.split(".")
        changed = settings_of({group: {name: value}})
        stored = changed.stored_fingerprint != Settings().stored_fingerprint
        asked = changed.asked_fingerprint != Settings().asked_fingerprint
        assert (stored, asked) == (group == "index", group not in ("index", "library", "serve")), field


def test_a_library_from_before_there_was_enrichment_is_not_refused() -> None:
    before = json.dumps({"schema": SCHEMA, "index": {"chunk_tokens": 220}}, sort_keys=True)
    assert Settings().stored_fingerprint == hashlib.sha256(before.encode()).hexdigest()[:12]


def test_fingerprints_are_twelve_hex_digits_and_stay() -> None:
    for mark in (Settings().stored_fingerprint, Settings().asked_fingerprint):
        assert len(mark) == 12 and int(mark, 16) >= 0
    assert load_settings("").stored_fingerprint == Settings().stored_fingerprint
