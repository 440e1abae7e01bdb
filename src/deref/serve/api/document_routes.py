"""Routes of documents: what they hold, their pages as text and as pictures, references, findings, the graph."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response

from deref.engine import Engine
from deref.errors import UnreadableFile
from deref.serve import verbs
from deref.serve.api import shapes
from deref.serve.api.access import DocumentId, LibraryHere, Reader, ServerHere, WindowHere, done, listed
from deref.values import Finding, Severity, Status

routes = APIRouter(tags=["documents"])

_OF = "/libraries/{library}/documents/{document}"
PageNumber = Annotated[int, Path(ge=1, le=10**6, description="Counted from 1, as in the file.")]


@routes.get("/libraries/{library}/documents", response_model=shapes.Documents)
async def documents(
    request: Request, response: Response, library: LibraryHere, caller: Reader, window: WindowHere
) -> dict[str, Any]:
    """List the documents by name."""
    rows, following, total = await done(
        library, lambda engine: verbs.documents(engine, caller.scope, start=window.start, limit=window.limit)
    )
    return listed(request, response, rows, following, total=total)


@routes.get(_OF, response_model=shapes.DocumentInFull)
async def document(library: LibraryHere, caller: Reader, document: DocumentId) -> dict[str, Any]:
    """Tell of a document as a whole."""
    return await done(library, lambda engine: verbs.document(engine, document, caller.scope))


@routes.get(f"{_OF}/outline", response_model=shapes.Outline)
async def outline(library: LibraryHere, caller: Reader, document: DocumentId) -> dict[str, Any]:
    """List the sections and items of a document."""
    return await done(library, lambda engine: verbs.outline(engine, document, caller.scope))


@routes.get(f"{_OF}/lines", response_model=shapes.Lines)
async def lines(
    library: LibraryHere,
    caller: Reader,
    document: DocumentId,
    start: Annotated[int, Query(ge=0, le=10**9)],
    end: Annotated[
        int, Query(ge=1, le=10**9, description="The line behind the last one; at most 2,000 lines are given.")
    ],
) -> dict[str, Any]:
    """Give the lines of a span, with text and boxes."""
    last = min(end, start + 2000)
    return await done(
        library, lambda engine: verbs.lines(engine, document, caller.scope, start=start, end=last)
    )


@routes.get(f"{_OF}/pages/{{page}}", response_model=shapes.PageShape)
async def page(
    request: Request,
    server: ServerHere,
    library: LibraryHere,
    caller: Reader,
    document: DocumentId,
    page: PageNumber,
) -> dict[str, Any]:
    """Give the lines of a page with their boxes, and where its picture is. Boxes are in the unit of `width` and `height`."""

    def work(engine: Engine) -> dict[str, Any]:
        values = {
            **verbs.page(engine, document, page, caller.scope),
            "picture": None,
            "width": None,
            "height": None,
        }
        if verbs.seen(engine, document, caller.scope).format != "pdf":
            return values
        values["picture"] = f"{request.url.path}/picture"
        # The lines are stored, whatever has become of the file: who asks for its picture is told of that.
        with suppress(UnreadableFile):
            drawn = server.pictures.picture(library.served, engine, document, page, caller.scope)
            values |= {"width": drawn.width, "height": drawn.height}
        return values

    return await done(library, work)


@routes.get(
    f"{_OF}/pages/{{page}}/picture",
    response_class=Response,
    responses={
        200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}},
        304: {"description": "The picture is the one that the caller has."},
    },
)
async def picture(
    server: ServerHere,
    library: LibraryHere,
    caller: Reader,
    document: DocumentId,
    page: PageNumber,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Give a page of a PDF as a PNG. Nothing is lit on it: the boxes come with the lines."""

    def work(engine: Engine) -> tuple[str, bytes | None]:
        tag = server.pictures.tag(verbs.seen(engine, document, caller.scope), page)
        known = {one.strip().removeprefix("W/") for one in (if_none_match or "").split(",")}
        if tag in known or "*" in known:
            return tag, None
        return tag, server.pictures.picture(library.served, engine, document, page, caller.scope).png

    tag, png = await done(library, work)
    # It never changes, but who may see it does: so the tag is asked for each time.
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if png is None:
        return Response(status_code=304, headers=headers)
    return Response(png, media_type="image/png", headers=headers)


@routes.get(f"{_OF}/references", response_model=shapes.References)
async def references(
    request: Request,
    response: Response,
    library: LibraryHere,
    caller: Reader,
    document: DocumentId,
    window: WindowHere,
    status: Annotated[list[Status] | None, Query(description="Only these; may be given again.")] = None,
) -> dict[str, Any]:
    """List the references of a document with what became of each, by place."""
    rows, following = await done(
        library,
        lambda engine: verbs.references(
            engine, document, caller.scope, statuses=status or (), start=window.start, limit=window.limit
        ),
    )
    return listed(request, response, rows, following)


@routes.get("/libraries/{library}/findings", response_model=shapes.Findings, tags=["shelf"])
async def findings(
    request: Request,
    response: Response,
    library: LibraryHere,
    caller: Reader,
    window: WindowHere,
    document: Annotated[str | None, Query(max_length=64, description="Only this document.")] = None,
    rule: Annotated[list[str] | None, Query(description="Only this rule; may be given again.")] = None,
    severity: Annotated[Severity, Query(description="From this severity on.")] = Severity.NOTE,
) -> dict[str, Any]:
    """List what the checker finds, by document and place."""

    def work(engine: Engine) -> list[dict[str, Any]]:
        rules = tuple(sorted(rule or ()))
        found: list[Finding] = library.remembered(
            engine,
            ("findings", caller.scope, document, rules),
            lambda: verbs.findings(engine, caller.scope, doc=document, rules=rules),
        )
        return verbs.finding_rows(engine, found, caller.scope, least=severity)

    rows, following = verbs.cut(await done(library, work), *window)
    return listed(request, response, rows, following)


@routes.get("/libraries/{library}/graph", response_model=shapes.GraphShape, tags=["shelf"])
async def graph(
    library: LibraryHere,
    caller: Reader,
    level: Annotated[Literal["section", "document"], Query(description="What the nodes are.")] = "document",
    top: Annotated[int, Query(ge=2, le=200, description="How many hubs.")] = 10,
) -> dict[str, Any]:
    """Give the graph of the references of the shelf."""

    def work(engine: Engine) -> dict[str, Any]:
        made: dict[str, Any] = library.remembered(
            engine,
            ("graph", caller.scope, level, top),
            lambda: verbs.graph(engine, caller.scope, by_document=level == "document", top=top),
        )
        return made

    return await done(library, work)
