"""The events, all of them. Each is a frozen value; `Event` is the closed union; `kind` tells them apart in JSON.

A sink gets each event once, in order. `encode` writes one as JSON-ready values with its sequence number and time;
`KINDS` is the registry that the code, the docs and the tests read.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from deref.quick_dataclass import dataclass
from deref.values import Answer, Citation, Passage, Query, Resolution


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """A question was asked. `library`, `fingerprints`, `versions` say against what.

    `sent_to`: hosts and providers beyond this machine that the question and passages may be sent to.
    """

    query: Query
    library: str
    fingerprints: dict[str, str]
    versions: dict[str, str]
    sent_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """One file of an indexing run was dealt with. `outcome`: added, changed, renamed, unchanged, removed, copy, failed.

    `done` of `total` files; `problems` name pages without text and the like, `error` why it failed.
    """

    path: str
    outcome: str
    done: int
    total: int
    seconds: float
    pages: int = 0
    chunks: int = 0
    problems: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorsComputed:
    """Vectors were computed in the background or on demand: `done` of `total` chunks have theirs."""

    done: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched:
    """Passages of a document got their preambles and were kept: `done` of `total` that had none."""

    document: str
    done: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRan:
    """A stage of the recipe ran: candidates before and after by chunk id, and what changed, in words.

    `why` says for what reason this stage moves a candidate.
    """

    stage: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    seconds: float
    note: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """The evidence was too thin and the search ran again for `question`; `kept` is "first" or "second", and why."""

    question: str
    kept: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassWritten:
    """The writer wrote an answer from these passages. `n` is the 0-based number of the pass."""

    n: int
    writer: str
    passages: tuple[Passage, ...]
    answer: Answer
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The loop decided after pass `n`: ship, resolve or stop_partial, and why."""

    n: int
    verdict: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pursued:
    """A pending reference was resolved; `followed` tells whether its text was read, `why` why or why not."""

    resolution: Resolution
    followed: bool
    why: str
    citation: Citation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded:
    """Something that should have worked did not, and the run went on without it."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that bears on the question was not used, for the filter or for what its document is worth today."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished:
    """The answer that was given, and how long it took."""

    answer: Answer
    passes: int
    seconds: float


Event = (
    RunStarted
    | FileRead
    | VectorsComputed
    | Enriched
    | StageRan
    | Retried
    | PassWritten
    | Decided
    | Pursued
    | Degraded
    | LeftOut
    | RunFinished
)

KINDS: dict[type[Any], str] = {
    RunStarted: "run_started",
    FileRead: "file_read",
    VectorsComputed: "vectors_computed",
    Enriched: "enriched",
    StageRan: "stage_ran",
    Retried: "retried",
    PassWritten: "pass_written",
    Decided: "decided",
    Pursued: "pursued",
    Degraded: "degraded",
    LeftOut: "left_out",
    RunFinished: "run_finished",
}


def plain(value: Any) -> Any:
    """Return dataclasses, enums, tuples and sets as JSON-ready dicts, strings and lists; sets sorted.

    A filter is its line of text.
    """
    if callable(said := getattr(type(value), "said", None)):
        return said(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(v) for v in value)
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value


def encode(event: Event, *, seq: int, at: float) -> dict[str, Any]:
    """Return an event as JSON-ready values: `seq`, `at` (seconds since the epoch), `kind`, then its fields."""
    return {"seq": seq, "at": at, "kind": KINDS[type(event)], **plain(event)}
