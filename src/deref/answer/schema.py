"""The typed reply of a writer with a model: what it is asked for, and what is read of what it says.

One set of dataclasses makes the JSON Schema (`SCHEMA`) and takes the reply (`draft_of`). The status stands first and the
claims come next, so that what is heard while the reply is written can be told at once. A draft is what a model says and
nothing more: `ground` and `pending` decide what of it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

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
    """Words of a passage."""

    evidence: Annotated[str, "the id of the passage, as P1"]
    quote: Annotated[str, "words of that passage, copied letter by letter, a sentence or a table row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence of the answer, and what it rests on."""

    text: Annotated[str, "one sentence of the answer, in the words of the passages where that is possible"]
    quotes: Annotated[tuple[Quoted, ...], "what it rests on; a claim without a quote is not shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPointer:
    """A pointer that the model saw in a passage."""

    text: Annotated[str, "the words that point, as they stand in the passage: Table 3 row (E)"]
    evidence: Annotated[str, "the id of the passage in which they stand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTerm:
    """A defined term that the answer uses."""

    term: Annotated[str, "the term"]
    evidence: Annotated[str, "the id of the passage that defines it"]
    quote: Annotated[str, "the words that define it, copied letter by letter"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a model answers."""

    status: Annotated[
        Says,
        "answered; partial: a part of the question stays open; not_found: the passages do not answer it; "
        "conflict: passages contradict each other",
    ]
    claims: Annotated[tuple[Claim, ...], "the answer, sentence by sentence; none when not_found"]
    pending_references: Annotated[
        tuple[NamedPointer, ...],
        "pointers to text that is not among the passages and would change the answer, each by itself",
    ]
    conditions: Annotated[tuple[Quoted, ...], "sentences that say on what condition the answer holds"]
    definitions: Annotated[tuple[NamedTerm, ...], "defined terms that the answer uses"]
    externals: Annotated[tuple[NamedPointer, ...], "other documents that the passages refer the question to"]


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
