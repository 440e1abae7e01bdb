"""Replies of a model, written short, and the writer that is given them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deref.answer.generate import GenerativeWriter
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.ports import Resolve
from deref.values import Answer, Document, Passage, Query, Shape
from deref.values.messages import Message
from unit.answer.small_evidence import reader, references_in

Quote = tuple[str, str]
"""Id of a passage, and the words quoted from it."""


def reply(
    *claims: tuple[str, Sequence[Quote]],
    status: str = "answered",
    pending: Sequence[Quote] = (),
    conditions: Sequence[Quote] = (),
    definitions: Sequence[tuple[str, str, str]] = (),
    externals: Sequence[Quote] = (),
) -> dict[str, Any]:
    """Return a reply: claims as (text, quotes), pointers as (id, words), definitions as (term, id, words)."""
    return {
        "status": status,
        "claims": [{"text": text, "quotes": _quotes(quotes)} for text, quotes in claims],
        "pending_references": [{"text": words, "evidence": id} for id, words in pending],
        "conditions": _quotes(conditions),
        "definitions": [{"term": t, "evidence": id, "quote": words} for t, id, words in definitions],
        "externals": [{"text": words, "evidence": id} for id, words in externals],
    }


def _quotes(quotes: Sequence[Quote]) -> list[dict[str, str]]:
    return [{"evidence": id, "quote": words} for id, words in quotes]


def model(*replies: Mapping[str, Any] | str, window: int = 8192) -> ScriptedLanguageModel:
    """Return the double with these replies."""
    return ScriptedLanguageModel(replies, window=window)


def obeying(answer: Callable[[Sequence[Message]], Mapping[str, Any]]) -> ScriptedLanguageModel:
    """Return the double that does what a function makes of what it is shown."""
    return ScriptedLanguageModel(answer, window=8192)


def written(
    question: str,
    passages: Sequence[Passage],
    given: Mapping[str, Any] | ScriptedLanguageModel,
    *docs: Document,
    shape: Shape = Shape.FACT,
    resolve: Resolve | None = None,
    history: tuple[str, ...] = (),
) -> Answer:
    """Return what the writer makes of one reply."""
    double = given if isinstance(given, ScriptedLanguageModel) else model(given)
    writer = GenerativeWriter(double, references_in, resolve)
    return writer.write(Query(text=question, shape=shape, history=history), passages, reader(*docs))
