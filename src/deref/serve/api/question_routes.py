"""Routes of questions: search, ask as JSON and as a stream, traces, sessions."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from deref.engine import Engine
from deref.errors import Cancelled
from deref.serve import verbs
from deref.serve.access import Caller
from deref.serve.answering import Asked, Sought, Unheard
from deref.serve.api import shapes
from deref.serve.api.access import LibraryHere, Reader, WindowHere, done, listed
from deref.serve.api.problems import Refused
from deref.serve.offered import Choice
from deref.serve.problems import NotThere, Problem
from deref.serve.questions import Asking, ending
from deref.serve.records import Row, State
from deref.serve.server import Library
from deref.session_text import as_markdown, session_values

routes = APIRouter(tags=["questions"])

QuestionId = Annotated[str, Path(max_length=64)]
SessionId = Annotated[str, Path(max_length=64)]
_STREAM = (
    "A stream of server-sent events: `id` is the number of the event, `event` its kind, `data` the line of the trace "
    "(docs/events.md). Between them, without an `id`, `piece` has what a model has written so far: `pass` and `text`, which is "
    "empty where it begins anew. The last one is of the kind `answer` (docs/json.md, `ask`) or `problem` (RFC 9457)."
)
_STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": _STREAM,
        "content": {
            "text/event-stream": {
                "example": 'event: decided\ndata: {"seq": 9, "at": 1790000000.0, "kind": "decided", "n": 0, "verdict": "ship", '
                '"why": "nothing is pending"}\nid: 9\n\n'
            }
        },
    }
}


@routes.post("/libraries/{library}/search", response_model=shapes.Found)
async def search(
    request: Request, library: LibraryHere, caller: Reader, asked: shapes.SearchAsked
) -> dict[str, Any]:
    """List passages that bear on a question, and those that their references point at. The work is called off when the client goes away."""
    library.offered.settings(Choice(recipe=asked.recipe))
    sought = Sought(text=asked.question, where=asked.where, recipe=asked.recipe, k=asked.k)
    to = Unheard()
    ended = asyncio.create_task(to.end(library.answering.search(sought, caller.scope, to)))
    await _unless_gone(request, ended)
    return ended.result()


async def _begun(
    response: Response, library: LibraryHere, caller: Reader, asked: shapes.QuestionAsked
) -> Asking:
    history = library.history(caller, asked.session)
    question = Asked(
        text=asked.question,
        where=asked.where,
        recipe=asked.recipe,
        model=asked.model,
        budget=asked.budget,
        passages=asked.passages,
        history=history,
    )
    asking = library.questions.ask(caller, question, session=asked.session)
    response.headers["Deref-Question"] = asking.name
    return asking


Begun = Annotated[Asking, Depends(_begun)]


class Ear(NamedTuple):
    """Who listens to a question: the question while it is at work, else None, and what is set when there is more of it."""

    asking: Asking | None
    woken: asyncio.Event


@contextmanager
def _listening(library: Library, question: str) -> Iterator[Ear]:
    asking = library.questions.at_work(question)
    woken, wake = _alarm()
    with nullcontext() if asking is None else asking.heard_by(wake):
        yield Ear(asking, woken)


# Both end with the request. What yields the events of one who goes away in the middle is closed at some later time only.


async def _listening_to_begun(library: LibraryHere, asking: Begun) -> AsyncIterator[Ear]:
    with _listening(library, asking.name) as ear:
        yield ear


@routes.post("/libraries/{library}/ask", response_model=shapes.QuestionShape)
async def ask(request: Request, library: LibraryHere, caller: Reader, asking: Begun) -> dict[str, Any]:
    """Answer a question. The work is called off when the client goes away."""
    try:
        await _unless_gone(request, asyncio.create_task(_until_it_ends(asking)))
    except Cancelled:
        asking.cancel()
        raise
    row = library.questions.found(caller, asking.name)
    if row is None:
        raise NotThere
    told = asking.unkept or row["problem"]
    if told is not None:
        raise Refused(
            Problem(
                type=told["type"].rpartition(":")[2],
                title=told["title"],
                status=told["status"],
                detail=told["detail"],
            ),
            {"Retry-After": "5"} if told["status"] == 503 else None,
        )
    return _told(row)


@routes.post("/libraries/{library}/ask/stream", response_class=EventSourceResponse, responses=_STREAMED)
async def ask_streamed(
    library: LibraryHere, caller: Reader, asking: Begun, ear: Annotated[Ear, Depends(_listening_to_begun)]
) -> AsyncIterator[ServerSentEvent]:
    """Answer a question as a stream of what happens. The header `Deref-Question` has its id.

    Who was cut off goes on with `GET …/questions/{question}/events` and the header `Last-Event-ID`. When nobody does
    within some seconds, the work is called off.
    """
    async for event in _events(library, caller, asking.name, ear, 0):
        yield event


@routes.get("/libraries/{library}/questions", response_model=shapes.Questions)
async def questions(
    request: Request, response: Response, library: LibraryHere, caller: Reader, window: WindowHere
) -> dict[str, Any]:
    """List the questions of the caller, newest first."""
    rows = library.records.questions(caller.only_owner, window.start, window.limit + 1)
    some, following = verbs.first_of(rows, window.start, window.limit)
    return listed(request, response, [_told(row) for row in some], following)


async def _question(library: LibraryHere, caller: Reader, question: QuestionId) -> Row:
    row = library.questions.found(caller, question)
    if row is None:
        raise NotThere
    return row


QuestionHere = Annotated[Row, Depends(_question)]


async def _listening_to_found(library: LibraryHere, found: QuestionHere) -> AsyncIterator[Ear]:
    with _listening(library, found["id"]) as ear:
        yield ear


@routes.get("/libraries/{library}/questions/{question}", response_model=shapes.QuestionShape)
async def one_question(found: QuestionHere) -> dict[str, Any]:
    """Give a question with its answer."""
    return _told(found)


@routes.get(
    "/libraries/{library}/questions/{question}/events",
    response_class=EventSourceResponse,
    responses=_STREAMED,
)
async def events(
    library: LibraryHere,
    caller: Reader,
    found: QuestionHere,
    ear: Annotated[Ear, Depends(_listening_to_found)],
    last_event_id: Annotated[
        str | None, Header(pattern=r"^\d{1,9}$", description="Go on behind this event.")
    ] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Stream what happened, from the stored trace, and what still happens. `Last-Event-ID` goes on behind an event."""
    async for event in _events(library, caller, found["id"], ear, int(last_event_id or 0)):
        yield event


@routes.get(
    "/libraries/{library}/questions/{question}/trace",
    response_class=Response,
    responses={
        200: {"content": {"application/x-ndjson": {}}, "description": "The trace: `deref explain` reads it."}
    },
)
async def trace(library: LibraryHere, found: QuestionHere) -> Response:
    """Give the trace as JSON lines: a header, then an event a line."""
    with suppress(FileNotFoundError):
        return Response(
            library.questions.trace_file(found["id"]).read_bytes(), media_type="application/x-ndjson"
        )
    raise NotThere


@routes.delete("/libraries/{library}/questions/{question}", status_code=204)
async def forget(library: LibraryHere, found: QuestionHere) -> None:
    """Call a question off when it is at work, and forget it with its trace."""
    await asyncio.to_thread(library.questions.drop, found["id"])


@routes.post(
    "/libraries/{library}/sessions", status_code=201, response_model=shapes.SessionShape, tags=["sessions"]
)
async def begin_session(library: LibraryHere, caller: Reader, asked: shapes.SessionAsked) -> dict[str, Any]:
    """Begin a session: a question that is asked in it knows those before it. Without a title it is called by the words of the first one."""
    return _session(library, library.records.add_session(caller.name, asked.title.strip()))


@routes.get("/libraries/{library}/sessions", response_model=shapes.Sessions, tags=["sessions"])
async def sessions(
    request: Request, response: Response, library: LibraryHere, caller: Reader, window: WindowHere
) -> dict[str, Any]:
    """List the sessions of the caller, newest first."""
    rows = library.records.sessions(caller.only_owner, window.start, window.limit + 1)
    some, following = verbs.first_of(rows, window.start, window.limit)
    return listed(request, response, [_session(library, row) for row in some], following)


@routes.get("/libraries/{library}/sessions/{session}", response_model=shapes.SessionInFull, tags=["sessions"])
async def one_session(library: LibraryHere, caller: Reader, session: SessionId) -> dict[str, Any]:
    """Give a session with its questions and answers, the places that they cite, and what became of those documents."""
    row = library.session(caller, session)
    turns = [_told(one) for one in library.records.questions_in(row["id"])]

    def work(engine: Engine) -> list[dict[str, Any]]:
        return [
            {**turn, "answer": turn["answer"] and verbs.with_positions(engine, turn["answer"], caller.scope)}
            for turn in turns
        ]

    return {**_session(library, row), "turns": await done(library, work)}


@routes.get(
    "/libraries/{library}/sessions/{session}/export",
    response_class=Response,
    responses={
        200: {
            "content": {"text/markdown": {"schema": {"type": "string"}}, "application/json": {}},
            "description": "The session as a file, as `deref sessions export` writes it.",
        }
    },
    tags=["sessions"],
)
async def export_session(
    library: LibraryHere,
    caller: Reader,
    session: SessionId,
    format: Annotated[
        Literal["markdown", "json"], Query(description="markdown for people, json with every position.")
    ] = "markdown",
) -> Response:
    """Give a session to be taken along: its questions that were answered, and what became of the documents that they cite."""
    taken = await asyncio.to_thread(library.exported, caller, session)
    places = await done(
        library, lambda engine: [verbs.positions(engine, turn, caller.scope) for turn in taken.turns]
    )
    if format == "markdown":
        return _file(as_markdown(taken, places), "text/markdown", f"{session}.md")
    return _file(json.dumps(session_values(taken, places)), "application/json", f"{session}.json")


def _file(text: str, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8", "replace"), media_type=media_type, headers=headers)


@routes.delete("/libraries/{library}/sessions/{session}", status_code=204, tags=["sessions"])
async def forget_session(library: LibraryHere, caller: Reader, session: SessionId) -> None:
    """Forget a session with its questions."""
    await asyncio.to_thread(library.drop_session, caller, session)


def _session(library: Library, row: Row) -> dict[str, Any]:
    return {
        "session": row["id"],
        "title": row["title"],
        "created": row["created"],
        "questions": library.records.count_in(row["id"]),
    }


def _told(row: Row) -> dict[str, Any]:
    return {
        "question": row["id"],
        "session": row["session"],
        "text": row["asked"]["text"],
        **{name: row["asked"].get(name) for name in ("where", "recipe", "model", "budget", "passages")},
        "state": row["state"],
        "created": row["created"],
        "ended": row["ended"],
        "answer": row["answer"],
        "problem": row["problem"],
    }


async def _until_it_ends(asking: Asking) -> None:
    woken, wake = _alarm()
    with asking.heard_by(wake, at_the_end=True):
        if not asking.after(0)[1]:
            await woken.wait()


async def _unless_gone(request: Request, ended: asyncio.Task[Any]) -> None:
    """Wait for a task to end. Raises Cancelled when the client goes away first, and cancels the task."""
    gone = asyncio.create_task(_until_gone(request))
    await asyncio.wait([ended, gone], return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not ended.done():
        ended.cancel()
        raise Cancelled("the client has gone; ask again")


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _events(
    library: Library, caller: Caller, question: str, ear: Ear, after: int
) -> AsyncIterator[ServerSentEvent]:
    """Yield the events of a question behind a number, as they come; then how it ended, one number on."""
    last = 0
    asking, woken = ear
    if asking is None:
        for line in await asyncio.to_thread(library.questions.stored, question, 0):
            if line.seq > after:
                yield ServerSentEvent(raw_data=line.json, event=line.kind, id=str(line.seq))
            last = line.seq
    else:
        last, ended, heard = after, False, 0
        if after and (known := asking.pieces(0)):
            # Who takes the stream up may have had some of them, and gets them all.
            anew = {**json.loads(known[0].json), "text": ""}
            yield ServerSentEvent(raw_data=json.dumps(anew), event="piece")
        while not ended:
            lines, ended = asking.after(last)
            pieces = deque(asking.pieces(heard))
            for line in lines:
                while pieces and pieces[0].behind < line.seq:
                    heard += 1
                    yield ServerSentEvent(raw_data=pieces.popleft().json, event="piece")
                yield ServerSentEvent(raw_data=line.json, event=line.kind, id=str(line.seq))
                last = line.seq
            # What came behind a line that is not among these waits for it.
            while pieces and pieces[0].behind <= last:
                heard += 1
                yield ServerSentEvent(raw_data=pieces.popleft().json, event="piece")
            if not ended:
                await woken.wait()
                woken.clear()
    row = library.questions.found(caller, question)
    unkept = None if asking is None else asking.unkept
    if row is not None and (unkept or row["state"] != State.RUNNING) and last + 1 > after:
        kind, values = ("problem", unkept) if unkept else ending(row)
        yield ServerSentEvent(raw_data=json.dumps(values, ensure_ascii=True), event=kind, id=str(last + 1))


def _alarm() -> tuple[asyncio.Event, Callable[[], None]]:
    """Return an event of this loop, and what sets it from any thread, also after the loop is gone."""
    woken, loop = asyncio.Event(), asyncio.get_running_loop()

    def wake() -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(woken.set)

    return woken, wake
