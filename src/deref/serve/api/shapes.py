"""The JSON of the requests and answers, for checking what comes in and for the OpenAPI description of what goes out.

Rows of references, findings, passages and answers have the fields of docs/json.md, and ids of documents besides.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")

Text = Annotated[
    str, Field(min_length=1, max_length=4000, pattern=r"\S", examples=["What does night support cost?"])
]
Filter = Annotated[
    str | None,
    Field(
        max_length=2000,
        description="Answer only from what passes: docs/filters.md.",
        examples=["document:lease* AND NOT page:1-3"],
    ),
]


Recipe = Annotated[
    str | None,
    Field(
        max_length=100,
        description="How passages are searched: a recipe that the library offers.",
        examples=["spread"],
    ),
]


class Shape(BaseModel):
    """An object of an answer. Fields may be added by a later version."""

    model_config = ConfigDict(extra="allow")


class Asks(BaseModel):
    """An object of a request: what it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


class ProblemShape(Shape):
    """A problem (RFC 9457)."""

    type: str = Field(examples=["urn:deref:problem:not-there"])
    title: str = Field(examples=["Not there"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is nothing here for this caller; see what the lists give."])


class Listed(Shape, Generic[T]):
    """A part of a list. `next` is the address of the next part, null when this is the last."""

    items: list[T]
    next: str | None = Field(examples=["/api/v1/libraries/deals/documents?cursor=50&limit=50"])


class Health(Shape):
    """That the server is there."""

    status: Literal["ok"]


class RecipeShape(Shape):
    """A recipe that a question may choose, and what it does."""

    name: str = Field(examples=["spread"])
    told: str


class OfferedShape(Shape):
    """What a question may choose by name. `unless_chosen` is what holds for one that does not."""

    recipes: list[RecipeShape]
    models: list[str] = Field(examples=[["none", "ollama/qwen3:4b"]])
    most_budget: int = Field(examples=[3])
    unless_chosen: dict[str, Any] = Field(examples=[{"model": "none", "budget": 1}])


class LibraryShape(Shape):
    """A library, as far as the caller sees it. `vectors` of its `passages` have theirs; `uploads` tells whether files can be put into it."""

    library: str = Field(examples=["deals"])
    uploads: bool
    documents: int = Field(examples=[12])
    passages: int = Field(examples=[164])
    vectors: int = Field(examples=[164])
    offered: OfferedShape


class Libraries(Shape):
    """The libraries that the caller sees, what the caller may do, and what files may be uploaded."""

    items: list[LibraryShape]
    role: Literal["read", "write", "admin"]
    accepts: list[str] = Field(examples=[[".docx", ".html", ".md", ".pdf", ".txt"]])
    most_upload_mb: int = Field(examples=[512])


class CollectionShape(Shape):
    """A collection: what permissions and the filter `collection:` speak of."""

    name: str = Field(examples=["default"])
    documents: int = Field(examples=[12])


class Collections(Shape):
    """The collections that the caller sees."""

    items: list[CollectionShape]


class DocumentShape(Shape):
    """A document. `document` is its id; `source` its path on the shelf; `pages` as counted in the file."""

    document: str = Field(examples=["6f1ed002ab5595859014ebf0951522d9"])
    source: str = Field(examples=["02 Exhibit B - Fee Schedule.pdf"])
    title: str = Field(examples=["EXHIBIT B Fee Schedule"])
    collection: str = Field(examples=["default"])
    format: str = Field(examples=["pdf"])
    language: str = Field(examples=["en"])
    pages: int = Field(examples=[2])
    status: Literal["active", "superseded", "withdrawn"]
    successor: str
    status_why: str


class Documents(Listed[DocumentShape]):
    """Documents by name, and how many there are in all."""

    total: int = Field(examples=[12])


class DocumentInFull(DocumentShape):
    """A document with what is known of it as a whole. `picture_pages` of it can be seen as pictures."""

    aliases: list[str]
    lines: int = Field(examples=[58])
    sections: int
    items: int
    problems: list[dict[str, Any]]
    picture_pages: int = Field(examples=[2])


class Outline(Shape):
    """Sections and items of a document, in order. `lines` are 0-based and half-open."""

    document: str
    sections: list[dict[str, Any]] = Field(
        examples=[
            [
                {
                    "id": "s1",
                    "label": "1",
                    "title": "Charges",
                    "level": 1,
                    "parent": None,
                    "lines": [3, 29],
                    "page": 1,
                }
            ]
        ]
    )
    items: list[dict[str, Any]] = Field(
        examples=[
            [
                {
                    "id": "i1",
                    "kind": "table",
                    "label": "B-1",
                    "caption": "Charges",
                    "lines": [10, 29],
                    "page": 1,
                }
            ]
        ]
    )


class BoxShape(Shape):
    """A rectangle in PDF points, origin top left, y downwards."""

    x0: float
    top: float
    x1: float
    bottom: float


class LineShape(Shape):
    """A line. `line` is 0-based in the document, `row` 1-based on its `page`; `box` is null where the format has none."""

    line: int = Field(examples=[27])
    page: int = Field(examples=[1])
    row: int = Field(examples=[28])
    text: str = Field(examples=["(E) Extended cover, tier 2 per month 28,640 27,500"])
    starts_block: bool
    size_pt: float | None
    box: BoxShape | None


class Lines(Shape):
    """Lines of a document; `path` are the sections that hold the first one, outermost first."""

    document: str
    source: str
    path: list[str] = Field(examples=[["1 Charges"]])
    lines: list[LineShape]


class PageShape(Lines):
    """The lines of a page. `picture` is the address of its picture, `width` and `height` its size in points; null without one.

    The size is null also when the file has changed or is gone: then the address of the picture tells so.
    """

    page: int
    pages: int
    picture: str | None
    width: float | None
    height: float | None


class ReferenceShape(Shape):
    """A reference, where it is written, and what became of it: docs/json.md, `refs`."""

    document: str
    source: str
    page: int
    line: int
    row: int
    text: str = Field(examples=["row (E) of Table B-1 in Exhibit B"])
    status: Literal["resolved", "ambiguous", "external", "dangling", "unresolved"]
    tier: str | None
    why: str
    targets: list[dict[str, Any]]


class References(Listed[ReferenceShape]):
    """References of a document, by place."""


class FindingShape(Shape):
    """A finding of the checker: docs/json.md, `check`."""

    document: str
    source: str
    rule: str = Field(examples=["dangling-reference"])
    severity: Literal["error", "warning", "note"]
    text: str
    message: str
    fingerprint: str


class Findings(Listed[FindingShape]):
    """Findings of the checker, by document and place."""


class GraphShape(Shape):
    """The graph of references: docs/json.md, `graph`."""

    level: Literal["section", "document"]
    references: int
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class SearchAsked(Asks):
    """A question or some words, and how many passages: as many as the settings say when it is left out."""

    question: Text
    where: Filter = None
    k: Annotated[int, Field(ge=1, le=100)] | None = None
    recipe: Recipe = None


class Found(Shape):
    """Passages, best first, those that were followed behind what they belong to: docs/json.md, `search`."""

    passages: list[dict[str, Any]]
    problems: list[str]


class QuestionAsked(Asks):
    """A question. In a session, the questions before it are its history."""

    question: Text
    where: Filter = None
    recipe: Recipe = None
    model: Annotated[
        str | None,
        Field(
            max_length=200,
            description="Who writes: a language model that the library offers, or none, which quotes.",
            examples=["none"],
        ),
    ] = None
    budget: Annotated[
        int | None, Field(ge=0, le=3, description="Passes after the first, as many as are offered.")
    ] = None
    passages: Annotated[int | None, Field(ge=1, le=50, description="Passages that the first pass reads.")] = (
        None
    )
    session: Annotated[str | None, Field(max_length=64)] = None


class AnswerShape(Shape):
    """An answer: docs/json.md, `ask`."""

    text: str = Field(examples=["(E) Extended cover, tier 2 per month 28,640 27,500 [1]"])
    completeness: Literal["complete", "references_unresolved", "partial", "not_found", "conflict"]
    citations: list[dict[str, Any]]
    pending: list[dict[str, Any]]
    conditions: list[dict[str, Any]]
    definitions: list[dict[str, Any]]
    external: list[dict[str, Any]]
    unquoted: list[dict[str, Any]] = []
    amendments: list[dict[str, Any]] = []
    problems: list[str]


class QuestionShape(Shape):
    """A question on record. `problem` is set instead of `answer` when it failed or was called off."""

    question: str = Field(examples=["JcPmi1O8cLJmYdrMVDkSxw"])
    session: str | None
    text: str = Field(examples=["What does night support cost?"])
    where: str | None
    recipe: str | None
    model: str | None
    budget: int | None
    passages: int | None
    state: Literal["running", "done", "failed", "cancelled"]
    created: float = Field(examples=[1790000000.0])
    ended: float | None
    answer: AnswerShape | None
    problem: ProblemShape | None


class Questions(Listed[QuestionShape]):
    """Questions of the caller, newest first."""


class SessionAsked(Asks):
    """A session to begin."""

    title: Annotated[str, Field(max_length=200, examples=["Support fees"])] = ""


class SessionShape(Shape):
    """A session: questions that belong together."""

    session: str
    title: str
    created: float
    questions: int


class Sessions(Listed[SessionShape]):
    """Sessions of the caller, newest first."""


class SessionInFull(SessionShape):
    """A session with its questions and answers, oldest first. Citations say what became of their document: `standing` and `now`."""

    turns: list[QuestionShape]


class JobShape(Shape):
    """An index job. `attempts` is more than 1 when a restart of the server interrupted it. Files are counted as far as the caller sees them."""

    job: str
    state: Literal["queued", "running", "done", "failed", "interrupted"]
    phase: Literal["", "reading", "vectors"]
    attempts: int = Field(examples=[1])
    collection: str | None
    created: float
    started: float | None
    ended: float | None
    files_done: int = Field(examples=[3])
    files_total: int = Field(examples=[12])
    outcomes: dict[str, int] = Field(examples=[{"added": 3}])
    error: str | None


class Jobs(Listed[JobShape]):
    """Index jobs, newest first."""


class FileShape(Shape):
    """What became of a file: docs/events.md, `file_read`."""

    path: str
    outcome: str = Field(examples=["added"])
    seconds: float
    pages: int
    chunks: int
    problems: list[str]
    error: str | None


class Files(Listed[FileShape]):
    """What became of files, by path."""


class UploadShape(Shape):
    """A file that came in, under the name that it got, and the job that reads it (null: none was asked for)."""

    source: str = Field(examples=["hr/pay.pdf"])
    collection: str
    bytes: int
    new: bool
    job: JobShape | None
