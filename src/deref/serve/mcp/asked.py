"""What a model gives to each tool. What a tool does not know is refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Library = Annotated[
    str | None,
    Field(max_length=200, description="Which library, where several are served; else leave it out."),
]
Document = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="The document: its `source` as other results give it, e.g. `lease.pdf`.",
    ),
]
Question = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4000,
        pattern=r"\S",
        description="A question in plain words. Name the document in it if one is meant.",
    ),
]
Where = Annotated[
    str | None,
    Field(
        max_length=2000,
        description="Only what passes: FIELD:VALUE joined by AND, OR, NOT; fields are document, collection, section, page, date, "
        "kind, status. E.g. `document:lease* AND NOT page:1-3`.",
    ),
]
Start = Annotated[int, Field(ge=0, le=10**9, description="Where to go on: what `next` held.")]


class Asked(BaseModel):
    """What is given to a tool."""

    model_config = ConfigDict(extra="forbid")

    library: Library = None


class ToDocuments(Asked):
    """Which part of the list."""

    start: Start = 0
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class ToSearch(Asked):
    """A question or some words, and how many passages."""

    question: Question
    where: Where = None
    k: Annotated[
        int, Field(ge=1, le=30, description="Passages at the most, those that are followed aside.")
    ] = 6


class ToAsk(Asked):
    """A question, and how far its references are followed."""

    question: Question
    where: Where = None
    budget: Annotated[
        int | None,
        Field(
            ge=0, le=3, description="How often what was read may lead on to more; leave it out for the usual."
        ),
    ] = None


class ToOpen(Asked):
    """A document and one part of it: `section`, `item`, `page` or `lines`; none of them is the whole."""

    document: Document
    section: Annotated[
        str | None, Field(max_length=100, description="The label of a section, e.g. `7.4`.")
    ] = None
    item: Annotated[
        str | None, Field(max_length=100, description="The kind and label of an item, e.g. `table B-1`.")
    ] = None
    page: Annotated[
        int | None, Field(ge=1, le=10**6, description="A page, as counted in the file from 1.")
    ] = None
    lines: Annotated[
        str | None,
        Field(
            max_length=30,
            description="`A-B`: lines of the document, from 0, B not included, as in `lines` of results.",
        ),
    ] = None


class ToFollow(Asked):
    """A reference by its words and where it is written."""

    document: Annotated[
        str,
        Field(min_length=1, max_length=1000, description="The document that the reference is written in."),
    ]
    words: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1000,
            pattern=r"\S",
            description="The words of the reference as they are written, e.g. `row (E) of Table B-1 in Exhibit B`.",
        ),
    ]
    line: Annotated[
        int | None,
        Field(
            ge=0,
            le=10**9,
            description="The line of the document on which it begins, where it is written more than once.",
        ),
    ] = None


class ToReferences(Asked):
    """Which references."""

    document: Annotated[
        str | None, Field(max_length=1000, description="Only those written in this document; all without it.")
    ] = None
    status: Annotated[
        list[Literal["resolved", "ambiguous", "external", "dangling", "unresolved"]] | None,
        Field(description="Only those that came to one of these ends."),
    ] = None
    start: Start = 0
    limit: Annotated[int, Field(ge=1, le=100)] = 30


class ToCheck(Asked):
    """What to check."""

    document: Annotated[
        str | None, Field(max_length=1000, description="Only this document; all without it.")
    ] = None
    rules: Annotated[list[str] | None, Field(description="Only these rules; all without it.")] = None
    severity: Annotated[Literal["error", "warning", "note"], Field(description="From this severity on.")] = (
        "warning"
    )
    start: Start = 0
    limit: Annotated[int, Field(ge=1, le=100)] = 30
