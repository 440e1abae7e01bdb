"""What a labelled set says: references whose right answer is known, in one shape whatever the set's own fields are.

A set is a folder of documents with a file of references beside it. `shapes` reads it; here are the nouns it is read into.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

NUMBERED = frozenset({
    "section", "clause", "article", "part", "subpart", "chapter", "rule", "paragraph", "table", "figure", "equation",
    "exhibit", "schedule", "annex", "appendix", "attachment", "example", "listing", "theorem",
})  # fmt: skip
"""Kinds that are told by a number, and that a grammar can therefore be held to."""


class Truth(StrEnum):
    """What a reference should come to: a place on the shelf, off the shelf, or a place that should exist and does not."""

    PLACE = "place"
    EXTERNAL = "external"
    DANGLING = "dangling"


class Where(StrEnum):
    """Where the target lies: in the same document, in another one of the set, outside the set, or nowhere.

    INSIDE: in the same document, and the link goes to something that stands in the section that the words name.
    """

    HERE = "here"
    INSIDE = "inside"
    ACROSS = "across"
    OUTSIDE = "outside"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Where a reference goes, as far as the set says it: `locate` makes a line of it.

    `doc` is the file name. `line` is 0-based in our own document where that is known (texts of rows, passages), `row` the
    1-based row of the raw file; `page` 1-based and `y` in points from the top; `anchor` a name in the file; `text` the
    heading or caption; `kind` and `label` what stands there. `whole`: the document itself; `inside`: a section is right that holds the target.
    """

    doc: str
    kind: str
    label: str | None = None
    page: int | None = None
    y: float | None = None
    anchor: str | None = None
    row: int | None = None
    text: str = ""
    whole: bool = False
    inside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One labelled reference. `number` is its line in the file of references, 1-based: its identity in the set.

    `text` is what is linked, between `before` and `after`. Where it stands: `page` and `box` (x0, top, x1, bottom), or
    `offset` in the raw text, or between the raw rows `rows` (1-based, half-open), or only by its surroundings.
    `label` is the number as the set has it, `sub` the paragraph that belongs to it ("(a)(2)"). `goals` are places that are
    each right; `external_too` where saying that it leaves the shelf is right as well. `contained`: the words must name
    another document (None: the set does not say).
    """

    number: int
    doc: str
    kind: str
    text: str
    before: str = ""
    after: str = ""
    label: str | None = None
    sub: str | None = None
    page: int | None = None
    box: tuple[float, float, float, float] | None = None
    offset: int | None = None
    rows: tuple[int, int] | None = None
    truth: Truth = Truth.PLACE
    where: Where = Where.HERE
    goals: tuple[Goal, ...] = ()
    external_too: bool = False
    contained: bool | None = None

    @property
    def slice(self) -> str:
        """The row of the table that it is counted in: its kind and, unless that is at home, where it goes."""
        return self.kind if self.where is Where.HERE else f"{self.kind}, {self.where.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One document of a set: its file name and bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """One set, ready to be scored.

    `digest` tells whether two results are of the same references. `left_out` counts the rows of kinds that nothing in the
    words tells (links on names, indexes), by kind. `anchors` and `outline` are rows of what stands where, empty when the set
    has none. `texts` are the raw texts by file name where mentions count characters or rows of them.
    """

    name: str
    digest: str
    sources: tuple[Source, ...]
    mentions: tuple[Mention, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    anchors: tuple[Mapping[str, Any], ...] = ()
    outline: tuple[Mapping[str, Any], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
