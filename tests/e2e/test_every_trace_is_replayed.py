"""Gold questions of the example shelf, asked with a trace under several settings: each happens again from its trace alone."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from deref.engine import open_engine
from deref.replaying import replay
from deref.settings import settings_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GOLD = [
    json.loads(line)["query"] for line in (EXAMPLES / "deal-room.gold.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with open_engine(folder, settings=settings_of({"models": {"embedder": "hashing"}})) as engine:
        engine.index(EXAMPLES / "deal-room")
    return folder


@pytest.mark.parametrize(
    ("groups", "questions"),
    [
        ({}, GOLD[::8]),
        ({"loop": {"budget": 3, "passages": 8}}, GOLD[1::15]),
        ({"retrieve": {"rerank": "overlap", "retry": True, "per_document": 2, "status": "all"}}, GOLD[2::15]),
        ({"models": {"embedder": "none"}}, GOLD[3::15]),
    ],
    ids=["as it comes", "budget 3", "stages on request", "by words alone"],
)
def test_a_gold_question_happens_again_from_its_trace(
    library: Path, tmp_path: Path, groups: dict[str, Any], questions: list[str]
) -> None:
    settings = settings_of({"models": {"embedder": "hashing"}} | groups)
    file = tmp_path / "trace.jsonl"
    with open_engine(library, settings=settings) as engine:
        for question in questions:
            out = io.StringIO()
            answer = engine.ask(question, trace=out)
            file.write_text(out.getvalue(), "utf-8")
            replayed = replay(file)
            assert replayed.same, f"{question}: {replayed.difference}"
            assert replayed.answer == answer == engine.ask(question)
