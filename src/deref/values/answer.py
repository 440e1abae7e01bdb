"""Answers: text, citations to both ends of each reference, and an account of every pointer."""

from __future__ import annotations

from enum import StrEnum

from deref.quick_dataclass import dataclass
from deref.values.places import Region, Span
from deref.values.reference import Resolution


class Completeness(StrEnum):
    """The typed field that the loop acts on.

    COMPLETE  nothing that would change the answer is open.
    REFERENCES_UNRESOLVED  the text points at something that was not read yet.
    PARTIAL  the budget is spent, a pointer could not be followed, or a part of the question is not answered.
    NOT_FOUND  nothing on the shelf bears on the question.
    CONFLICT  the passages contradict each other; each side is cited.
    """

    COMPLETE = "complete"
    REFERENCES_UNRESOLVED = "references_unresolved"
    PARTIAL = "partial"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"


class Arrived(StrEnum):
    """How a cited passage came in: found by the question, by following a reference, or because it amends what is quoted."""

    PRIMARY = "primary"
    REFERENCE = "reference"
    AMENDMENT = "amendment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a reference was written: document name, 1-based page, 0-based line, 1-based row in the page."""

    source: str
    page: int
    line: int
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A verbatim quote and where it stands. `quote` is the text of `lines`, or a part of it, newlines kept.

    `page` and `row` are 1-based and those of the first line; `end_page` and `end_row` of the last.
    `reference` is the pointer's own words and `referenced_from` where it was written, when it arrived by one; of an amendment
    `reference` are the words in it that name what it amends.
    """

    source: str
    lines: Span
    page: int
    row: int
    end_page: int
    end_row: int
    boxes: tuple[Region, ...]
    quote: str
    arrived: Arrived
    reference: str | None = None
    referenced_from: Origin | None = None
    section: str | None = None
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition that the answer hangs on, stated and never decided: `text` verbatim, and where it stands."""

    text: str
    at: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinedTerm:
    """A term that the answer uses as a document defines it: the words that define it, verbatim, and where they stand."""

    term: str
    text: str
    at: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """What another paper amends: the lines of the citation `amended`, by those of the citation `amending`, both counted from 1."""

    amended: int
    amending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of evidence given to a writer. `lines` are its lines; `why` says why a followed one is here.

    `focus` are the lines within it that a selector picks out; `header` the rows that head them.
    """

    lines: Span
    arrived: Arrived = Arrived.PRIMARY
    resolution: Resolution | None = None
    focus: tuple[Span, ...] = ()
    header: Span | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer. `text` quotes, with [1], [2] for `citations` in order.

    `pending` are pointers that bear on the question and were not followed, or could not be, each with its
    status and reason; `external` those that leave the shelf; `unquoted` those that were followed and of whose places nothing
    is quoted, each with those places alone; `amendments` what other papers amend of what is quoted; `definitions` the defined terms that it uses; `aside` those of `pending` that are worth following and would not
    be missed: those that lead nowhere, or that nobody follows any more, are not told, and leave the answer complete.
    `leaning` those of `pending` that the answer leans on: where one of them leaves the shelf, the answer is partial.
    `problems` what was degraded, in words for people. `when_settled` is what the writer makes of the answer but for its
    pointers: the completeness that it has once none of them is pending.
    """

    text: str
    citations: tuple[Citation, ...]
    pending: tuple[Resolution, ...]
    completeness: Completeness
    conditions: tuple[Condition, ...] = ()
    external: tuple[Resolution, ...] = ()
    problems: tuple[str, ...] = ()
    definitions: tuple[DefinedTerm, ...] = ()
    unquoted: tuple[Resolution, ...] = ()
    amendments: tuple[Amendment, ...] = ()
    aside: tuple[Resolution, ...] = ()
    leaning: tuple[Resolution, ...] = ()
    when_settled: Completeness = Completeness.COMPLETE


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One pass of the loop: its 0-based number, the evidence, and the answer written from it."""

    n: int
    passages: tuple[Passage, ...]
    answer: Answer
