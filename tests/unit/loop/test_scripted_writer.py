"""The writer that answers from a list."""

from __future__ import annotations

import pytest

from deref.errors import ModelError
from deref.models.scripted import ScriptedWriter
from deref.ports import Writer
from deref.values import Answer, Completeness, Document, Passage, Query, Span


def nothing_to_read(doc: str) -> Document:
    raise AssertionError(f"nobody reads {doc} here")


def test_prepared_answers_come_in_their_order_and_then_it_says_so() -> None:
    answers = [
        Answer(text=t, citations=(), pending=(), completeness=Completeness.COMPLETE) for t in ("one", "two")
    ]
    writer: Writer = ScriptedWriter(answers)
    passage = Passage(lines=Span(doc="d", start=0, end=1))
    assert [writer.write(Query(text="q"), [passage], nothing_to_read) for _ in answers] == answers
    with pytest.raises(ModelError, match="no answer left after 2"):
        writer.write(Query(text="q"), [], nothing_to_read)
    assert isinstance(writer, ScriptedWriter)
    assert writer.shown == [(passage,), (passage,)]
