"""Whether a document still holds: active, superseded by another, or withdrawn; and how that is known."""

from __future__ import annotations

from enum import StrEnum

from deref.quick_dataclass import dataclass


class DocumentStatus(StrEnum):
    """What a document is worth today. Only active ones answer, unless the question or the caller asks for others."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The status of a document. `successor` is the name of the document that supersedes it, "" when none is known.

    `why` says for people how it is known: by a mark, or by what a front page says.
    """

    status: DocumentStatus
    successor: str = ""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusMark:
    """What a person said of a document. It holds for these bytes, under whatever name, and for no others.

    `doc` is the id, `name` what it was called then. `successor` and `successor_name` tell the one that supersedes it,
    both "" when none was named; it is the one with that id, or when that is gone the one with that name.
    """

    doc: str
    name: str
    status: DocumentStatus
    successor: str = ""
    successor_name: str = ""
