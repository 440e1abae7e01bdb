"""Looks at a library that changes meanwhile, and questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deref.engine import Engine, open_engine
from deref.errors import NoSuchSource
from deref.ports import FileRecord
from deref.serve.answering import Asked, Unheard, answered
from deref.serve.engines import Engines, Lane
from deref.serve.offered import Offered
from deref.serve.problems import Busy
from deref.settings import settings_of
from deref.values import EVERYTHING, Answer

SETTINGS = settings_of({"models": {"embedder": "none", "background": False}})


@pytest.fixture
def engines(tmp_path: Path) -> Iterator[Engines]:
    made = Engines(lambda: open_engine(tmp_path / "library", settings=SETTINGS))
    yield made
    made.close()


def _changed(engine: Engine, n: int) -> None:
    """Change the library, as an index job does."""
    engine.store.note_files([FileRecord(path=f"{n}.md", size=1, mtime_ns=n, doc=None, error="broken")])


@pytest.mark.parametrize(("changes", "lane", "looks"), [(2, Lane.LOOKS, 3), (0, Lane.LOOKS, 1), (9, Lane.LOOKS, 4), (2, Lane.QUESTIONS, 1)])  # fmt: skip
def test_a_look_that_fails_while_the_library_changes_is_done_anew(
    engines: Engines, changes: int, lane: Lane, looks: int
) -> None:
    done = 0

    def look(engine: Engine) -> int:
        nonlocal done
        done += 1
        if done <= changes:
            _changed(engine, done)
        if done <= changes or changes == 0:
            raise NoSuchSource("no such document")
        return done

    future = engines.do(lane, look)
    if changes == 2 and lane is Lane.LOOKS:
        assert future.result() == 3
    else:
        assert isinstance(future.exception(), NoSuchSource)
    assert done == looks


class LosingADocument(Engine):
    """An engine that meets a document which has gone; `changed` says whether the library has changed."""

    changed = True

    def under(self, settings: object) -> Engine:
        return self

    def ask(self, text: str, **how: object) -> Answer:
        if self.changed:
            _changed(self, 1)
        raise NoSuchSource("no document 1f")


@pytest.mark.parametrize(
    ("changed", "error", "says"), [(True, Busy, "ask again"), (False, NoSuchSource, "no document")]
)
def test_a_question_whose_document_went_says_to_ask_again(
    tmp_path: Path, changed: bool, error: type[Exception], says: str
) -> None:
    known = open_engine(tmp_path / "library", settings=SETTINGS)
    engine = LosingADocument(store=known.store, settings=SETTINGS, embedder=None)
    engine.changed = changed
    with pytest.raises(error, match=says):
        answered(
            engine,
            Asked(text="What is the fee?"),
            EVERYTHING,
            offered=Offered(SETTINGS),
            called="x",
            to=Unheard(),
            hide=str,
        )
    engine.close()
