"""References as found, and what became of them.

A reference is found without knowing the shelf; a resolution is made at query time from the label registry.
Nothing is dropped and nothing guessed: each reference has exactly one resolution, with a status and a reason.
"""

from __future__ import annotations

from enum import StrEnum

from deref.quick_dataclass import dataclass
from deref.values.places import Point, Span


class ReferenceKind(StrEnum):
    """What the words of a reference say it points at."""

    SECTION = "section"
    CLAUSE = "clause"
    ARTICLE = "article"
    PART = "part"
    CHAPTER = "chapter"
    RULE = "rule"
    PARAGRAPH = "paragraph"
    TABLE = "table"
    FIGURE = "figure"
    EQUATION = "equation"
    EXHIBIT = "exhibit"
    SCHEDULE = "schedule"
    ANNEX = "annex"
    APPENDIX = "appendix"
    ATTACHMENT = "attachment"
    ADDENDUM = "addendum"
    EXAMPLE = "example"
    LISTING = "listing"
    THEOREM = "theorem"
    FOOTNOTE = "footnote"
    BIBLIOGRAPHY = "bibliography"
    PAGE = "page"
    DOCUMENT = "document"
    DEFINITION = "definition"
    EXTERNAL = "external"
    RELATIVE = "relative"
    LINK = "link"


class Effect(StrEnum):
    """What following the reference does to the statement that holds it."""

    PLAIN = "plain"
    CONDITION = "condition"
    OVERRIDE = "override"
    DEFINITION = "definition"
    INCORPORATION = "incorporation"


class FoundBy(StrEnum):
    """How the reference was found."""

    LINK = "link"
    GRAMMAR = "grammar"
    NAME = "name"
    MODEL = "model"


class Status(StrEnum):
    """What became of a reference.

    RESOLVED    every label has exactly one place.      AMBIGUOUS  two or more places fit equally; all are given.
    EXTERNAL    it points at something off the shelf.   DANGLING   the place should be in a document we hold, and is not.
    UNRESOLVED  the shelf does not say (no such name, or only a model could tell).
    """

    RESOLVED = "resolved"
    AMBIGUOUS = "ambiguous"
    EXTERNAL = "external"
    DANGLING = "dangling"
    UNRESOLVED = "unresolved"


class Tier(StrEnum):
    """Which tier of the resolver decided, from the surest to the least."""

    LINK = "link"
    LABEL = "label"
    CONTAINER = "container"
    ALIAS = "alias"
    BIBLIOGRAPHY = "bibliography"
    DEFINITION = "definition"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A pointer as it is written.

    `text` is verbatim (a line end inside it reads as one space). `labels` are normalised, ranges expanded where
    both ends are of one form ("3.1–3.4" gives four), sub-paragraphs kept ("58(2)(b)(iii)"). `selector` is the part
    that picks a row, column or paragraph ("row (E)"), verbatim; `container` names the document or unit the label
    is counted in, verbatim, or None for the document at hand.
    """

    text: str
    kind: ReferenceKind
    labels: tuple[str, ...]
    at: Point
    selector: str | None = None
    container: str | None = None
    effect: Effect = Effect.PLAIN
    found_by: FoundBy = FoundBy.GRAMMAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A place that a reference points at.

    `lines` is the whole section, item or document; `focus` the lines that a selector or sub-paragraph narrows it
    to, each a span of its own (row (E); the header is `header`), empty when there is no selector or it was not
    found. `kind` is "section", "document" or an `ItemKind`; `label` is normalised or None; `title` its heading or
    caption.
    """

    lines: Span
    kind: str
    label: str | None
    title: str
    focus: tuple[Span, ...] = ()
    header: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What became of `reference`. `targets` are in the order of its labels, each once.

    `why` is one sentence for people that names what was looked up and what was found.
    `tier` is None only when no tier had anything to say.
    """

    reference: Reference
    status: Status
    targets: tuple[Target, ...]
    tier: Tier | None
    why: str
