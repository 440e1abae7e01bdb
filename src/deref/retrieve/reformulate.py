"""A question in other words, by a language model: for the second attempt of `retry`.

The model sees the question alone, never a passage, and replies with one question. The scope, the filter and the history stay those
of the question that was asked; what comes back is parsed like a question of a person, and what is no question gives none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from deref.ports import LanguageModel
from deref.text.hidden import on_one_line
from deref.values import Query
from deref.values.messages import Message
from deref.values.shapes import schema_of, value_of

MOST_REPLY = 200
"""Tokens of a reply."""
LONGEST = 400
"""Characters of a question in other words."""

_RULES = """A search over contracts, standards, regulations and manuals found too little for a question. Ask the same question in the \
words that such a document would use: formal terms beside plain ones, no pronouns, no names that the question does not have. \
Keep its numbers, labels and language. Do not answer it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reworded:
    """The question in other words."""

    question: Annotated[str, "one question"]


_SCHEMA = schema_of(Reworded)


def in_other_words(model: LanguageModel) -> Callable[[Query], str | None]:
    """Return what asks the model for a question in other words; None when it has no others. It raises ModelError, Cancelled."""

    def run(query: Query) -> str | None:
        messages = (Message("system", _RULES), Message("user", on_one_line(query.text)))
        reply = model.reply(messages, schema=_SCHEMA, name="reworded", most_tokens=MOST_REPLY)
        text = on_one_line(value_of(Reworded, reply.value).question, LONGEST)
        return text if text and text.casefold() != query.text.casefold() else None

    return run
