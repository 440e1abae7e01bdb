"""Routes of libraries, collections, uploads and jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from deref.errors import Cancelled
from deref.parse import SUFFIXES
from deref.serve import verbs
from deref.serve.access import Caller
from deref.serve.api import shapes
from deref.serve.api.access import (
    DocumentId,
    LibraryHere,
    Reader,
    ServerHere,
    WindowHere,
    WriterHere,
    done,
    listed,
)
from deref.serve.problems import NotThere
from deref.serve.records import Row
from deref.serve.server import Library
from deref.serve.uploads import Incoming, label

routes = APIRouter(tags=["libraries"])

_PIECE = 2**20
"""Bytes of an upload that are in memory before they are written."""


@routes.get("/libraries", response_model=shapes.Libraries)
async def libraries(server: ServerHere, caller: Reader) -> dict[str, Any]:
    """List the libraries that the caller sees."""
    items = [await _told(library, caller) for library in server.libraries(caller)]
    return {
        "items": items,
        "role": caller.role.value,
        "accepts": sorted(SUFFIXES),
        "most_upload_mb": server.settings.read.max_file_mb,
    }


@routes.get("/libraries/{library}", response_model=shapes.LibraryShape)
async def one_library(library: LibraryHere, caller: Reader) -> dict[str, Any]:
    """Tell of a library how many documents and passages it has, and how far its vectors are."""
    return await _told(library, caller)


async def _told(library: Library, caller: Caller) -> dict[str, Any]:
    counts = await done(library, lambda engine: verbs.counts(engine, caller.scope))
    return {
        "library": library.served.id,
        "uploads": library.served.uploads,
        **counts,
        "offered": library.offered.values(),
    }


@routes.get("/libraries/{library}/collections", response_model=shapes.Collections)
async def collections(library: LibraryHere, caller: Reader) -> dict[str, Any]:
    """List the collections that the caller sees."""
    known = library.collections(caller)
    return {"items": await done(library, lambda engine: verbs.collections(engine, caller.scope, known))}


@routes.put(
    "/libraries/{library}/collections/{collection}/files/{name}",
    response_model=shapes.UploadShape,
    responses={201: {"model": shapes.UploadShape, "description": "A new file."}},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def upload(
    request: Request,
    response: Response,
    caller: WriterHere,
    library: LibraryHere,
    collection: Annotated[
        str, Path(max_length=200, description="The collection; it is made when it is new.")
    ],
    name: Annotated[
        str, Path(max_length=500, description="A name for the file. Only a label is made of it.")
    ],
    index: Annotated[bool, Query(description="Whether to read it at once.")] = True,
) -> dict[str, Any]:
    """Put a file into a library of uploads: its bytes are the body. One of the same name is replaced."""
    incoming = library.incoming(caller, collection, name)
    incoming.check(int(request.headers.get("content-length", "0")))
    new = await _received(request, incoming)
    plain = label(collection)
    job = library.jobs.add(caller, plain) if index else None
    response.status_code = 201 if new else 200
    return {
        "source": incoming.path,
        "collection": plain,
        "bytes": incoming.size,
        "new": new,
        "job": job and library.jobs.told(caller, job),
    }


@contextmanager
def _broken_off() -> Iterator[None]:
    """Take a client that goes away for one that calls its upload off: nobody hears it, and it is no failure of the server."""
    try:
        yield
    except ClientDisconnect as error:
        raise Cancelled("the upload broke off, and nothing of it was kept; send the file again") from error


async def _received(request: Request, incoming: Incoming) -> bool:
    """Write the body to the disk as it comes; tell whether the file is a new one. Raises OversizedFile, UsageError."""
    with incoming, _broken_off():
        held = bytearray()
        async for piece in request.stream():
            held += piece
            incoming.check(incoming.size + len(held))
            if len(held) >= _PIECE:
                await run_in_threadpool(incoming.write, bytes(held))
                held.clear()
        await run_in_threadpool(incoming.write, bytes(held))
        return await run_in_threadpool(incoming.keep)


@routes.delete("/libraries/{library}/documents/{document}", status_code=202, response_model=shapes.JobShape)
async def remove(caller: WriterHere, library: LibraryHere, document: DocumentId) -> dict[str, Any]:
    """Remove an uploaded document, and have the library brought up to date."""
    places = await done(library, lambda engine: engine.store.collections(caller.scope))
    await done(library, lambda engine: library.remove_files(engine, document, caller.scope))
    return library.jobs.told(caller, library.jobs.add(caller, places.get(document)))


@routes.post("/libraries/{library}/jobs", status_code=202, response_model=shapes.JobShape, tags=["jobs"])
async def add_job(response: Response, caller: WriterHere, library: LibraryHere) -> dict[str, Any]:
    """Bring the library up to date with its files. A job that waits already serves for this one too."""
    row = library.jobs.add(caller, None)
    response.headers["Location"] = f"/api/v1/libraries/{library.served.id}/jobs/{row['id']}"
    return library.jobs.told(caller, row)


@routes.get("/libraries/{library}/jobs", response_model=shapes.Jobs, tags=["jobs"])
async def jobs(
    request: Request, response: Response, library: LibraryHere, caller: Reader, window: WindowHere
) -> dict[str, Any]:
    """List the index jobs, newest first."""
    rows, following = verbs.cut(library.jobs.every(caller), *window)
    return listed(request, response, [library.jobs.told(caller, row) for row in rows], following)


@routes.get("/libraries/{library}/jobs/{job}", response_model=shapes.JobShape, tags=["jobs"])
async def one_job(
    library: LibraryHere, caller: Reader, job: Annotated[str, Path(max_length=64)]
) -> dict[str, Any]:
    """Tell how far a job is."""
    return library.jobs.told(caller, _job(library, caller, job))


@routes.get("/libraries/{library}/jobs/{job}/files", response_model=shapes.Files, tags=["jobs"])
async def files_of_job(
    request: Request,
    response: Response,
    library: LibraryHere,
    caller: Reader,
    job: Annotated[str, Path(max_length=64)],
    window: WindowHere,
) -> dict[str, Any]:
    """List what became of each file, by path."""
    row = _job(library, caller, job)
    files, following = verbs.cut(library.jobs.files(caller, row["id"]), *window)
    return listed(request, response, files, following)


def _job(library: Library, caller: Caller, name: str) -> Row:
    row = library.jobs.found(caller, name)
    if row is None:
        raise NotThere
    return row
