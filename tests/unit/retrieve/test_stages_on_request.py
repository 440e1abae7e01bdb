"""The stages that are only there when they are asked for, put together as the settings and the scope say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deref.engine import Engine, open_engine
from deref.errors import UsageError
from deref.settings import settings_of
from deref.store.overviews import OVERVIEWS
from deref.trace.events import Degraded, Event, Retried, StageRan
from deref.values import Candidates, Scope

FILES = {
    "ferry.md": "# The ferry\n\n## Winter\n\nThe ferry takes no carts while the river is frozen.\n\n## Bell\n\nA bell is rung.\n",
    "bridge.md": "# The bridge\n\n## Toll\n\nA cart pays two pence, carts of the mill one.\n\n## Gate\n\nThe gate opens at dawn.\n",
    "inn.md": "# The inn\n\n## Stable\n\nA horse costs three pence in the stable of the inn.\n\n## Beds\n\nBeds are free.\n",
}
QUESTION = "Do carts pay on the frozen river ferry?"
ON_REQUEST = [
    "deref.optional_stages", "deref.retrieve.overviews", "deref.retrieve.rerank", "deref.retrieve.retry", "deref.retrieve.prefer",
    "deref.retrieve.diversity", "deref.store.overviews", "deref.index.overview", "deref.ingest.enrich", "deref.models.bundled_reranker",
    "deref.models.overlap", "deref.trace.journeys",
]  # fmt: skip


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@contextmanager
def opened(shelf: Path, *, embedder: str = "hashing", **retrieve: Any) -> Iterator[Engine]:
    settings = settings_of({"models": {"embedder": embedder}, "retrieve": retrieve})
    with open_engine(shelf.parent / f"library-{embedder}", settings=settings) as engine:
        engine.index(shelf)
        yield engine


def asked(
    engine: Engine, question: str = QUESTION, scope: Scope | None = None
) -> tuple[Candidates, list[Event]]:
    events: list[Event] = []
    return engine.search(question, scope=scope or Scope(), emit=events.append), events


def stages(events: list[Event]) -> list[str]:
    return [e.stage for e in events if isinstance(e, StageRan)]


def notices(events: list[Event]) -> list[str]:
    return [e.what for e in events if isinstance(e, Degraded)]


def documents(engine: Engine, found: Candidates) -> list[str]:
    return list(dict.fromkeys(engine.read(c.chunk.lines.doc).name for c in found))


def test_nothing_of_a_stage_that_is_off_is_loaded(shelf: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from deref.engine import open_engine; from deref.settings import settings_of\n"
        f"e = open_engine(Path({str(shelf.parent / 'l')!r}), settings=settings_of({{'models': {{'embedder': 'hashing'}}}}))\n"
        f"e.index(Path({str(shelf)!r})); assert len(e.search({QUESTION!r}))\n"
        f"print(*sorted(set({ON_REQUEST!r}) & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_each_stage_is_there_when_it_is_asked_for_and_in_its_place(shelf: Path) -> None:
    with opened(shelf) as engine:
        plain = stages(asked(engine)[1])
    with opened(shelf, overviews="boost", rerank="overlap", per_document=1) as engine:
        engine.embed()
        found, events = asked(engine, scope=Scope(prefers=frozenset({"default"})))
        assert stages(events) == [
            "legs", "boost by overview", "reserve titles", "rerank", "prefer collections", "promote titles", "place", "diversity",
            "hop", "pack", "cut", "expand",
        ]  # fmt: skip
        assert [s for s in stages(events) if s in plain] == plain
        assert not notices(events)
        assert len({c.chunk.lines.doc for c in found.top(3)}) == 3


def test_overviews_that_are_missing_are_told_once_and_made_by_waiting(shelf: Path) -> None:
    with opened(shelf) as engine:
        without = asked(engine)[0]
    with opened(shelf, overviews="boost", overview_margin=0) as engine:
        assert engine.is_behind()
        found, events = asked(engine)
        assert found == without
        (notice,) = notices(events)
        assert "there are no overviews yet" in notice and "--wait" in notice
        assert notice in engine.ask(QUESTION).problems
        engine.embed()
        assert not engine.is_behind()
        assert not notices(asked(engine)[1])
        (shelf / "ferry.md").unlink()
        engine.index(shelf)
        assert engine.is_behind()


def test_overviews_that_were_damaged_are_told_and_the_question_is_searched_without(shelf: Path) -> None:
    with opened(shelf, overviews="restrict", overview_documents=1) as engine:
        engine.embed()
        restricted, events = asked(engine, "the frozen river ferry in winter")
        assert documents(engine, restricted) == ["ferry.md"] and not notices(events)
        (shelf.parent / "library-hashing" / OVERVIEWS).write_bytes(b"cut")
        found, events = asked(engine, "carts pay")
        assert len(documents(engine, found)) > 1 and len(notices(events)) == 1


def test_a_document_that_is_set_aside_takes_no_place_among_those_that_are_chosen(shelf: Path) -> None:
    with opened(shelf, overviews="restrict", overview_documents=1) as engine:
        engine.embed()
        question = "Does the bell of the ferry ring for carts in winter?"
        assert documents(engine, asked(engine, question)[0]) == ["ferry.md"]
        engine.mark("ferry.md", "withdrawn")
        found, events = asked(engine, question)
        assert len(documents(engine, found)) == 1 and "ferry.md" not in documents(engine, found)
        assert not [what for what in notices(events) if "overview" in what]


def test_overviews_without_an_embedder_cannot_work_and_say_so(shelf: Path) -> None:
    with (
        opened(shelf, embedder="none", overviews="boost") as engine,
        pytest.raises(UsageError, match=r"retrieve\.overviews needs an embedder"),
    ):
        engine.search(QUESTION)


def test_the_reranker_puts_the_passage_with_the_words_first(shelf: Path) -> None:
    with opened(shelf, rerank="overlap", embedder="none") as engine:
        found, _ = asked(engine, "What does a horse in the stable cost?")
        assert documents(engine, found)[0] == "inn.md"
        assert found.items[0].arrivals[-1].by == "rerank" and found.items[0].arrivals[-1].score is not None


def test_a_question_with_too_little_evidence_is_asked_again(shelf: Path) -> None:
    question = "Kindly explain whatever arrangements someone travelling overland with horses or stable needs"
    with opened(shelf, retry=True, embedder="none") as engine:
        _, events = asked(engine, question)
        (told,) = [e for e in events if isinstance(e, Retried)]
        assert set(told.question.split()) <= set(question.split()) and len(told.question) < len(question)
        assert "again: legs" in stages(events)
        _, events = asked(engine, "stable of the inn")
        assert not [e for e in events if isinstance(e, Retried)]


def test_a_scope_that_prefers_a_collection_changes_nothing_where_all_are_of_it(shelf: Path) -> None:
    with opened(shelf) as engine:
        plain, _ = asked(engine)
        preferred, events = asked(engine, scope=Scope(prefers=frozenset({"default"})))
        assert preferred == plain and "prefer collections" in stages(events)
