"""The typed reply of a writer with a model: what it is asked for, and what is read of what it says.

One set of dataclasses makes the JSON Schema (`SCHEMA`) and takes the reply (`draft_of`). The status stands first and the
claims come next, so that what is heard while the reply is written can be told at once. A draft is what a model says and
nothing more: `ground` and `pending` decide what of it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from deref.errors import ModelError
from deref.values import Completeness
from deref.values.messages import Reply
from deref.values.shapes import schema_of, value_of


class Says(StrEnum):
    """What the model makes of its answer."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"


COMPLETENESS = {
    Says.ANSWERED: Completeness.COMPLETE,
    Says.PARTIAL: Completeness.PARTIAL,
    Says.NOT_FOUND: Completeness.NOT_FOUND,
    Says.CONFLICT: Completeness.CONFLICT,
}
"""What each is as long as all that is claimed stands in the evidence and no pointer is pending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Words of a passage: its id, and the words."""

    evidence: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence of the answer, and the quotes it rests on."""

    text: str
    quotes: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPointer:
    """A pointer that the model saw in a passage: its words, and the id of the passage."""

    text: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTerm:
    """A defined term that the answer uses: the id of the passage that defines it, and the words that do."""

    term: str
    evidence: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a model answers. The rules of the prompt say what goes where: a schema is read by the decoder, not by all models."""

    status: Says
    claims: tuple[Claim, ...]
    pending_references: tuple[NamedPointer, ...]
    conditions: tuple[Quoted, ...]
    definitions: tuple[NamedTerm, ...]
    externals: tuple[NamedPointer, ...]


SCHEMA = schema_of(Draft)
"""The JSON Schema of a draft."""
NAME = "answer"
"""What the reply is called."""


def draft_of(reply: Reply, *, model: str) -> Draft:
    """Return the draft in a reply. Raises ModelError that names the model, and the place that is not as it should be."""
    try:
        return value_of(Draft, reply.value)
    except ValueError as error:
        raise ModelError(f"{model}: the reply has not the shape that was asked for: {error}") from error


def claim_of(value: Any) -> Claim | None:
    """Return a claim that was heard while the reply is written; None when it is none."""
    try:
        return value_of(Claim, value)
    except ValueError:
        return None
