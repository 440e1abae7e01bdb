"""What each tool gives back. `cite` is a place as it is cited; `lines` are what `open` takes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Cite = Annotated[
    str,
    Field(
        description="The place, to be cited as it is: document, page as counted in the file, lines on that page."
    ),
]
Source = Annotated[str, Field(description="The document, as the tools take it.")]
Lines = Annotated[
    str,
    Field(description="The lines of the document as `A-B`, from 0, B not included, as `open` takes them."),
]
Numbered = Annotated[
    str, Field(description="Its text; each line begins with its page and its line on that page, `4:13`.")
]
Status = Literal["resolved", "ambiguous", "external", "dangling", "unresolved"]
LeftOut = Annotated[
    list[str], Field(description="What was too long to be given, and how to get it. Empty when all is here.")
]
Problems = Annotated[list[str], Field(description="What may make this incomplete. Tell the reader.")]
Next = Annotated[
    int | None, Field(description="`start` of the next part of the list; null when this is the last.")
]


class Given(BaseModel):
    """What a tool gives back."""


class DocumentGiven(Given):
    """A document of the shelf."""

    source: Source
    title: str
    collection: str
    pages: int
    language: str
    status: Annotated[
        str, Field(description="active, superseded or withdrawn; only active ones answer questions.")
    ]
    successor: Annotated[str, Field(description="What supersedes it, as far as it is known.")]


class Documents(Given):
    """The documents by name."""

    documents: list[DocumentGiven]
    total: int
    next: Next
    problems: Problems


class Pointer(Given):
    """A reference: its words, where they are written, and what became of them."""

    words: str
    cite: Cite
    document: Source
    line: Annotated[
        int, Field(description="The line of the document on which it begins, as `follow` takes it.")
    ]
    status: Status
    why: Annotated[str, Field(description="What was looked up and what was found.")]
    targets: Annotated[
        list[str], Field(description="The places that it points at, each to be cited as it is.")
    ]


class Passage(Given):
    """A passage that was found."""

    cite: Cite
    source: Source
    lines: Lines
    section: Annotated[str, Field(description="The sections that hold it, outermost first.")]
    text: str
    followed: Annotated[
        Pointer | None,
        Field(
            description="The reference that ties it to a passage before it, written there or here; null when the question itself led here."
        ),
    ]


class Found(Given):
    """Passages, best first; those that a reference led to stand behind the one that holds it."""

    passages: list[Passage]
    left_out: LeftOut
    problems: Problems


class Citation(Given):
    """A quote of the answer. `n` is its number in the text."""

    n: int
    cite: Cite
    source: Source
    lines: Lines
    section: str
    quote: str
    pointer: Annotated[str | None, Field(description="The words of the reference that led here, if one did.")]
    pointer_cite: Annotated[str | None, Field(description="Where that reference is written. Cite both ends.")]


class Told(Given):
    """A condition or a definition, and where it stands."""

    text: str
    cite: Cite


class Amendment(Given):
    """What another paper amends, by the numbers of two citations."""

    amended: int
    amending: int


class Answer(Given):
    """An answer of quotes. What is open, is so for the reason in `why`: say so, and guess nothing in its place."""

    text: Annotated[
        str,
        Field(
            description="The answer. A quote ends with the number of its citation, [1] is the first of `citations`; numbers within a "
            "quote are the document's own."
        ),
    ]
    completeness: Annotated[
        Literal["complete", "references_unresolved", "partial", "not_found", "conflict"],
        Field(
            description="complete: no reference that matters is left open, which does not say that the quotes answer the question; "
            "partial: something that matters is open; not_found: nothing here bears on it; conflict: the sources contradict each other."
        ),
    ]
    citations: list[Citation]
    open: Annotated[
        list[Pointer], Field(description="References that matter and were not followed, or cannot be.")
    ]
    external: Annotated[list[Pointer], Field(description="References to what is not on the shelf.")]
    amendments: Annotated[
        list[Amendment],
        Field(
            description="What is quoted at `amended` is not as it stands any more: cite `amending` with it."
        ),
    ]
    unquoted: Annotated[
        list[Pointer],
        Field(description="References that were followed, each with the places of which nothing is quoted."),
    ]
    conditions: Annotated[
        list[Told], Field(description="The answer holds on these conditions; they are not decided.")
    ]
    definitions: list[Told]
    left_out: LeftOut
    problems: Problems


class Part(Given):
    """A part of a document."""

    cite: Cite
    lines: Lines
    section: str
    text: Numbered


class Opened(Given):
    """What was opened: several parts where several are called so."""

    source: Source
    parts: list[Part]
    left_out: LeftOut
    problems: Problems


class Target(Given):
    """A place that a reference points at, with its text."""

    cite: Cite
    source: Source
    lines: Lines
    kind: str
    label: str | None
    title: str
    standing: Annotated[
        str | None, Field(description="Set when its document is superseded or withdrawn: say so.")
    ]
    picked: Annotated[
        list[Part],
        Field(
            description="The rows or paragraphs of it that the reference picks out: what is meant. Empty: all of it."
        ),
    ]
    text: Numbered


class Followed(Given):
    """A reference and where it leads: nowhere unless it is resolved or ambiguous."""

    pointer: Pointer
    targets: list[Target]


class Trail(Given):
    """The references that are written so, each with where it leads; several only where they differ."""

    references: list[Followed]
    left_out: LeftOut
    problems: Problems


class References(Given):
    """References by document and place."""

    references: list[Pointer]
    next: Next
    problems: Problems


class FindingGiven(Given):
    """Something that is wrong with a reference, a number or a defined term."""

    rule: str
    severity: Literal["error", "warning", "note"]
    cite: Cite
    source: Source
    line: int
    text: str
    message: str


class Findings(Given):
    """What the checker finds, by document and place."""

    findings: list[FindingGiven]
    next: Next
    problems: Problems
