"""A question within a scope is answered as if the rest of the shelf were not there, by every verb of the engine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deref.answer.wire import answer_values
from deref.engine import Engine, open_engine
from deref.references.graph_forms import as_json
from deref.settings import LibrarySettings, settings_of
from deref.values import Scope

SETTINGS = settings_of({"models": {"embedder": "hashing"}, "index": {"collections": "folders"}})
SCOPE = Scope(collections=frozenset(["open"]))
OPEN = {
    "terms.md": "# Terms\n\n## 1 Fees\n\nThe fee is that of the Saltmarsh Schedule and of Section 4 of the Tariff Book.\n\n"
    "## 2 Notice\n\nNotice is given as in Exhibit Q, and the Wharf Policy 2021 applies.\n\n"
    "## 3 Payment\n\nPayment is made in silver, on the day that is set out in the depot payment policy.\n",
    "Wharf Policy 2021.md": "# Wharf Policy 2021\n\nBoats pay a fee at the wharf.\n",
}
SECRET = {
    "Saltmarsh Schedule.md": "# Saltmarsh Schedule\n\nThe fee is 900 a month.\n",
    "Tariff Book.md": "# Tariff Book\n\n## 4 Fees\n\nThe fee is 800 a month.\n",
    "Depot Payment Policy.md": "# Depot Payment Policy\n\nPayment is made on Mondays.\n",
    "Exhibit Q.md": "# Exhibit Q\n\nNotice goes by raven.\n",
    "terms.md": "# Terms\n\n## 1 Fees\n\nThe fee is 700 a month.\n",
}
QUESTIONS = (
    "What is the fee?",
    "How is notice given?",
    "On which day is payment made in silver?",
    "What does the Saltmarsh Schedule say?",
    "Who pays 900 a month?",
)


def _shelf(root: Path, **folders: dict[str, str]) -> Path:
    for folder, files in folders.items():
        (root / folder).mkdir(parents=True)
        for name, text in files.items():
            (root / folder / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A shelf that has nothing but what the scope lets see."""
    folder = tmp_path_factory.mktemp("alone")
    with open_engine(folder / "library", settings=SETTINGS) as engine:
        engine.index(_shelf(folder / "shelf", open=OPEN))
        # So that the same passages have vectors, whichever test comes first.
        for question in QUESTIONS:
            engine.ask(question)
        yield engine


@pytest.fixture(scope="module", params=["in a file", "in postgresql"])
def among(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The same documents among others, to which they point."""
    folder, settings = tmp_path_factory.mktemp("among"), SETTINGS
    if request.param == "in postgresql":
        kept = LibrarySettings(catalogue=request.getfixturevalue("postgresql").address())
        settings = replace(SETTINGS, library=kept)
    with open_engine(folder / "library", settings=settings) as engine:
        engine.index(_shelf(folder / "shelf", open=OPEN, secret=SECRET))
        # The engine may remember what it showed to somebody who sees all.
        for question in QUESTIONS:
            engine.ask(question)
        list(engine.references())
        yield engine


def _answer(engine: Engine, question: str) -> dict[str, Any]:
    answer = engine.ask(question, scope=SCOPE)
    values = answer_values(answer, lambda r: engine.row(r, SCOPE))
    del values["problems"]  # Vectors of all and of some are not computed at the same moment.
    return values


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_is_that_of_a_shelf_without_the_rest(alone: Engine, among: Engine, question: str) -> None:
    assert _answer(among, question) == _answer(alone, question)


@pytest.mark.parametrize("question", QUESTIONS)
def test_so_are_the_passages_that_are_found(alone: Engine, among: Engine, question: str) -> None:
    def found(engine: Engine) -> list[Any]:
        rows = [engine.passage_row(c, SCOPE) for c in engine.search(question, scope=SCOPE)]
        for row in rows:
            for arrival in row["arrivals"]:
                del arrival["score"]  # How rare a word is, BM25 tells of the whole library.
        return rows

    assert found(among) == found(alone)


def test_so_are_references_findings_and_the_graph(alone: Engine, among: Engine) -> None:
    def told(engine: Engine) -> str:
        references = [engine.row(r, SCOPE) for r in engine.references((), SCOPE)]
        graph = as_json(engine.graph(SCOPE), top=10)
        findings = [str(finding) for finding in engine.check((), SCOPE)]
        cards = [str(card) for card in engine.shelf(SCOPE).cards()]
        state = engine.progress(SCOPE).chunks
        return json.dumps([references, graph, findings, cards, state], default=str, indent=1)

    assert told(among) == told(alone)
    assert "secret" not in told(among)


def test_a_filter_does_not_tell_what_is_hidden(alone: Engine, among: Engine) -> None:
    for where in ("collection:secret", 'document:"Tariff Book*"', "collection:nothing"):
        said = []
        for engine in (alone, among):
            with pytest.raises(Exception, match="called so") as raised:
                engine.search("fee", where=where, scope=SCOPE)
            said.append(str(raised.value))
        assert said[0] == said[1]


def test_the_same_file_beside_is_another_document(tmp_path: Path) -> None:
    shelf = _shelf(tmp_path / "shelf", open=OPEN)
    shutil.copytree(shelf / "open", shelf / "secret")
    with open_engine(tmp_path / "library", settings=SETTINGS) as engine:
        engine.index(shelf)
        mine, theirs = (
            {c.id for c in engine.shelf(Scope(collections=frozenset([name]))).cards()}
            for name in ("open", "secret")
        )
        assert len(mine) == len(theirs) == len(OPEN)
        assert not mine & theirs
